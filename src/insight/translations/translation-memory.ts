import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { countWords } from '../../formats/document/derive.js';
import type { Segment } from './domain/segment.js';

/** The earlier translations of a space into a language, each text once. */
export interface MemoryPlace {
  readonly spaceId: string;
  readonly language: string;
}

/** A segment by its key in the memory, see `memoryKey`. */
export interface Remembered {
  readonly key: string;
  readonly asked: Segment;
  readonly answer: Segment;
}

const STORE = `WITH given AS (
    SELECT decode(e.key, 'hex') AS key, e.segment FROM jsonb_to_recordset($3::jsonb) AS e (key text, segment json)),
  stored AS (INSERT INTO translation_memory (space_id, language, key, segment, used_at) SELECT $1, $2, key, segment, $6 FROM given ON CONFLICT DO NOTHING)
  UPDATE translation SET run_words = run_words + $5 WHERE id = $4`;

const FORGET = `DELETE FROM translation_memory WHERE ctid = ANY (ARRAY (
  SELECT m.ctid FROM translation_memory m
   WHERE NOT EXISTS (SELECT FROM translation t WHERE t.source_space_id = m.space_id AND t.language = m.language) LIMIT $1))`;

/** Entries that were used within the last day are not marked again. */
const RECALL = `WITH wanted AS (SELECT m.ctid, encode(m.key, 'hex') AS key, m.segment, m.used_at FROM translation_memory m
     WHERE m.space_id = $1 AND m.language = $2 AND m.key = ANY (ARRAY (SELECT decode(k.key, 'hex') FROM unnest($3::text[]) AS k (key)))),
   used AS (UPDATE translation_memory m SET used_at = $4 FROM wanted w WHERE m.ctid = w.ctid AND w.used_at < $4::timestamptz - interval '1 day')
   SELECT key, segment FROM wanted`;

const FORGET_OLDEST = `DELETE FROM translation_memory m USING (
    SELECT key FROM translation_memory WHERE space_id = $1 AND language = $2 ORDER BY used_at DESC, key OFFSET $3) o
  WHERE m.space_id = $1 AND m.language = $2 AND m.key = o.key`;

const FORGOTTEN_AT_ONCE = 1000;
/** Maximum number of remembered segments of one translation. */
const MAX_REMEMBERED = 200_000;

/** Stores translated segments, so that each is sent to an engine only once. */
@Injectable()
export class TranslationMemory {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The translations of these keys, as far as they are known. */
  async recall({ spaceId, language }: MemoryPlace, keys: readonly string[]): Promise<Map<string, Segment>> {
    if (keys.length === 0) return new Map();
    const rows = await this.database.query<{ key: string; segment: Segment }>(RECALL, [
      spaceId,
      language,
      keys,
      this.clock.now(),
    ]);
    return new Map(rows.map(({ key, segment }) => [key, segment]));
  }

  /** Stores answers of an engine for a translation, and counts the words that were sent. */
  async remember(
    { spaceId, language }: MemoryPlace,
    translationId: string,
    said: readonly Remembered[],
  ): Promise<void> {
    const words = said.reduce(
      (sum, { asked }) => sum + countWords(asked.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('')),
      0,
    );
    const rows = said.map(({ key, answer }) => ({ key, segment: answer }));
    await this.database.execute(STORE, [
      spaceId,
      language,
      JSON.stringify(rows),
      translationId,
      words,
      this.clock.now(),
    ]);
  }

  /**
   * Keeps the `most` latest remembered segments of each translation to the language, whatever its variant; those that were not used
   * for the longest time are deleted.
   */
  async forgetOldest(organizationId: string, { spaceId, language }: MemoryPlace, most = MAX_REMEMBERED): Promise<void> {
    const held = await this.database.one<{ count: number; variants: number }>(
      `SELECT count(*)::int AS count, (SELECT count(*)::int FROM translation t WHERE t.organization_id = $3 AND t.source_space_id = $1 AND t.language = $2) AS variants
         FROM translation_memory WHERE space_id = $1 AND language = $2`,
      [spaceId, language, organizationId],
    );
    const kept = most * Math.max(1, held?.variants ?? 0);
    if ((held?.count ?? 0) > kept) await this.database.execute(FORGET_OLDEST, [spaceId, language, kept]);
  }

  /** Deletes the memory of removed translations. */
  async forgetUnused(): Promise<void> {
    while ((await this.database.execute(FORGET, [FORGOTTEN_AT_ONCE])) === FORGOTTEN_AT_ONCE);
  }
}
