import { Inject, Injectable } from '@nestjs/common';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { ANALYZED_TABLES } from './content.points.js';
import { Database } from '../../kernel/common/database.js';
import { batchesWithin } from '../../kernel/common/batches.js';
import { DomainError } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { ancestorsOf, indexPages } from './domain/page-paths.js';
import { itemKey, ROOT, splitKey, type Item, type ItemKey, type ItemKind } from './domain/content-item.js';

/**
 * One state of a space's content: the primary line as of `base`, with the change request's line as of `sequence` on
 * top of it. The state of the primary line itself has no `line`.
 */
export interface Point {
  readonly spaceId: string;
  readonly line: string | null;
  readonly sequence: number;
  readonly base: number;
  /** Limited pages that whoever reads does not see: these and all pages below them are absent from what is read. */
  readonly hidden: readonly string[];
}

/** A page with those above it, itself among them, and all below it. */
export interface Family {
  readonly page: Item;
  readonly around: readonly Item[];
  readonly below: readonly Item[];
}

/** For the work of the service itself, which loses nothing of a space: writes, merges and runs in the background. */
export const NOTHING_HIDDEN: readonly string[] = [];

const NO_PAGES: ReadonlySet<string> = new Set();
/** The sequence of the current content, whatever that is. */
export const CURRENT_SEQUENCE = Number.MAX_SAFE_INTEGER;

