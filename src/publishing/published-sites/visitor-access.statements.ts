import { admitsAddress } from '../../kernel/common/ip-allow-list.js';

/**
 * The part of a site that every request reads again: whether the cache is current, the heads of its spaces, and its
 * audience.
 */
export interface SiteHead {
  readonly id: string;
  readonly organizationId: string;
  readonly stamp: string;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
  /** The hostname of its organization, if it is the default site of that. */
  readonly organizationHostname: string | null;
  readonly published: boolean;
  /** The site is limited to some addresses. */
  readonly isRestricted: boolean;
  /** The address of the visitor is one of those. */
  readonly admitsAddress: boolean;
  readonly visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  readonly heads: readonly SpaceHead[];
  readonly authKey: Buffer | null;
  readonly generation: number | null;
  readonly fallbackUrl: string | null;
  /** The requested active share link. */
  readonly shareLinkId: string | null;
  readonly keyHash: Buffer | null;
}

/** The current revision of a space. */
export interface SpaceHead {
  readonly id: string;
  readonly revisionId: string;
  readonly sequence: string;
  readonly version: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** `$1` is the hash of a share key, `$2` the id of a share link, `$3` the address of the visitor. */
const HEAD = `SELECT site.id, site.organization_id AS "organizationId", site.stamp, site.basename, site.hostname, site.proxy, site.published, site.visibility,
  site.ip_allow_list <> '{}' AS "isRestricted", ${admitsAddress('site', '$3')} AS "admitsAddress",
  (SELECT o.hostname FROM organization_default_site d JOIN organization o ON o.id = d.organization_id WHERE d.organization_id = site.organization_id AND d.site_id = site.id) AS "organizationHostname",
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', s.id, 'revisionId', s.revision_id, 'sequence', s.sequence::text, 'version', s.version, 'updatedAt', s.updated_at))
              FROM site_space ss JOIN space s ON s.id = ss.space_id WHERE ss.site_id = site.id), '[]') AS heads,
  auth.key_sealed AS "authKey", auth.generation, auth.fallback_url AS "fallbackUrl",
  link.id AS "shareLinkId", link.key_hash AS "keyHash"
  FROM site
  LEFT JOIN site_publishing_auth auth ON auth.site_id = site.id
  LEFT JOIN site_share_link link ON link.site_id = site.id AND link.active AND (link.key_hash = $1 OR link.id = $2)`;

export const HEAD_BY_ID = `${HEAD} WHERE site.id = $4`;

/** True for the default site of the organization with the hostname `$7`. */
const AT_ORGANIZATION =
  'site.id = (SELECT d.site_id FROM organization o JOIN organization_default_site d ON d.organization_id = o.id WHERE o.hostname = $7)';

/** By hostname `$4`, by the organization's `$7`, by a proxy of `$6` or by basename `$5`, regardless of case; the most specific first. */
export const HEAD_BY_ADDRESS = `${HEAD} WHERE lower(site.hostname) = $4 OR lower(site.basename) = $5 OR lower(site.proxy) = ANY ($6::text[])
    OR ${AT_ORGANIZATION}
  ORDER BY lower(site.hostname) = $4 DESC NULLS LAST,
    ${AT_ORGANIZATION} DESC NULLS LAST, CASE WHEN lower(site.proxy) = ANY ($6::text[]) THEN length(site.proxy) ELSE 0 END DESC, site.created_at, site.id
  LIMIT 1`;

/** The site spaces of a site (`$1`) with their spaces as readers see them: without data about members. */
export const SITE_SPACES_FOR_READERS = `SELECT ss.id AS "siteSpaceId", ss.path AS "siteSpacePath", ss.version AS "siteSpaceVersion", ss.section_id AS "sectionId",
  ss.draft, ss.condition, ss.customization AS overrides, way.is_default AS "isDefault", CASE WHEN way.published THEN way.path END AS route,
  s.id, s.organization_id AS "organizationId", NULL AS "collectionId", s.title, s.emoji, s.icon, 'locked' AS "editMode", s.language,
  NULL AS "defaultLevel", '{"type": "inherit"}'::jsonb AS "mergeRules", s.position, s.revision_id AS "revisionId", s.sequence,
  0 AS "changeRequestNumber", s.created_by AS "createdBy", s.version, s.is_transferred AS "isTransferred", s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.deleted_at AS "deletedAt",
  'read'::access_level AS "callerRole", '{}'::text[] AS "callerAdded", false AS "callerIsGuest", 0 AS "changeRequests", 0 AS "changeRequestsOpen", 0 AS "changeRequestsDraft", 0 AS comments,
  false AS "isTranslation", NULL::jsonb AS "gitSync", CASE WHEN way.published THEN way.visibility END AS "siteVisibility", CASE WHEN way.published THEN way.path END AS "publishedPath",
  limited_pages(s.id) AS "hiddenPages"
  FROM site_route way
  JOIN site_space ss ON ss.id = way.site_space_id
  JOIN space s ON s.id = ss.space_id
  LEFT JOIN site_section section ON section.id = ss.section_id
  WHERE way.site_id = $1
  ORDER BY coalesce(section.position, ''), coalesce(section.id, ''), ss.position, ss.id`;
