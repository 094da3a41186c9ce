import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError } from '../../kernel/common/errors.js';
import { ContentStore, type Point } from '../content/content-store.js';
import type { ContentRef } from '../../formats/document/types.js';
import type { ItemKind } from '../content/domain/content-item.js';
import { primaryPoint } from '../content/content-lines.js';
import { Users } from '../../identity/users/users.service.js';

const SPEC = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;

/** Checks whether people may see the targets of references. */
@Injectable()
export class VisibleReferences {
  constructor(
    private readonly access: Access,
    private readonly store: ContentStore,
    private readonly users: Users,
  ) {}

  /** False for absent, foreign and invisible targets alike. `here` is the content for references without a space. */
  async canSee(caller: Caller, ref: ContentRef, here: Point | undefined): Promise<boolean> {
    switch (ref.kind) {
      case 'url':
        return /^(https?:\/\/|mailto:)\S+$/i.test(ref.url);
      case 'openapi':
        return SPEC.test(ref.spec);
      case 'space':
        return (await this.pointOf(caller, ref.space)) !== undefined;
      case 'collection':
        return (await this.access.collection(caller, ref.collection)) !== undefined;
      case 'user':
        return this.seesUser(caller, ref.user);
      case 'page':
        return this.holds(caller, 'page', ref.page, ref.space, here);
      case 'anchor':
        return ref.page !== undefined && this.holds(caller, 'page', ref.page, ref.space, here);
      case 'file':
        return this.holds(caller, 'file', ref.file, ref.space, here);
      case 'reusable-content':
        return this.holds(caller, 'reusable', ref.reusableContent, ref.space, here);
      case 'tag':
      case 'translation':
        return false;
    }
  }

  private async holds(
    caller: Caller,
    kind: ItemKind,
    id: string,
    spaceId: string | undefined,
    here: Point | undefined,
  ): Promise<boolean> {
    const point = spaceId === undefined || spaceId === here?.spaceId ? here : await this.pointOf(caller, spaceId);
    return point !== undefined && (await this.store.get(point, kind, id)) !== undefined;
  }

  private async pointOf(caller: Caller, spaceId: string): Promise<Point | undefined> {
    const space = await this.access.space(caller, spaceId);
    return space && space.deletedAt === null
      ? primaryPoint({ spaceId, sequence: Number(space.sequence) }, space.hiddenPages)
      : undefined;
  }

  private async seesUser(caller: Caller, userId: string): Promise<boolean> {
    try {
      await this.users.getVisible(caller, userId);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'notFound') return false;
      throw error;
    }
  }
}
