/*
 * The first parameters of all statements here: $1 space, $2 the line of a change request or null, $3 the effective
 * sequence of the primary line. In reports and backlinks also $4 the caller, $5 the only organization that the caller's
 * token is limited to or null and $6 the address of the caller, in reports $7 addresses of this service in lower case.
 *
 * Links of the primary line are stored in rows. The differences of a change request, and the changes of primary since
 * the effective state, are read from the versions of those items: a report costs the targets of the space, not its
 * history.
 */

import { letsIn } from '../../identity/organizations/lets-in.js';

/** Maximum number of places of one target in a report. */
export const MAX_LOCATIONS = 10;

/** Kinds of references whose targets are items of a space. */
const ITEMS = `('page', 'file', 'reusable-content')`;

/** The spaces among these that the caller can see. */
const visible = (spaces: string): string => `SELECT s.id FROM space_access($4, ARRAY(${spaces})) a
  JOIN space s ON s.id = a.space_id AND s.deleted_at IS NULL AND s.organization_id = coalesce($5, s.organization_id) WHERE a.role > 'none' AND ${letsIn('$4', 's.organization_id', { limitedTo: '$5', address: '$6' })}`;

const FACTS = 'relation, kind, target, target_space_id, anchor';
const facts = (alias: string): string => FACTS.replace(/\w+/g, (name) => `${alias}.${name}`);
const groupedFacts = (alias: string): string => FACTS.replace(/\w+/g, (name) => `max(${alias}.${name}) AS ${name}`);

interface VersionOf {
  readonly space: string;
  readonly kind: string;
  readonly id: string;
  /** Ignores the change request. */
  readonly before?: boolean;
}

/**
 * The effective version of an item, as a row (present, type, title, hash, props), or none: three index look-ups. The
 * change request and the effective state matter in the space of the report only.
 */
function version({ space, kind, id, before = false }: VersionOf): string {
  const same = (alias: string, line: string) =>
    `${alias}.space_id = ${space} AND ${alias}.line = ${line} AND ${alias}.kind = ${kind} AND ${alias}.id = ${id}`;
  const columns = (alias: string) => `${alias}.type, ${alias}.title, ${alias}.hash, ${alias}.props`;
  const request = `SELECT 0 AS place, NOT r.deleted AS present, ${columns('r')} FROM content_item r WHERE ${space} = $1 AND ${same('r', '$2')} UNION ALL`;
  return `SELECT v.* FROM (${before ? '' : request}
      (SELECT 1 AS place, u.existed AS present, ${columns('u')} FROM content_undo u WHERE ${space} = $1 AND ${same('u', `''`)} AND u.sequence > $3 ORDER BY u.sequence LIMIT 1)
      UNION ALL SELECT 2, true, ${columns('h')} FROM content_item h WHERE ${same('h', `''`)}) v ORDER BY v.place LIMIT 1`;
}

/**
 * Tells whether the item of a row (kind, target, anchor) is there; with an anchor, whether its document, or a reusable
 * content that it shows, has it. Computed content can have any.
 */
function isItemThere(row: string, space: string, before: boolean): string {
  const own = (hash: string) =>
    `EXISTS (SELECT FROM document d WHERE d.space_id = ${space} AND d.hash = ${hash} AND coalesce(${row}.anchor = ANY (d.anchors), true))`;
  const hasAnchor = `(${row}.anchor = '' OR v.type = 'computed' OR v.props ? 'computed' OR ${own('v.hash')}
    OR EXISTS (SELECT FROM document_ref needs CROSS JOIN LATERAL (${version({ space, kind: `'reusable'`, id: 'needs.target', before })}) shown
                WHERE needs.space_id = ${space} AND needs.hash = v.hash AND needs.kind = 'reusable-content' AND needs.relation = 'dependsOn' AND shown.present AND ${own('shown.hash')}))`;
  const kind = `CASE ${row}.kind WHEN 'reusable-content' THEN 'reusable' ELSE ${row}.kind END`;
  return `coalesce((SELECT v.present AND ${hasAnchor} FROM (${version({ space, kind, id: `${row}.target`, before })}) v), false)`;
}

