import type { Database } from '../../kernel/common/database.js';
import { hashSecret } from '../../kernel/common/secrets.js';

/** Where the share key $3 with the hash $2 opens the space $1. */
const SHARED_PATH = `SELECT concat_ws('/', site_root(site.basename, site.hostname, site.proxy), '~share', $3::text, nullif(way.place, '')) AS path
  FROM site_share_link link JOIN site ON site.id = link.site_id JOIN site_route way ON way.site_id = site.id AND way.space_id = $1
 WHERE link.key_hash = $2 AND link.active AND site.published AND site.visibility <> 'visitor-auth'
 ORDER BY way.created_at, way.site_space_id LIMIT 1`;

/** The path on the public listener to which a share key opens a space, if it does. */
export async function sharedPath(database: Database, spaceId: string, key: string): Promise<string | undefined> {
  const row = await database.one<{ path: string }>(SHARED_PATH, [spaceId, hashSecret(key), key]);
  return row?.path;
}
