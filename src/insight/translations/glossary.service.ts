import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { LANGUAGES } from '../../kernel/common/languages.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { TermTranslation } from './domain/glossary.js';
import type { GlossaryOperation, GlossaryRow, GlossaryTranslations } from './glossary.schema.js';
import { RunRequests } from './run-requests.js';

const MAX_ENTRIES = 10_000;
const COLUMNS =
  'g.id, g.organization_id AS "organizationId", g.translations, g.forms, g.created_at AS "createdAt", g.updated_at AS "updatedAt"';

/** The term of an entry and its other forms. */
interface Entry {
  readonly translations: GlossaryTranslations;
  readonly forms: readonly GlossaryTranslations[];
}

/** An entry after a batch; null for a deleted one. */
type Changed = ReadonlyMap<string, Entry | null>;

/** The prescribed translations of an organization's terms. */
@Injectable()
export class Glossary {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly members: Members,
    private readonly requests: RunRequests,
    private readonly outbox: Outbox,
  ) {}

  /** The entries of an organization, latest first. */
  list(organizationId: string, request: PageRequest): Promise<Page<GlossaryRow>> {
    return this.pages.list<GlossaryRow & Record<string, unknown>>(request, {
      scope: ['glossary', organizationId],
      select: COLUMNS,
      from: 'FROM glossary_entry g WHERE g.organization_id = $1',
      values: [organizationId],
      order: [
        { expression: 'g.created_at', type: 'timestamptz' },
        { expression: 'g.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<GlossaryRow> {
    const row = await this.database.one<GlossaryRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM glossary_entry g WHERE g.organization_id = $1 AND g.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Glossary entry');
    return row;
  }

  /**
   * The terms between two languages, and their other forms in both; of several for one text, regardless of case, a term
   * comes before a form, and the oldest entry first.
   */
  terms(organizationId: string, source: string, target: string): Promise<TermTranslation[]> {
    return this.database.query<TermTranslation & Record<string, unknown>>(
      `SELECT source, target FROM (
         SELECT DISTINCT ON (lower(f.form ->> $2)) f.form ->> $2 AS source, f.form ->> $3 AS target, g.created_at, g.id, f.place
           FROM glossary_entry g, jsonb_array_elements(g.translations || g.forms) WITH ORDINALITY AS f (form, place)
          WHERE g.organization_id = $1 AND g.translations ? $2 AND g.translations ? $3 AND f.form ? $2 AND f.form ? $3
          ORDER BY lower(f.form ->> $2), f.place > 1, g.created_at, g.id, f.place) t
        ORDER BY created_at, id, place`,
      [organizationId, source, target],
    );
  }

  /**
   * Applies operations in order, all or none, and runs the affected translations. Throws `invalid` for an update of a
   * missing entry and for entries without a language, `conflict` for too many entries. Deleting a missing entry does
   * nothing.
   */
  async update(callerId: string, organizationId: string, operations: readonly GlossaryOperation[]): Promise<void> {
    operations.forEach(requireWhole);
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const before = await this.named(organizationId, operations);
      const changed = this.applied(operations, before);
      await this.write(organizationId, changed);
      const touched = [...changed]
        .flatMap(([id, after]) => [before.get(id), after])
        .flatMap((each) => (each ? [each.translations] : []));
      if (changed.size > 0)
        await this.outbox.record({
          type: 'glossary_updated',
          organizationId,
          target: organizationId,
          payload: { entryIds: [...changed.keys()] },
        });
      await this.requests.request(await this.concerned(organizationId, touched));
    });
  }

  private async named(organizationId: string, operations: readonly GlossaryOperation[]): Promise<Map<string, Entry>> {
    const rows = await this.database.query<Entry & { id: string }>(
      'SELECT id, translations, forms FROM glossary_entry WHERE organization_id = $1 AND id = ANY ($2)',
      [organizationId, operations.flatMap(({ id }) => id ?? [])],
    );
    return new Map(rows.map(({ id, ...entry }) => [id, entry]));
  }

  private applied(operations: readonly GlossaryOperation[], before: ReadonlyMap<string, Entry>): Changed {
    const changed = new Map<string, Entry | null>();
    const now = this.clock.now().getTime();
    operations.forEach(({ type, id = newId(now), translations = {}, forms = [] }, index) => {
      const isThere = (changed.has(id) ? changed.get(id) : before.get(id)) != null;
      if (type === 'update' && !isThere) throw invalid(`operations.${index}.id`, 'is not an entry of the glossary');
      if (type !== 'delete') changed.set(id, { translations, forms });
      else if (isThere) changed.set(id, null);
    });
    return changed;
  }

  private async write(organizationId: string, changed: Changed): Promise<void> {
    const gone = [...changed].flatMap(([id, after]) => (after === null ? [id] : []));
    const kept = [...changed].flatMap(([id, after]) => (after === null ? [] : [{ id, ...after }]));
    await this.database.execute('DELETE FROM glossary_entry WHERE organization_id = $1 AND id = ANY ($2)', [
      organizationId,
      gone,
    ]);
    await this.database.execute(
      `INSERT INTO glossary_entry (id, organization_id, translations, forms, created_at, updated_at)
       SELECT e.id, $1, e.translations, e.forms, $3, $3 FROM jsonb_to_recordset($2::jsonb) AS e (id text, translations jsonb, forms jsonb)
       ON CONFLICT (id) DO UPDATE SET translations = excluded.translations, forms = excluded.forms, updated_at = excluded.updated_at`,
      [organizationId, JSON.stringify(kept), this.clock.now()],
    );
    const held = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM glossary_entry WHERE organization_id = $1',
      [organizationId],
    );
    if ((held?.count ?? 0) > MAX_ENTRIES)
      throw new DomainError('conflict', `A glossary has ${MAX_ENTRIES} entries at most`);
  }

  /** The translations between languages that one of these entries has both of. */
  private async concerned(organizationId: string, entries: readonly GlossaryTranslations[]): Promise<string[]> {
    if (entries.length === 0) return [];
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM translation t WHERE t.organization_id = $1
          AND EXISTS (SELECT FROM jsonb_array_elements($2::jsonb) AS e (translations) WHERE e.translations ? t.source_language AND e.translations ? t.language) ORDER BY t.id`,
      [organizationId, JSON.stringify(entries)],
    );
    return rows.map(({ id }) => id);
  }
}

function requireWhole({ type, id, translations = {}, forms = [] }: GlossaryOperation, index: number): void {
  const path = `operations.${index}`;
  if (type === 'insert' && id !== undefined) throw invalid(`${path}.id`, 'is given by the service');
  if (type !== 'insert' && id === undefined) throw invalid(`${path}.id`, `is needed to ${type} an entry`);
  if (type === 'delete') return;
  requireTerms(translations, `${path}.translations`);
  forms.forEach((form, at) => {
    const where = `${path}.forms.${at}`;
    requireTerms(form, where);
    const foreign = Object.keys(form).find((language) => !Object.hasOwn(translations, language));
    if (foreign !== undefined) throw invalid(`${where}.${foreign}`, 'must be a language of `translations`');
  });
}

/** Refuses with `invalid` what does not have a term, a single line, for each of its languages. */
function requireTerms(terms: GlossaryTranslations, path: string): void {
  if (Object.keys(terms).length === 0) throw invalid(path, 'must have a term in at least one language');
  for (const [language, term] of Object.entries(terms)) {
    const where = `${path}.${language}`;
    if (!Object.hasOwn(LANGUAGES, language)) throw invalid(where, 'is not a language that content can have');
    if (typeof term !== 'string' || term.trim() === '' || term.length > 255 || /[\n\r\0]/.test(term))
      throw invalid(where, 'must be a text of 1 to 255 characters in one line');
  }
}
