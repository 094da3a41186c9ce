import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess } from '../../kernel/access/access.service.js';
import { requirePermission } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { Space } from '../../workspace/spaces/space.entity.js';
import { SpaceStore } from '../../workspace/spaces/space-store.js';
import type { SpaceForCaller } from '../../workspace/spaces/spaces.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import type { ChangeInput } from './change-input.js';
import { ContentWriter } from './content-writer.js';
import { computedSourceFault } from '../../formats/document/computed-source.js';
import { ContentLines } from './content-lines.js';
import type { NewSpace } from './new-spaces.schema.js';

const DEFAULT_TITLE = 'Untitled';

/** Creates spaces, with their initial revision. */
@Injectable()
export class NewSpaces {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly store: SpaceStore,
    private readonly spaces: Spaces,
    private readonly lines: ContentLines,
    private readonly writer: ContentWriter,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Creates a space for the caller in the organization, or in one of its collections where the caller may create
   * content.
   */
  async create(caller: Caller, organization: OrganizationAccess, facts: NewSpace): Promise<SpaceForCaller> {
    await this.checkPlace(caller, organization, facts.parent);
    const fault = facts.computedSource && computedSourceFault(facts.computedSource, 'computed');
    if (fault) throw invalid(['computedSource', fault.path].filter(Boolean).join('.'), fault.message);
    const id = await this.insert(caller.userId, organization.id, facts);
    return this.spaces.get(caller.userId, id);
  }

  /** Creates a space for internal callers, who have checked the place, and may have made its id; returns the id. */
  async insert(
    userId: string,
    organizationId: string,
    facts: NewSpace & Partial<Pick<Space, 'icon' | 'defaultLevel'>>,
    given?: string,
  ): Promise<string> {
    const now = this.clock.now();
    const [id, revisionId] = [given ?? newId(now.getTime()), newId(now.getTime())];
    const title = facts.title?.trim() || DEFAULT_TITLE;
    await this.database.transaction(async () => {
      await this.store.insert({
        id,
        organizationId,
        collectionId: facts.parent ?? null,
        title,
        emoji: facts.emoji ?? null,
        icon: facts.icon ?? null,
        defaultLevel: facts.defaultLevel ?? null,
        editMode: facts.editMode ?? 'locked',
        language: facts.language ?? null,
        revisionId,
        createdBy: userId,
        createdAt: now,
      });
      await this.lines.createInitialRevision(id, revisionId);
      await this.outbox.record({ type: 'space_created', organizationId, spaceId: id, target: id });
      if (!facts.empty)
        await this.writer.write({ spaceId: id }, [firstPage(title, facts)], {
          evenIfLocked: true,
          ...(facts.computedSource && { type: 'computed' }),
        });
    });
    return id;
  }

  /**
   * Throws `forbidden` if the caller may not create content, `invalid` for a parent that is not in the organization.
   */
  async checkPlace(caller: Caller, organization: OrganizationAccess, parent: string | undefined): Promise<void> {
    if (parent === undefined) return requirePermission(caller, 'organization:createContent', organization.role);
    const collection = await this.access.collection(caller, parent);
    if (!collection || collection.organizationId !== organization.id)
      throw invalid('parent', 'is not a collection of this organization');
    requirePermission(caller, 'collection:create', collection.role);
  }
}

function firstPage(title: string, { computedSource }: NewSpace): ChangeInput {
  return computedSource
    ? { operation: 'insert_page', type: 'computed', title, computed: computedSource }
    : { operation: 'insert_page', title };
}
