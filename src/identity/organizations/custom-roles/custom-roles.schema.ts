import { ASSIGNABLE_PERMISSIONS, type AssignablePermission } from '../../../kernel/access/permissions.js';
import type { Addresses } from '../../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp } from '../../../kernel/common/fields.js';
import { ROLES, type Role } from '../../../kernel/common/roles.js';
import { versioned } from '../../../kernel/common/versioned.js';
import type { CustomRole } from './custom-role.entity.js';

/** Administrators may do everything, so nothing can be added to their role. */
const BASES = ROLES.filter((role) => role !== 'admin');
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 500;
const ADDED = {
  list: true,
  minItems: 1,
  example: ['space:edit', 'space:propose'],
  description: 'Permissions beyond the base',
} as const;

class CustomRoleUrls {
  @Text({ example: 'https://docs.example.com/v1/orgs/AbCdEfGh0123456789Xy/custom-roles/AbCdEfGh0123456789Xy' })
  location: string;
}

export class CustomRoleBody {
  @ObjectName('custom-role')
  object: 'custom-role';
  @Id()
  id: string;
  @Text({ example: 'Translator' })
  title: string;
  @Text({ optional: true, example: 'Reads everything, and writes in change requests' })
  description?: string;
  @OneOf(BASES, { description: 'The role that holders have: answers show it as their role' })
  base: Role;
  @OneOf(ASSIGNABLE_PERMISSIONS, ADDED)
  permissions: string[];
  @Timestamp()
  createdAt: string;
  @Nested(() => CustomRoleUrls)
  urls: CustomRoleUrls;
}

export class CreateCustomRole {
  @Text({ min: 1, max: MAX_TITLE, example: 'Translator' })
  title: string;
  @Text({ optional: true, max: MAX_DESCRIPTION, example: 'Reads everything, and writes in change requests' })
  description?: string;
  @OneOf(BASES, { example: 'read' })
  base: Exclude<Role, 'admin'>;
  @OneOf(ASSIGNABLE_PERMISSIONS, ADDED)
  permissions: string[];
}

export class UpdateCustomRole {
  @Text({ optional: true, min: 1, max: MAX_TITLE, example: 'Translator' })
  title?: string;
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION, description: 'Null removes it' })
  description?: string | null;
  @OneOf(BASES, { optional: true, example: 'read', description: 'Changes the role of all holders' })
  base?: Exclude<Role, 'admin'>;
  @OneOf(ASSIGNABLE_PERMISSIONS, { ...ADDED, optional: true })
  permissions?: string[];
}

/** The resources on which permissions that can be added are asked for. */
const RESOURCES = ['organization', 'space', 'site'] as const;

export class CustomRolePermissionBody {
  @ObjectName('custom-role-permission')
  object: 'custom-role-permission';
  @Text({ example: 'space:edit' })
  id: string;
  @Text({ example: 'Write content, in change requests or live' })
  description: string;
  @OneOf(RESOURCES, { example: 'space' })
  resource: string;
  @OneOf(ROLES, { example: 'edit', description: 'The least role that includes it' })
  role: Role;
}

export function presentCustomRole(row: CustomRole, addresses: Addresses): CustomRoleBody {
  return versioned(
    {
      object: 'custom-role',
      id: row.id,
      title: row.title,
      ...(row.description !== null && { description: row.description }),
      base: row.base as Role,
      permissions: row.permissions,
      createdAt: row.createdAt.toISOString(),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/custom-roles/${row.id}`) },
    },
    row.version,
  );
}

export function presentAssignable({ key, about, least }: AssignablePermission): CustomRolePermissionBody {
  return {
    object: 'custom-role-permission',
    id: key,
    description: about,
    resource: key.slice(0, key.indexOf(':')),
    role: least as Role,
  };
}
