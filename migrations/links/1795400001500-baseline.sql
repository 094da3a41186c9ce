-- What the primary content of each space refers to, kept with every write.

-- migrate:up
-- What the primary content of a space refers to: one row for each target, however often it is referred to. `key` names
-- the rest of the row. target_space_id is '' for what lies in no space, anchor where there is none.
CREATE TABLE link_target (
  space_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  relation text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  target_space_id text COLLATE "C" NOT NULL,
  anchor text NOT NULL,
  links integer NOT NULL,
  PRIMARY KEY (space_id, key)
) WITH (fillfactor = 80);
CREATE INDEX link_target_item_idx ON link_target (target_space_id, kind, target, space_id) WHERE kind <> 'url';
CREATE INDEX link_target_foreign_idx ON link_target (space_id, target_space_id) WHERE target_space_id <> '' AND target_space_id <> space_id;

-- Where a target is referred to: the blocks of a page or reusable content, '' for what is an attribute of the page.
CREATE TABLE content_link (
  space_id text COLLATE "C" NOT NULL,
  source_kind text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  nodes text[] NOT NULL,
  PRIMARY KEY (space_id, source_kind, source_id, key)
);
CREATE INDEX content_link_key_idx ON content_link (space_id, key, source_kind, source_id);

-- The references of one version of a page or reusable content: those of its document and those of its attributes. An
-- anchor without a page is one of the page, or reusable content, that says it.
CREATE FUNCTION links_of(p_space text, p_kind text, p_id text, p_hash bytea, p_props jsonb)
RETURNS TABLE (key text, relation text, kind text, target text, target_space_id text, anchor text, nodes text[]) LANGUAGE sql STABLE AS $$
  SELECT left(encode(sha256(convert_to(jsonb_build_array(r.relation, r.kind, r.target, r.target_space_id, r.anchor)::text, 'UTF8')), 'hex'), 32),
         r.relation, r.kind, r.target, r.target_space_id, r.anchor, array_agg(r.node ORDER BY r.place, r.node)
    FROM (
      SELECT g.place, g.relation, g.node, coalesce(g.anchor, '') AS anchor,
             CASE WHEN g.kind <> 'anchor' THEN g.kind WHEN p_kind = 'reusable' THEN 'reusable-content' ELSE 'page' END AS kind,
             CASE WHEN g.kind = 'anchor' AND coalesce(g.within, p_space) = p_space THEN p_id ELSE g.target END AS target,
             CASE WHEN g.kind IN ('page', 'anchor', 'file', 'reusable-content') THEN coalesce(g.within, p_space) WHEN g.kind = 'space' THEN g.target ELSE '' END AS target_space_id
        FROM (
          SELECT d.idx AS place, d.relation, d.kind, d.target, d.target_space_id AS within, d.anchor, coalesce(d.node, '') AS node
            FROM document_ref d WHERE d.space_id = p_space AND d.hash = p_hash
          UNION ALL
          SELECT -1, a.relation, CASE WHEN f.kind = 'anchor' AND a.ref ? 'page' THEN 'page' ELSE f.kind END, coalesce(f.target, ''), a.ref ->> 'space', a.ref ->> 'anchor', ''
            FROM (
              SELECT path.relation, jsonb_path_query(p_props, path.name) AS ref
                FROM (VALUES ('reference', 'lax $.target'::jsonpath), ('reference', 'lax $.cover.ref'), ('reference', 'lax $.cover.refDark'),
                             ('reference', 'lax $.metaLinks.canonical'), ('reference', 'lax $.metaLinks.alternates[*]'),
                             ('dependsOn', 'lax $.computed.dependencies.*.ref')) AS path (relation, name)
               WHERE p_props ?| ARRAY['target', 'cover', 'metaLinks', 'computed']) a
           CROSS JOIN LATERAL (SELECT a.ref ->> 'kind' AS kind, a.ref ->> CASE a.ref ->> 'kind' WHEN 'reusable-content' THEN 'reusableContent'
               WHEN 'openapi' THEN 'spec' WHEN 'anchor' THEN 'page' ELSE a.ref ->> 'kind' END AS target) f
           WHERE f.kind IS NOT NULL AND (f.kind = 'url' OR octet_length(coalesce(f.target, '')) <= 1024 AND octet_length(coalesce(a.ref ->> 'space', '')) <= 1024)) g) r
   GROUP BY r.relation, r.kind, r.target, r.target_space_id, r.anchor
