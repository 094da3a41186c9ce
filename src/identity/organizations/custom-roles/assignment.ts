import type { Database } from '../../../kernel/common/database.js';
import { invalid } from '../../../kernel/common/errors.js';
import { storedLevel, type AccessLevel, type Role } from '../../../kernel/common/roles.js';

/** The role that a body asks for; a field that is undefined was not given. */
interface WantedRole {
  readonly role?: Role | null;
  readonly customRole?: string | null;
}

/** A role to store; with a custom role it is the base of that. */
export interface AssignedRole {
  readonly level: AccessLevel;
  readonly customRoleId: string | null;
}

/**
 * The role that a member or a grant is to have after `before`, in the ambient transaction: a custom role keeps its base until that
 * ends. A role without a custom role replaces a custom role. Throws `invalid` for a custom role of elsewhere, and for a
 * role beside it that is not its base.
 */
export async function assignedRole(
  database: Database,
  organizationId: string,
  { role, customRole }: WantedRole,
  before: AssignedRole,
): Promise<AssignedRole> {
  if (customRole === undefined && role === undefined) return before;
  if (customRole === undefined || customRole === null)
    return { level: role === undefined ? before.level : storedLevel(role), customRoleId: null };
  const found = await database.one<{ base: AccessLevel }>(
    'SELECT base FROM custom_role WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [organizationId, customRole],
  );
  if (!found) throw invalid('customRole', 'is not a custom role of the organization');
  if (role !== undefined && storedLevel(role) !== found.base)
    throw invalid('role', `must be ${found.base}, the base of the custom role`);
  return { level: found.base, customRoleId: customRole };
}
