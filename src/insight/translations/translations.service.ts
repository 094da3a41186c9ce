import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess, type SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { readBodyDocument } from '../../authoring/content/document-bodies.js';
import { document } from '../../formats/document/build.js';
import { NewSpaces } from '../../authoring/content/new-spaces.service.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Space } from '../../workspace/spaces/space.entity.js';
import { titleOfTranslation } from './domain/title.js';
import { RunRequests } from './run-requests.js';
import { SourceChanges } from './source-changes.js';
import { Translation } from './translation.entity.js';
import type { CreateTranslation, TranslationRow, UpdateTranslation } from './translations.schema.js';

const STATS = `t.runs::float8 AS runs, t.total_words::float8 AS "totalWords", t.total_pages::float8 AS "totalPages",
  t.total_duration::float8 AS "totalDuration", t.latest_run_duration::float8 AS "latestRunDuration",
  t.latest_pages::float8 AS "latestPages", t.latest_words::float8 AS "latestWords"`;
const COLUMNS = `t.id, t.organization_id AS "organizationId", t.source_space_id AS "sourceSpaceId", t.source_language AS "sourceLanguage", t.language, t.variant,
  t.result_space_id AS "resultSpaceId", r.revision_id AS "resultRevisionId", t.instructions, t.slugs, t.reader_note AS "readerNote", t.review, CASE WHEN t.review THEN t.review_request_id END AS "changeRequestId", t.status, t.error, ${STATS},
  t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.version`;
const FROM = 'FROM translation t JOIN space r ON r.id = t.result_space_id';

