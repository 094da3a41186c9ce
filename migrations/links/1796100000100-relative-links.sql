-- Relative links that were kept as they were written lead to what is there now: reports and backlinks look it up as
-- pages do (`readLinkTarget` of formats/document).

-- migrate:up
-- Decodes the encoded characters of an address; an address that has others is meant as it is.
CREATE FUNCTION url_decoded(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF strpos(p_text, '%') = 0 OR p_text ~ '%(?![0-9A-Fa-f]{2})' THEN
    RETURN p_text;
  END IF;
  RETURN (SELECT convert_from(string_agg(CASE WHEN m.part[1] ~ '^%' THEN decode(substr(m.part[1], 2), 'hex') ELSE convert_to(m.part[1], 'UTF8') END, ''::bytea ORDER BY m.n), 'UTF8')
            FROM regexp_matches(p_text, '%[0-9A-Fa-f]{2}|[^%]+', 'g') WITH ORDINALITY AS m (part, n));
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN p_text;
END $$;

-- The path that an address means from a folder: dots resolved, in lower case, without `README` and `.md`.
CREATE FUNCTION written_path(p_path text, p_folder text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  v_path text[] := CASE WHEN starts_with(p_path, '/') THEN '{}' ELSE p_folder END;
  v_segment text;
  v_last text;
BEGIN
  FOREACH v_segment IN ARRAY string_to_array(p_path, '/') LOOP
    IF v_segment = '..' THEN
      v_path := trim_array(v_path, least(1, cardinality(v_path)));
    ELSIF v_segment NOT IN ('', '.') THEN
      v_path := v_path || v_segment;
    END IF;
  END LOOP;
  IF cardinality(v_path) > 0 THEN
    v_last := v_path[cardinality(v_path)];
    v_path := trim_array(v_path, 1);
    IF v_last !~* '^readme([.]md)?$' THEN
      v_path := v_path || regexp_replace(v_last, '[.]md$', '', 'i');
    END IF;
  END IF;
  RETURN ARRAY(SELECT lower(s.segment COLLATE "default") FROM unnest(v_path) WITH ORDINALITY AS s (segment, n) ORDER BY s.n);
END $$;

-- The last name in an address, by which those are found that may mean a page: its slug or its id; none if that takes more.
CREATE FUNCTION written_name(p_address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN l.name ~* '%|^(readme([.]md)?|[.]{0,2})$' THEN '' ELSE lower(regexp_replace(l.name, '[.]md$', '', 'i') COLLATE "default") END
    FROM (SELECT regexp_replace(split_part(p_address, '#', 1), '^.*/', '') AS name) l
$$;

-- The page at a path, in a change request or (null) without, on the primary line as of a sequence.
CREATE FUNCTION page_at(p_space text, p_line text, p_base bigint, p_path text[]) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_id text := '';
  v_next text;
  v_slug text;
BEGIN
  FOREACH v_slug IN ARRAY p_path LOOP
    SELECT found.id INTO v_next
      FROM (
        SELECT r.id FROM content_item r
         WHERE r.space_id = p_space AND r.line = p_line AND r.kind = 'page' AND r.parent_id = v_id AND r.slug = v_slug AND NOT r.deleted
        UNION ALL
        SELECT p.id
          FROM (
            SELECT h.id FROM content_item h
             WHERE h.space_id = p_space AND h.line = '' AND h.kind = 'page' AND h.parent_id = v_id AND h.slug = v_slug
               AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = p_space AND u.line = '' AND u.kind = 'page' AND u.id = h.id AND u.sequence > p_base)
            UNION ALL
            SELECT b.id FROM content_undo b
             WHERE b.space_id = p_space AND b.line = '' AND b.kind = 'page' AND b.parent_id = v_id AND b.slug = v_slug AND b.existed AND b.sequence > p_base
               AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = p_space AND u.line = '' AND u.kind = 'page' AND u.id = b.id AND u.sequence > p_base AND u.sequence < b.sequence)) p
         WHERE NOT EXISTS (SELECT FROM content_item o WHERE o.space_id = p_space AND o.line = p_line AND o.kind = 'page' AND o.id = p.id)) found
     LIMIT 1;
    IF v_next IS NULL THEN
      RETURN NULL;
    END IF;
    v_id := v_next;
  END LOOP;
  RETURN nullif(v_id, '');
END $$;

-- The page of an id as `page_at` sees it, with its slug and what it lies under; no row where it is not there.
CREATE FUNCTION page_seen(p_space text, p_line text, p_base bigint, p_id text) RETURNS TABLE (parent_id text, slug text) LANGUAGE sql STABLE AS $$
  SELECT v.parent_id, v.slug
    FROM (
      SELECT 0 AS place, NOT r.deleted AS present, r.parent_id, r.slug FROM content_item r
       WHERE r.space_id = p_space AND r.line = p_line AND r.kind = 'page' AND r.id = p_id
      UNION ALL
      (SELECT 1, u.existed, u.parent_id, u.slug FROM content_undo u
        WHERE u.space_id = p_space AND u.line = '' AND u.kind = 'page' AND u.id = p_id AND u.sequence > p_base ORDER BY u.sequence LIMIT 1)
      UNION ALL
      SELECT 2, true, h.parent_id, h.slug FROM content_item h
       WHERE h.space_id = p_space AND h.line = '' AND h.kind = 'page' AND h.id = p_id
      ORDER BY 1 LIMIT 1) v
   WHERE v.present
$$;

-- The item of the space that a relative address means in a page or a reusable content; no row where it is not there.
CREATE FUNCTION written_target(p_space text, p_line text, p_base bigint, p_kind text, p_source text, p_address text)
RETURNS TABLE (kind text, target text, anchor text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_path text := url_decoded(split_part(p_address, '#', 1));
  v_anchor text := CASE WHEN strpos(p_address, '#') = 0 THEN '' ELSE url_decoded(substr(p_address, strpos(p_address, '#') + 1)) END;
  v_folder text[] := '{}';
  v_above text := p_source;
  v_seen record;
  v_page text;
BEGIN
  IF v_path ~ '^/(files/[^/]+|reusable-contents/[a-zA-Z0-9]{1,40})$' THEN
    RETURN QUERY SELECT CASE split_part(v_path, '/', 2) WHEN 'files' THEN 'file' ELSE 'reusable-content' END, split_part(v_path, '/', 3), ''::text;
    RETURN;
  ELSIF v_path ~ '^/pages/.' THEN
    IF v_path ~ '^/pages/[a-zA-Z0-9]{1,40}$' AND EXISTS (SELECT FROM page_seen(p_space, p_line, p_base, substr(v_path, 8))) THEN
      RETURN QUERY SELECT 'page', substr(v_path, 8), v_anchor;
      RETURN;
    END IF;
    v_path := substr(v_path, 7);
  ELSIF v_path !~* '([.]md|/)$' THEN
    RETURN;
  ELSIF p_kind = 'page' AND NOT starts_with(v_path, '/') THEN
    LOOP
      SELECT s.parent_id, s.slug INTO v_seen FROM page_seen(p_space, p_line, p_base, v_above) s;
      EXIT WHEN NOT FOUND;
      IF v_above <> p_source AND v_seen.slug IS NOT NULL THEN
        v_folder := v_seen.slug || v_folder;
      END IF;
      v_above := v_seen.parent_id;
      EXIT WHEN v_above = '';
    END LOOP;
  END IF;
  v_page := page_at(p_space, p_line, p_base, written_path(v_path, v_folder));
  IF v_page IS NOT NULL THEN
    RETURN QUERY SELECT 'page', v_page, v_anchor;
  END IF;
END $$;

CREATE INDEX link_target_written_idx ON link_target (space_id, written_name(target)) WHERE kind = 'url' AND target !~* '^([a-z][a-z0-9+.-]*:|//)';

-- migrate:down
DROP INDEX link_target_written_idx;
DROP FUNCTION written_target;
DROP FUNCTION page_seen;
DROP FUNCTION page_at;
DROP FUNCTION written_name;
DROP FUNCTION written_path;
DROP FUNCTION url_decoded;
