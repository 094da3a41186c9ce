import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentStore } from '../content/content-store.js';
import { itemKey, splitKey, type Item, type ItemKey, type ItemKind } from '../content/domain/content-item.js';
import { ancestorsOf, indexPages, type PageIndex } from '../content/domain/page-paths.js';
import { tagKeysOf } from '../content/domain/tags.js';
import { appAddress, presentFile, presentPageAlone, presentReusable } from '../content/present-content.js';
import type { ContentLocation } from './links.schema.js';

/** The item of a location: `space` is '' for one that lies in none. */
export interface LocationOwner {
  readonly kind: string;
  readonly id: string;
  readonly space: string;
  readonly internalLocation?: NonNullable<ContentLocation['internalLocation']>;
}

type ItemPart = Pick<ContentLocation, 'page' | 'file' | 'reusableContent'>;

const ITEM_KINDS: Readonly<Partial<Record<string, ItemKind>>> = {
  page: 'page',
  file: 'file',
  'reusable-content': 'reusable',
};

const HIDDEN = 'SELECT s.id AS space, hidden_pages($1, s.id) AS hidden FROM unnest($2::text[]) AS s (id)';

/** Loads the pages, files and reusable contents that locations are of. */
@Injectable()
export class ItemLocations {
  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /** The items among these things, without the pages that a user does not see; a constant number of queries. */
  async load(userId: string, place: ContentPlace, things: readonly LocationOwner[]): Promise<LocatedItems> {
    const { point, space } = place;
    const wanted = things.flatMap((thing) => {
      const kind = ITEM_KINDS[thing.kind];
      return kind === undefined ? [] : [{ space: thing.space, kind, id: thing.id }];
    });
    const own = wanted.filter((each) => each.space === space.id);
    const hidden = await this.hiddenIn(
      userId,
      wanted.filter((each) => each.space !== space.id),
    );
    const [pages, others, foreign] = await Promise.all([
      this.store.withAncestors(
        point,
        own.flatMap(({ kind, id }) => (kind === 'page' ? [id] : [])),
      ),
      this.store.byKeys(
        point,
        own.flatMap((each) => (each.kind === 'page' ? [] : [itemKey(each)])),
      ),
      this.store.current(
        wanted.filter((each) => each.space !== space.id),
        hidden,
      ),
    ]);
    const [tags, foreignTags] = await Promise.all([
      this.store.byKeys(point, tagKeysOf(pages)),
      this.store.current(
        [...foreign].flatMap(([id, items]) => tagKeysOf(items).map((key) => ({ space: id, ...splitKey(key) }))),
        hidden,
      ),
    ]);
    const all = [
      ...[...foreign].map(([id, items]) => [id, [...items, ...(foreignTags.get(id) ?? [])]] as const),
      [space.id, [...pages, ...others.values(), ...tags.values()]] as const,
    ];
    const bySpace = new Map(
      all.map(([id, items]) => [
        id,
        {
          pages: indexPages(items),
          tags: items.filter(({ kind }) => kind === 'tag'),
          byKey: new Map(items.map((item) => [itemKey(item), item])),
        },
      ]),
    );
    return new LocatedItems(place, bySpace, this.files, this.addresses);
  }

  /** The hidden pages by space. */
  private async hiddenIn(
    userId: string,
    things: readonly { readonly space: string }[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (things.length === 0) return new Map();
    const rows = await this.database.query<{ space: string; hidden: readonly string[] }>(HIDDEN, [
      userId,
      [...new Set(things.map((thing) => thing.space))],
    ]);
    return new Map(rows.map(({ space: id, hidden }) => [id, hidden]));
  }
}

/** The items of one answer, by their spaces. */
export class LocatedItems {
  /** The locations that were presented already: many are of the same few pages. */
  private readonly presented = new Map<string, ItemPart>();

  constructor(
    private readonly place: ContentPlace,
    private readonly items: ReadonlyMap<
      string,
      { readonly byKey: ReadonlyMap<ItemKey, Item>; readonly pages: PageIndex; readonly tags: readonly Item[] }
    >,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /** A page, file or reusable content of a space; undefined for one that is gone, and for other kinds. */
  show(kind: string, id: string, space: SpaceBody): ItemPart | undefined {
    const itemKind = ITEM_KINDS[kind];
    const within = this.items.get(space.id);
    const item = itemKind && within?.byKey.get(itemKey({ kind: itemKind, id }));
    if (!item || !within) return undefined;
    const name = `${space.id} ${kind} ${id}`;
    const part = this.presented.get(name) ?? this.present(item, within, space);
    this.presented.set(name, part);
    return part;
  }

  private present(
    item: Item,
    { pages, tags }: { readonly pages: PageIndex; readonly tags: readonly Item[] },
    space: SpaceBody,
  ): ItemPart {
    const app =
      space.id === this.place.space.id
        ? this.place.app
        : appAddress(this.addresses, { organizationId: space.organization, id: space.id });
    const view = { app, metadata: false };
    if (item.kind === 'file') return { file: presentFile(item, this.files, view) };
    if (item.kind === 'reusable') return { reusableContent: presentReusable(item, view) };
    return { page: presentPageAlone(item, [...ancestorsOf(item, pages), ...tags], view) };
  }
}