/** The translations of spaces. */
@Injectable()
export class Translations {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly members: Members,
    private readonly newSpaces: NewSpaces,
    private readonly requests: RunRequests,
    private readonly changes: SourceChanges,
    private readonly outbox: Outbox,
  ) {}

  /** The translations of an organization, latest first. */
  list(organizationId: string, request: PageRequest): Promise<Page<TranslationRow>> {
    return this.pages.list<TranslationRow & Record<string, unknown>>(request, {
      scope: ['translations', organizationId],
      select: COLUMNS,
      from: `${FROM} WHERE t.organization_id = $1`,
      values: [organizationId],
      order: [
        { expression: 't.created_at', type: 'timestamptz' },
        { expression: 't.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<TranslationRow> {
    const row = await this.database.one<TranslationRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} ${FROM} WHERE t.organization_id = $1 AND t.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Translation');
    return row;
  }

  /**
   * Creates a translation of a space, with a space beside it for the result, and requests its first run. Throws
   * `invalid` for the language of the source and for a space that is not the caller's, `conflict` if the space is
   * already translated to the language.
   */
  async create(
    caller: Caller,
    { id: organizationId }: OrganizationAccess,
    {
      source,
      language,
      instructions = document([]),
      slugs = 'keep',
      readerNote = false,
      review = false,
      variant = '',
    }: CreateTranslation,
  ): Promise<TranslationRow> {
    if (language === source.language) throw invalid('language', 'must be another one than that of the source');
    const complete = readBodyDocument(instructions, 'instructions');
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(caller.userId, organizationId);
      const space = await this.sourceSpace(caller, organizationId, source.space);
      const known = await this.database.one<{ id: string }>(
        'SELECT id FROM translation WHERE organization_id = $1 AND source_space_id = $2 AND language = $3 AND variant = $4',
        [organizationId, space.id, language, variant],
      );
      if (known)
        throw new DomainError(
          'conflict',
          `The space is translated to this language already, by the translation ${known.id}: run that, delete it first, or name another variant`,
        );
      const result = await this.resultSpace(caller, space, language, variant);
      await this.database.of(Translation).insert({
        id,
        organizationId,
        sourceSpaceId: space.id,
        sourceLanguage: source.language,
        language,
        variant,
        resultSpaceId: result,
        instructions: complete,
        slugs,
        readerNote,
        review,
        status: 'completed',
        createdBy: caller.userId,
        createdAt: now,
        updatedAt: now,
      });
      await this.outbox.record({
        type: 'translation_created',
        organizationId,
        target: id,
        payload: { sourceSpaceId: space.id, resultSpaceId: result, language },
      });
      await this.changes.attend(organizationId);
      await this.requests.request([id]);
    });
    return this.get(organizationId, id);
  }

  /** Changes instructions and settings, and requests a run if they differ: for notes to readers none is needed. */
  async update(
    callerId: string,
    organizationId: string,
    id: string,
    changes: UpdateTranslation,
  ): Promise<TranslationRow> {
    const instructions = readBodyDocument(changes.instructions, 'instructions');
    await this.database.transaction(async () => {
      const before = await this.lock(callerId, organizationId, id);
      if (!before) throw notFound('Translation');
      requireMatch(before.version);
      const next = {
        instructions,
        slugs: changes.slugs ?? before.slugs,
        readerNote: changes.readerNote ?? before.readerNote,
        review: changes.review ?? before.review,
      };
      const fields = (['instructions', 'slugs', 'readerNote', 'review'] as const).filter(
        (field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]),
      );
      if (fields.length === 0) return;
      await this.database.of(Translation).update({ id }, { ...next, updatedAt: this.clock.now() });
      await this.outbox.record({ type: 'translation_updated', organizationId, target: id, payload: { fields } });
      if (fields.includes('readerNote')) await this.requests.note(before.resultSpaceId);
      if (fields.some((field) => field !== 'readerNote')) await this.requests.request([id]);
    });
    return this.get(organizationId, id);
  }

  /** Ends a translation, and a running run; the space with the result is kept as an ordinary space. */
  async remove(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const translation = await this.lock(callerId, organizationId, id);
      if (!translation) return;
      requireMatch(translation.version);
      await this.database.of(Translation).delete({ id });
      await this.changes.attend(organizationId);
      await this.outbox.record({
        type: 'translation_deleted',
        organizationId,
        target: id,
        payload: { resultSpaceId: translation.resultSpaceId },
      });
      await this.requests.removeLeft(translation.resultSpaceId);
    });
  }

  /** Requests a run; if one is waiting already, returns that. */
  async run(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.lock(callerId, organizationId, id))) throw notFound('Translation');
      await this.requests.request([id]);
    });
  }

  private async sourceSpace(caller: Caller, organizationId: string, id: string): Promise<SpaceAccess> {
    // Pages are limited under a lock that waits for this one.
    await this.database.execute('SELECT FROM space WHERE id = $1 FOR SHARE', [id]);
    const space = await this.access.space(caller, id);
    if (!space || space.organizationId !== organizationId || space.deletedAt !== null)
      throw invalid('source.space', 'is not a space of this organization');
    const { limited } = (await this.database.one<{ limited: readonly string[] }>(
      'SELECT limited_pages($1) AS limited',
      [id],
    )) ?? { limited: [] };
    if (limited.length > 0)
      throw new DomainError('conflict', 'Pages of the space are limited to some, and a translation would repeat them');
    return space;
  }

  /** Creates a locked space beside the source, visible only to people who can see that. */
  private async resultSpace(
    caller: Caller,
    { id, organizationId, collectionId }: SpaceAccess,
    language: string,
    variant: string,
  ): Promise<string> {
    const { title, emoji, icon, defaultLevel } = await this.database.of(Space).findOneByOrFail({ id });
    return this.newSpaces.insert(caller.userId, organizationId, {
      title: titleOfTranslation(title, language, variant),
      ...(emoji !== null && { emoji }),
      ...(collectionId !== null && { parent: collectionId }),
      icon,
      defaultLevel,
      language,
      editMode: 'locked',
      empty: true,
    });
  }

  private async lock(callerId: string, organizationId: string, id: string) {
    await this.members.lockAsAdmin(callerId, organizationId);
    return this.database.one<
      Pick<TranslationRow, 'instructions' | 'slugs' | 'readerNote' | 'review' | 'resultSpaceId' | 'version'> &
        Record<string, unknown>
    >(
      'SELECT instructions, slugs, reader_note AS "readerNote", review, result_space_id AS "resultSpaceId", version FROM translation WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, id],
    );
  }
}
