import type { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import type { UpdateOrganization } from '../../identity/organizations/organizations.schema.js';
import { OrganizationDefaultSite } from './organization-default-site.entity.js';

/**
 * Applies the default site in a change of an organization (null: none) and returns whether it differs now. Throws
 * `invalid` for a site of another organization, and where the organization has no hostname at whose root it could be.
 */
export async function setDefaultSite(
  database: Database,
  organizationId: string,
  { defaultContent, hostname }: Pick<UpdateOrganization, 'defaultContent' | 'hostname'>,
): Promise<boolean> {
  if (defaultContent === undefined) return false;
  if (defaultContent === null) {
    const { affected } = await database.of(OrganizationDefaultSite).delete({ organizationId });
    return affected === 1;
  }
  const site = await database.one('SELECT FROM site WHERE organization_id = $1 AND id = $2 FOR KEY SHARE', [
    organizationId,
    defaultContent.site,
  ]);
  if (!site) throw invalid('defaultContent.site', 'is not a site of this organization');
  const named = await database.one('SELECT FROM organization WHERE id = $1 AND hostname IS NOT NULL', [organizationId]);
  if (hostname === null || (!named && hostname === undefined))
    throw invalid('defaultContent', 'needs a hostname of the organization, at whose root the site will be');
  const changed = await database.execute(
    `INSERT INTO organization_default_site AS d (organization_id, site_id) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET site_id = excluded.site_id WHERE d.site_id <> excluded.site_id`,
    [organizationId, defaultContent.site],
  );
  return changed > 0;
}
