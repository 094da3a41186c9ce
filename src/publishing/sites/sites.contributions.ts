import { HEALTH_CHECKS, INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { SiteCertificatesCheck, SiteHostnamesCheck } from './hostnames/site-hostnames.check.js';
import { SITES_INVARIANTS } from './sites.invariants.js';
import { SHARED_PATHS, TRANSFER_OBSTACLES } from '../../workspace/spaces/spaces.points.js';
import { SHARED_PATH } from './shared-path.js';
import { GRANTED_THINGS } from '../../workspace/grants/grants.points.js';
import { SITE_COUNT, SITE_GRANTS } from './site-grants.js';
import { SITES } from '../../kernel/access/access.points.js';
import { ORGANIZATIONS_OF_ROWS } from '../../kernel/platform/keys/keys.points.js';
import { TABLES_BY_MONTH } from '../../kernel/platform/retention/month-partitions.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { letsIn } from '../../identity/organizations/lets-in.js';
import {
  MEMBER_COLUMNS,
  ORGANIZATION_COLUMNS,
  ORGANIZATION_SETTINGS,
} from '../../identity/organizations/organizations.points.js';
import { setDefaultSite } from './default-site.js';
import { requireNoSite } from './hostnames/organization-names.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

export const SITES_CONTRIBUTIONS: readonly Contribution[] = [
  TABLES_BY_MONTH.with('site_insight'),
  SITES.with({
    columns: 's.id, s.organization_id AS "organizationId", a.role, more.added',
    from: (
      user,
      id,
      limitedTo,
      address,
    ) => `site_access(${user}, ARRAY[${id}]::text[]) a JOIN site s ON s.id = a.site_id
       CROSS JOIN LATERAL (SELECT ${additions('site', user, 's')} AS added) more
       WHERE a.role > 'none' AND s.organization_id = coalesce(${limitedTo}, s.organization_id) AND ${letsIn(user, 's.organization_id', { limitedTo, address })}`,
  }),
  ORGANIZATION_COLUMNS.with({
    name: 'defaultSiteId',
    sql: '(SELECT d.site_id FROM organization_default_site d WHERE d.organization_id = o.id)',
  }),
  MEMBER_COLUMNS.with({ name: 'sites', sql: SITE_COUNT }),
  ORGANIZATION_SETTINGS.with(setDefaultSite),
  ORGANIZATION_SETTINGS.with(requireNoSite),
  ORGANIZATIONS_OF_ROWS.with((row) => `(SELECT s.organization_id FROM site s WHERE s.id = ${row} ->> 'site_id')`),
  GRANTED_THINGS.with(SITE_GRANTS),
  SHARED_PATHS.with(SHARED_PATH),
  TRANSFER_OBSTACLES.with(async (database, spaceIds) =>
    (await database.one('SELECT FROM site_space WHERE space_id = ANY ($1) LIMIT 1', [spaceIds]))
      ? 'A site shows the space, or one within the collection: take it from the site first'
      : undefined,
  ),
  ...SITES_INVARIANTS.map((invariant) => INVARIANTS.with(invariant)),
  HEALTH_CHECKS.with(SiteHostnamesCheck),
  HEALTH_CHECKS.with(SiteCertificatesCheck),
];
