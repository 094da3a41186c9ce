import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ORGANIZATION_COLUMNS, ORGANIZATION_SETTINGS } from '../../identity/organizations/organizations.points.js';
import { setDefaultSite } from './default-site.js';

export const SITES_CONTRIBUTIONS: readonly Contribution[] = [
  ORGANIZATION_COLUMNS.with({
    name: 'defaultSiteId',
    sql: '(SELECT d.site_id FROM organization_default_site d WHERE d.organization_id = o.id)',
  }),
  ORGANIZATION_SETTINGS.with(setDefaultSite),
];