$$;

-- Makes the references of these pages and reusable contents of the primary line those of their present versions. Writes
-- what differs; the space's row is locked. Old and new are paired by grouping, not joined: with any number of rows that
-- is fast, whatever the plan expected.
CREATE FUNCTION refresh_links(p_space text, p_kinds text[], p_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH source AS MATERIALIZED (
    SELECT DISTINCT u.kind, u.id FROM unnest(p_kinds, p_ids) AS u (kind, id) WHERE u.kind IN ('page', 'reusable')),
  pair AS MATERIALIZED (
    SELECT v.source_kind, v.source_id, v.key, max(v.relation) AS relation, max(v.kind) AS kind, max(v.target) AS target,
           max(v.target_space_id) AS target_space_id, max(v.anchor) AS anchor, max(v.fresh) AS fresh, max(v.old) AS old
      FROM (
        SELECT s.kind AS source_kind, s.id AS source_id, f.key, f.relation, f.kind, f.target, f.target_space_id, f.anchor, f.nodes AS fresh, NULL::text[] AS old
          FROM source s
         CROSS JOIN LATERAL (SELECT i.hash, i.props FROM content_item i WHERE i.space_id = p_space AND i.line = '' AND i.kind = s.kind AND i.id = s.id OFFSET 0) i
         CROSS JOIN LATERAL links_of(p_space, s.kind, s.id, i.hash, i.props) f
        UNION ALL
        SELECT s.kind, s.id, l.key, NULL, NULL, NULL, NULL, NULL, NULL, l.nodes
          FROM source s
         CROSS JOIN LATERAL (SELECT c.key, c.nodes FROM content_link c WHERE c.space_id = p_space AND c.source_kind = s.kind AND c.source_id = s.id OFFSET 0) l) v
     GROUP BY v.source_kind, v.source_id, v.key),
  gone AS (
    DELETE FROM content_link l USING pair p
     WHERE p.fresh IS NULL AND l.space_id = p_space AND l.source_kind = p.source_kind AND l.source_id = p.source_id AND l.key = p.key),
  kept AS (
    INSERT INTO content_link (space_id, source_kind, source_id, key, nodes)
    SELECT p_space, p.source_kind, p.source_id, p.key, p.fresh FROM pair p WHERE p.fresh IS NOT NULL AND p.fresh IS DISTINCT FROM p.old
    ON CONFLICT (space_id, source_kind, source_id, key) DO UPDATE SET nodes = excluded.nodes),
  total AS MATERIALIZED (
    SELECT d.*, t.links IS NOT NULL AS known, d.change + coalesce(t.links, 0) AS links
      FROM (
        SELECT p.key, max(p.relation) AS relation, max(p.kind) AS kind, max(p.target) AS target, max(p.target_space_id) AS target_space_id, max(p.anchor) AS anchor,
               (coalesce(sum(cardinality(p.fresh)), 0) - coalesce(sum(cardinality(p.old)), 0))::integer AS change
          FROM pair p GROUP BY p.key) d
      LEFT JOIN LATERAL (SELECT k.links FROM link_target k WHERE k.space_id = p_space AND k.key = d.key OFFSET 0) t ON true
     WHERE d.change <> 0),
  dropped AS (
    DELETE FROM link_target t USING total n WHERE t.space_id = p_space AND t.key = n.key AND n.links <= 0),
  changed AS (
    UPDATE link_target t SET links = n.links FROM total n WHERE t.space_id = p_space AND t.key = n.key AND n.links > 0)
  INSERT INTO link_target (space_id, key, relation, kind, target, target_space_id, anchor, links)
  SELECT p_space, n.key, n.relation, n.kind, n.target, n.target_space_id, n.anchor, n.links FROM total n WHERE NOT n.known AND n.links > 0;
END $$;

-- The same for all of a space.
CREATE FUNCTION refresh_all_links(p_space text) RETURNS void LANGUAGE sql AS $$
  SELECT refresh_links(p_space, array_agg(i.kind), array_agg(i.id)) FROM content_item i WHERE i.space_id = p_space AND i.line = '' AND i.kind IN ('page', 'reusable')
$$;

-- migrate:down
DROP TABLE content_link, link_target;
DROP FUNCTION refresh_all_links;
DROP FUNCTION refresh_links;
DROP FUNCTION links_of;