/** A row of the store: an item of a line; `deleted` is a tombstone of a change request. */
export interface ItemRow {
  kind: ItemKind;
  id: string;
  deleted: boolean;
  parent_id: string;
  position: string;
  type: string;
  slug: string | null;
  title: string;
  props: Readonly<Record<string, unknown>>;
  hash: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = [
  'kind',
  'id',
  'deleted',
  'parent_id',
  'position',
  'type',
  'slug',
  'title',
  'props',
  'hash',
  'created_at',
  'updated_at',
];
const PRIMARY = `''`;

function columns(alias: string): string {
  return COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}

/** Rows of one line as of a sequence for which `where` holds over the alias `r`; `$1` is the space. */
function lineAt(line: string, sequence: string, where: string): string {
  const same = (alias: string) =>
    `${alias}.space_id = $1 AND ${alias}.line = ${line} AND ${alias}.kind = r.kind AND ${alias}.id = r.id`;
  return `SELECT ${columns('r')} FROM content_item r
   WHERE r.space_id = $1 AND r.line = ${line} AND ${where}
     AND NOT EXISTS (SELECT FROM content_undo u WHERE ${same('u')} AND u.sequence > ${sequence})
  UNION ALL
  SELECT ${columns('r')} FROM content_undo r
   WHERE r.space_id = $1 AND r.line = ${line} AND r.sequence > ${sequence} AND r.existed AND ${where}
     AND NOT EXISTS (SELECT FROM content_undo u WHERE ${same('u')} AND u.sequence > ${sequence} AND u.sequence < r.sequence)`;
}

/** True if the change request's line has a row of its own for `p`. */
const SHADOWED = `($2::text IS NOT NULL AND coalesce(
  (SELECT u.existed FROM content_undo u
    WHERE u.space_id = $1 AND u.line = $2 AND u.kind = p.kind AND u.id = p.id AND u.sequence > $3 ORDER BY u.sequence LIMIT 1),
  EXISTS (SELECT FROM content_item h WHERE h.space_id = $1 AND h.line = $2 AND h.kind = p.kind AND h.id = p.id)))`;

/**
 * Items of the point ($1 space, $2 line, $3 sequence, $4 base) for which `where` holds: for a few of them. The OFFSET
 * prevents the planner from joining the whole space instead of looking up each of them in the index.
 */
function few(where: string): string {
  return `SELECT * FROM (
      SELECT * FROM (${lineAt(PRIMARY, '$4', where)}) p WHERE NOT ${SHADOWED}
      UNION ALL SELECT * FROM (${lineAt('$2', '$3', where)}) o WHERE NOT o.deleted) item OFFSET 0`;
}

/** The same for many items: the change request's rows are read once. */
const OF_KINDS = `WITH overlay AS MATERIALIZED (${lineAt('$2', '$3', 'r.kind = ANY ($5::text[])')})
  SELECT p.* FROM (${lineAt(PRIMARY, '$4', 'r.kind = ANY ($5::text[])')}) p
    LEFT JOIN overlay o ON o.kind = p.kind AND o.id = p.id WHERE o.id IS NULL
  UNION ALL SELECT * FROM overlay WHERE NOT deleted`;

/** The files of a point as a list: `i` over the point's four parameters. */
export const FILES_FROM = `FROM (WITH overlay AS MATERIALIZED (${lineAt('$2', '$3', "r.kind = 'file'")})
  SELECT p.* FROM (${lineAt(PRIMARY, '$4', "r.kind = 'file'")}) p
    LEFT JOIN overlay o ON o.id = p.id WHERE o.id IS NULL
  UNION ALL SELECT * FROM overlay WHERE NOT deleted) i WHERE true`;

/** The same for the current primary line ($1 space), in index order. */
export const CURRENT_FILES_FROM = `FROM content_item i WHERE i.space_id = $1 AND i.line = '' AND i.kind = 'file'`;

/** The condition on the kind makes the planner read the items of the space in the order of their key. */
const WITH_HASH = few(`r.kind IN ('page', 'reusable') AND r.hash = decode($5, 'hex')`);

const BY_KEYS = `SELECT i.* FROM unnest($5::text[], $6::text[]) AS k(kind, id)
  CROSS JOIN LATERAL (${few('r.kind = k.kind AND r.id = k.id')}) i`;

/** The condition must use the same text as the index. */
const SPECIFICATIONS = `SELECT i.* FROM unnest($5::text[]) AS k(name)
  CROSS JOIN LATERAL (${few(`r.kind = 'file' AND r.title = k.name AND r.title ~* '[.](ya?ml|json)$'`)}) i`;

const CHILDREN = `SELECT i.* FROM unnest($5::text[]) AS k(id)
  CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = k.id`)}) i`;

const DOWN = `down AS (
    SELECT i.* FROM unnest($5::text[]) AS k(id) CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = k.id`)}) i
    UNION ALL
    SELECT i.* FROM down CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = down.id`)}) i)`;

const SUBTREES = `WITH RECURSIVE ${DOWN} SELECT * FROM down`;

/**
 * $6 is the kind, which as a constant would make the index of children usable: without statistics the planner chooses
 * that one.
 */
const UP = `up AS (
    SELECT i.* FROM unnest($5::text[]) AS k(id) CROSS JOIN LATERAL (${few(`r.kind = $6 AND r.id = k.id`)}) i
    UNION
    SELECT i.* FROM up CROSS JOIN LATERAL (${few(`r.kind = $6 AND r.id = up.parent_id`)}) i WHERE up.parent_id <> '')`;

const WITH_ANCESTORS = `WITH RECURSIVE ${UP} SELECT * FROM up`;

const FAMILY = `WITH RECURSIVE ${UP}, ${DOWN} SELECT * FROM up UNION ALL SELECT * FROM down`;

const CURRENT = `WITH RECURSIVE up AS (
    SELECT i.* FROM unnest($1::text[], $2::text[], $3::text[]) AS k (space_id, kind, id)
      JOIN content_item i ON i.space_id = k.space_id AND i.line = '' AND i.kind = k.kind AND i.id = k.id
    UNION
    SELECT i.* FROM up JOIN content_item i ON i.space_id = up.space_id AND i.line = '' AND i.kind = 'page' AND i.id = up.parent_id
     WHERE up.kind = 'page' AND up.parent_id <> '')
  SELECT * FROM up`;

const BY_PATHS = `WITH RECURSIVE walk AS (
    SELECT 0 AS depth, k.path, string_to_array(k.path, '/') AS segments, ${COLUMNS.map((column) => `(NULL::content_item).${column}`).join(', ')}
      FROM unnest($5::text[]) AS k(path)
    UNION ALL
    SELECT walk.depth + 1, walk.path, walk.segments, i.*
      FROM walk CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = coalesce(walk.id, '') AND r.slug = walk.segments[walk.depth + 1]`)}) i
     WHERE walk.depth < cardinality(walk.segments))
  SELECT path, ${COLUMNS.join(', ')} FROM walk WHERE depth = cardinality(segments) AND depth > 0`;

/**
 * The page to which an old path ($5, its segments) leads: each step goes to the page at that place, or to the one that
 * was there before. Of several pages, the one found by the fewest and latest former places: at every step only the best
 * way to each page in that order is kept, or their number would grow without limit. $6 is the kind, as above.
 */
const BY_FORMER_PATH = `WITH RECURSIVE walk AS (
    SELECT 0 AS depth, ''::text COLLATE "C" AS id, 0 AS formers, 0 AS first, NULL::timestamptz AS left_at
    UNION ALL
    SELECT * FROM (
      SELECT DISTINCT ON (step.id) walk.depth + 1, step.id, walk.formers + step.former AS formers,
             CASE WHEN walk.formers = 0 THEN walk.depth + step.former ELSE walk.first END AS first, coalesce(step.left_at, walk.left_at) AS left_at
      FROM walk CROSS JOIN LATERAL (
        SELECT i.id, 0 AS former, NULL::timestamptz AS left_at FROM (${few(`r.kind = 'page' AND r.parent_id = walk.id AND r.slug = ($5::text[])[walk.depth + 1]`)}) i
        UNION ALL
        SELECT f.page_id, 1, f.created_at FROM page_former_place f WHERE f.space_id = $1 AND f.parent_id = walk.id AND f.slug = ($5::text[])[walk.depth + 1]) step
     WHERE walk.depth < cardinality($5::text[]) ORDER BY step.id, formers, first DESC, left_at DESC) best)
  SELECT found.* FROM walk CROSS JOIN LATERAL (${few('r.kind = $6 AND r.id = walk.id')}) found
   WHERE walk.depth = cardinality($5::text[]) ORDER BY walk.formers, walk.first DESC, walk.left_at DESC LIMIT 1`;

const OVERLAY = lineAt('$2', '$3', 'true');

const CHANGED_AT = `SELECT kind, id FROM content_undo WHERE space_id = $1 AND line = $2 AND sequence > $3 AND sequence <= $4 GROUP BY kind, id`;

const INPUT = `input AS (
  SELECT i.*, decode(i.hash_hex, 'hex') AS hash FROM jsonb_to_recordset($4::jsonb) AS i(
    kind text, id text, gone boolean, deleted boolean, parent_id text, position text, type text, slug text, title text,
    props jsonb, hash_hex text, created_at timestamptz, updated_at timestamptz))`;

const WRITE = `WITH ${INPUT},
  before AS (
    INSERT INTO content_undo (space_id, line, sequence, existed, ${COLUMNS.join(', ')})
    SELECT $1, $2, $3, h.id IS NOT NULL, i.kind, i.id, coalesce(h.deleted, false), coalesce(h.parent_id, ''), coalesce(h.position, ''),
           coalesce(h.type, ''), h.slug, coalesce(h.title, ''), coalesce(h.props, '{}'), h.hash, h.created_at, h.updated_at
      FROM input i
      LEFT JOIN LATERAL (SELECT * FROM content_item h WHERE h.space_id = $1 AND h.line = $2 AND h.kind = i.kind AND h.id = i.id OFFSET 0) h ON true
    RETURNING kind, existed),
  removed AS (
    DELETE FROM content_item h USING input i WHERE i.gone AND h.space_id = $1 AND h.line = $2 AND h.kind = i.kind AND h.id = i.id),
  written AS (
    INSERT INTO content_item (space_id, line, ${COLUMNS.join(', ')})
    SELECT $1, $2, ${columns('i')} FROM input i WHERE NOT i.gone
    ON CONFLICT (space_id, line, kind, id) DO UPDATE SET
      ${COLUMNS.slice(2)
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}),
  growth AS (
    SELECT kind, sum(rows) AS rows
      FROM (SELECT kind, (NOT gone)::int AS rows FROM input UNION ALL SELECT kind, -(existed::int) FROM before) each GROUP BY kind),
  counted AS (
    INSERT INTO content_total AS t (space_id, line, kind, count) SELECT $1, $2, kind, rows FROM growth WHERE rows <> 0
    ON CONFLICT (space_id, line, kind) DO UPDATE SET count = t.count + excluded.count
    RETURNING kind, count)
  SELECT kind, count::float8 AS count FROM counted WHERE kind IN (SELECT kind FROM growth WHERE rows > 0)`;

/** Maximum number in a space; the limits of pages and files are settings. */
export const MAX_REUSABLE_CONTENTS = 10_000;
export const MAX_VARIABLES = 1_000;
export const MAX_TAGS = 1_000;

const NAMES: Readonly<Record<ItemKind, string>> = {
  page: 'pages',
  file: 'files',
  reusable: 'reusable contents',
  variable: 'variables',
  tag: 'tags',
};

/** Maximum number of rows of one statement; larger writes take several statements of one transaction, sent at once. */
const WRITE_CHUNK = 5_000;
/** Changed items by which the statistics of a database can become wrong; reading its tables anew costs more than writing fewer. */
const MANY_CHANGES = 100;

/** The effect of a write on a row of a line: a new version, a tombstone, or its removal. */
export type RowChange = { readonly item: Item } | { readonly tombstone: ItemKey } | { readonly remove: ItemKey };

/** Tables that each write of content fills. */
const OWN_TABLES = [
  'content_item',
  'content_undo',
  'page_current',
  'document',
  'section_vector',
  'section_current',
  'document_ref',
];

/** Versioned items in PostgreSQL: every read is one query whatever the size of the space. */
@Injectable()
export class ContentStore {
  private readonly limits: Readonly<Record<ItemKind, number>>;

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    @Inject(CONFIG) config: Pick<Config, 'pagesPerSpace' | 'filesPerSpace'>,
  ) {
    this.limits = {
      page: config.pagesPerSpace,
      file: config.filesPerSpace,
      reusable: MAX_REUSABLE_CONTENTS,
      variable: MAX_VARIABLES,
      tag: MAX_TAGS,
    };
  }

  /** All items of the given kinds, in no order. */
  async ofKinds(point: Point, kinds: readonly ItemKind[]): Promise<Item[]> {
    return this.read(OF_KINDS, point, [kinds]);
  }

  /** The items with these keys; absent ones are left out. */
  async byKeys(point: Point, keys: Iterable<ItemKey>): Promise<Map<ItemKey, Item>> {
    const parts = [...new Set(keys)].map(splitKey);
    if (parts.length === 0) return new Map();
    const items = await this.read(BY_KEYS, point, [parts.map((part) => part.kind), parts.map((part) => part.id)]);
    return new Map(items.map((item) => [itemKey(item), item]));
  }

  async get(point: Point, kind: ItemKind, id: string): Promise<Item | undefined> {
    return (await this.read(BY_KEYS, point, [[kind], [id]]))[0];
  }

  /** The pages and reusable contents with a document of this hash, in hexadecimal. */
  async withHash(point: Point, hash: string): Promise<Item[]> {
    return this.read(WITH_HASH, point, [hash]);
  }

  /** Files with these names, which have the extensions of specifications. */
  async specificationFiles(point: Point, names: readonly string[]): Promise<Item[]> {
    return this.read(SPECIFICATIONS, point, [names]);
  }

  /** The direct child pages of these parents. */
  async children(point: Point, parents: Iterable<string>): Promise<Item[]> {
    const ids = [...new Set(parents)];
    return ids.length === 0 ? [] : this.read(CHILDREN, point, [ids]);
  }

  /** All descendants of these pages, without the pages themselves. */
  async descendants(point: Point, pages: Iterable<string>): Promise<Item[]> {
    const ids = [...new Set(pages)];
    return ids.length === 0 ? [] : this.read(SUBTREES, point, [ids]);
  }

  /** These pages and all their ancestors. */
  async withAncestors(point: Point, pages: Iterable<string>): Promise<Item[]> {
    const ids = [...new Set(pages)];
    return ids.length === 0 ? [] : this.read(WITH_ANCESTORS, point, [ids, 'page']);
  }

  /** A page with its ancestors and all pages below it, in one statement. */
  async family(point: Point, id: string): Promise<Family | undefined> {
    const items = await this.read(FAMILY, point, [[id], 'page']);
    const page = items.find((item) => item.id === id);
    if (!page) return undefined;
    const around = [page, ...ancestorsOf(page, indexPages(items))];
    return { page, around, below: items.filter((item) => !around.includes(item)) };
  }

  /**
   * Current items of the primary lines of any spaces, with all ancestors, by space; without the pages that are hidden, by
   * space, and those below them.
   */
  async current(
    items: readonly { readonly space: string; readonly kind: ItemKind; readonly id: string }[],
    hidden: ReadonlyMap<string, readonly string[]>,
  ): Promise<Map<string, Item[]>> {
    if (items.length === 0) return new Map();
    const rows = await this.database.query<ItemRow & { space_id: string }>(CURRENT, [
      items.map(({ space }) => space),
      items.map(({ kind }) => kind),
      items.map(({ id }) => id),
    ]);
    const found = new Map<string, Item[]>();
    for (const row of rows) {
      const known = found.get(row.space_id);
      if (known) known.push(toItem(row));
      else found.set(row.space_id, [toItem(row)]);
    }
    for (const [space, roots] of hidden) {
      const known = found.get(space);
      if (known && roots.length > 0) found.set(space, known.filter(isOutside(roots, known)));
    }
    return found;
  }

  /** The pages at these paths, by path; each path costs its depth. */
  async byPaths(point: Point, paths: Iterable<string>): Promise<Map<string, Item>> {
    const wanted = [...new Set(paths)];
    if (wanted.length === 0) return new Map();
    const rows = await this.database.query<ItemRow & { path: string }>(BY_PATHS, [...parameters(point), wanted]);
    const hidden = rows.length === 0 ? NO_PAGES : await this.hiddenAt(point);
    return new Map(rows.filter(({ id }) => !hidden.has(id)).map((row) => [row.path, toItem(row)]));
  }

  /** The page to which a path leads by former places of pages. */
  async byFormerPath(point: Point, path: string): Promise<Item | undefined> {
    return (await this.read(BY_FORMER_PATH, point, [path.split('/'), 'page']))[0];
  }

  /** The overlay of a change request's line at a point: its own versions, null for deleted items. */
  async overlay(point: Point): Promise<Map<ItemKey, Item | null>> {
    if (point.line === null) return new Map();
    const rows = await this.database.query<ItemRow>(OVERLAY, [point.spaceId, point.line, point.sequence]);
    const hidden = await this.hiddenAt(point);
    return new Map(
      rows
        .filter(({ kind, id }) => kind !== 'page' || !hidden.has(id))
        .map((row) => [itemKey(row), row.deleted ? null : toItem(row)]),
    );
  }

  /**
   * The pages that are hidden at a point: those that it says, and all that are below one of them there, in the content
   * that the change request stands on or in the current content. So a page that was moved below a limited one takes its
   * history with it, and one that a change request moves away is hidden until that is merged.
   */
  async hiddenAt(point: Point): Promise<ReadonlySet<string>> {
    const { hidden, line, base } = point;
    if (hidden.length === 0) return NO_PAGES;
    const states = [
      { ...point, base: CURRENT_SEQUENCE, line: null },
      point,
      ...(line === null ? [] : [{ ...point, base, line: null }]),
    ];
    const ids = new Set(hidden);
    for (const state of states)
      for (const { id } of await this.database.query<ItemRow>(SUBTREES, [...parameters(state), hidden])) ids.add(id);
    return ids;
  }

  /** The changes on a line ('' is primary) after one sequence, up to and including another. */
  async changedBetween(spaceId: string, line: string, after: number, upTo: number): Promise<ItemKey[]> {
    const rows = await this.database.query<{ kind: ItemKind; id: string }>(CHANGED_AT, [spaceId, line, after, upTo]);
    return rows.map(itemKey);
  }

  /**
   * Writes the rows of one revision of a line, and their previous versions. The caller holds the line's lock. Throws
   * `conflict` if the line then exceeds the limits and has more items than before.
   */
  async write(spaceId: string, line: string, sequence: number, changes: readonly RowChange[]): Promise<void> {
    const grown = new Map<ItemKind, number>();
    const totals = await Promise.all(
      [...batchesWithin(changes, WRITE_CHUNK, () => 1)].map((rows) =>
        this.database.query<{ kind: ItemKind; count: number }>(WRITE, [
          spaceId,
          line,
          sequence,
          JSON.stringify(rows.map(toRow)),
        ]),
      ),
    );
    for (const { kind, count } of totals.flat()) grown.set(kind, count);
    for (const [kind, count] of grown) {
      const limit = this.limits[kind];
      if (count > limit)
        throw new DomainError(
          'conflict',
          `${line === '' ? 'A space holds' : 'A change request changes'} at most ${limit} ${NAMES[kind]}: this would make ${count}`,
        );
    }
  }

  /** Updates the planner's statistics after a write of so many items, if it is large: otherwise that takes up to a minute. */
  async analyzeAfter(changes: number): Promise<void> {
    if (changes < MANY_CHANGES) return;
    await this.database.execute(
      `ANALYZE ${[...OWN_TABLES, ...this.registry.contributionsTo(ANALYZED_TABLES)].join(', ')}`,
    );
  }

  private async read(statement: string, point: Point, values: readonly unknown[]): Promise<Item[]> {
    const rows = await this.database.query<ItemRow>(statement, [...parameters(point), ...values]);
    const hidden = rows.some(({ kind }) => kind === 'page') ? await this.hiddenAt(point) : NO_PAGES;
    return (hidden.size === 0 ? rows : rows.filter(({ kind, id }) => kind !== 'page' || !hidden.has(id))).map(toItem);
  }
}

