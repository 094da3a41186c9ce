import type { Addresses } from '../../../kernel/common/addresses.js';
import type { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import type { UpdateOrganization } from '../../../identity/organizations/organizations.schema.js';
import { organizationLabel } from '../domain/organization-host.js';

/** Held until the end of the transaction: the names are in two tables, of which no constraint can hold both. */
export const LOCK_ORGANIZATION_NAME = `SELECT pg_advisory_xact_lock(hashtextextended('organization name ' || $1::text, 0))`;

/** The error for a hostname that another site or organization has. */
export function hostnameTaken(): DomainError {
  return new DomainError('conflict', 'hostname: is taken', [{ path: 'hostname', message: 'is taken' }]);
}

/**
 * Throws `conflict` if an organization has a site's hostname as its own, below the host of published sites. An
 * organization that takes it at the same time waits, and sees the claim.
 */
export async function requireNoOrganization(
  database: Database,
  hostname: string,
  { public: host }: Pick<Addresses, 'public'>,
): Promise<void> {
  const label = organizationLabel(hostname, new URL(host).hostname);
  if (label === undefined) return;
  await lock(database, label);
  if (await database.one('SELECT FROM organization WHERE hostname = $1', [label])) throw hostnameTaken();
}

/**
 * Throws `conflict` if a site claims the hostname that an organization is given. Stores nothing itself, so that nothing
 * differs.
 */
export async function requireNoSite(
  database: Database,
  _organizationId: string,
  { hostname }: Pick<UpdateOrganization, 'hostname'>,
  { public: host }: Pick<Addresses, 'public'>,
): Promise<false> {
  if (hostname === undefined) return false;
  await lock(database, hostname);
  const whole = `${hostname}.${new URL(host).hostname}`;
  if (await database.one('SELECT FROM custom_hostname WHERE hostname = $1', [whole])) throw hostnameTaken();
  return false;
}

async function lock(database: Database, label: string): Promise<void> {
  await database.query(LOCK_ORGANIZATION_NAME, [label]);
}
