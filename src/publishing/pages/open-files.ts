import type { Database } from '../../common/database.js';
import type { FileLookup, ServedFile } from '../../platform/storage/file-endpoint.js';

const OPEN_FILE = `SELECT encode(f.hash, 'hex') AS hash, f.title AS name, f.props ->> 'contentType' AS "contentType", (f.props ->> 'size')::float8 AS size, 'public' AS visibility
  FROM content_item f JOIN space s ON s.id = f.space_id AND s.deleted_at IS NULL
 WHERE f.kind = 'file' AND f.id = $1 AND f.line = '' AND f.hash IS NOT NULL
   AND EXISTS (SELECT FROM site_route route WHERE route.space_id = f.space_id AND route.published AND route.visibility IN ('public', 'unlisted'))
 LIMIT 1`;

/** Finds the files of spaces in published sites that are open to everybody, in the version that readers see now. */
export function openFiles(database: Database): FileLookup {
  return async (id, version) => (version === undefined ? database.one<ServedFile & Record<string, unknown>>(OPEN_FILE, [id]) : undefined);
}
