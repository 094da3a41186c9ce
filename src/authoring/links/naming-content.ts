import { Injectable } from '@nestjs/common';
import type { NamedKind } from '../../kernel/access/readers.js';
import { Database } from '../../kernel/common/database.js';

/** A page or reusable content of the primary content that names something. */
export interface NamingItem {
  readonly space: string;
  readonly kind: 'page' | 'reusable';
  readonly id: string;
}

const BATCH = 500;

/** The conditions on the target must use the same text as the index `link_target_item_idx`. */
const NAMING = `SELECT DISTINCT l.space_id AS space, l.source_kind AS kind, l.source_id AS id
  FROM link_target t JOIN content_link l ON l.space_id = t.space_id AND l.key = t.key
 WHERE t.target_space_id = '' AND t.kind = $2 AND t.target = $3 AND t.kind <> 'url' AND t.space_id = ANY ($1::text[])
   AND (l.space_id, l.source_kind, l.source_id) > ($4, $5, $6)
 ORDER BY 1, 2, 3 LIMIT ${BATCH}`;

/**
 * Addresses have no index of their own: they are found by the key that `links_of` gives to a reference.
 */
const EMBEDDING = `SELECT DISTINCT l.space_id AS space, l.source_kind AS kind, l.source_id AS id
  FROM content_link l
 WHERE l.space_id = ANY ($1::text[]) AND (l.space_id, l.source_kind, l.source_id) > ($4, $5, $6)
   AND l.key = left(encode(sha256(convert_to(jsonb_build_array('reference', $2::text, $3::text, '', '')::text, 'UTF8')), 'hex'), 32)
 ORDER BY 1, 2, 3 LIMIT ${BATCH}`;

/** Finds the content of spaces that names a user or a specification, or refers to an address. */
@Injectable()
export class NamingContent {
  constructor(private readonly database: Database) {}

  /** The items of some spaces, in batches of at most 500, in the order of their keys. */
  async *of(spaces: readonly string[], kind: NamedKind, target: string): AsyncGenerator<readonly NamingItem[]> {
    let last: NamingItem | undefined;
    do {
      const items = await this.database.query<NamingItem & Record<string, unknown>>(
        kind === 'url' ? EMBEDDING : NAMING,
        [spaces, kind, target, last?.space ?? '', last?.kind ?? '', last?.id ?? ''],
      );
      if (items.length > 0) yield items;
      last = items.length === BATCH ? items.at(-1) : undefined;
    } while (last);
  }
}
