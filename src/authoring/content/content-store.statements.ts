/** The columns of an item, which its former versions have too. */
export const ITEM_COLUMNS = [
  'kind',
  'id',
  'deleted',
  'parent_id',
  'position',
  'type',
  'slug',
  'title',
  'props',
  'hash',
  'created_at',
  'updated_at',
];
const PRIMARY = `''`;

function columns(alias: string): string {
  return ITEM_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}

/** Rows of one line as of a sequence for which `where` holds over the alias `r`; `$1` is the space. */
function lineAt(line: string, sequence: string, where: string): string {
  const same = (alias: string) =>
    `${alias}.space_id = $1 AND ${alias}.line = ${line} AND ${alias}.kind = r.kind AND ${alias}.id = r.id`;
  return `SELECT ${columns('r')} FROM content_item r
   WHERE r.space_id = $1 AND r.line = ${line} AND ${where}
     AND NOT EXISTS (SELECT FROM content_undo u WHERE ${same('u')} AND u.sequence > ${sequence})
  UNION ALL
  SELECT ${columns('r')} FROM content_undo r
   WHERE r.space_id = $1 AND r.line = ${line} AND r.sequence > ${sequence} AND r.existed AND ${where}
     AND NOT EXISTS (SELECT FROM content_undo u WHERE ${same('u')} AND u.sequence > ${sequence} AND u.sequence < r.sequence)`;
}

/** True if the change request's line has a row of its own for `p`. */
const SHADOWED = `coalesce(
  (SELECT u.existed FROM content_undo u
    WHERE u.space_id = $1 AND u.line = $2 AND u.kind = p.kind AND u.id = p.id AND u.sequence > $3 ORDER BY u.sequence LIMIT 1),
  EXISTS (SELECT FROM content_item h WHERE h.space_id = $1 AND h.line = $2 AND h.kind = p.kind AND h.id = p.id))`;

/**
 * A statement about the items of a point: for the primary line, with the parameters $1 space and $2 base, and for the line of a
 * change request on top of it, with $1 space, $2 line, $3 sequence and $4 base. Its own parameters follow.
 */
export interface PointStatement {
  readonly onPrimary: string;
  readonly onLine: string;
}

interface PointPlace {
  readonly spaceId: string;
  readonly line: string | null;
  readonly sequence: number;
  readonly base: number;
}

/** Items of the point for which `where` holds over the alias `r`. */
type Items = (where: string) => string;
/** The name of a statement's own parameter, from 1 on. */
type Own = (index: number) => string;

/**
 * A statement that looks up few items. The OFFSET prevents the planner from joining the whole space instead of looking up each of
 * them in the index.
 */
function atPoint(text: (few: Items, own: Own) => string): PointStatement {
  return {
    onPrimary: text(
      (where) => `SELECT * FROM (${lineAt(PRIMARY, '$2', where)}) item OFFSET 0`,
      (index) => `$${index + 2}`,
    ),
    onLine: text(
      (where) => `SELECT * FROM (
      SELECT * FROM (${lineAt(PRIMARY, '$4', where)}) p WHERE NOT ${SHADOWED}
      UNION ALL SELECT * FROM (${lineAt('$2', '$3', where)}) o WHERE NOT o.deleted) item OFFSET 0`,
      (index) => `$${index + 4}`,
    ),
  };
}

/** The text of a statement for a point, and its parameters. */
export function callAt(
  { onPrimary, onLine }: PointStatement,
  { spaceId, line, sequence, base }: PointPlace,
  own: readonly unknown[],
): [text: string, values: unknown[]] {
  return line === null ? [onPrimary, [spaceId, base, ...own]] : [onLine, [spaceId, line, sequence, base, ...own]];
}

/** The same for many items: the change request's rows are read once. */
export const OF_KINDS: PointStatement = {
  onPrimary: lineAt(PRIMARY, '$2', 'r.kind = ANY ($3::text[])'),
  onLine: `WITH overlay AS MATERIALIZED (${lineAt('$2', '$3', 'r.kind = ANY ($5::text[])')})
  SELECT p.* FROM (${lineAt(PRIMARY, '$4', 'r.kind = ANY ($5::text[])')}) p
    LEFT JOIN overlay o ON o.kind = p.kind AND o.id = p.id WHERE o.id IS NULL
  UNION ALL SELECT * FROM overlay WHERE NOT deleted`,
};

