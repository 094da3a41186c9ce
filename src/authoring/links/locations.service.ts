import { Injectable } from '@nestjs/common';
import { Collections } from '../../workspace/collections/collections.service.js';
import { presentCollection, type CollectionBody } from '../../workspace/collections/collections.schema.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { ChangeRequestStore } from '../change-requests/change-request-store.js';
import type { ContentPlace } from '../content/content-reader.js';
import { ContentStore } from '../content/content-store.js';
import { itemKey, type Item, type ItemKey, type ItemKind } from '../content/domain/content-item.js';
import { ancestorsOf, indexPages, type PageIndex } from '../content/domain/page-paths.js';
import { appAddress, presentFile, presentPageAlone, presentReusable } from '../content/present-content.js';
import { OpenApiSpecs } from '../openapi/specs.service.js';
import { presentSpec, type OpenApiSpecBody } from '../openapi/openapi.schema.js';
import { Organizations } from '../../identity/organizations/organizations.service.js';
import { presentOrganization, type OrganizationBody } from '../../identity/organizations/organizations.schema.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { presentSpace, type SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import { Users } from '../../identity/users/users.service.js';
import { presentUser, type UserBody } from '../../identity/users/users.schema.js';
import type { ContentLocation } from './links.schema.js';

/** The owner of a location: `space` is '' for objects outside of spaces. */
export interface LocationOwner {
  readonly kind: string;
  readonly id: string;
  readonly space: string;
  readonly internalLocation?: NonNullable<ContentLocation['internalLocation']>;
}

type ItemPart = Pick<ContentLocation, 'page' | 'file' | 'reusableContent'>;

/** All objects that locations of one response embed, each of them loaded once. */
interface Surroundings {
  readonly place: ContentPlace;
  readonly items: ReadonlyMap<string, { readonly byKey: ReadonlyMap<ItemKey, Item>; readonly pages: PageIndex }>;
  /** Objects that were already presented: many locations refer to the same few pages. */
  readonly presented: Map<string, ItemPart>;
  readonly spaces: ReadonlyMap<string, SpaceBody>;
  readonly organizations: ReadonlyMap<string, OrganizationBody>;
  readonly collections: ReadonlyMap<string, CollectionBody>;
  readonly users: ReadonlyMap<string, UserBody>;
  /** Specifications of the organization of the place, by slug. */
  readonly specifications: ReadonlyMap<string, OpenApiSpecBody>;
  readonly versionContext: ContentLocation['versionContext'];
}

const ITEM_KINDS: Readonly<Partial<Record<string, ItemKind>>> = {
  page: 'page',
  file: 'file',
  'reusable-content': 'reusable',
};

