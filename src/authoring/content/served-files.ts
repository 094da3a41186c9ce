import type { Database } from '../../kernel/common/database.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';

interface Row {
  hash: string;
  name: string;
  contentType: string;
  size: number;
}

const SELECT = `SELECT encode(f.hash, 'hex') AS hash, f.title AS name, f.props ->> 'contentType' AS "contentType", (f.props ->> 'size')::float8 AS size`;
const SPACE = `JOIN space s ON s.id = f.space_id AND s.deleted_at IS NULL`;

/**
 * A file of any space that is not deleted, in the version that an address names, even an old one; else the newest on
 * primary.
 */
export async function findServedFile(
  database: Database,
  id: string,
  version: string | undefined,
): Promise<ServedFile | undefined> {
  const row = await database.one<Row>(
    `${SELECT} FROM content_item f ${SPACE}
      WHERE f.kind = 'file' AND f.id = $1 AND f.hash IS NOT NULL AND ($2::text IS NULL AND f.line = '' OR encode(f.hash, 'hex') LIKE $2 || '%')
      UNION ALL
     ${SELECT} FROM content_undo f ${SPACE}
      WHERE f.kind = 'file' AND f.existed AND f.id = $1 AND f.hash IS NOT NULL AND encode(f.hash, 'hex') LIKE $2 || '%'
      LIMIT 1`,
    [id, version ?? null],
  );
  return row && { ...row, visibility: 'signed' };
}
