import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { keyBetween, MAX_KEY_LENGTH, spacedKeys } from '../../kernel/common/order-key.js';
import { gapAt, type MovePosition } from './domain/structure.js';

/** An item of one of a site's lists. */
export interface Placed {
  readonly id: string;
  readonly position: string;
}

/** A site space in the list of its section. */
export interface SiteSpaceInOrder extends Placed {
  readonly draft: boolean;
}

/** Assigns order keys in the lists of a site, under the site's lock. */
@Injectable()
export class Positions {
  constructor(private readonly database: Database) {}

  /** Sections, section groups and external links of a site, in order: one list, whatever group they are in. */
  sections(siteId: string, except?: string): Promise<Placed[]> {
    return this.database.query<Placed>(
      `SELECT id, position FROM (
         SELECT id, position FROM site_section WHERE site_id = $1 UNION ALL SELECT id, position FROM site_section_group WHERE site_id = $1
         UNION ALL SELECT id, position FROM site_external_link WHERE site_id = $1) placed
        WHERE id IS DISTINCT FROM $2 ORDER BY position, id`,
      [siteId, except ?? null],
    );
  }

  /** The site spaces of a section (null: of the root), in order. */
  siteSpaces(siteId: string, sectionId: string | null, except?: string): Promise<SiteSpaceInOrder[]> {
    return this.database.query<SiteSpaceInOrder>(
      `SELECT id, position, draft FROM site_space WHERE site_id = $1 AND section_id IS NOT DISTINCT FROM $2 AND id IS DISTINCT FROM $3 ORDER BY position, id`,
      [siteId, sectionId, except ?? null],
    );
  }

  /**
   * The key of a new position in a list (which must not contain the moved item). Re-spaces the whole list if keys have
   * grown too long. Throws `invalid` for an anchor that is not in the list.
   */
  async place(siteId: string, items: readonly Placed[], anchors: MovePosition): Promise<string> {
    const gap = gapAt(items, anchors);
    if ('fault' in gap) throw invalid(`position.${gap.fault}`, 'is not a position in this list');
    const key = keyBetween(gap.low?.position, gap.high?.position);
    if (key.length <= MAX_KEY_LENGTH) return key;
    const at = gap.low ? items.indexOf(gap.low) + 1 : 0;
    const keys = spacedKeys(items.length + 1);
    const [own = key] = keys.splice(at, 1);
    await this.write(
      siteId,
      items.map(({ id }) => id),
      keys,
    );
    return own;
  }

  /** Keys for `count` new items at the end of a list. */
  append(items: readonly Placed[], count: number): string[] {
    const keys: string[] = [];
    for (let last = items.at(-1)?.position; keys.length < count;) keys.push((last = keyBetween(last, undefined)));
    return keys;
  }

  private async write(siteId: string, ids: readonly string[], keys: readonly string[]): Promise<void> {
    const values = [siteId, ids, keys];
    await this.database.execute(
      `UPDATE site_section t SET position = row.key FROM unnest($2::text[], $3::text[]) AS row (id, key) WHERE t.site_id = $1 AND t.id = row.id`,
      values,
    );
    await this.database.execute(
      `UPDATE site_section_group t SET position = row.key FROM unnest($2::text[], $3::text[]) AS row (id, key) WHERE t.site_id = $1 AND t.id = row.id`,
      values,
    );
    await this.database.execute(
      `UPDATE site_external_link t SET position = row.key FROM unnest($2::text[], $3::text[]) AS row (id, key) WHERE t.site_id = $1 AND t.id = row.id`,
      values,
    );
    await this.database.execute(
      `UPDATE site_space t SET position = row.key FROM unnest($2::text[], $3::text[]) AS row (id, key) WHERE t.site_id = $1 AND t.id = row.id`,
      values,
    );
  }
}