/** The files of a point as a list: `i` over the point's four parameters. */
export const FILES_FROM = `FROM (WITH overlay AS MATERIALIZED (${lineAt('$2', '$3', "r.kind = 'file'")})
  SELECT p.* FROM (${lineAt(PRIMARY, '$4', "r.kind = 'file'")}) p
    LEFT JOIN overlay o ON o.id = p.id WHERE o.id IS NULL
  UNION ALL SELECT * FROM overlay WHERE NOT deleted) i WHERE true`;

/** The same for the current primary line ($1 space), in index order. */
export const CURRENT_FILES_FROM = `FROM content_item i WHERE i.space_id = $1 AND i.line = '' AND i.kind = 'file'`;

/** The condition on the kind makes the planner read the items of the space in the order of their key. */
export const WITH_HASH = atPoint((few, own) =>
  few(`r.kind IN ('page', 'reusable') AND r.hash = decode(${own(1)}, 'hex')`),
);

export const BY_KEYS = atPoint(
  (few, own) => `SELECT i.* FROM unnest(${own(1)}::text[], ${own(2)}::text[]) AS k(kind, id)
  CROSS JOIN LATERAL (${few('r.kind = k.kind AND r.id = k.id')}) i`,
);

/** The condition must use the same text as the index. */
export const SPECIFICATIONS = atPoint(
  (few, own) => `SELECT i.* FROM unnest(${own(1)}::text[]) AS k(name)
  CROSS JOIN LATERAL (${few(`r.kind = 'file' AND r.title = k.name AND r.title ~* '[.](ya?ml|json)$'`)}) i`,
);