/** Presents the places and targets of references. */
@Injectable()
export class Locations {
  constructor(
    private readonly store: ContentStore,
    private readonly requests: ChangeRequestStore,
    private readonly organizations: Organizations,
    private readonly spaces: Spaces,
    private readonly collections: Collections,
    private readonly users: Users,
    private readonly specs: OpenApiSpecs,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /**
   * Returns a function that presents any of these objects, and returns undefined for deleted ones; a constant number of
   * queries.
   */
  async load(
    caller: Caller,
    place: ContentPlace,
    things: readonly LocationOwner[],
  ): Promise<(thing: LocationOwner) => ContentLocation | undefined> {
    const of = (kind: string) => [...new Set(things.flatMap((thing) => (thing.kind === kind ? [thing.id] : [])))];
    const spaceIds = new Set(things.flatMap(({ space }) => (space === '' ? [] : [space])));
    const [items, spaces, collections, users, specs, request] = await Promise.all([
      this.itemsOf(place, things),
      this.spaces.byIds(caller.userId, [...spaceIds]),
      this.collections.byIds(caller.userId, of('collection')),
      this.users.byIds(of('user')),
      this.specs.bySlugs(place.space.organizationId, of('openapi')),
      place.point.line === null ? undefined : this.requests.shown(place.space, place.point.line),
    ]);
    const owners = new Set(
      [...spaces.values(), ...collections.values(), ...specs.values()].map(({ organizationId }) => organizationId),
    );
    const organizations = await this.organizations.byIds(caller.userId, [...owners]);
    const { description: _, ...changeRequest } = request ?? {};
    const around: Surroundings = {
      place,
      items,
      presented: new Map(),
      spaces: shown(spaces, (space) => presentSpace(space, this.addresses)),
      organizations: shown(organizations, (organization) => presentOrganization(organization, this.addresses)),
      collections: shown(collections, (collection) => presentCollection(collection, this.addresses)),
      users: shown(users, (user) => presentUser(user, this.addresses)),
      specifications: shown(specs, (spec) =>
        presentSpec(spec, organizations.get(spec.organizationId)?.callerRole ?? 'none', this.addresses),
      ),
      versionContext: request && { type: 'changeRequest', changeRequest: changeRequest as typeof request },
    };
    return (thing) => this.show(thing, around);
  }

  private async itemsOf(
    { point, space }: ContentPlace,
    things: readonly LocationOwner[],
  ): Promise<Surroundings['items']> {
    const wanted = things.flatMap((thing) => {
      const kind = ITEM_KINDS[thing.kind];
      return kind === undefined ? [] : [{ space: thing.space, kind, id: thing.id }];
    });
    const own = wanted.filter((each) => each.space === space.id);
    const [pages, others, foreign] = await Promise.all([
      this.store.withAncestors(
        point,
        own.flatMap(({ kind, id }) => (kind === 'page' ? [id] : [])),
      ),
      this.store.byKeys(
        point,
        own.flatMap((each) => (each.kind === 'page' ? [] : [itemKey(each)])),
      ),
      this.store.current(wanted.filter((each) => each.space !== space.id)),
    ]);
    const all = [...foreign, [space.id, [...pages, ...others.values()]] as const];
    return new Map(
      all.map(([id, items]) => [
        id,
        { pages: indexPages(items), byKey: new Map(items.map((item) => [itemKey(item), item])) },
      ]),
    );
  }

  private show(
    { kind, id, space: spaceId, internalLocation }: LocationOwner,
    around: Surroundings,
  ): ContentLocation | undefined {
    if (kind === 'url') return { kind, url: id };
    const user = kind === 'user' ? around.users.get(id) : undefined;
    if (user) return { kind, user };
    const openAPISpec = kind === 'openapi' ? around.specifications.get(id) : undefined;
    const collection = kind === 'collection' ? around.collections.get(id) : undefined;
    const space = around.spaces.get(spaceId);
    const organization = around.organizations.get(
      openAPISpec ? around.place.space.organizationId : (collection?.organization ?? space?.organization ?? ''),
    );
    if (!organization) return undefined;
    if (openAPISpec) return { kind, organization, openAPISpec };
    if (collection) return { kind, organization, collection };
    if (!space) return undefined;
    if (kind === 'space') return { kind, organization, space };
    const item = this.presentItem(kind, id, space, around);
    if (!item) return undefined;
    const isOwn = spaceId === around.place.space.id;
    return {
      kind,
      organization,
      space,
      ...(isOwn && around.versionContext && { versionContext: around.versionContext }),
      ...item,
      ...(kind === 'page' && internalLocation && { internalLocation }),
    };
  }

  private presentItem(kind: string, id: string, space: SpaceBody, around: Surroundings): ItemPart | undefined {
    const itemKind = ITEM_KINDS[kind];
    const within = around.items.get(space.id);
    const item = itemKind && within?.byKey.get(itemKey({ kind: itemKind, id }));
    if (!item || !within) return undefined;
    const name = `${space.id} ${kind} ${id}`;
    const part = around.presented.get(name) ?? this.present(item, within.pages, space, around.place);
    around.presented.set(name, part);
    return part;
  }

  private present(item: Item, pages: PageIndex, space: SpaceBody, place: ContentPlace): ItemPart {
    const app =
      space.id === place.space.id
        ? place.app
        : appAddress(this.addresses, { organizationId: space.organization, id: space.id });
    const view = { app, metadata: false };
    if (item.kind === 'file') return { file: presentFile(item, this.files, view) };
    if (item.kind === 'reusable') return { reusableContent: presentReusable(item, view) };
    return { page: presentPageAlone(item, ancestorsOf(item, pages), view) };
  }
}

function shown<Row, Body>(rows: ReadonlyMap<string, Row>, present: (row: Row) => Body): ReadonlyMap<string, Body> {
  return new Map([...rows].map(([id, row]) => [id, present(row)]));
}
