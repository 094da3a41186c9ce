import { Injectable } from '@nestjs/common';
import { Access, requireWhole, type SpaceAccess } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import { atLeast, type AccessLevel } from '../../kernel/common/roles.js';
import { WorkspacePlaces } from '../../workspace/collections/workspace-places.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Space } from '../../workspace/spaces/space.entity.js';
import { SpaceStore } from '../../workspace/spaces/space-store.js';
import type { SpaceForCaller } from '../../workspace/spaces/spaces.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { ContentLines } from './content-lines.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { COPY_LIMITS, COPY_STATEMENTS } from './content.points.js';
import {
  COPY_FORMER_PLACES,
  COPY_ITEMS,
  COPY_REDIRECTS,
  COPY_UNUSED,
  COPY_WORDS,
  COUNT_ITEMS,
} from './space-copies.statements.js';

/** Items that one statement copies; a statement holds their documents in memory. */
const BATCH = 500;

/** Copies spaces: content, settings and the limits of pages, without history, change requests, grants and placements. */
@Injectable()
export class SpaceCopies {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly places: WorkspacePlaces,
    private readonly store: SpaceStore,
    private readonly spaces: Spaces,
    private readonly lines: ContentLines,
    private readonly outbox: Outbox,
    private readonly registry: Registry,
  ) {}

  /**
   * Creates a copy beside the original, with new ids; references to the original's own content become references to the
   * copy's. Throws `forbidden` for a caller from whom pages are hidden. The copy is made in one transaction. Writers of the original do not wait for it.
   */
  async create(caller: Caller, original: SpaceAccess): Promise<SpaceForCaller> {
    requireWhole(original);
    const id = await this.database.transaction(async () => {
      await this.requirePlace(caller, original);
      // Locks the original only against removal and transfer.
      await this.database.execute('SELECT FROM space WHERE id = $1 FOR KEY SHARE', [original.id]);
      const source = await this.database.of(Space).findOneByOrFail({ id: original.id });
      if (source.organizationId !== original.organizationId || source.deletedAt !== null) throw notFound('Space');
      const copy = await this.insert(caller, source, original.role);
      await this.copyContent(source, copy);
      return copy;
    });
    return this.spaces.get(caller.userId, id);
  }

  private async requirePlace(caller: Caller, { organizationId, collectionId }: SpaceAccess): Promise<void> {
    if (collectionId === null) return this.places.requireParent(caller, organizationId, null);
    const collection = await this.access.collection(caller, collectionId);
    if (!collection || !allows('collection:create', collection.role))
      throw new DomainError('forbidden', 'Requires the permission collection:create on the collection of the space');
  }

  private async insert(caller: Caller, source: Space, role: AccessLevel): Promise<string> {
    const now = this.clock.now();
    const [id, revisionId] = [newId(now.getTime()), newId(now.getTime())];
    const { organizationId, collectionId, title, emoji, icon, editMode, language, mergeRules, defaultLevel } = source;
    await this.store.insert({
      ...{ id, organizationId, collectionId, title, emoji, icon, editMode, language, mergeRules },
      // A caller cannot set a level above their own, by copying either.
      defaultLevel: defaultLevel !== null && !atLeast(role, defaultLevel) ? role : defaultLevel,
      revisionId,
      createdBy: caller.userId,
      createdAt: now,
    });
    await this.lines.createInitialRevision(id, revisionId);
    await this.outbox.record({
      type: 'space_created',
      organizationId,
      spaceId: id,
      target: id,
      payload: { copyOfSpaceId: source.id, revisionId },
    });
    return id;
  }

  private async copyContent({ id, sequence, language }: Space, copy: string): Promise<void> {
    let after: { kind: string; id: string } | undefined = { kind: '', id: '' };
    while (after) {
      after = await this.database.one<{ kind: string; id: string }>(COPY_ITEMS, [
        id,
        copy,
        sequence,
        after.kind,
        after.id,
        BATCH,
        language,
        this.clock.now(),
      ]);
    }
    await this.database.execute(COUNT_ITEMS, [copy]);
    await this.database.execute(COPY_UNUSED, [copy, this.clock.now()]);
    for (const statement of this.registry.contributionsTo(COPY_STATEMENTS))
      await this.database.execute(statement, [copy]);
    for (const statement of this.registry.contributionsTo(COPY_LIMITS))
      await this.database.execute(statement, [id, copy, this.clock.now()]);
    await this.database.execute(COPY_REDIRECTS, [id, copy]);
    await this.database.execute(COPY_FORMER_PLACES, [id, copy]);
    await this.database.execute(COPY_WORDS, [id, copy]);
  }
}
