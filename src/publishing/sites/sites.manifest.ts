import { isIP } from 'node:net';
import { checkedList, flag, whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { SITES_CONTRIBUTIONS } from './sites.contributions.js';

/** A name in DNS. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.])*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export const sites = defineModule({
  name: 'sites',
  migrations: migrationsOf('sites'),
  settings: {
    hostnameDnsCheck: flag
      .default(true)
      .describe('Sites are served at hostnames of their own only once DNS shows that these lead here'),
    hostnameTargets: checkedList(
      (item) => isIP(item) !== 0 || NAME.test(item),
      'must be a comma-separated list of names and IP addresses such as docs.example.com,203.0.113.7',
    )
      .default([])
      .describe(
        'Comma-separated names and IP addresses to which the DNS records of hostnames of sites lead; without any the host of PUBLIC_URL, and no check where that is not set or is this machine',
      ),
    insightsRetentionDays: whole(0, 3650)
      .default(400)
      .describe(
        'Days that what readers of sites did is kept at least; it goes when all of its month is older. 0 keeps nothing',
      ),
    insightsBatchesPerMinute: whole(0, 1_000_000)
      .default(600)
      .describe('Batches of events of readers per minute and site that the API takes; 0 switches the limit off'),
  },
  permissions: {
    'site:view': { least: 'read', scope: 'site:read', about: 'See the site' },
    'site:track': {
      least: 'read',
      scope: 'site:write',
      about: 'Send in events of readers, as backends of published sites do',
    },
    'site:admin': { least: 'admin', scope: 'site:write', about: 'Change the site' },
    'site:manageRedirects': {
      least: 'admin',
      scope: 'site:write',
      about: 'Add, change and remove redirects of the site',
      assignable: true,
    },
    'site:publish': {
      least: 'admin',
      scope: 'site:publish',
      about: 'Publish the site, and take it down',
      assignable: true,
    },
    'site:readAuth': {
      least: 'admin',
      scope: 'site:auth:read',
      about: 'See share links and the key that tokens of visitors are signed with',
    },
    'site:writeAuth': {
      least: 'admin',
      scope: 'site:auth:write',
      about: 'Make share links, and change the key that tokens of visitors are signed with',
    },
  },
  events: {
    site_created: organization('site', 'A site was made', { audit: true, facts: { spaceIds: 'ids' } }),
    site_updated: organization('site', 'Settings of a site were changed', { audit: true, facts: { fields: 'texts' } }),
    site_deleted: organization('site', 'A site was removed', { audit: true, facts: { basename: 'text' } }),
    site_published: organization('site', 'A site was published', { audit: true }),
    site_unpublished: organization('site', 'A site was taken off', { audit: true }),
    site_customization_updated: organization('site', 'The customization of a site was changed', {
      audit: UNAUDITED.arrangement,
    }),
    site_share_link_created: organization('shareLink', 'A share link of a site was made', {
      audit: true,
      facts: { siteId: 'id' },
    }),
    site_share_link_updated: organization('shareLink', 'A share link was renamed, or switched on or off', {
      audit: true,
      facts: { siteId: 'id', fields: 'texts' },
    }),
    site_share_link_deleted: organization('shareLink', 'A share link was taken back', {
      audit: true,
      facts: { siteId: 'id' },
    }),
    site_permission_set: organization('site', 'People or teams were given a role on a site', {
      audit: true,
      facts: { role: 'text', customRole: 'id?', userIds: 'ids', teamIds: 'ids' },
    }),
    site_permission_removed: organization('site', 'People or teams lost their role on a site', {
      audit: true,
      facts: { userIds: 'ids', teamIds: 'ids' },
    }),
    site_redirect_created: organization('redirect', 'A redirect was added to a site', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_redirect_updated: organization('redirect', 'A redirect was changed', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id', fields: 'texts' },
    }),
    site_redirect_deleted: organization('redirect', 'A redirect was removed', { audit: true, facts: { siteId: 'id' } }),
    site_redirects_changed: organization('site', 'Redirects of a site were changed by a list', {
      audit: true,
      facts: { created: 'number', updated: 'number', deleted: 'number', published: 'number' },
    }),
    site_redirects_imported: organization('site', 'Redirects were taken from a list', {
      audit: UNAUDITED.arrangement,
      facts: { created: 'number', updated: 'number' },
    }),
    site_section_added: organization('section', 'A section was added to a site', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_section_updated: organization('section', 'A section was changed', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id', fields: 'texts' },
    }),
    site_section_moved: organization('section', 'A section was moved', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_section_removed: organization('section', 'A section was removed', { audit: true, facts: { siteId: 'id' } }),
    site_section_group_added: organization('sectionGroup', 'A group of sections was added to a site', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id', sectionIds: 'ids' },
    }),
    site_section_group_updated: organization('sectionGroup', 'A group was changed, or what is in it', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id', fields: 'texts?', addedSectionIds: 'ids?', removedSectionIds: 'ids?' },
    }),
    site_section_group_moved: organization('sectionGroup', 'A group of sections was moved', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_section_group_removed: organization('sectionGroup', 'A group of sections was removed', {
      audit: true,
      facts: { siteId: 'id' },
    }),
    site_external_link_added: organization('externalLink', 'A link elsewhere was added to the structure of a site', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_external_link_updated: organization('externalLink', 'A link in the structure of a site was changed', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id', fields: 'texts' },
    }),
    site_external_link_moved: organization('externalLink', 'A link in the structure of a site was moved', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_external_link_removed: organization('externalLink', 'A link was removed from the structure of a site', {
      audit: true,
      facts: { siteId: 'id' },
    }),
    site_space_added: space('siteSpace', 'A space was added to a site', { audit: true, facts: { siteId: 'id' } }),
    site_space_updated: space('siteSpace', 'How a space lies in a site was changed', {
      audit: true,
      facts: { siteId: 'id', fields: 'texts' },
    }),
    site_space_moved: space('siteSpace', 'A space was moved within its site', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
    site_space_removed: space('siteSpace', 'A space was taken out of a site', { audit: true, facts: { siteId: 'id' } }),
    site_space_customization_updated: space('siteSpace', 'The customization of a space in its site was changed', {
      audit: UNAUDITED.arrangement,
      facts: { siteId: 'id' },
    }),
  },
  targets: {
    site: { label: '(SELECT t.title FROM site t WHERE t.id = r.target)' },
    shareLink: { label: '(SELECT t.name FROM site_share_link t WHERE t.id = r.target)' },
    redirect: { label: null },
    section: { label: '(SELECT t.title FROM site_section t WHERE t.id = r.target)' },
    sectionGroup: { label: '(SELECT t.title FROM site_section_group t WHERE t.id = r.target)' },
    externalLink: { label: '(SELECT t.title FROM site_external_link t WHERE t.id = r.target)' },
    siteSpace: { label: '(SELECT t.title FROM space t WHERE t.id = r.space_id)' },
  },
  jobs: {
    'hostnames.check': job<{ hostname: string }>(),
    'hostnames.check-waiting': job({ everySeconds: 60 }),
    'insights.forget': job<{ site: string }>(),
    'insights.remove-stale': job({ everySeconds: 3600 }),
    'missing-addresses.remove-stale': job({ everySeconds: 3600 }),
    'search-counts.remove-stale': job({ everySeconds: 3600 }),
  },
  contributes: SITES_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    sites: typeof sites;
  }
}
