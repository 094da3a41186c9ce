import { Inject, Injectable } from '@nestjs/common';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { ANALYZED_TABLES } from './content.points.js';
import { Database } from '../../kernel/common/database.js';
import { batchesWithin } from '../../kernel/common/batches.js';
import { DomainError } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { ancestorsOf, indexPages } from './domain/page-paths.js';
import {
  BY_FORMER_PATH,
  BY_KEYS,
  BY_PATHS,
  callAt,
  CHANGED_AT,
  CHILDREN,
  CURRENT,
  FAMILY,
  OF_KINDS,
  OVERLAY,
  SPECIFICATIONS,
  SUBTREES,
  WITH_ANCESTORS,
  WITH_HASH,
  WRITE,
  type PointStatement,
} from './content-store.statements.js';
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
    const rows = await this.rows<ItemRow & { path: string }>(BY_PATHS, point, [wanted]);
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
    for (const state of states) for (const { id } of await this.rows(SUBTREES, state, [hidden])) ids.add(id);
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

  private rows<Row extends ItemRow = ItemRow>(
    statement: PointStatement,
    point: Point,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.database.query<Row>(...callAt(statement, point, values));
  }

  private async read(statement: PointStatement, point: Point, values: readonly unknown[]): Promise<Item[]> {
    const rows = await this.rows(statement, point, values);
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
