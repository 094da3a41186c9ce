import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { yieldToOthers } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import type { ComputedReading } from './computed-pages.js';
import type { ContentPlace } from './content-places.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from './content-store.js';
import type { Item, ItemKey } from './domain/content-item.js';
import { PageTree } from './domain/page-tree.js';
import { withTags } from './domain/tags.js';
import { ReaderPages } from './reader-pages.js';

const PRIMARY = '';
/** Beyond these many revisions and changes the whole tree is read: it costs less. */
const MAX_REVISIONS = 1_000;
const MAX_CHANGES = 2_000;

/** The tree of a line as of a sequence, over the primary line as of `base`. */
interface KnownTree {
  readonly sequence: number;
  readonly base: number;
  readonly tree: PageTree;
}

/** The page trees of spaces. One of each line is kept: another state is read by the changes that lie between. */
@Injectable()
export class PageTrees {
  /** Much for each: the tree of a large space is one entry, and nothing else takes as long to make again. */
  private readonly known = new Cache<KnownTree>({ share: 48, weigh: ({ tree }) => tree.weight + 100 });

  constructor(
    private readonly store: ContentStore,
    private readonly database: Database,
    private readonly readerPages: ReaderPages,
  ) {}

  /** The pages that whoever reads a place sees, with the computed ones where they are read; only those with some tags if tags are given. */
  async shown(
    { point, space }: ContentPlace,
    reading: ComputedReading | undefined,
    tags?: readonly string[],
  ): Promise<PageTree> {
    const whole = await this.at(point);
    const hidden = await this.store.hiddenAt(point);
    const open = whole.list.filter(({ kind, id }) => kind !== 'page' || !hidden.has(id));
    const seen = await this.readerPages.seen(point, space.reader, open);
    const expanded = reading ? await reading.expand(seen) : seen;
    return whole.showing(tags ? withTags(expanded, tags) : expanded);
  }

  /** All pages of a point, whoever reads it. */
  private at({ spaceId, line, sequence, base }: Point): Promise<PageTree> {
    const whole = { spaceId, line, sequence, base, hidden: NOTHING_HIDDEN };
    return line === null ? this.primaryAt(whole) : this.requestAt({ ...whole, line });
  }

  private async primaryAt(point: Point): Promise<PageTree> {
    const { spaceId, base } = point;
    const known = this.known.get(spaceId);
    const tree =
      (known && (await this.between(known.tree, point, PRIMARY, known.base, base))) ?? (await this.read(point));
    return this.keep(spaceId, { sequence: base, base, tree });
  }

  private async requestAt(point: Point & { readonly line: string }): Promise<PageTree> {
    const { spaceId, line, sequence, base } = point;
    const key = `${spaceId} ${line}`;
    const known = this.known.get(key);
    const tree =
      (known?.base === base ? await this.between(known.tree, point, line, known.sequence, sequence) : undefined) ??
      (await this.primaryAt({ ...point, line: null })).with(onlyPages(await this.store.overlay(point)));
    return this.keep(key, { sequence, base, tree });
  }

  private async read(point: Point): Promise<PageTree> {
    const slices = PageTree.slices(await this.store.ofKinds(point, ['page', 'tag']));
    for (;;) {
      await yieldToOthers();
      const { done, value } = slices.next();
      if (done) return value;
    }
  }

  /** The tree at a point, from another state of the same line; undefined if too much lies between. */
  private async between(
    tree: PageTree,
    point: Point,
    line: string,
    known: number,
    wanted: number,
  ): Promise<PageTree | undefined> {
    if (known === wanted) return tree;
    const [first, last] = known < wanted ? [known, wanted] : [wanted, known];
    if (last - first > MAX_REVISIONS) return undefined;
    const keys = (await this.store.changedBetween(point.spaceId, line, first, last)).filter(isShown);
    if (keys.length === 0) return tree;
    if (keys.length > MAX_CHANGES) return undefined;
    const found = await this.store.byKeys(point, keys);
    return tree.with(new Map(keys.map((key) => [key, found.get(key) ?? null])));
  }

  /** Keeps a tree unless a later state is kept already; returns the one of its state that is shared with other requests. */
  private keep(key: string, made: KnownTree): PageTree {
    const known = this.known.get(key);
    if (known?.base === made.base && known.sequence === made.sequence) return known.tree;
    const isOld = known && (made.base < known.base || (made.base === known.base && made.sequence < known.sequence));
    // A transaction may be rolled back, and the sequence of its revision be given to another one.
    if (!isOld && !this.database.inTransaction) this.known.set(key, made);
    return made.tree;
  }
}

const isShown = (key: ItemKey): boolean => key.startsWith('page:') || key.startsWith('tag:');

function onlyPages(items: ReadonlyMap<ItemKey, Item | null>): Map<ItemKey, Item | null> {
  return new Map([...items].filter(([key]) => isShown(key)));
}
