import { Inject, Injectable } from '@nestjs/common';
import { requireMatch } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { invalid, notFound } from '../../../kernel/common/errors.js';
import { Pages, type Page } from '../../../kernel/common/page.js';
import { Members } from '../../../identity/organizations/members.service.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { segmentOfTagged } from '../domain/inline-tags.js';
import type { Segment } from '../domain/segment.js';
import { faultOfTarget } from '../domain/target-faults.js';
import { RunRequests } from '../run-requests.js';
import { Corrections } from './corrections.js';
import type {
  CorrectSegment,
  SegmentQuery,
  SegmentRow,
  TranslatedPageQuery,
  TranslatedPageRow,
} from './segments.schema.js';

const COLUMNS = `s.id, s.organization_id AS "organizationId", s.translation_id AS "translationId", s.kind, s.item_id AS "itemId", s.source, s.target, s.state,
  t.source_language AS "sourceLanguage", t.language, s.former, s.version, s.updated_at AS "updatedAt"`;
const SEGMENTS = `FROM translation_segment s JOIN translation t ON t.organization_id = s.organization_id AND t.id = s.translation_id
  WHERE s.organization_id = $1 AND s.translation_id = $2`;

const PAGES = `FROM (
    SELECT g.*, CASE WHEN g.outdated > 0 THEN 'outdated' WHEN g.untranslated > 0 THEN 'untranslated' WHEN g.machine = 0 THEN 'reviewed' ELSE 'machine' END AS state FROM (
      SELECT s.item_id AS id, min(s.source_item_id) AS source, count(*) FILTER (WHERE s.state = 'machine')::int AS machine,
          count(*) FILTER (WHERE s.state = 'reviewed')::int AS reviewed, count(*) FILTER (WHERE s.state = 'outdated')::int AS outdated,
          count(*) FILTER (WHERE s.state = 'untranslated')::int AS untranslated
        FROM translation_segment s WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.kind = 'page' GROUP BY s.item_id) g) p
  WHERE ($3::text IS NULL OR p.state = $3)`;

/** A segment by its translation. */
export interface SegmentAddress {
  readonly translationId: string;
  readonly segmentId: string;
}

/** The texts of translations, which people correct. */
@Injectable()
export class Segments {
  constructor(
    private readonly database: Database,
    private readonly pageLists: Pages,
    private readonly members: Members,
    private readonly corrections: Corrections,
    private readonly requests: RunRequests,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'translationDelay'>,
  ) {}

  /** The segments of a translation, by page. */
  async list(organizationId: string, translationId: string, query: SegmentQuery): Promise<Page<SegmentRow>> {
    await this.requireTranslation(organizationId, translationId);
    const { pageId, state } = query;
    const values: unknown[] = [organizationId, translationId];
    const condition = (text: string, value: string | undefined): string =>
      value === undefined ? '' : ` AND ${text} = $${values.push(value)}`;
    const filters = condition('s.item_id', pageId) + condition('s.state', state);
    return this.pageLists.list<SegmentRow>(query, {
      scope: ['translation segments', organizationId, translationId, pageId, state],
      select: COLUMNS,
      from: `${SEGMENTS}${filters}`,
      values,
      bytes: 'pg_column_size(s.source) + pg_column_size(s.target) + coalesce(pg_column_size(s.former), 0)',
      order: [
        { expression: 's.item_id', type: 'text' },
        { expression: 's.position', type: 'integer' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'asc',
    });
  }

  /** The pages of a translation with their states. */
  async pages(
    organizationId: string,
    translationId: string,
    query: TranslatedPageQuery,
  ): Promise<Page<TranslatedPageRow>> {
    await this.requireTranslation(organizationId, translationId);
    return this.pageLists.list<TranslatedPageRow>(query, {
      scope: ['translation pages', organizationId, translationId, query.state],
      select: 'p.id, p.source, p.state, p.machine, p.reviewed, p.outdated, p.untranslated',
      from: PAGES,
      values: [organizationId, translationId, query.state ?? null],
      order: [{ expression: 'p.id', type: 'text' }],
      direction: 'asc',
    });
  }

  async get(organizationId: string, translationId: string, segmentId: string): Promise<SegmentRow> {
    const row = await this.database.one<SegmentRow>(`SELECT ${COLUMNS} ${SEGMENTS} AND s.id = $3`, [
      organizationId,
      translationId,
      segmentId,
    ]);
    if (!row) throw notFound('Segment');
    return row;
  }

  /**
   * Stores what a person says for a text, which is soon on the pages; for what is taken back a run is requested. Throws `invalid` for a
   * target that does not keep the tags of the source, `preconditionFailed` for one that was changed since.
   */
  async correct(
    callerId: string,
    organizationId: string,
    { translationId, segmentId }: SegmentAddress,
    { target: text, state: wanted }: CorrectSegment,
  ): Promise<SegmentRow> {
    if (text === undefined && wanted === undefined) throw invalid('target', 'must be there, or a state');
    const state = wanted ?? 'reviewed';
    if (text !== undefined && state === 'machine') throw invalid('state', 'must be reviewed with a target');
    return this.database.transaction(async () => {
      await this.lock(callerId, organizationId, translationId);
      const segment = await this.get(organizationId, translationId, segmentId);
      requireMatch(segment.version);
      const target = text === undefined ? segment.target : readTarget(segment.source, text);
      const isSame = segment.state === state && JSON.stringify(target) === JSON.stringify(segment.target);
      if (isSame || (state === 'machine' && segment.state !== 'reviewed')) return segment;
      if (state === 'machine') {
        await this.corrections.remove(organizationId, translationId, segment.source);
        await this.requests.request([translationId], this.config.translationDelay);
      } else await this.corrections.put(organizationId, translationId, [{ source: segment.source, target }]);
      await this.outbox.record({
        type: 'translation_segment_updated',
        organizationId,
        target: translationId,
        payload: { segmentId, state },
      });
      return this.get(organizationId, translationId, segmentId);
    });
  }

  /** Holds a translation while people or runs change its segments. */
  async lock(callerId: string, organizationId: string, translationId: string): Promise<void> {
    await this.members.lockAsAdmin(callerId, organizationId);
    const held = await this.database.one(
      'SELECT FROM translation t WHERE t.organization_id = $1 AND t.id = $2 FOR NO KEY UPDATE',
      [organizationId, translationId],
    );
    if (!held) throw notFound('Translation');
  }

  private async requireTranslation(organizationId: string, translationId: string): Promise<void> {
    const found = await this.database.one('SELECT FROM translation t WHERE t.organization_id = $1 AND t.id = $2', [
      organizationId,
      translationId,
    ]);
    if (!found) throw notFound('Translation');
  }
}

function readTarget(source: Segment, text: string): Segment {
  const target = segmentOfTagged(text);
  const fault = faultOfTarget(source, target);
  if (target === undefined || fault !== undefined) throw invalid('target', fault ?? '');
  return target;
}
