/** The path at which the share key $3 with the hash $2 opens the space $1. */
export const SHARED_PATH = `SELECT concat_ws('/', site_root(site.basename, site.hostname, site.proxy), '~share', $3::text, nullif(way.place, '')) AS path
  FROM site_share_link link JOIN site ON site.id = link.site_id JOIN site_route way ON way.site_id = site.id AND way.space_id = $1
 WHERE link.key_hash = $2 AND link.active AND site.published AND site.visibility <> 'visitor-auth'
 ORDER BY way.created_at, way.site_space_id LIMIT 1`;
