import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';
import { MAX_GROUP_DEPTH } from './domain/structure.js';

const OVER_SITES = { table: 'site', key: 'id' } as const;

/** Defaults that name nothing: readers get the first section or space in their place. */
const NO_SECTION = `site.default_section_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM site_section c WHERE c.site_id = site.id AND c.id = site.default_section_id)`;
const NO_SPACE = `site.default_site_space_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM site_space c WHERE c.site_id = site.id AND c.id = site.default_site_space_id)`;
const NO_SPACE_OF_SECTION = `s.default_site_space_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM site_space c WHERE c.site_id = s.site_id AND c.section_id = s.id AND c.id = s.default_site_space_id)`;
const UNCLAIMED = `site.hostname IS NOT NULL AND NOT EXISTS (SELECT FROM custom_hostname h WHERE h.hostname = site.hostname)`;
const CLAIMED_BY_ANOTHER = `site.hostname IS NOT NULL
  AND EXISTS (SELECT FROM custom_hostname h WHERE h.hostname = site.hostname AND h.site_id <> site.id)`;

/** Conditions of the structure and the hostnames of sites. */
export const SITES_INVARIANTS: readonly Invariant[] = [
  {
    name: 'site-defaults',
    holds: 'the default sections and spaces of sites are there',
    broken: 'default sections or spaces of sites that are not there',
    level: 'warning',
    over: OVER_SITES,
    find: `SELECT site.id, site.default_section_id AS example FROM site WHERE site.id = ANY ($1) AND ${NO_SECTION}
      UNION ALL SELECT site.id, site.default_site_space_id FROM site WHERE site.id = ANY ($1) AND ${NO_SPACE}
      UNION ALL SELECT s.site_id, s.default_site_space_id FROM site_section s WHERE s.site_id = ANY ($1) AND ${NO_SPACE_OF_SECTION}`,
    mend: {
      done: 'the first ones are the defaults now, as for readers before',
      statements: [
        `UPDATE site SET default_section_id = NULL WHERE site.id = $1 AND ${NO_SECTION}`,
        `UPDATE site SET default_site_space_id = NULL WHERE site.id = $1 AND ${NO_SPACE}`,
        `UPDATE site_section s SET default_site_space_id = NULL WHERE s.site_id = $1 AND ${NO_SPACE_OF_SECTION}`,
      ],
    },
  },
  {
    name: 'section-groups',
    holds: `groups of sections lie in each other without a circle, at most ${MAX_GROUP_DEPTH} deep`,
    broken: `groups of sections that cannot be reached from the top of their site in ${MAX_GROUP_DEPTH} steps`,
    isRequired: true,
    over: OVER_SITES,
    find: `WITH RECURSIVE down (site_id, id, depth) AS (
        SELECT g.site_id, g.id, 1 FROM site_section_group g WHERE g.site_id = ANY ($1) AND g.parent_id IS NULL
        UNION ALL
        SELECT g.site_id, g.id, down.depth + 1 FROM down JOIN site_section_group g ON g.site_id = down.site_id AND g.parent_id = down.id
         WHERE down.depth < ${MAX_GROUP_DEPTH})
      SELECT g.site_id AS id, g.id AS example FROM site_section_group g WHERE g.site_id = ANY ($1)
      EXCEPT
      SELECT down.site_id, down.id FROM down`,
    advice: 'Set parent_id of one of them to null, which moves it to the top of its site',
  },
  {
    name: 'claimed-hostnames',
    holds: 'hostnames at which sites are served are claimed',
    broken: 'sites that are served at a hostname which nobody has claimed',
    over: OVER_SITES,
    find: `SELECT site.id, site.hostname AS example FROM site WHERE site.id = ANY ($1) AND ${UNCLAIMED}`,
    mend: {
      done: 'they belong to these sites now',
      statements: [
        `INSERT INTO custom_hostname (hostname, organization_id, site_id, claimed_at)
         SELECT site.hostname, site.organization_id, site.id, now() FROM site WHERE site.id = $1 AND ${UNCLAIMED} ON CONFLICT DO NOTHING`,
      ],
    },
  },
  {
    name: 'hostnames-of-others',
    holds: 'hostnames at which sites are served are not claimed by others',
    broken: 'sites that are served at a hostname which another one has claimed',
    over: OVER_SITES,
    find: `SELECT site.id, site.hostname AS example FROM site WHERE site.id = ANY ($1) AND ${CLAIMED_BY_ANOTHER}`,
    advice: 'Decide which of them has the hostname, and set hostname of the other one to null',
  },
];
