import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { allows, type PermissionKey } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import type { ImportOrder } from './import-order.js';

/** Knows who may import what. */
@Injectable()
export class ImportRights {
  constructor(private readonly access: Access) {}

  /** Throws `notFound` and `forbidden` where the caller may not have an order carried out, as things are now. */
  async require(
    caller: Caller,
    { organizationId, target }: Pick<ImportOrder, 'organizationId' | 'target'>,
  ): Promise<void> {
    const organization = await this.access.organization(caller, organizationId);
    if (!organization) throw notFound('Organization');
    if (!target) {
      if (!allows('organization:createContent', organization.role))
        throw new DomainError('forbidden', 'Requires the permission organization:createContent');
      return;
    }
    const space = await this.access.space(caller, target.spaceId);
    if (!space || space.organizationId !== organizationId || space.deletedAt !== null) throw notFound('Space');
    const needed: PermissionKey =
      target.needs ??
      (target.mode === 'add' || target.changeRequest !== undefined || target.makeRequest
        ? 'space:edit'
        : 'space:replaceContent');
    if (!allows(needed, space)) throw new DomainError('forbidden', `Requires the permission ${needed}`);
  }
}
