import { Injectable } from '@nestjs/common';
import type { ReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { splitKey, type Item, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { Database } from '../../../kernel/common/database.js';
import type { Segment } from '../domain/segment.js';

/** A translation that has a result, in which people have corrected texts. */
export interface CorrectedTranslation extends Record<string, unknown> {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceSpaceId: string;
  /** The source as the result says it. */
  readonly sourceSequence: number;
  readonly resultSpaceId: string;
  readonly language: string;
  readonly slugs: string;
  readonly readerNote: boolean;
}

/** An item whose texts people have corrected, as long as it does not say that. */
export interface CorrectedItem extends Record<string, unknown> {
  readonly kind: Item['kind'];
  readonly sourceItemId: string;
  readonly itemId: string;
  readonly said: readonly { readonly digest: string; readonly source: Segment; readonly target: Segment }[];
}

/** The texts of an item as they are now. */
export type PublishedItem = Pick<CorrectedItem, 'kind' | 'sourceItemId'> & {
  readonly said: readonly Pick<CorrectedItem['said'][number], 'digest' | 'target'>[];
};

/** The note that a page of a translation should have. */
export interface NotedPage extends Record<string, unknown> {
  readonly sourceItemId: string;
  readonly itemId: string;
  readonly note: ReaderNote;
}

const TRANSLATIONS = `SELECT t.id, t.organization_id AS "organizationId", t.source_space_id AS "sourceSpaceId", t.source_sequence::float8 AS "sourceSequence",
    t.result_space_id AS "resultSpaceId", t.language, t.slugs, t.reader_note AS "readerNote" FROM translation t
  JOIN space s ON s.organization_id = t.organization_id AND s.id = t.source_space_id AND s.deleted_at IS NULL
  JOIN space r ON r.organization_id = t.organization_id AND r.id = t.result_space_id AND r.deleted_at IS NULL WHERE t.source_sequence >= 0`;

const UNPUBLISHED = `FROM translation_segment s
  JOIN translation_correction c ON c.organization_id = s.organization_id AND c.translation_id = s.translation_id AND c.digest = s.digest
  WHERE s.organization_id = $1 AND s.translation_id = $2 AND NOT s.published`;

const NEXT_ITEMS = `SELECT s.kind, s.source_item_id AS "sourceItemId", s.item_id AS "itemId", jsonb_agg(jsonb_build_object('digest', encode(s.digest, 'hex'), 'source', s.source, 'target', c.target)) AS said
  ${UNPUBLISHED} AND (s.kind, s.source_item_id) > ($3, $4) GROUP BY s.kind, s.source_item_id, s.item_id ORDER BY s.kind, s.source_item_id LIMIT $5`;

/** A run at work may write items over that it has read before: after it they are looked at once more. */
const PUBLISH = `UPDATE translation_segment s SET published = true
  FROM jsonb_to_recordset($3::jsonb) AS e (kind text, id text, digest text, target jsonb), translation t
  WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.kind = e.kind AND s.source_item_id = e.id AND s.digest = decode(e.digest, 'hex') AND s.target = e.target
    AND NOT s.published AND t.organization_id = $1 AND t.id = $2 AND t.status <> 'running'`;

/** Finds what people have said in translations and their pages do not say yet, and what they have not reviewed. */
@Injectable()
export class CorrectedItems {
  constructor(private readonly database: Database) {}

  /** A translation by id; undefined before its first run, and while one of its spaces is in the trash. */
  translation(id: string): Promise<CorrectedTranslation | undefined> {
    return this.database.one<CorrectedTranslation>(`${TRANSLATIONS} AND t.id = $1`, [id]);
  }

  /** The translation whose result a space is, held until the transaction ends; undefined as above, and for other spaces. */
  hold(organizationId: string, resultSpaceId: string): Promise<CorrectedTranslation | undefined> {
    return this.database.one<CorrectedTranslation>(
      `${TRANSLATIONS} AND t.organization_id = $1 AND t.result_space_id = $2 FOR NO KEY UPDATE OF t`,
      [organizationId, resultSpaceId],
    );
  }

  /** The next items after one, by their keys. */
  next(
    { organizationId, id }: Pick<CorrectedTranslation, 'organizationId' | 'id'>,
    after: ItemKey | undefined,
    most: number,
  ): Promise<CorrectedItem[]> {
    const last = after === undefined ? { kind: '', id: '' } : splitKey(after);
    return this.database.query<CorrectedItem>(NEXT_ITEMS, [organizationId, id, last.kind, last.id, most]);
  }

  /** Tells whether a change request waits for people, which has to say what they correct elsewhere. */
  async isInReview(id: string): Promise<boolean> {
    return (
      (await this.database.one('SELECT FROM translation t WHERE t.id = $1 AND t.review_request_id IS NOT NULL', [
        id,
      ])) !== undefined
    );
  }

  /** Tells whether there are any. */
  async areWaiting({ organizationId, id }: Pick<CorrectedTranslation, 'organizationId' | 'id'>): Promise<boolean> {
    return (await this.database.one(`SELECT ${UNPUBLISHED} LIMIT 1`, [organizationId, id])) !== undefined;
  }

  /** Tells whether people have said something since a moment. */
  async areGivenSince(
    { organizationId, id }: Pick<CorrectedTranslation, 'organizationId' | 'id'>,
    since: Date,
  ): Promise<boolean> {
    return (
      (await this.database.one(
        'SELECT FROM translation_correction c WHERE c.organization_id = $1 AND c.translation_id = $2 AND c.updated_at >= $3 LIMIT 1',
        [organizationId, id, since],
      )) !== undefined
    );
  }

  /** The notes for readers of the pages that people have not reviewed in full, or of some of them: none where readers are not told. */
  async readerNotes(
    { organizationId, id, readerNote }: Pick<CorrectedTranslation, 'organizationId' | 'id' | 'readerNote'>,
    only: { readonly sources?: readonly string[]; readonly items?: readonly string[] } = {},
  ): Promise<NotedPage[]> {
    if (!readerNote) return [];
    return this.database.query<NotedPage>(
      `SELECT s.source_item_id AS "sourceItemId", s.item_id AS "itemId", CASE WHEN bool_or(s.state = 'outdated') THEN 'outdated' ELSE 'machine' END AS note FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.kind = 'page' AND ($3::text[] IS NULL OR s.source_item_id = ANY ($3)) AND ($4::text[] IS NULL OR s.item_id = ANY ($4))
        GROUP BY s.source_item_id, s.item_id HAVING bool_or(s.state <> 'reviewed')`,
      [organizationId, id, only.sources ?? null, only.items ?? null],
    );
  }

  /** Tells people why some items do not say what they should. */
  async tell(
    { organizationId, id }: Pick<CorrectedTranslation, 'organizationId' | 'id'>,
    faults: readonly string[],
  ): Promise<void> {
    await this.database.execute(
      'UPDATE translation SET error = left($3, 1000) WHERE organization_id = $1 AND id = $2 AND error IS DISTINCT FROM left($3, 1000)',
      [organizationId, id, faults.join('\n').replaceAll('\0', '')],
    );
  }

  /** Notes that items say what they should; texts that were corrected once more since are left. */
  async publish(
    { organizationId, id }: Pick<CorrectedTranslation, 'organizationId' | 'id'>,
    items: readonly PublishedItem[],
  ): Promise<void> {
    const rows = items.flatMap(({ kind, sourceItemId, said }) =>
      said.map(({ digest, target }) => ({ kind, id: sourceItemId, digest, target })),
    );
    await this.database.execute(PUBLISH, [organizationId, id, JSON.stringify(rows)]);
  }
}
