import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { segmentDigest } from '../domain/memory-key.js';
import type { Segment } from '../domain/segment.js';

/** The translation of a text as a person has said it. */
export interface Correction {
  readonly source: Segment;
  readonly target: Segment;
}

/** Maximum number of texts of one translation that people have translated. */
const MOST_CORRECTIONS = 200_000;

/** Stores what people have said for texts of a translation, which no run changes. */
@Injectable()
export class Corrections {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** What people have said, by the digests of segments, as far as they have. */
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

  /** Stores corrections, under the lock of the translation. Throws `conflict` for too many. */
  async put(organizationId: string, translationId: string, corrections: readonly Correction[]): Promise<void> {
    const rows = corrections.map(({ source, target }) => ({ digest: segmentDigest(source), source, target }));
    await this.database.execute(
      `INSERT INTO translation_correction (organization_id, translation_id, digest, source, target, updated_at)
       SELECT $1, $2, decode(e.digest, 'hex'), e.source, e.target, $4 FROM jsonb_to_recordset($3::jsonb) AS e (digest text, source jsonb, target jsonb)
       ON CONFLICT (organization_id, translation_id, digest) DO UPDATE SET target = excluded.target, updated_at = excluded.updated_at`,
      [organizationId, translationId, JSON.stringify(rows), this.clock.now()],
    );
    const held = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM translation_correction WHERE organization_id = $1 AND translation_id = $2',
      [organizationId, translationId],
    );
    if ((held?.count ?? 0) > MOST_CORRECTIONS)
      throw new DomainError('conflict', `A translation has ${MOST_CORRECTIONS} corrected texts at most`);
  }

  /** Takes back what a person has said for a text. */
  async remove(organizationId: string, translationId: string, source: Segment): Promise<void> {
    await this.database.execute(
      `DELETE FROM translation_correction WHERE organization_id = $1 AND translation_id = $2 AND digest = decode($3, 'hex')`,
      [organizationId, translationId, segmentDigest(source)],
    );
  }
}