export const CHILDREN = atPoint(
  (few, own) => `SELECT i.* FROM unnest(${own(1)}::text[]) AS k(id)
  CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = k.id`)}) i`,
);

/** Without rows twice: a state of former times that somebody has imported may hold a circle. */
const down = (few: Items, own: Own): string => `down AS (
    SELECT i.* FROM unnest(${own(1)}::text[]) AS k(id) CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = k.id`)}) i
    UNION
    SELECT i.* FROM down CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = down.id`)}) i)`;

export const SUBTREES = atPoint((few, own) => `WITH RECURSIVE ${down(few, own)} SELECT * FROM down`);

/**
 * The second parameter is the kind, which as a constant would make the index of children usable: without statistics the planner
 * chooses that one.
 */
const up = (few: Items, own: Own): string => `up AS (
    SELECT i.* FROM unnest(${own(1)}::text[]) AS k(id) CROSS JOIN LATERAL (${few(`r.kind = ${own(2)} AND r.id = k.id`)}) i
    UNION
    SELECT i.* FROM up CROSS JOIN LATERAL (${few(`r.kind = ${own(2)} AND r.id = up.parent_id`)}) i WHERE up.parent_id <> '')`;

export const WITH_ANCESTORS = atPoint((few, own) => `WITH RECURSIVE ${up(few, own)} SELECT * FROM up`);

export const FAMILY = atPoint(
  (few, own) => `WITH RECURSIVE ${up(few, own)}, ${down(few, own)} SELECT * FROM up UNION ALL SELECT * FROM down`,
);

export const CURRENT = `WITH RECURSIVE up AS (
    SELECT i.* FROM unnest($1::text[], $2::text[], $3::text[]) AS k (space_id, kind, id)
      JOIN content_item i ON i.space_id = k.space_id AND i.line = '' AND i.kind = k.kind AND i.id = k.id
    UNION
    SELECT i.* FROM up JOIN content_item i ON i.space_id = up.space_id AND i.line = '' AND i.kind = 'page' AND i.id = up.parent_id
     WHERE up.kind = 'page' AND up.parent_id <> '')
  SELECT * FROM up`;

export const BY_PATHS = atPoint(
  (few, own) => `WITH RECURSIVE walk AS (
    SELECT 0 AS depth, k.path, string_to_array(k.path, '/') AS segments, ${ITEM_COLUMNS.map((column) => `(NULL::content_item).${column}`).join(', ')}
      FROM unnest(${own(1)}::text[]) AS k(path)
    UNION ALL
    SELECT walk.depth + 1, walk.path, walk.segments, i.*
      FROM walk CROSS JOIN LATERAL (${few(`r.kind = 'page' AND r.parent_id = coalesce(walk.id, '') AND r.slug = walk.segments[walk.depth + 1]`)}) i
     WHERE walk.depth < cardinality(walk.segments))
  SELECT path, ${ITEM_COLUMNS.join(', ')} FROM walk WHERE depth = cardinality(segments) AND depth > 0`,
);

/**
 * The page to which an old path, given by its segments, leads: each step goes to the page at that place, or to the one that
 * was there before. Of several pages, the one found by the fewest and latest former places: at every step only the best
 * way to each page in that order is kept, or their number would grow without limit. The second parameter is the kind, as above.
 */
export const BY_FORMER_PATH = atPoint(
  (few, own) => `WITH RECURSIVE walk AS (
    SELECT 0 AS depth, ''::text COLLATE "C" AS id, 0 AS formers, 0 AS first, NULL::timestamptz AS left_at
    UNION ALL
    SELECT * FROM (
      SELECT DISTINCT ON (step.id) walk.depth + 1, step.id, walk.formers + step.former AS formers,
             CASE WHEN walk.formers = 0 THEN walk.depth + step.former ELSE walk.first END AS first, coalesce(step.left_at, walk.left_at) AS left_at
      FROM walk CROSS JOIN LATERAL (
        SELECT i.id, 0 AS former, NULL::timestamptz AS left_at FROM (${few(`r.kind = 'page' AND r.parent_id = walk.id AND r.slug = (${own(1)}::text[])[walk.depth + 1]`)}) i
        UNION ALL
        SELECT f.page_id, 1, f.created_at FROM page_former_place f WHERE f.space_id = $1 AND f.parent_id = walk.id AND f.slug = (${own(1)}::text[])[walk.depth + 1]) step
     WHERE walk.depth < cardinality(${own(1)}::text[]) ORDER BY step.id, formers, first DESC, left_at DESC) best)
  SELECT found.* FROM walk CROSS JOIN LATERAL (${few(`r.kind = ${own(2)} AND r.id = walk.id`)}) found
   WHERE walk.depth = cardinality(${own(1)}::text[]) ORDER BY walk.formers, walk.first DESC, walk.left_at DESC LIMIT 1`,
);

export const OVERLAY = lineAt('$2', '$3', 'true');

export const CHANGED_AT = `SELECT kind, id FROM content_undo WHERE space_id = $1 AND line = $2 AND sequence > $3 AND sequence <= $4 GROUP BY kind, id`;

const INPUT = `input AS (
  SELECT i.*, decode(i.hash_hex, 'hex') AS hash FROM jsonb_to_recordset($4::jsonb) AS i(
    kind text, id text, gone boolean, deleted boolean, parent_id text, position text, type text, slug text, title text,
    props jsonb, hash_hex text, created_at timestamptz, updated_at timestamptz))`;

export const WRITE = `WITH ${INPUT},
  before AS (
    INSERT INTO content_undo (space_id, line, sequence, existed, ${ITEM_COLUMNS.join(', ')})
    SELECT $1, $2, $3, h.id IS NOT NULL, i.kind, i.id, coalesce(h.deleted, false), coalesce(h.parent_id, ''), coalesce(h.position, ''),
           coalesce(h.type, ''), h.slug, coalesce(h.title, ''), coalesce(h.props, '{}'), h.hash, h.created_at, h.updated_at
      FROM input i
      LEFT JOIN LATERAL (SELECT * FROM content_item h WHERE h.space_id = $1 AND h.line = $2 AND h.kind = i.kind AND h.id = i.id OFFSET 0) h ON true
    RETURNING kind, existed),
  removed AS (
    DELETE FROM content_item h USING input i WHERE i.gone AND h.space_id = $1 AND h.line = $2 AND h.kind = i.kind AND h.id = i.id),
  written AS (
    INSERT INTO content_item (space_id, line, ${ITEM_COLUMNS.join(', ')})
    SELECT $1, $2, ${columns('i')} FROM input i WHERE NOT i.gone
    ON CONFLICT (space_id, line, kind, id) DO UPDATE SET
      ${ITEM_COLUMNS.slice(2)
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}),
  growth AS (
    SELECT kind, sum(rows) AS rows
      FROM (SELECT kind, (NOT gone)::int AS rows FROM input UNION ALL SELECT kind, -(existed::int) FROM before) each GROUP BY kind),
  counted AS (
    INSERT INTO content_total AS t (space_id, line, kind, count) SELECT $1, $2, kind, rows FROM growth WHERE rows <> 0
    ON CONFLICT (space_id, line, kind) DO UPDATE SET count = t.count + excluded.count
    RETURNING kind, count)
  SELECT kind, count::float8 AS count FROM counted WHERE kind IN (SELECT kind FROM growth WHERE rows > 0)`;
