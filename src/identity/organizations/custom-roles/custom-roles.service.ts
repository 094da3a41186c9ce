import { Injectable } from '@nestjs/common';
import { assignablePermissions, type AssignablePermission } from '../../../kernel/access/permissions.js';
import { Clock } from '../../../kernel/common/clock.js';
import { requireMatch } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, notFound } from '../../../kernel/common/errors.js';
import { newId } from '../../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../../kernel/common/page.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../../kernel/platform/audit-changes.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { Members } from '../members.service.js';
import { CustomRole } from './custom-role.entity.js';
import type { CreateCustomRole, UpdateCustomRole } from './custom-roles.schema.js';

const MAX_ROLES = 100;
const LOGGED = ['title', 'description', 'base', 'permissions'] as const;

/**
 * The roles of organizations' own. Statements of access read them at each request, so every change acts from the next request
 * on, on every server.
 */
@Injectable()
export class CustomRoles {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly outbox: Outbox,
    private readonly members: Members,
  ) {}

  /** The custom roles of an organization, oldest first. */
  list(organizationId: string, request: PageRequest): Promise<Page<CustomRole>> {
    return this.pages.list<CustomRole & Record<string, unknown>>(request, {
      scope: ['custom-roles', organizationId],
      select:
        'r.id, r.organization_id AS "organizationId", r.title, r.description, r.base, r.permissions, r.version, r.created_at AS "createdAt"',
      from: 'FROM custom_role r WHERE r.organization_id = $1',
      values: [organizationId],
      order: [
        { expression: 'r.created_at', type: 'timestamptz' },
        { expression: 'r.id', type: 'text' },
      ],
      direction: 'asc',
    });
  }

  /** The permissions that custom roles can add, as the modules declare them. */
  permissions(request: PageRequest): Page<AssignablePermission> {
    return this.pages.ofKnown(request, {
      scope: ['custom-role-permissions'],
      items: assignablePermissions(),
      keys: ({ key }) => [key],
      direction: 'asc',
    });
  }

  async get(organizationId: string, id: string): Promise<CustomRole> {
    const role = await this.find(organizationId, id);
    if (!role) throw notFound('Custom role');
    return role;
  }

  /** Throws `conflict` for too many. */
  async create(callerId: string, organizationId: string, body: CreateCustomRole): Promise<CustomRole> {
    const createdAt = this.clock.now();
    const id = newId(createdAt.getTime());
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      if ((await this.database.of(CustomRole).countBy({ organizationId })) >= MAX_ROLES)
        throw new DomainError('conflict', `An organization has ${MAX_ROLES} custom roles at most`);
      const role = {
        title: body.title,
        description: body.description ?? null,
        base: body.base,
        permissions: inOrder(body.permissions),
      };
      await this.database.of(CustomRole).insert({ id, organizationId, createdAt, ...role });
      await this.outbox.record({
        type: 'custom_role_created',
        organizationId,
        target: id,
        payload: { base: role.base, permissions: role.permissions },
      });
    });
    return this.get(organizationId, id);
  }

  /** Changes a role for all of its holders; absent fields keep their value. */
  async update(
    callerId: string,
    organizationId: string,
    id: string,
    { permissions, ...given }: UpdateCustomRole,
  ): Promise<CustomRole> {
    const changes = { ...given, ...(permissions && { permissions: inOrder(permissions) }) };
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const before = await this.get(organizationId, id);
      requireMatch(before.version);
      if (isUnchanged(before, changes)) return;
      await this.database.of(CustomRole).update({ organizationId, id }, changes);
      await this.outbox.record({
        type: 'custom_role_updated',
        organizationId,
        target: id,
        payload: { fields: fieldsGiven(changes) },
        audit: { changes: changesOf(before, { ...before, ...changes }, LOGGED) },
      });
    });
    return this.get(organizationId, id);
  }

  /** Deletes a role; its holders keep the base. Deleting a missing one does nothing. */
  async remove(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const role = await this.find(organizationId, id);
      if (!role) return;
      requireMatch(role.version);
      await this.database.of(CustomRole).delete({ organizationId, id });
      await this.outbox.record({
        type: 'custom_role_deleted',
        organizationId,
        target: id,
        payload: { base: role.base },
        audit: { label: role.title },
      });
    });
  }

  private find(organizationId: string, id: string): Promise<CustomRole | null> {
    return this.database.of(CustomRole).findOneBy({ organizationId, id });
  }
}

function inOrder(permissions: readonly string[]): string[] {
  return [...new Set(permissions)].sort();
}