/**
 * Tells whether the organization of the space of the report has a specification, or the space a file with one. The
 * conditions must use the same text as the indexes; files that have had such a name are looked up in the effective
 * version.
 */
function hasSpecification(before: boolean): string {
  const isNamed = (alias: string) =>
    `${alias}.title = ANY (ARRAY[t.target || '.yaml', t.target || '.yml', t.target || '.json']) AND ${alias}.title ~* '[.](ya?ml|json)$'`;
  const rows = (table: string, line: string, where = '') =>
    `SELECT f.id FROM ${table} f WHERE f.space_id = $1 AND f.line = ${line} AND f.kind = 'file' AND ${isNamed('f')}${where}`;
  return `EXISTS (SELECT FROM openapi_spec r JOIN space own ON own.organization_id = r.organization_id WHERE own.id = $1 AND r.slug = t.target)
    OR EXISTS (SELECT FROM (${rows('content_item', `''`)} UNION ${rows('content_undo', `''`, ' AND f.existed AND f.sequence > $3')}${before ? '' : ` UNION ${rows('content_item', '$2')}`}) named
      CROSS JOIN LATERAL (${version({ space: '$1', kind: `'file'`, id: 'named.id', before })}) v WHERE v.present AND ${isNamed('v')})`;
}

/** Tells whether the target of a row `t` exists for the caller. */
function isThere(before: boolean): string {
  return `CASE
    WHEN t.target_space_id NOT IN ('', $1) AND t.target_space_id NOT IN (SELECT id FROM visible) THEN false
    WHEN t.kind IN ${ITEMS} THEN ${isItemThere('t', 't.target_space_id', before)}
    WHEN t.kind = 'openapi' THEN ${hasSpecification(before)}
    WHEN t.kind = 'space' THEN true
    WHEN t.kind = 'collection' THEN EXISTS (SELECT FROM collection_access($4, ARRAY[t.target]) a JOIN collection c ON c.id = a.collection_id
      WHERE a.role > 'none' AND c.organization_id = coalesce($5, c.organization_id) AND ${letsIn('$4', 'c.organization_id', { limitedTo: '$5', address: '$6' })})
    WHEN t.kind = 'user' THEN t.target = $4 OR EXISTS (SELECT FROM member own JOIN member other ON other.organization_id = own.organization_id AND other.user_id = t.target
      WHERE own.user_id = $4 AND NOT own.disabled AND own.role > 'none' AND own.organization_id = coalesce($5, own.organization_id) AND ${letsIn('$4', 'own.organization_id', { limitedTo: '$5', address: '$6' })})
    ELSE false END`;
}

/** Tells whether an address is relative, in the text of the index. */
export const isRelative = (target: string): string => `${target} !~* '^([a-z][a-z0-9+.-]*:|//)'`;

/**
 * The target that a relative address has in a source (kind, id): such links are kept as they were written, and lead to
 * what is there.
 */
const writtenTarget = (kind: string, id: string, address: string, before = false): string =>
  `written_target($1, ${before ? 'NULL' : '$2'}, $3, ${kind}, ${id}, ${address})`;

/** Tells whether the relative address of a row `t` leads to something in all the `sources` of it. */
const leadsFromAll = (sources: string, before: boolean): string =>
  `NOT EXISTS (SELECT FROM (${sources}) source LEFT JOIN LATERAL ${writtenTarget('source.kind', 'source.id', 't.target', before)} w ON true
    WHERE NOT ${isItemThere('w', '$1', before)})`;

/** Tells whether an address leads into this installation, where readers of published content cannot follow. */
const IN_APP = `EXISTS (SELECT FROM unnest($7::text[]) own WHERE starts_with(lower(t.target), own) AND substr(t.target, length(own) + 1, 1) IN ('', '/', '?', '#'))`;

