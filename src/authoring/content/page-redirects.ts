import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { canonicalJson } from '../../formats/document/hash.js';
import type { ContentRef } from '../../formats/document/types.js';

/** A redirect in the source of an import; `from` is a path without leading slash. */
export interface GivenRedirect {
  readonly from: string;
  readonly target: ContentRef;
}

/** Bytes of the longest path of a redirect: browsers and proxies accept no longer ones, and neither does the index. */
const MAX_PATH_BYTES = 2048;

const INSERT = `INSERT INTO page_redirect (space_id, path, page_id, given, created_at)
  SELECT $1, r.path, r.page, r.given, $3 FROM jsonb_to_recordset($2::jsonb) AS r(path text, page text, given jsonb)
  ON CONFLICT (space_id, path) DO UPDATE SET page_id = excluded.page_id, given = excluded.given, created_at = excluded.created_at`;

/** The redirect of the path itself, and those of its prefixes, the longest first. */
const FOLLOW = `SELECT page_id AS page, path FROM page_redirect
  WHERE space_id = $1 AND page_id <> '' AND path = ANY ($2::text[]) ORDER BY length(path) DESC`;

/** Additional addresses of the pages of a space, from its source. */
@Injectable()
export class PageRedirects {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Replaces the redirects from the source of a space; paths that are too long for an address are left out. */
  async replaceGiven(spaceId: string, redirects: readonly GivenRedirect[]): Promise<void> {
    const kept = redirects
      .map(({ from, target }) => ({ path: redirectPath(from), page: pageOf(target), given: target }))
      .filter(({ path }) => canRedirect(path));
    const rows = new Map(kept.map((row) => [row.path, row]));
    const before = await this.database.query<{ path: string; page: string; given: ContentRef }>(
      'SELECT path, page_id AS page, given FROM page_redirect WHERE space_id = $1 AND given IS NOT NULL',
      [spaceId],
    );
    if (before.length === rows.size && before.every((row) => canonicalJson(rows.get(row.path)) === canonicalJson(row)))
      return;
    await this.database.execute('DELETE FROM page_redirect WHERE space_id = $1 AND given IS NOT NULL', [spaceId]);
    if (rows.size > 0)
      await this.database.execute(INSERT, [spaceId, JSON.stringify([...rows.values()]), this.clock.now()]);
  }

  /** The redirects from the source of a space, by path. */
  async given(spaceId: string): Promise<GivenRedirect[]> {
    return this.database.query<{ from: string; target: ContentRef }>(
      'SELECT path AS from, given AS target FROM page_redirect WHERE space_id = $1 AND given IS NOT NULL ORDER BY path',
      [spaceId],
    );
  }

  /** The candidate pages for a path without a page of its own, the best first, and the rest of the path below them. */
  async follow(spaceId: string, path: string): Promise<{ readonly page: string; readonly below: string }[]> {
    const found = await this.database.query<{ page: string; path: string }>(FOLLOW, [spaceId, beginningsOf(path)]);
    return found.map((redirect) => ({ page: redirect.page, below: path.slice(redirect.path.length + 1) }));
  }
}

/** The stored form of a redirect path: in lower case, without slashes at its ends. */
export function redirectPath(path: string): string {
  return path
    .replace(/^\/+|\/+$/g, '')
    .normalize('NFC')
    .toLowerCase();
}

/** The path and its prefixes that are short enough for a redirect. */
function beginningsOf(path: string): string[] {
  const segments = path.slice(0, MAX_PATH_BYTES).split('/');
  const beginnings = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return beginnings.filter((beginning) => path === beginning || path.startsWith(`${beginning}/`));
}

function canRedirect(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

function pageOf(target: ContentRef): string {
  return target.kind === 'page' || target.kind === 'anchor' ? (target.page ?? '') : '';
}
