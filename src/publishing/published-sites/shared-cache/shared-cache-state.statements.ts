/** Parts of which caches are told at once. */
const PARTS_AT_ONCE = 500;

/** The parts of what sites show, of the organization `$1` or of all, each with a text that is another after a change. */
const PRESENT = `SELECT s.organization_id, 'site' AS kind, s.id, s.stamp::text AS state, '' AS sites
    FROM site s WHERE ($1::text IS NULL OR s.organization_id = $1)
  UNION ALL
  SELECT s.organization_id, 'space', s.id, s.sequence || ' ' || s.revision_id, shown.sites
    FROM space s CROSS JOIN LATERAL (SELECT string_agg(DISTINCT ss.site_id, ' ') AS sites FROM site_space ss WHERE ss.space_id = s.id) shown
   WHERE ($1::text IS NULL OR s.organization_id = $1) AND shown.sites IS NOT NULL
  UNION ALL
  SELECT o.organization_id, 'specifications', o.organization_id, md5(string_agg(o.id || ' ' || o.version || ' ' || coalesce(o.last_version_id, ''), ',' ORDER BY o.id)),
         coalesce((SELECT string_agg(site.id, ' ') FROM site WHERE site.organization_id = o.organization_id), '')
    FROM openapi_spec o WHERE ($1::text IS NULL OR o.organization_id = $1) GROUP BY o.organization_id
  UNION ALL
  SELECT s.organization_id, 'verifications', s.organization_id,
         md5(string_agg(v.space_id || ' ' || v.page_id || ' ' || v.until || ' ' || coalesce(a.display_name, t.title, ''), ',' ORDER BY v.space_id, v.page_id)), ''
    FROM page_verification v JOIN space s ON s.id = v.space_id LEFT JOIN account a ON a.id = v.user_id LEFT JOIN team t ON t.id = v.team_id
   WHERE ($1::text IS NULL OR s.organization_id = $1) GROUP BY s.organization_id`;

/**
 * The parts of the organization `$1`, or of all, that are others than caches were told, and those of which they were told
 * once, before `$2`.
 */
export const CHANGED_PARTS = `SELECT organization_id AS "organizationId", kind, id, told, confirmed, now, sites FROM (
    SELECT coalesce(n.organization_id, t.organization_id) AS organization_id, coalesce(n.kind, t.kind) AS kind, coalesce(n.id, t.id) AS id,
           t.told, t.told_at, t.confirmed, coalesce(n.state, '') AS now, coalesce(n.sites, '') AS sites
      FROM (${PRESENT}) n
      FULL JOIN (SELECT * FROM shared_cache_state WHERE ($1::text IS NULL OR organization_id = $1)) t
        ON (t.organization_id, t.kind, t.id) = (n.organization_id, n.kind, n.id)) part
  WHERE told IS DISTINCT FROM now OR (confirmed IS DISTINCT FROM now AND told_at < $2)
  ORDER BY told IS NOT DISTINCT FROM now, organization_id, kind, id LIMIT ${PARTS_AT_ONCE}`;

/** Remembers what caches were told: the states `$4` and, where it is known that they heard of it twice, `$5`. */
export const TOLD = `INSERT INTO shared_cache_state (organization_id, kind, id, told, told_at, confirmed)
  SELECT organization_id, kind, id, told, $6, confirmed FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS n (organization_id, kind, id, told, confirmed)
  ON CONFLICT (organization_id, kind, id) DO UPDATE SET told = EXCLUDED.told, told_at = EXCLUDED.told_at, confirmed = EXCLUDED.confirmed`;

/** Parts that are gone, of which nothing is left to be told. */
export const FORGET = `DELETE FROM shared_cache_state WHERE told = '' AND confirmed = ''`;