/** Items that differ from the current primary line: `own` by the change request. */
const CHANGED = `changed AS MATERIALIZED (
    SELECT r.kind, r.id, NOT r.deleted AS present, r.hash, r.props, true AS own FROM content_item r
     WHERE r.space_id = $1 AND r.line = $2 AND r.kind IN ('page', 'reusable')
    UNION ALL
    SELECT b.* FROM (
      SELECT DISTINCT ON (u.kind, u.id) u.kind, u.id, u.existed, u.hash, u.props, false FROM content_undo u
       WHERE u.space_id = $1 AND u.line = '' AND u.sequence > $3 AND u.kind IN ('page', 'reusable') ORDER BY u.kind, u.id, u.sequence) b
     WHERE NOT EXISTS (SELECT FROM content_item o WHERE o.space_id = $1 AND o.line = $2 AND o.kind = b.kind AND o.id = b.id))`;

/** The links of changed items, and whether they existed before the change request. */
const CHANGED_LINKS = `${CHANGED},
  changed_link AS MATERIALIZED (
    SELECT p.source_kind, p.source_id, p.key, ${groupedFacts('p')}, max(p.nodes) AS nodes, bool_or(p.before) AS was
      FROM (
        SELECT c.kind AS source_kind, c.id AS source_id, l.key, ${facts('l')}, l.nodes, NOT c.own AS before
          FROM changed c CROSS JOIN LATERAL links_of($1, c.kind, c.id, c.hash, c.props) l WHERE c.present
        UNION ALL
        SELECT c.kind, c.id, l.key, ${facts('l')}, NULL, true
          FROM changed c CROSS JOIN LATERAL (${version({ space: '$1', kind: 'c.kind', id: 'c.id', before: true })}) v
         CROSS JOIN LATERAL links_of($1, c.kind, c.id, v.hash, v.props) l WHERE c.own AND v.present) p
     GROUP BY p.source_kind, p.source_id, p.key HAVING max(p.nodes) IS NOT NULL)`;

/** All targets of the primary line, in index order. */
const PRIMARY_TARGETS = `target AS NOT MATERIALIZED (SELECT t.key, ${facts('t')}, t.links, 0 AS fresh FROM link_target t WHERE t.space_id = $1)`;

/** All targets of a change request: `links` times, of which `fresh` times in text that the change request added. */
const REQUEST_TARGETS = `${CHANGED_LINKS},
  target AS (
    SELECT p.key, ${groupedFacts('p')}, sum(p.links) AS links, sum(p.fresh) AS fresh
      FROM (
        SELECT t.key, ${facts('t')}, t.links, 0 AS fresh FROM link_target t WHERE t.space_id = $1
        UNION ALL
        SELECT l.key, ${facts('l')}, cardinality(l.nodes), CASE WHEN l.was THEN 0 ELSE cardinality(l.nodes) END FROM changed_link l
        UNION ALL
        SELECT l.key, NULL, NULL, NULL, NULL, NULL, -cardinality(l.nodes), 0
          FROM changed c JOIN content_link l ON l.space_id = $1 AND l.source_kind = c.kind AND l.source_id = c.id) p
     GROUP BY p.key HAVING sum(p.links) > 0)`;

/** All targets of one page ($8), with the places. */
const PAGE_TARGETS = `target AS (
    SELECT p.key, ${groupedFacts('p')}, max(p.nodes) AS nodes, max(cardinality(p.nodes)) AS links, CASE WHEN bool_or(p.before) THEN 0 ELSE max(cardinality(p.nodes)) END AS fresh
      FROM (
        SELECT l.key, ${facts('l')}, l.nodes, false AS before
          FROM (${version({ space: '$1', kind: `'page'`, id: '$8' })}) v CROSS JOIN LATERAL links_of($1, 'page', $8, v.hash, v.props) l WHERE v.present
        UNION ALL
        SELECT l.key, ${facts('l')}, NULL, true
          FROM (${version({ space: '$1', kind: `'page'`, id: '$8', before: true })}) v CROSS JOIN LATERAL links_of($1, 'page', $8, v.hash, v.props) l WHERE v.present) p
     GROUP BY p.key HAVING max(p.nodes) IS NOT NULL)`;

/**
 * True for a row of `content_link` whose source is the current one of the primary line. Scalar subqueries: with NOT
 * EXISTS the planner would read all changes of the space instead of looking up a few.
 */
