import { Injectable } from '@nestjs/common';
import { itemKey, splitKey, type Item, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { newId } from '../../../kernel/common/ids.js';
import { TaskLimitExceeded, WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { segmentDigest } from '../domain/memory-key.js';
import { segmentText, type Segment } from '../domain/segment.js';
import { UNSTORABLE } from '../domain/target-faults.js';
import type { SegmentState } from './segments.schema.js';
import { TranslatedItems, type Followed } from '../translated-items.js';
import {
  CHANGED_SEGMENTS,
  type changedSegments,
  type ChangesOrder,
  type FormerTranslation,
} from '../translation-tasks.js';

/** The translation whose segments are stored. */
export interface SegmentPlace {
  readonly organizationId: string;
  readonly translationId: string;
  readonly resultSpaceId: string;
}

/** A segment as a run translates it. */
export interface SpokenSegment {
  readonly source: Segment;
  readonly target: Segment;
  /** A person has said the target. */
  readonly isCorrected: boolean;
  /** Nobody could say it otherwise than the source does. */
  readonly isUntranslated: boolean;
}

/** The segments of a page or reusable content in their order, each once. */
export interface SpokenItem {
  readonly kind: Item['kind'];
  readonly sourceItemId: string;
  readonly itemId: string;
  readonly segments: readonly SpokenSegment[];
}

interface StoredSegment extends Record<string, unknown> {
  readonly kind: Item['kind'];
  readonly sourceItemId: string;
  readonly digest: string;
  readonly position: number;
  readonly state: SegmentState;
  /** Null where nobody has said anything for it. */
  readonly source: Segment | null;
  readonly target: Segment | null;
  readonly former: FormerTranslation | null;
}

/** A translation that a person has given to a text of an item. */
interface SaidSegment {
  readonly source: Segment;
  readonly target: Segment;
  readonly position: number;
}

interface PresentSegment extends Record<string, unknown> {
  readonly kind: Item['kind'];
  readonly sourceItemId: string;
  readonly id: string;
  readonly digest: string;
  readonly position: number;
  /** Null where a person has said its translation, or one was offered. */
  readonly source: Segment | null;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly source_item_id: string;
  readonly item_id: string;
  readonly position: number;
  readonly digest: string;
  readonly source: Segment;
  readonly target: Segment;
  readonly corrected: boolean;
  readonly untranslated: boolean;
  readonly former?: FormerTranslation;
}

const ROWS_AT_ONCE = 1000;

const ITEMS = `(SELECT i.kind, i.id FROM unnest($3::text[], $4::text[]) AS i (kind, id))`;

/**
 * Corrections that were made since the run has asked for them count. Those that are not on the pages yet stay so: the run
 * may never be published.
 */
const STORE = `INSERT INTO translation_segment AS s
    (organization_id, translation_id, id, kind, source_item_id, item_id, position, digest, source, target, state, former, published, updated_at)
  SELECT $1, $2, e.id, e.kind, e.source_item_id, e.item_id, e.position, decode(e.digest, 'hex'), e.source, coalesce(c.target, e.target),
      CASE WHEN c.reviewed THEN 'reviewed' WHEN e.former IS NOT NULL THEN 'outdated' WHEN e.untranslated AND c.target IS NULL THEN 'untranslated' ELSE 'machine' END,
      CASE WHEN c.reviewed IS NOT TRUE THEN e.former END, CASE WHEN c.target IS NULL THEN NOT e.corrected ELSE c.target = e.target END, $4
    FROM jsonb_to_recordset($3::jsonb) AS e
      (id text, kind text, source_item_id text, item_id text, position integer, digest text, source jsonb, target jsonb, corrected boolean, untranslated boolean, former jsonb)
    LEFT JOIN translation_correction c ON c.organization_id = $1 AND c.translation_id = $2 AND c.digest = decode(e.digest, 'hex')
  ON CONFLICT (organization_id, translation_id, kind, source_item_id, digest) DO UPDATE SET
    item_id = excluded.item_id, position = excluded.position, target = excluded.target,
    published = excluded.published AND (s.published OR NOT EXISTS (SELECT FROM translation_correction c
      WHERE c.organization_id = s.organization_id AND c.translation_id = s.translation_id AND c.digest = s.digest)),
    state = CASE WHEN excluded.state IN ('machine', 'untranslated') AND s.former IS NOT NULL THEN 'outdated' ELSE excluded.state END,
    former = CASE WHEN excluded.state = 'reviewed' THEN NULL ELSE coalesce(excluded.former, s.former) END,
    version = s.version + (s.target <> excluded.target)::int,
    updated_at = CASE WHEN s.target = excluded.target THEN s.updated_at ELSE excluded.updated_at END
    WHERE (s.item_id, s.position, s.target, s.published, s.state) IS DISTINCT FROM (excluded.item_id, excluded.position, excluded.target, excluded.published, excluded.state)
      OR excluded.former IS NOT NULL OR s.former IS NOT NULL AND excluded.state = 'reviewed'`;

/** A text that a person has corrected since is none that something else is offered for. */
const OFFER = `UPDATE translation_segment s SET former = e.former, state = 'outdated', version = s.version + 1, updated_at = $4
  FROM jsonb_to_recordset($3::jsonb) AS e (id text, former jsonb)
  WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.id = e.id AND s.state IN ('machine', 'untranslated')`;

/** Keeps the segments of translations, as their runs find and translate them. */
@Injectable()
export class SegmentRecords {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly workers: WorkerPool,
    private readonly items: TranslatedItems,
  ) {}

  /** The items of the source with segments; true for those that do not say yet what people have said. */
  async known({ organizationId, translationId }: SegmentPlace): Promise<Map<ItemKey, boolean>> {
    const rows = await this.database.query<{ kind: Item['kind']; id: string; stale: boolean }>(
      `SELECT s.kind, s.source_item_id AS id, NOT bool_and(s.published) AS stale FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 GROUP BY s.kind, s.source_item_id`,
      [organizationId, translationId],
    );
    return new Map(rows.map(({ stale, ...item }) => [itemKey(item), stale]));
  }

  /**
   * Stores the segments of items in the place of those that they had. New ones that resemble what a person has
   * translated and is gone become outdated. Until the run is published the items count as not translated.
   */
  async replace(place: SegmentPlace, spoken: readonly SpokenItem[], signal: AbortSignal): Promise<void> {
    const { organizationId, translationId, resultSpaceId } = place;
    await this.database.transaction(async () => {
      const held = await this.database.one(
        'SELECT FROM translation WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [organizationId, translationId],
      );
      // A run that was ended while it waited for the lock must not write over the one after it.
      signal.throwIfAborted();
      if (!held) return;
      // Under the lock: what people say meanwhile is not read too early.
      const rows = await this.rows(place, spoken);
      const keys = spoken.map(({ kind, sourceItemId: id }) => itemKey({ kind, id }));
      await this.items.replace(resultSpaceId, [], keys);
      await this.database.execute(
        `DELETE FROM translation_segment s WHERE s.organization_id = $1 AND s.translation_id = $2 AND (s.kind, s.source_item_id) IN ${ITEMS}
          AND NOT (s.kind, s.source_item_id, s.digest) IN (SELECT k.kind, k.id, decode(k.digest, 'hex') FROM unnest($5::text[], $6::text[], $7::text[]) AS k (kind, id, digest))`,
        [
          organizationId,
          translationId,
          ...columnsOf(keys),
          rows.map(({ kind }) => kind),
          rows.map((row) => row.source_item_id),
          rows.map(({ digest }) => digest),
        ],
      );
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await this.database.execute(STORE, [
          organizationId,
          translationId,
          JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE)),
          this.clock.now(),
        ]);
    });
  }

  /**
   * Offers what people have said for texts of items that these have no more, since a run has replaced their segments and
   * is not published: for those that resemble them. Must be called under the lock of the translation.
   */
  async offer(
    { organizationId, translationId }: Omit<SegmentPlace, 'resultSpaceId'>,
    said: ReadonlyMap<ItemKey, readonly SaidSegment[]>,
  ): Promise<void> {
    if (said.size === 0) return;
    const rows = await this.database.query<PresentSegment>(
      `SELECT s.kind, s.source_item_id AS "sourceItemId", s.id, encode(s.digest, 'hex') AS digest, s.position,
          CASE WHEN s.state IN ('machine', 'untranslated') THEN s.source END AS source
         FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND (s.kind, s.source_item_id) IN ${ITEMS} ORDER BY s.position`,
      [organizationId, translationId, ...columnsOf([...said.keys()])],
    );
    const present = groupedByItem(rows);
    const offered: object[] = [];
    for (const [key, pairs] of said) {
      const own = present.get(key) ?? [];
      const digests = new Set(own.map(({ digest }) => digest));
      const former = pairs.filter(({ source }) => !digests.has(segmentDigest(source)));
      const fresh = own.flatMap(({ id, position, source }) => (source ? [{ id, position, segment: source }] : []));
      const changed = await this.changed(former, fresh, organizationId);
      offered.push(...changed.map(({ fresh: index, former: one }) => ({ id: fresh[index]?.id, former: one })));
    }
    for (let at = 0; at < offered.length; at += ROWS_AT_ONCE)
      await this.database.execute(OFFER, [
        organizationId,
        translationId,
        JSON.stringify(offered.slice(at, at + ROWS_AT_ONCE)),
        this.clock.now(),
      ]);
  }

  /** Notes what has been translated now, and deletes the segments of items that the source does not have any more. */
  async publish(
    { organizationId, translationId, resultSpaceId }: SegmentPlace,
    followed: readonly Followed[],
    gone: readonly ItemKey[],
  ): Promise<void> {
    await this.items.replace(resultSpaceId, followed, gone);
    if (gone.length === 0) return;
    await this.database.execute(
      `DELETE FROM translation_segment s WHERE s.organization_id = $1 AND s.translation_id = $2 AND (s.kind, s.source_item_id) IN ${ITEMS}`,
      [organizationId, translationId, ...columnsOf(gone)],
    );
  }

  private async rows(place: SegmentPlace, spoken: readonly SpokenItem[]): Promise<Row[]> {
    const stored = groupedByItem(await this.stored(place, spoken));
    const rows: Row[] = [];
    for (const { kind, sourceItemId, itemId, segments } of spoken) {
      const storable = segments.filter(({ source }) => !UNSTORABLE.test(segmentText(source)));
      const made = storable.map(({ source, target, isCorrected, isUntranslated }, position) => ({
        ...{ id: newId(this.clock.now().getTime()), kind, source_item_id: sourceItemId, item_id: itemId, position },
        ...{ digest: segmentDigest(source), source, target, corrected: isCorrected },
        untranslated: isUntranslated,
      }));
      const before = stored.get(itemKey({ kind, id: sourceItemId })) ?? [];
      const former = await this.formerOf(made, before, place.organizationId);
      rows.push(...made.map((row) => ({ ...row, ...(former.has(row.digest) && { former: former.get(row.digest) }) })));
    }
    return rows;
  }

  /** For segments that are new: what people have said for a former source of theirs. */
  private async formerOf(
    made: readonly Row[],
    before: readonly StoredSegment[],
    party: string,
  ): Promise<Map<string, FormerTranslation>> {
    const now = new Set(made.map(({ digest }) => digest));
    const had = new Set(before.map(({ digest }) => digest));
    const former = before.flatMap((row) => {
      const isBack = row.former !== null && now.has(segmentDigest(row.former.source));
      const said = row.state === 'outdated' && !isBack ? row.former : row.state === 'reviewed' ? row : undefined;
      return said?.source && said.target && !now.has(row.digest)
        ? [{ source: said.source, target: said.target, position: row.position }]
        : [];
    });
    const fresh = made.filter(({ digest, corrected }) => !had.has(digest) && !corrected);
    const placed = fresh.map(({ source, position }) => ({ segment: source, position }));
    const changed = await this.changed(former, placed, party);
    return new Map(changed.map(({ fresh: index, former: said }) => [fresh[index]?.digest ?? '', said]));
  }

  /** Texts that take too long to compare have no match: the run goes on. */
  private async changed(
    former: ChangesOrder['former'],
    fresh: ChangesOrder['fresh'],
    party: string,
  ): Promise<ReturnType<typeof changedSegments>> {
    if (former.length === 0 || fresh.length === 0) return [];
    try {
      return await this.workers.run(CHANGED_SEGMENTS, { former, fresh }, { party });
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return [];
      throw error;
    }
  }

  /** The present segments of items, with the texts of those for which people have said something. */
  private stored(
    { organizationId, translationId }: SegmentPlace,
    spoken: readonly SpokenItem[],
  ): Promise<StoredSegment[]> {
    return this.database.query<StoredSegment>(
      `SELECT s.kind, s.source_item_id AS "sourceItemId", encode(s.digest, 'hex') AS digest, s.position, s.state, s.former,
          CASE s.state WHEN 'reviewed' THEN s.source END AS source, CASE s.state WHEN 'reviewed' THEN s.target END AS target
         FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND (s.kind, s.source_item_id) IN ${ITEMS} ORDER BY s.position`,
      [organizationId, translationId, ...columnsOf(spoken.map(({ kind, sourceItemId: id }) => itemKey({ kind, id })))],
    );
  }
}

function groupedByItem<Found extends { readonly kind: Item['kind']; readonly sourceItemId: string }>(
  rows: readonly Found[],
): Map<ItemKey, Found[]> {
  const groups = new Map<ItemKey, Found[]>();
  for (const row of rows) {
    const key = itemKey({ kind: row.kind, id: row.sourceItemId });
    const own = groups.get(key);
    if (own) own.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

function columnsOf(keys: readonly ItemKey[]): [string[], string[]] {
  const places = keys.map(splitKey);
  return [places.map(({ kind }) => kind), places.map(({ id }) => id)];
}
