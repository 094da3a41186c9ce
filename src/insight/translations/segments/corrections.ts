import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { segmentDigest } from '../domain/memory-key.js';
import type { Segment } from '../domain/segment.js';

/** The translation of a text as a person has said it. */
export interface Correction {
  readonly source: Segment;
  readonly target: Segment;
  /** False for what came in a file that does not say that somebody has reviewed it. */
  readonly reviewed?: boolean;
}

/** Maximum number of texts of one translation that people have translated. */
const MOST_CORRECTIONS = 200_000;

const ROWS_AT_ONCE = 1000;

const GIVEN = `jsonb_to_recordset($3::jsonb) AS e (digest text, source jsonb, target jsonb, reviewed boolean)`;

const STORE = `INSERT INTO translation_correction AS c (organization_id, translation_id, digest, source, target, reviewed, updated_at)
  SELECT $1, $2, decode(e.digest, 'hex'), e.source, e.target, e.reviewed, $4 FROM ${GIVEN}
  ON CONFLICT (organization_id, translation_id, digest) DO UPDATE SET target = excluded.target, reviewed = excluded.reviewed, updated_at = excluded.updated_at
    WHERE excluded.reviewed OR NOT c.reviewed`;

/** Pages tell whether they are reviewed, so that a review alone changes them too. Nothing unreviewed comes in the place of what somebody has reviewed. */
const REVIEW = `UPDATE translation_segment s
    SET target = e.target, state = CASE WHEN e.reviewed THEN 'reviewed' ELSE s.state END, former = CASE WHEN e.reviewed THEN NULL ELSE s.former END,
        published = s.published AND s.target = e.target AND (NOT e.reviewed OR s.state = 'reviewed'), version = s.version + 1, updated_at = $4
  FROM ${GIVEN}
  WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.digest = decode(e.digest, 'hex')
    AND (e.reviewed OR s.state <> 'reviewed') AND (s.target <> e.target OR (e.reviewed AND s.state <> 'reviewed'))`;

/** The oldest translations of texts that no page has any more: at most as many as are too many. */
const FORGET_UNUSED = `DELETE FROM translation_correction c WHERE c.organization_id = $1 AND c.translation_id = $2 AND c.digest = ANY (ARRAY (
    SELECT o.digest FROM translation_correction o WHERE o.organization_id = $1 AND o.translation_id = $2
       AND NOT EXISTS (SELECT FROM translation_segment s WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.digest = o.digest)
     ORDER BY o.updated_at, o.digest LIMIT $3))`;

/** Stores what people have said for texts of a translation, which no run changes. */
@Injectable()
export class Corrections {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /** The corrections of segments by their digests, as far as there are some. */
  async recall(
    organizationId: string,
    translationId: string,
    digests: readonly string[],
  ): Promise<Map<string, Segment>> {
    if (digests.length === 0) return new Map();
    const rows = await this.database.query<{ digest: string; target: Segment }>(
      `SELECT encode(c.digest, 'hex') AS digest, c.target FROM translation_correction c
        WHERE c.organization_id = $1 AND c.translation_id = $2 AND c.digest = ANY (ARRAY (SELECT decode(d.digest, 'hex') FROM unnest($3::text[]) AS d (digest)))`,
      [organizationId, translationId, digests],
    );
    return new Map(rows.map(({ digest, target }) => [digest, target]));
  }

  /**
   * Stores corrections, under the lock of the translation: all segments with these texts are reviewed, and soon on the
   * pages. Of more than `most`, the oldest for texts that no page has are deleted; throws `conflict` if that is not
   * sufficient.
   */
  async put(
    organizationId: string,
    translationId: string,
    corrections: readonly Correction[],
    most = MOST_CORRECTIONS,
  ): Promise<void> {
    if (corrections.length === 0) return;
    const rows = corrections.map(({ source, target, reviewed = true }) => ({
      digest: segmentDigest(source),
      source,
      target,
      reviewed,
    }));
    // The last of several for one text counts.
    const once = [...new Map(rows.map((row) => [row.digest, row])).values()];
    for (let at = 0; at < once.length; at += ROWS_AT_ONCE) {
      const values = [
        organizationId,
        translationId,
        JSON.stringify(once.slice(at, at + ROWS_AT_ONCE)),
        this.clock.now(),
      ];
      await this.database.execute(STORE, values);
      await this.database.execute(REVIEW, values);
    }
    await this.keepMost(organizationId, translationId, most);
    await this.jobs.enqueue('translations.correct', { translation: translationId });
  }

  private async keepMost(organizationId: string, translationId: string, most: number): Promise<void> {
    const held = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM translation_correction WHERE organization_id = $1 AND translation_id = $2',
      [organizationId, translationId],
    );
    const excess = (held?.count ?? 0) - most;
    if (excess <= 0) return;
    const forgotten = await this.database.execute(FORGET_UNUSED, [organizationId, translationId, excess]);
    if (forgotten < excess)
      throw new DomainError(
        'conflict',
        `A translation has ${most} corrected texts at most, and its pages have these many: take some back first (state machine)`,
      );
  }

  /** Takes back what a person has said for a text, for the next run to translate it. */
  async remove(organizationId: string, translationId: string, source: Segment): Promise<void> {
    const values = [organizationId, translationId, segmentDigest(source)];
    await this.database.execute(
      `DELETE FROM translation_correction WHERE organization_id = $1 AND translation_id = $2 AND digest = decode($3, 'hex')`,
      values,
    );
    await this.database.execute(
      `UPDATE translation_segment s SET state = CASE s.state WHEN 'outdated' THEN s.state ELSE 'machine' END, published = false, version = s.version + 1, updated_at = $4
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.digest = decode($3, 'hex')`,
      [...values, this.clock.now()],
    );
  }
}