/** Tells of items that come with all of their ancestors whether they are outside of these pages. */
function isOutside(roots: readonly string[], items: readonly Item[]): (item: Item) => boolean {
  const pages = new Map(items.flatMap((item) => (item.kind === 'page' ? [[item.id, item] as const] : [])));
  const isInside = (id: string): boolean => {
    if (roots.includes(id)) return true;
    const parent = pages.get(id)?.parentId;
    return parent !== undefined && parent !== ROOT && isInside(parent);
  };
  return ({ kind, id }) => kind !== 'page' || !isInside(id);
}

function parameters({ spaceId, line, sequence, base }: Point): unknown[] {
  return [spaceId, line, sequence, base];
}

/** Converts a row of the store to an item. */
export function toItem(row: ItemRow): Item {
  return {
    kind: row.kind,
    id: row.id,
    parentId: row.parent_id,
    position: row.position,
    type: row.type,
    slug: row.slug,
    title: row.title,
    props: row.props,
    hash: row.hash?.toString('hex') ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const EMPTY_ROW = { parent_id: '', position: '', type: '', slug: null, title: '', props: {}, hash_hex: null };

function toRow(change: RowChange): object {
  if ('remove' in change) return { ...splitKey(change.remove), gone: true };
  if ('tombstone' in change) {
    const now = new Date(0);
    return {
      ...splitKey(change.tombstone),
      gone: false,
      deleted: true,
      ...EMPTY_ROW,
      created_at: now,
      updated_at: now,
    };
  }
  const { item } = change;
  return {
    kind: item.kind,
    id: item.id,
    gone: false,
    deleted: false,
    parent_id: item.parentId,
    position: item.position,
    type: item.type,
    slug: item.slug,
    title: item.title,
    props: item.props,
    hash_hex: item.hash,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  };
}
