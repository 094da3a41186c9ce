import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { noNeighbour, Siblings, type SiblingPointer, type SiblingPosition } from './siblings.service.js';
import type { MoveInWorkspace } from './collections.schema.js';

/** The destination of a moved object; an undefined `key` keeps its position. */
export interface NewPlace {
  readonly parentId: string | null;
  readonly key: string | undefined;
}

/** Checks where callers may put spaces and collections. */
@Injectable()
export class WorkspacePlaces {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly siblings: Siblings,
  ) {}

  /**
   * Checks that the caller may create content under a collection, or at the root (null). Throws `invalid` at `parent`
   * for a collection that is absent, foreign or invisible, and `forbidden` if the permission is missing.
   */
  async requireParent(caller: Caller, organizationId: string, parentId: string | null): Promise<void> {
    if (parentId === null) {
      const organization = await this.access.organization(caller, organizationId);
      if (!organization) throw notFound('Organization');
      if (!allows('organization:createContent', organization.role))
        throw new DomainError('forbidden', 'Requires the permission organization:createContent');
      return;
    }
    const collection = await this.access.collection(caller, parentId);
    if (!collection || collection.organizationId !== organizationId)
      throw invalid('parent', 'is not a collection of this organization');
    if (!allows('collection:create', collection.role))
      throw new DomainError('forbidden', 'Requires the permission collection:create on the parent');
  }

  /**
   * Locks the order of an organization's spaces and collections against other moves until the transaction ends. Must be
   * called before the row that moves is locked: locks are taken from the organization downwards.
   */
  async lock(organizationId: string): Promise<void> {
    await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  }

  /**
   * Returns the requested position of a move, after `lock`. Throws `conflict` if nothing would change, and as
   * `requireParent` does if the parent changes.
   */
  async moveTo(
    caller: Caller,
    moving: { readonly id: string; readonly organizationId: string; readonly parentId: string | null },
    move: MoveInWorkspace,
  ): Promise<NewPlace> {
    const { id, organizationId } = moving;
    const parentId = move.parent === undefined ? moving.parentId : move.parent;
    if (parentId !== moving.parentId) await this.requireParent(caller, organizationId, parentId);
    else if (move.position === undefined) throw new DomainError('conflict', 'The move would change nothing');
    const position = positionOf(move);
    for (const field of ['before', 'after'] as const) await this.requireVisible(caller, position?.[field], field);
    const key = await this.siblings.place(organizationId, parentId, id, position);
    if (key === undefined) throw new DomainError('conflict', 'The move would change nothing');
    return { parentId, key };
  }

  /** An invisible neighbour is reported like one that does not exist. */
  private async requireVisible(
    caller: Caller,
    pointer: SiblingPointer | undefined,
    field: 'before' | 'after',
  ): Promise<void> {
    if (!pointer) return;
    const seen = await (pointer.type === 'space'
      ? this.access.space(caller, pointer.space)
      : this.access.collection(caller, pointer.collection));
    if (!seen) throw noNeighbour(field);
  }
}

function positionOf({ position }: MoveInWorkspace): SiblingPosition | undefined {
  if (!position) return undefined;
  return {
    ...(position.before && { before: pointerOf(position.before, 'before') }),
    ...(position.after && { after: pointerOf(position.after, 'after') }),
  };
}

function pointerOf(
  { type, space, collection }: { type: 'space' | 'collection'; space?: string; collection?: string },
  field: string,
): SiblingPointer {
  if (type === 'space' && space !== undefined) return { type, space };
  if (type === 'collection' && collection !== undefined) return { type, collection };
  throw invalid(`position.${field}.${type}`, 'is missing');
}