const unchanged = (alias: string): string => `coalesce(
    (SELECT false FROM content_item o WHERE o.space_id = $1 AND o.line = $2 AND o.kind = ${alias}.source_kind AND o.id = ${alias}.source_id),
    (SELECT false FROM content_undo u WHERE u.space_id = $1 AND u.line = '' AND u.kind = ${alias}.source_kind AND u.id = ${alias}.source_id AND u.sequence > $3 LIMIT 1), true)`;

/**
 * The rows of a report: targets with their status; `fresh` counts links that the change request has broken. A relative
 * address is looked up from each of its `sources`, and broken if any finds nothing there. The inner order prevents that the status is computed
 * for more rows than the page needs, and more than once for each.
 */
const report = (targets: string, nodes: string, sources: string): string => `(
  WITH ${targets},
  visible AS MATERIALIZED (${visible(`SELECT DISTINCT t.target_space_id FROM target t WHERE t.target_space_id <> '' AND t.target_space_id <> $1`)})
  SELECT t.key, ${facts('t')}, t.links, ${nodes} AS nodes, t.status,
         CASE WHEN t.status <> 'broken' THEN 0 WHEN $2::text IS NULL THEN 0 WHEN CASE WHEN t.kind = 'url' THEN ${leadsFromAll(sources, true)} ELSE ${isThere(true)} END THEN t.links ELSE t.fresh END AS fresh
    FROM (SELECT t.*, CASE WHEN t.kind = 'url' THEN CASE WHEN ${IN_APP} THEN 'in-app' WHEN NOT ${isRelative('t.target')} OR ${leadsFromAll(sources, false)} THEN 'ok' ELSE 'broken' END WHEN ${isThere(false)} THEN 'ok' ELSE 'broken' END AS status
            FROM target t ORDER BY t.key) t) i`;

/** The sources of a target `t` on the primary line. */
const PRIMARY_SOURCES = `SELECT l.source_kind AS kind, l.source_id AS id FROM content_link l WHERE l.space_id = $1 AND l.key = t.key`;
const REQUEST_SOURCES = `${PRIMARY_SOURCES} AND ${unchanged('l')} UNION ALL SELECT c.source_kind, c.source_id FROM changed_link c WHERE c.key = t.key`;

export const PRIMARY_REPORT = report(PRIMARY_TARGETS, 'NULL::text[]', PRIMARY_SOURCES);
export const REQUEST_REPORT = report(REQUEST_TARGETS, 'NULL::text[]', REQUEST_SOURCES);
export const PAGE_REPORT = report(PAGE_TARGETS, `t.nodes[1:${MAX_LOCATIONS}]`, `SELECT 'page' AS kind, $8 AS id`);

/** The filter of the rows of a report: $n the status or null, $n+1 where they were broken or null. */
export const statusFilter = (first: number): string =>
  `($${first}::text IS NULL OR i.status = $${first}) AND CASE $${first + 1}::text WHEN 'change-request' THEN i.fresh > 0 WHEN 'space' THEN i.status = 'broken' AND i.fresh < i.links ELSE true END`;

/** Totals of the whole report beside the number of its rows. */
export const STATS = `jsonb_build_object('total', coalesce(sum(i.links), 0), 'broken', jsonb_strip_nulls(jsonb_build_object(
  'total', coalesce(sum(i.links) FILTER (WHERE i.status = 'broken'), 0), 'changeRequest', CASE WHEN $2::text IS NOT NULL THEN coalesce(sum(i.fresh), 0) END)))`;

/**
 * The first places of targets: $4 keys, $5 for each of them true, false or null for those in new text, in old text, or
 * both.
 */
