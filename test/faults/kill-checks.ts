import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { INVARIANTS } from '../../src/kernel/platform/health-checks/health-checks.points.js';
import { REGISTRY } from '../events/registry.js';
import { type Batch, type Caller, type Ledger, type Line, type Team, textWord } from './kill-clients.js';

/** Conditions that rows keep until their retention ends, so that only tests can ask for them; each statement gives the ids at fault. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'revisions that changed nothing': `
    SELECT r.id FROM revision r WHERE r.sequence > 0 AND r.type <> 'update'
       AND (r.type <> 'merge' OR EXISTS (SELECT FROM content_item i WHERE i.space_id = r.space_id AND i.line = r.merged_from))
       AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = r.space_id AND u.line = r.line AND u.sequence = r.sequence)`,
  'revisions without exactly one event': `
    SELECT r.id FROM revision r WHERE r.sequence > 0 AND 1 <> (SELECT count(*) FROM event e WHERE e.space_id = r.space_id AND e.type LIKE '%\\_content\\_updated' AND e.payload ->> 'revisionId' = r.id)`,
  'events that the audit log tells not exactly once': `
    SELECT e.id FROM event e WHERE e.organization_id IS NOT NULL AND e.type IN (${REGISTRY.auditActions.map((action) => `'${action}'`).join()})
       AND 1 <> (SELECT count(*) FROM audit_event a WHERE a.event_id = e.id AND (a.organization_id, a.action, a.target_id) = (e.organization_id, e.type, e.target))`,
  'lines of the audit log that no event made': `
    SELECT a.id FROM audit_event a WHERE NOT EXISTS (SELECT FROM event e WHERE e.id = a.event_id AND (e.type, e.target) = (a.action, a.target_id))`,
};

/** The conditions that rows keep always, as the doctor asks for them. */
const BROKEN: readonly (readonly [what: string, sql: string])[] = REGISTRY.contributionsTo(INVARIANTS)
  .filter(({ group = 'invariants' }) => group === 'invariants')
  .map(({ broken, find, over }) => [
    broken,
    `SELECT coalesce(f.example, f.id) FROM (${find.replaceAll('$1', `ARRAY(SELECT ${over.key} FROM ${over.table})`)}) f`,
  ]);

