import pg from 'pg';
import { Api } from './api.js';
import { type Growth, growthBetween } from './judge.js';
import type { LoadGenerator } from './load.js';
import { type Measured, measure } from './measure.js';
import { copyWritten, nextTransaction } from './organization-copies.js';
import type { PageSource } from './pages.js';
import { figure, section, table, throughput, verdict } from './report.js';
import { readTargets } from './reads.js';
import { RowCounter } from './rows.js';
import type { Server } from './server.js';
import { buildSpace, editPages, openChangeRequest, type Subject } from './spaces.js';
import { measureUncachedReads, measureWrites, type WriteMeasured, type WriteScene } from './writes.js';

/** Pages of the space that each of the many organizations has. */
const PAGES = 3;
const LETTER = 'b';
const TEMPLATE_TOKEN = 'bench-token-of-the-organization-that-is-copied-many-times';
/** Reads and writes may cost so much more with the many organizations. */
const LIMIT = 1.1;

/** A database with a server, and a space in it that is measured. */
export interface Installation {
  readonly label: string;
  readonly server: Server;
  readonly client: pg.Client;
  readonly api: Api;
  readonly subject: Subject;
}

/** The same space in a database of one organization and in one of many. */
export interface ManyFindings {
  readonly reads: readonly Measured[];
  readonly writes: readonly WriteMeasured[];
  readonly growth: readonly Growth[];
}

/** An administrator with an organization that has a team, a collection, a space with a change request, and a published site. */
async function buildTemplate(client: pg.Client, server: Server, source: PageSource): Promise<void> {
  const id = (kind: string): string => `${kind}${LETTER}`.padEnd(20, '0');
  await client.query(
    `INSERT INTO account (id, display_name, email, email_verified, created_at) VALUES ($1, 'Many', 'many@example.com', true, now())`,
    [id('U')],
  );
  await client.query(`INSERT INTO organization (id, title, created_at) VALUES ($1, 'Many', now())`, [id('O')]);
  await client.query(
    `INSERT INTO member (organization_id, user_id, role, joined_at, last_seen_at) VALUES ($1, $2, 'admin', now(), now())`,
    [id('O'), id('U')],
  );
  await client.query(
    `INSERT INTO api_token (id, user_id, name, hash, hint, created_at) VALUES ($1, $2, 'bench', sha256(convert_to($3, 'UTF8')), 'bench', now())`,
    [id('T'), id('U'), TEMPLATE_TOKEN],
  );
  const api = new Api(server.port, TEMPLATE_TOKEN);
  const organization = `/v1/orgs/${id('O')}`;
  await api.call('PUT', `${organization}/teams`, { title: 'Writers' });
  await api.post(`${organization}/collections`, { title: 'Manuals' });
  const subject = await buildSpace(api, id('O'), 'many', PAGES, source, { files: 0 });
  const changeRequest = await openChangeRequest(api, subject, 'Proposal');
  await editPages(api, subject, source, subject.leaves, 'proposed', { changeRequest });
  const site = await api.post<{ id: string }>(`${organization}/sites`, { title: 'Many', spaces: [subject.spaceId] });
  await api.post(`${organization}/sites/${site.id}/publish`);
  api.close();
}

/** Adds organizations like the template to a database, and tells how many rows each has. */
export async function addOrganizations(
  client: pg.Client,
  server: Server,
  source: PageSource,
  count: number,
): Promise<number> {
  const since = await nextTransaction(client);
  await buildTemplate(client, server, source);
  const rows = await copyWritten(client, since, count - 1);
  const { rowCount } = await client.query(
    `SELECT FROM site s JOIN space p USING (organization_id) JOIN revision r ON r.id = p.revision_id`,
  );
  if (rowCount !== count)
    throw new Error(`${rowCount} of ${count} organizations have a site and a revision of their space`);
  await client.query('VACUUM ANALYZE');
  return rows;
}

/** A server on a database, with a space of so many pages in the first organization. */
export async function furnish(
  label: string,
  server: Server,
  client: pg.Client,
  token: string,
  pages: number,
  source: PageSource,
): Promise<Installation> {
  const api = new Api(server.port, token);
  const subject = await buildSpace(api, await api.organizationId(), label, pages, source);
  await client.query('VACUUM ANALYZE');
  return { label, server, client, api, subject };
}

/** Reads and writes of the same space in both, in alternation. */
export async function measureMany(
  installations: readonly [few: Installation, many: Installation],
  {
    source,
    load,
    databasePid,
    seconds,
    say,
  }: {
    readonly source: PageSource;
    readonly load: LoadGenerator;
    readonly databasePid: number;
    readonly seconds: number;
    readonly say: (line: string) => void;
  },
): Promise<ManyFindings> {
  const targets = [];
  for (const { server, api, subject } of installations)
    targets.push(...(await readTargets(server, api.token, subject)));
  const reads = await measure(targets, load, databasePid, seconds);
  say('measured the reads');
  const scenes = installations.map(({ api, client, subject }): WriteScene => ({
    api,
    subject,
    source,
    counter: new RowCounter(client, api, subject.spaceId),
    share: Math.min(1, seconds),
    say,
  }));
  const writes = [...(await measureUncachedReads(scenes)), ...(await measureWrites(scenes, undefined))];
  const [few, many] = installations;
  return { reads, writes, growth: growthBetween({ reads, writes }, few.label, many.label, LIMIT) };
}

/** The same space beside nobody and beside many organizations. */
export function manySection({ reads, growth }: ManyFindings): string {
  const rows = growth.map(({ operation, fromMs, toMs, ratio, cpuRatio, rowsRatio, met }) => [
    operation,
    figure(fromMs),
    figure(toMs),
    ratio.toFixed(2),
    cpuRatio?.toFixed(2),
    rowsRatio?.toFixed(2),
    verdict(met),
  ]);
  const [first] = growth;
  return [
    section('Reads', throughput(reads)),
    section(
      `From ${first?.from ?? ''} to ${first?.to ?? ''} (ratio of medians with one connection, at most ${LIMIT})`,
      table(['operation', 'ms', 'ms', 'ratio', 'CPU', 'rows', 'verdict'], rows),
    ),
  ].join('');
}
