import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import type { ContentRef } from './domain/document/types.js';

/** A redirect as the source of an import names it; `from` is a path without leading slash. */
export interface GivenRedirect {
  readonly from: string;
  readonly target: ContentRef;
}

/** Bytes of the longest path that leaves a redirect: browsers and proxies take no longer ones, and neither does the index. */
const MAX_PATH_BYTES = 2048;

const INSERT = `INSERT INTO page_redirect (space_id, path, page_id, given, created_at)
  SELECT $1, r.path, r.page, r.given, $3 FROM jsonb_to_recordset($2::jsonb) AS r(path text, page text, given jsonb)
  ON CONFLICT (space_id, path) DO UPDATE SET page_id = excluded.page_id, given = excluded.given, created_at = excluded.created_at`;

/** The redirect of the path itself, else of the longest beginning of it that has one. */
const FOLLOW = `SELECT page_id AS page, path FROM page_redirect
  WHERE space_id = $1 AND page_id <> '' AND path = ANY ($2::text[]) ORDER BY length(path) DESC LIMIT 1`;

/** Old and additional addresses of the pages of a space. */
@Injectable()
export class PageRedirects {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes these the redirects that the source of a space names; the old addresses of renamed pages stay. */
  async replaceGiven(spaceId: string, redirects: readonly GivenRedirect[]): Promise<void> {
    await this.database.execute('DELETE FROM page_redirect WHERE space_id = $1 AND given IS NOT NULL', [spaceId]);
    const kept = redirects.map(({ from, target }) => ({ path: redirectPath(from), page: pageOf(target), given: target })).filter(({ path }) => canRedirect(path));
    const rows = new Map(kept.map((row) => [row.path, row]));
    if (rows.size > 0) await this.database.execute(INSERT, [spaceId, JSON.stringify([...rows.values()]), this.clock.now()]);
  }

  /** The redirects that the source of a space names, by path. */
  async given(spaceId: string): Promise<GivenRedirect[]> {
    return this.database.query<{ from: string; target: ContentRef }>(
      'SELECT path AS from, given AS target FROM page_redirect WHERE space_id = $1 AND given IS NOT NULL ORDER BY path',
      [spaceId],
    );
  }

  /** The page that a path without a page of its own leads to, and what of the path lies below that page. */
  async follow(spaceId: string, path: string): Promise<{ readonly page: string; readonly below: string } | undefined> {
    const segments = redirectPath(path).split('/');
    const beginnings = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
    const found = await this.database.one<{ page: string; path: string }>(FOLLOW, [spaceId, beginnings]);
    return found && { page: found.page, below: redirectPath(path).slice(found.path.length + 1) };
  }
}

/** A path as redirects keep it: in lower case, without slashes at its ends. */
export function redirectPath(path: string): string {
  return path.replace(/^\/+|\/+$/g, '').normalize('NFC').toLowerCase();
}

/** Whether a path can be kept as one that leads elsewhere. */
export function canRedirect(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

function pageOf(target: ContentRef): string {
  return target.kind === 'page' || target.kind === 'anchor' ? (target.page ?? '') : '';
}