export const PLACES = `WITH ${CHANGED_LINKS}
  SELECT k.key, p.source_kind AS kind, p.source_id AS id, p.node
    FROM unnest($4::text[], $5::boolean[]) AS k (key, fresh)
   CROSS JOIN LATERAL (
     SELECT l.source_kind, l.source_id, n.node, n.place
       FROM ((SELECT s.source_kind, s.source_id, s.nodes FROM content_link s WHERE s.space_id = $1 AND s.key = k.key AND k.fresh IS NOT TRUE AND ${unchanged('s')}
               ORDER BY s.source_kind, s.source_id LIMIT ${MAX_LOCATIONS})
             UNION ALL
             SELECT c.source_kind, c.source_id, c.nodes FROM changed_link c WHERE c.key = k.key AND (k.fresh IS NULL OR k.fresh <> c.was)) l
      CROSS JOIN LATERAL unnest(l.nodes) WITH ORDINALITY AS n (node, place)
      ORDER BY l.source_kind, l.source_id, n.place LIMIT ${MAX_LOCATIONS}) p
   ORDER BY k.key, p.source_kind, p.source_id, p.place`;

/** Tells whether a relative address may mean the item $8: by its last name, for which there is an index. */
const mayMean = (address: string): string =>
  `written_name(${address}) = ANY ((SELECT ARRAY['', lower($8), coalesce((SELECT s.slug FROM page_seen($1, $2, $3, $8) s), '')])::text[])`;

/** The places that refer to an item: $7 its kind in references, $8 its id. Those in the space come first. */
export const BACKLINKS = `FROM (
  WITH ${CHANGED}
  SELECT CASE WHEN t.space_id = $1 THEN 0 ELSE 1 END AS distance, t.space_id, l.source_kind, l.source_id, l.key, n.node, n.place::int AS place
    FROM link_target t JOIN content_link l ON l.space_id = t.space_id AND l.key = t.key CROSS JOIN LATERAL unnest(l.nodes) WITH ORDINALITY AS n (node, place)
   WHERE t.target_space_id = $1 AND t.kind = $7 AND t.kind <> 'url' AND t.target = $8
     AND CASE WHEN t.space_id = $1 THEN ${unchanged('l')}
              ELSE t.space_id IN (${visible(`SELECT DISTINCT f.space_id FROM link_target f WHERE f.target_space_id = $1 AND f.kind = $7 AND f.kind <> 'url' AND f.target = $8`)}) END
  UNION ALL
  SELECT 0, $1, c.kind, c.id, l.key, n.node, n.place::int
    FROM changed c CROSS JOIN LATERAL links_of($1, c.kind, c.id, c.hash, c.props) l CROSS JOIN LATERAL unnest(l.nodes) WITH ORDINALITY AS n (node, place)
   WHERE c.present AND l.target_space_id = $1 AND l.kind = $7 AND l.target = $8
  UNION ALL
  SELECT 0, $1, l.source_kind, l.source_id, l.key, n.node, n.place::int
    FROM link_target t JOIN content_link l ON l.space_id = t.space_id AND l.key = t.key CROSS JOIN LATERAL unnest(l.nodes) WITH ORDINALITY AS n (node, place)
   WHERE t.space_id = $1 AND t.kind = 'url' AND ${isRelative('t.target')} AND ${mayMean('t.target')} AND ${unchanged('l')}
     AND EXISTS (SELECT FROM ${writtenTarget('l.source_kind', 'l.source_id', 't.target')} w WHERE w.kind = $7 AND w.target = $8)
  UNION ALL
  SELECT 0, $1, c.kind, c.id, l.key, n.node, n.place::int
    FROM changed c CROSS JOIN LATERAL links_of($1, c.kind, c.id, c.hash, c.props) l CROSS JOIN LATERAL unnest(l.nodes) WITH ORDINALITY AS n (node, place)
   WHERE c.present AND l.kind = 'url' AND ${isRelative('l.target')} AND ${mayMean('l.target')}
     AND EXISTS (SELECT FROM ${writtenTarget('c.kind', 'c.id', 'l.target')} w WHERE w.kind = $7 AND w.target = $8)) i
  WHERE NOT (i.distance = 0 AND i.source_id = $8 AND CASE i.source_kind WHEN 'reusable' THEN 'reusable-content' ELSE i.source_kind END = $7)
    AND (i.source_kind <> 'page' OR sees_page(i.space_id, hidden_pages($4, i.space_id), coalesce($2, ''), i.source_id))`;
