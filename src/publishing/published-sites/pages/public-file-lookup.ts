import type { Database } from '../../../kernel/common/database.js';
import { requestAddress } from '../../../kernel/common/ip-address.js';
import { admitsAddress } from '../../../kernel/common/ip-allow-list.js';
import type { FileLookup } from '../../../kernel/platform/storage/file-endpoint.js';
import type { ServedFile } from '../../../kernel/platform/storage/served-file.js';
import type { SiteGate } from '../../../kernel/platform/storage/file-gate.js';

/** Tells whether everybody sees the content of a `route`: false if a condition or the visitor's address decides. */
export const IS_PUBLIC_ROUTE = `route.published AND route.visibility IN ('public', 'unlisted')
  AND EXISTS (SELECT FROM site open WHERE open.id = route.site_id AND open.ip_allow_list = '{}')
  AND NOT EXISTS (SELECT FROM site_space ss LEFT JOIN site_section section ON section.id = ss.section_id
    WHERE ss.id = route.site_space_id AND (coalesce(ss.condition, '') <> '' OR coalesce(section.condition, '') <> ''))`;

const OPEN_FILE = `SELECT encode(f.hash, 'hex') AS hash, f.title AS name, f.props ->> 'contentType' AS "contentType", (f.props ->> 'size')::float8 AS size, 'public' AS visibility, s.organization_id AS "organizationId"
  FROM content_item f JOIN space s ON s.id = f.space_id AND s.deleted_at IS NULL
 WHERE f.kind = 'file' AND f.id = $1 AND f.line = '' AND f.hash IS NOT NULL
   AND EXISTS (SELECT FROM site_route route WHERE route.space_id = f.space_id AND ${IS_PUBLIC_ROUTE})
 LIMIT 1`;

/** Finds the files of spaces in public sites, in the version that readers see now. */
export function publicFileLookup(database: Database): FileLookup {
  return async (id, version) =>
    version === undefined ? database.one<ServedFile & Record<string, unknown>>(OPEN_FILE, [id]) : undefined;
}

/** Tells whether a site lets in the address of the current request. */
export function siteGate(database: Database): SiteGate {
  return async (site) =>
    (await database.one(`SELECT FROM site WHERE id = $1 AND ${admitsAddress('site', '$2')}`, [
      site,
      requestAddress(),
    ])) !== undefined;
}
