import { permissionFlags, roleAlone } from '../../kernel/access/permissions.js';
import { presentRole, ROLES, type AccessLevel, type Role } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Flag, Id, Nested, ObjectName, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { Collection } from './collection.entity.js';

/** `inherit`, a role, or null for no access. */
export type DefaultLevel = 'inherit' | Role | null;

class CollectionUrls {
  @Url() location: string;
  @Url() app: string;
}

class CollectionPermissions {
  @Flag() view: boolean;
  @Flag() admin: boolean;
  @Flag() viewInviteLinks: boolean;
  @Flag() create: boolean;
}

/** Describes the field `position` of spaces and collections. */
export const POSITION =
  'Sorts the spaces and collections with the same parent by the order of their code points, then by their ids';

export class CollectionBody {
  @ObjectName('collection')
  object: 'collection';
  @Id()
  id: string;
  @Text({ example: 'Engineering' })
  title: string;
  @Text({ optional: true, example: 'How we build things' })
  description?: string;
  @Id()
  organization: string;
  @Id({ optional: true })
  parent?: string;
  @OneOf(['inherit', ...ROLES], { nullable: true })
  defaultLevel: DefaultLevel;
  @Text({ description: POSITION, example: 'a0' })
  position: string;
  @Nested(() => CollectionUrls)
  urls: CollectionUrls;
  @Nested(() => CollectionPermissions)
  permissions: CollectionPermissions;
}

export class CollectionsQuery extends PageQuery {
  @Flag({ optional: true, query: true, default: true, description: 'False lists only the collections at the root' })
  nested: boolean = true;
}

export class CreateCollection {
  @Text({ optional: true, min: 1, max: 50, example: 'Engineering' })
  title?: string;
  @Id({ optional: true, description: 'The collection that the new one is in' })
  parent?: string;
}

export class UpdateCollection {
  @Text({ optional: true, min: 1, max: 50, example: 'Engineering' })
  title?: string;
  @Text({ optional: true, max: 100, description: 'An empty text removes it', example: 'How we build things' })
  description?: string;
  @OneOf(['inherit', ...ROLES], {
    optional: true,
    nullable: true,
    description: 'Replaces what members would inherit; null is no access',
  })
  defaultLevel?: DefaultLevel;
}

class Pointer {
  @OneOf(['space', 'collection'])
  type: 'space' | 'collection';
  @Id({ optional: true, description: 'With the type space' })
  space?: string;
  @Id({ optional: true, description: 'With the type collection' })
  collection?: string;
}

class Position {
  @Nested(() => Pointer, { optional: true })
  before?: Pointer;
  @Nested(() => Pointer, { optional: true })
  after?: Pointer;
}

/** The destination of a space or a collection. */
export class MoveInWorkspace {
  @Id({
    optional: true,
    nullable: true,
    description: 'The collection to move into; null is the root, and without it the parent stays',
  })
  parent?: string | null;
  @Nested(() => Position, { optional: true, description: 'Without it the place is the end of the list' })
  position?: Position;
}

/** The destination of a space or a collection in another organization. */
export class TransferInWorkspace {
  @Id({ description: 'The organization to move into' })
  organization: string;
  @Id({
    optional: true,
    nullable: true,
    description: 'The collection of that organization to move into; null, or without it, is the root',
  })
  parent?: string | null;
}

export interface CollectionForCaller extends Collection {
  readonly callerRole: AccessLevel;
  /** In the organization. */
  readonly callerIsGuest: boolean;
}

export function presentCollection(collection: CollectionForCaller, addresses: Addresses): CollectionBody {
  const { id, organizationId } = collection;
  return versioned(
    {
      object: 'collection',
      id,
      title: collection.title,
      ...(collection.description !== null && { description: collection.description }),
      organization: organizationId,
      ...(collection.parentId !== null && { parent: collection.parentId }),
      defaultLevel: collection.defaultLevel === null ? 'inherit' : presentRole(collection.defaultLevel),
      position: collection.position,
      urls: { location: addresses.location(`/collections/${id}`), app: addresses.app(`/o/${organizationId}/c/${id}`) },
      permissions: permissionFlags(
        'collection',
        roleAlone(collection.callerRole),
        collection.callerIsGuest ? ['guest'] : [],
      ),
    },
    collection.version,
  );
}
