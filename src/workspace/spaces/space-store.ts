import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Siblings } from '../collections/siblings.service.js';
import { Space } from './space.entity.js';

/** A new space; absent fields have their default. */
export type NewSpaceRow = Pick<
  Space,
  | 'id'
  | 'organizationId'
  | 'collectionId'
  | 'title'
  | 'emoji'
  | 'editMode'
  | 'language'
  | 'revisionId'
  | 'createdBy'
  | 'createdAt'
> &
  Partial<Pick<Space, 'icon' | 'defaultLevel' | 'mergeRules'>>;

/** Writes rows of spaces for higher modules, which create spaces and move the heads of their content. */
@Injectable()
export class SpaceStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly siblings: Siblings,
  ) {}

  /** Adds a space after its siblings. Its revision must be added in the same transaction. */
  async insert(space: NewSpaceRow): Promise<void> {
    const position = await this.siblings.append(space.organizationId, space.collectionId);
    await this.database.of(Space).insert({ ...space, position, updatedAt: space.createdAt });
  }

  /** Makes a revision the head of the primary line. The row must be locked. */
  async moveHead(spaceId: string, revisionId: string, sequence: number): Promise<void> {
    await this.database.execute(
      'UPDATE space SET revision_id = $2, sequence = $3, updated_at = $4, version = version + 1 WHERE id = $1',
      [spaceId, revisionId, sequence, this.clock.now()],
    );
  }
}

/**
 * Takes the next number for a change request of the space $1, and returns it with the organization and the head of the
 * primary line; no row for a space in the trash. It is a part of the statement that uses the number.
 */
export const TAKE_REQUEST_NUMBER = `UPDATE space
    SET change_request_number = change_request_number + 1
  WHERE id = $1 AND deleted_at IS NULL
  RETURNING organization_id, change_request_number, revision_id, sequence`;
