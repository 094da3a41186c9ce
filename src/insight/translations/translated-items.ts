import { Injectable } from '@nestjs/common';
import { itemKey, splitKey, type Item, type ItemKey } from '../../authoring/content/domain/content-item.js';
import { Database } from '../../kernel/common/database.js';

/** The inputs from which a page or reusable content of the source follows; null where not all are known. */
export interface Followed {
  readonly key: ItemKey;
  readonly fingerprint: string | null;
}

/** Keeps what the pages and reusable contents of translated spaces follow from, by fingerprints of their sources. */
@Injectable()
export class TranslatedItems {
  constructor(private readonly database: Database) {}

  /** The fingerprints of what a space was translated from the last time. */
  async fingerprints(spaceId: string): Promise<Map<ItemKey, string>> {
    const rows = await this.database.query<{ kind: Item['kind']; id: string; fingerprint: string }>(
      `SELECT kind, id, encode(fingerprint, 'hex') AS fingerprint FROM translated_item WHERE space_id = $1`,
      [spaceId],
    );
    return new Map(rows.map((row) => [itemKey(row), row.fingerprint]));
  }

  /** Notes what has been translated now, and forgets what is gone and what could not be said in full. */
  async replace(spaceId: string, followed: readonly Followed[], gone: readonly ItemKey[]): Promise<void> {
    const known = followed.filter((each): each is Followed & { fingerprint: string } => each.fingerprint !== null);
    const lost = [...gone, ...followed.flatMap(({ key, fingerprint }) => (fingerprint === null ? [key] : []))].map(
      splitKey,
    );
    const places = known.map(({ key }) => splitKey(key));
    await this.database.execute(
      'DELETE FROM translated_item t USING unnest($2::text[], $3::text[]) AS g (kind, id) WHERE t.space_id = $1 AND t.kind = g.kind AND t.id = g.id',
      [spaceId, lost.map(({ kind }) => kind), lost.map(({ id }) => id)],
    );
    await this.database.execute(
      `INSERT INTO translated_item (space_id, kind, id, fingerprint) SELECT $1, f.kind, f.id, decode(f.fingerprint, 'hex') FROM unnest($2::text[], $3::text[], $4::text[]) AS f (kind, id, fingerprint)
       ON CONFLICT (space_id, kind, id) DO UPDATE SET fingerprint = excluded.fingerprint`,
      [
        spaceId,
        places.map(({ kind }) => kind),
        places.map(({ id }) => id),
        known.map(({ fingerprint }) => fingerprint),
      ],
    );
  }
}
