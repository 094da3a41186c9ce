import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../kernel/common/database.js';

/** Changes up to which they are told one by one. */
const MAX_TOLD = 1000;
const ANSWERS_KEPT = 1000;

/** The first row after a sequence says what an item was at that. */
const SINCE = `SELECT was.id, was.kind = 'page' AND was.existed AND now.id IS NOT NULL
    AND (was.parent_id, was.position, was.type, was.slug, was.title, was.props)
        IS NOT DISTINCT FROM (now.parent_id, now.position, now.type, now.slug, now.title, now.props) AS "isText"
  FROM (SELECT DISTINCT ON (u.kind, u.id) u.* FROM content_undo u
         WHERE u.space_id = $1 AND u.line = '' AND u.sequence > $2 ORDER BY u.kind, u.id, u.sequence) was
  LEFT JOIN content_item now ON now.space_id = $1 AND now.line = '' AND now.kind = was.kind AND now.id = was.id
 LIMIT ${MAX_TOLD + 1}`;

const REVISION = `SELECT id FROM revision WHERE id = $1 AND space_id = $2 AND line = '' AND sequence = $3`;

/** Tells which pages revisions of a space have changed, where they changed nothing that other pages could show. */
@Injectable()
export class TextChanges {
  private readonly known = new LRUCache<string, Promise<ReadonlySet<string> | undefined>>({ max: ANSWERS_KEPT });

  constructor(private readonly database: Database) {}

  /**
   * The pages whose texts have changed in the current content of a space, at sequence `to`, since a revision; undefined
   * where something else has changed as well (a title, a place, a file, a reusable content …), or too much, and where the
   * space has no such revision: its database may have been restored.
   */
  async since(
    spaceId: string,
    { revisionId, sequence }: { readonly revisionId: string; readonly sequence: number },
    to: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const key = `${spaceId} ${revisionId} ${sequence} ${to}`;
    const known = this.known.get(key);
    if (known) return known;
    const asked = this.sinceRevision(spaceId, revisionId, sequence);
    this.known.set(key, asked);
    asked.catch(() => this.known.delete(key));
    return asked;
  }

  private async sinceRevision(
    spaceId: string,
    revisionId: string,
    sequence: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const from = await this.database.one(REVISION, [revisionId, spaceId, sequence]);
    return from && this.sinceSequence(spaceId, sequence);
  }

  /** The same since a sequence that the space is known to have had. */
  async sinceSequence(spaceId: string, sequence: number): Promise<ReadonlySet<string> | undefined> {
    const rows = await this.database.query<{ id: string; isText: boolean }>(SINCE, [spaceId, sequence]);
    if (rows.length > MAX_TOLD || rows.some(({ isText }) => !isText)) return undefined;
    return new Set(rows.map(({ id }) => id));
  }
}