/** Looks for half-done work in the tables; one line for each kind of fault, nothing where all is well. */
export async function findImpossible(client: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, sql] of [...BROKEN, ...Object.entries(IMPOSSIBLE)]) {
    const { rows } = await client.query<Record<string, string>>(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}, such as ${Object.values(rows[0] ?? {}).join()}`);
  }
  return faults;
}

/** Files that the database knows and the storage folder does not have. */
export async function findLostFiles(client: pg.Client, filesDir: string): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>(
    `SELECT DISTINCT encode(hash, 'hex') AS hash FROM content_item WHERE kind = 'file' AND hash IS NOT NULL`,
  );
  const lost: string[] = [];
  for (const { hash } of rows) {
    await access(join(filesDir, 'sha256', hash.slice(0, 2), hash.slice(2, 4), hash)).catch(() =>
      lost.push(`the bytes of ${hash} are lost`),
    );
  }
  return lost;
}

/** Teams that have or had one of the titles $1, with those that the audit log tells. */
const TEAMS_TOLD = `
  SELECT coalesce(t.id, a.id) AS id, t.title, coalesce(a.told, '{}') AS told FROM team t
    FULL JOIN (SELECT target_id AS id, array_agg(payload ->> 'title' ORDER BY occurred_at, event_id) AS told FROM audit_event WHERE action IN ('team_created', 'team_updated') GROUP BY 1) a ON a.id = t.id
   WHERE t.title = ANY ($1) OR a.told && $1::text[]`;

interface PageNode {
  readonly id: string;
  readonly title: string;
  readonly pages?: readonly PageNode[];
}

interface Seen {
  readonly titles: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** Compares what clients were told with what a restarted server says. */
export class LedgerCheck {
  private readonly faults: string[] = [];
  private readonly spaces = new Map<string, Promise<Seen>>();

  constructor(
    private readonly caller: Caller,
    private readonly client: pg.Client,
  ) {}

  /** Faults of one round's ledger; none where every acknowledged write is there and nothing half done. */
  async find(ledger: Ledger): Promise<string[]> {
    for (const line of ledger.lines) await this.checkLine(line);
    await this.checkRevisions(ledger);
    await this.checkTeams(ledger.teams);
    const numbers = ledger.lines.flatMap(({ spaceId, changeRequest }) =>
      changeRequest === undefined ? [] : [`${spaceId} ${changeRequest.number}`],
    );
    if (new Set(numbers).size !== numbers.length) this.faults.push('a number was given to two change requests');
    return [...this.faults.splice(0), ...ledger.surprises];
  }

  private seenAt(content: string): Promise<Seen> {
    const seen = this.spaces.get(content) ?? this.look(content);
    this.spaces.set(content, seen);
    return seen;
  }

  private async look(content: string): Promise<Seen> {
    const { pages } = await this.caller.call<{ pages: PageNode[] }>('GET', `${content}/pages`);
    const flat = (nodes: readonly PageNode[]): string[] =>
      nodes.flatMap((node) => [node.title, ...flat(node.pages ?? [])]);
    const files = new Set<string>();
    let next = '';
    do {
      const page = await this.caller.call<{ items: { name: string }[]; next?: { page: string } }>(
        'GET',
        `${content}/files?limit=1000${next}`,
      );
      for (const { name } of page.items) files.add(name);
      next = page.next === undefined ? '' : `&page=${encodeURIComponent(page.next.page)}`;
    } while (next !== '');
    return { titles: new Set(flat(pages)), files };
  }

  private async checkLine(line: Line): Promise<void> {
    const primary = `/spaces/${line.spaceId}/content`;
    if (line.changeRequest === undefined) return this.checkContent(line, primary, true);
    const { status } = await this.caller.call<{ status: string }>(
      'GET',
      `/spaces/${line.spaceId}/change-requests/${line.changeRequest.id}`,
    );
    if (line.merge?.revision !== undefined && status !== 'merged')
      this.faults.push(`change request ${line.changeRequest.number} was merged and is now ${status}`);
    if (line.merge === undefined && status === 'merged')
      this.faults.push(`change request ${line.changeRequest.number} is merged although nobody asked for it`);
    await this.checkContent(line, `/spaces/${line.spaceId}/change-requests/${line.changeRequest.id}/content`, false);
    const present = await this.seenAt(primary);
    const merged = line.batches.flatMap(({ titles }) => titles.filter((title) => present.titles.has(title)));
    if (status !== 'merged' && merged.length > 0)
      this.faults.push(`${merged.join()} of an unmerged change request are in the space`);
    if (status === 'merged') await this.checkContent(line, primary, true);
  }

  /** Each batch all or nothing, those acknowledged all; the log page tells of the last one that is there. */
  private async checkContent(line: Line, content: string, searched: boolean): Promise<void> {
    const present = await this.seenAt(content);
    let last: Batch | undefined;
    for (const [index, batch] of line.batches.entries()) {
      const found =
        batch.titles.filter((title) => present.titles.has(title)).length +
        (index > 0 && present.files.has(`${batch.word}.txt`) ? 1 : 0);
      const whole = batch.titles.length + (index > 0 ? 1 : 0);
      if (found !== whole && (found > 0 || batch.revision !== undefined))
        this.faults.push(
          `${content} has ${found} of ${whole} parts of ${batch.word} (acknowledged: ${String(batch.revision !== undefined)})`,
        );
      if (found === whole) last = batch;
    }
    const [first] = line.batches;
    const logPage = first?.pageIds[0];
    if (last === undefined || logPage === undefined) return;
    await this.checkText(content, logPage, last.word);
    for (const batch of line.batches.slice(1, -1)) {
      const page = batch.pageIds.at(-1);
      if (page !== undefined) await this.checkText(content, page, batch.word);
    }
    if (searched && last !== first) await this.checkSearch(line.spaceId, last);
  }

  private async checkText(content: string, page: string, word: string): Promise<void> {
    const { markdown = '' } = await this.caller.call<{ markdown?: string }>(
      'GET',
      `${content}/page/${page}?format=markdown`,
    );
    if (!markdown.includes(word))
      this.faults.push(`${content}/page/${page} does not say ${word} but ${markdown.slice(0, 60)}`);
  }

  private async checkSearch(spaceId: string, batch: Batch): Promise<void> {
    const { items } = await this.caller.call<{ items: { title: string }[] }>(
      'GET',
      `/spaces/${spaceId}/search?query=${textWord(batch)}&limit=100`,
    );
    const found = new Set(items.map(({ title }) => title));
    const missing = batch.titles.filter((title) => !found.has(title));
    if (missing.length > 0) this.faults.push(`search for ${batch.word} does not find ${missing.join()}`);
  }

  private async checkRevisions(ledger: Ledger): Promise<void> {
    const told = ledger.lines
      .flatMap((line) => [...line.batches.map(({ revision }) => revision), line.merge?.revision])
      .filter((revision) => revision !== undefined);
    const { rows } = await this.client.query<{ id: string }>('SELECT id FROM revision WHERE id = ANY ($1)', [told]);
    const known = new Set(rows.map(({ id }) => id));
    for (const revision of told)
      if (!known.has(revision)) this.faults.push(`the acknowledged revision '${revision}' is not there`);
  }

  /** What the audit log says of a team is what was acknowledged, once each, and what the team is called. */
  private async checkTeams(teams: readonly Team[]): Promise<void> {
    const wanted = teams.flatMap(({ titles }) => titles);
    const { rows } = await this.client.query<{ id: string; title: string | null; told: string[] }>(TEAMS_TOLD, [
      wanted,
    ]);
    for (const { id, title, told } of rows)
      if (title !== told.at(-1))
        this.faults.push(`the team ${id} is called '${title ?? ''}', and by the audit log ${told.join()}`);
    const told = new Map(rows.map((row) => [row.id, row.told]));
    for (const { id, titles, acknowledged } of teams) {
      if (id === undefined) continue;
      const lines = told.get(id) ?? [];
      if (lines.length < acknowledged || lines.join() !== titles.slice(0, lines.length).join())
        this.faults.push(`of ${titles.join()} (${acknowledged} acknowledged) the audit log tells ${lines.join()}`);
    }
  }
}
