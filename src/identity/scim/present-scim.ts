import SCIMMY from 'scimmy';
import type { Addresses } from '../../kernel/common/addresses.js';
import { presentRole } from '../../kernel/common/roles.js';
import { GROUP_SCHEMA, withAttributes, USER_SCHEMA } from './user-attributes.js';
import type { ProvisionedGroup } from './scim-groups.service.js';
import type { ScimPage } from './scim-lists.js';
import type { ProvisionedUser } from './scim-users.service.js';
import type { ScimAttributesQuery, ScimGroupBody, ScimUserBody } from './scim.schema.js';

/** The addresses of the resources of an organization. */
export interface ScimPlace {
  readonly organizationId: string;
  readonly addresses: Addresses;
}

export function scimLocation({ organizationId, addresses }: ScimPlace, path: string): string {
  return addresses.location(`/orgs/${organizationId}/scim/v2/${path}`);
}

export function presentScimUser(user: ProvisionedUser, place: ScimPlace): ScimUserBody {
  const role = presentRole(user.role);
  return {
    schemas: [USER_SCHEMA],
    id: user.id,
    ...(user.externalId !== null && { externalId: user.externalId }),
    userName: user.userName,
    name: { formatted: user.displayName },
    displayName: user.displayName,
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.active,
    roles: role === null ? [] : [{ value: role, primary: true }],
    groups: [...user.groups],
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      location: scimLocation(place, `Users/${user.id}`),
    },
  };
}

export function presentScimGroup(group: ProvisionedGroup, place: ScimPlace): ScimGroupBody {
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.title,
    members: [...group.members],
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      location: scimLocation(place, `Groups/${group.id}`),
    },
  };
}

/** A list in the shape of RFC 7644, section 3.4.2. */
export function presentScimList<Row, Body extends object>(
  { rows, total, startIndex }: ScimPage<Row>,
  query: ScimAttributesQuery,
  present: (row: Row) => Body,
) {
  return {
    schemas: [SCIMMY.Messages.ListResponse.id],
    totalResults: total,
    startIndex,
    itemsPerPage: rows.length,
    Resources: rows.map((row) => withAttributes(present(row), query)),
  };
}
