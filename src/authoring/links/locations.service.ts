import { Injectable } from '@nestjs/common';
import { Collections } from '../../workspace/collections/collections.service.js';
import { presentCollection, type CollectionBody } from '../../workspace/collections/collections.schema.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { ChangeRequestStore } from '../change-requests/change-request-store.js';
import type { ContentPlace } from '../content/content-places.js';
import { OpenApiSpecs } from '../openapi/specs.service.js';
import { presentSpec, type OpenApiSpecBody } from '../openapi/openapi.schema.js';
import { Organizations } from '../../identity/organizations/organizations.service.js';
import { presentOrganization, type OrganizationBody } from '../../identity/organizations/organizations.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { presentSpace, type SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import { Users } from '../../identity/users/users.service.js';
import { presentUser, type UserBody } from '../../identity/users/users.schema.js';
import { ItemLocations, type LocatedItems, type LocationOwner } from './item-locations.js';
import type { ContentLocation } from './links.schema.js';
import { roleAlone, rightsOn } from '../../kernel/access/permissions.js';

/** Everything that locations of one answer embed, each of it loaded once. */
interface Surroundings {
  readonly place: ContentPlace;
  readonly items: LocatedItems;
  readonly spaces: ReadonlyMap<string, SpaceBody>;
  readonly organizations: ReadonlyMap<string, OrganizationBody>;
  readonly collections: ReadonlyMap<string, CollectionBody>;
  readonly users: ReadonlyMap<string, UserBody>;
  /** Specifications of the organization of the place, by slug. */
  readonly specifications: ReadonlyMap<string, OpenApiSpecBody>;
  readonly versionContext: ContentLocation['versionContext'];
}

/** Shows where references stand and what they lead to. */
@Injectable()
export class Locations {
  constructor(
    private readonly items: ItemLocations,
    private readonly requests: ChangeRequestStore,
    private readonly organizations: Organizations,
    private readonly spaces: Spaces,
    private readonly collections: Collections,
    private readonly users: Users,
    private readonly specs: OpenApiSpecs,
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
      this.items.load(caller.userId, place, things),
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
      spaces: shown(spaces, (space) => presentSpace(space, this.addresses)),
      organizations: shown(organizations, (organization) => presentOrganization(organization, this.addresses)),
      collections: shown(collections, (collection) => presentCollection(collection, this.addresses)),
      users: shown(users, (user) => presentUser(user, this.addresses)),
      specifications: shown(specs, (spec) => {
        const owner = organizations.get(spec.organizationId);
        return presentSpec(spec, owner ? rightsOn(owner) : roleAlone('none'), this.addresses);
      }),
      versionContext: request && { type: 'changeRequest', changeRequest: changeRequest as typeof request },
    };
    return (thing) => this.show(thing, around);
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
    const item = around.items.show(kind, id, space);
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
}

function shown<Row, Body>(rows: ReadonlyMap<string, Row>, present: (row: Row) => Body): ReadonlyMap<string, Body> {
  return new Map([...rows].map(([id, row]) => [id, present(row)]));
}
