-- The search index knows the organization of a text, so that a search over many spaces reads no other organization's texts,
-- and finds identifiers such as recordTransformer by their parts. All texts are indexed again.

-- migrate:up
DROP TRIGGER space_language ON space;
DROP FUNCTION reindex_space, search_vector, search_places;

-- The names under which the texts of a space are indexed: itself and its organization.
CREATE FUNCTION search_scopes(p_space text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY[p_space] || ARRAY(SELECT s.organization_id FROM space s WHERE s.id = p_space)
$$;

-- Words for the place of a text, so that one index answers "in this space" and "in this organization": for each of these
-- scopes one, in every second text one for the half, in every fourth one for the quarter and so on. A word that is in
-- nearly all texts is searched in such a sample, which is the same each time.
CREATE FUNCTION search_places(p_scopes text[], p_text text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_places text[] := '{}';
        v_hash integer := hashtext(p_text);
        v_scope text;
BEGIN
  FOREACH v_scope IN ARRAY p_scopes LOOP
    v_places := v_places || ('~' || v_scope);
    FOR v_level IN 1..6 LOOP
      EXIT WHEN v_hash & (1 << (v_level - 1)) <> 0;
      v_places := v_places || ('~' || v_scope || '.' || v_level);
    END LOOP;
  END LOOP;
  RETURN v_places;
END $$;

-- The query for all texts in any of these scopes; at a level from 1 to 6 for a sample of them.
CREATE FUNCTION search_within(p_scopes text[], p_level integer) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg('''~' || s.scope || CASE WHEN p_level > 0 THEN '.' || p_level ELSE '' END || '''', ' | ')::tsquery FROM unnest(p_scopes) AS s (scope)
$$;

-- The parts of identifiers such as recordTransformer or HTTPServer, in the order of the text.
CREATE FUNCTION search_parts(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_text ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]' THEN (
    SELECT coalesce(string_agg(regexp_replace(regexp_replace(i.name[1], '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g'), ' '), '')
      FROM regexp_matches(p_text, '[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z][A-Z][a-z])[A-Za-z0-9]*', 'g') AS i (name)) ELSE '' END
$$;

-- The words by which a text is found: as the language stems them, with and without accents, and as they are written, for
-- the prefix of a word that is still being typed; and the parts of identifiers.
CREATE FUNCTION search_vector(p_scopes text[], p_config regconfig, p_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_text text := search_text(p_text, false);
        v_plain text := search_plain(v_text);
        v_parts text := search_parts(p_text);
        v_vector tsvector := array_to_tsvector(search_places(p_scopes, p_text));
BEGIN
  IF p_config = 'pg_catalog.simple'::regconfig THEN RETURN v_vector || to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain || ' ' || v_parts)); END IF;
  v_vector := v_vector || to_tsvector(p_config, v_text);
  IF v_plain <> v_text THEN v_vector := v_vector || to_tsvector(p_config, v_plain); END IF;
  IF v_parts <> '' THEN v_vector := v_vector || to_tsvector(p_config, v_parts); END IF;
  RETURN v_vector || strip(to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain || ' ' || v_parts)));
END $$;

-- Indexes the current texts of a space anew; the others are when they become current. Pages that search must not find have
-- an empty vector of their title.
CREATE FUNCTION index_space(p_space text, p_language text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_config regconfig := search_config(p_language);
        v_scopes text[] := search_scopes(p_space);
BEGIN
  DELETE FROM section_unused WHERE space_id = p_space;
  DELETE FROM section_vector WHERE space_id = p_space;
  INSERT INTO section_vector (space_id, hash, heading_vector, vector)
  SELECT p_space, s.hash, search_vector(v_scopes, v_config, s.section ->> 'title'), search_vector(v_scopes, v_config, (s.section ->> 'title') || ' ' || (s.section ->> 'text'))
    FROM (SELECT DISTINCT ON (t.hash) t.hash, d.sections -> (t.idx - 1)::int AS section
            FROM (SELECT DISTINCT hash FROM page_current WHERE space_id = p_space) c JOIN document d ON d.space_id = p_space AND d.hash = c.hash
           CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)) s
      ON CONFLICT DO NOTHING;
  INSERT INTO search_word (space_id, word, letters)
  SELECT p_space, w.word, search_letters(w.word)
    FROM (SELECT DISTINCT lexeme COLLATE "C" AS word FROM section_vector v CROSS JOIN LATERAL unnest(tsvector_to_array(v.vector)) AS lexeme
           WHERE v.space_id = p_space AND length(lexeme) BETWEEN 4 AND 24 AND lexeme ~ '^[[:alpha:]]+$') w
   WHERE NOT EXISTS (SELECT FROM search_word k WHERE k.space_id = p_space AND k.word = w.word);
  UPDATE page_current p
     SET title_vector = CASE WHEN i.props -> 'noIndex' = 'true' THEN '' ELSE search_vector(v_scopes, v_config, i.title || ' ' || coalesce(i.props ->> 'description', '')) END
    FROM content_item i
   WHERE p.space_id = p_space AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
END $$;
CREATE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_space(NEW.id, NEW.language);
  RETURN NULL;
END $$;
CREATE TRIGGER space_language AFTER UPDATE OF language ON space FOR EACH ROW
  WHEN (search_config(OLD.language) IS DISTINCT FROM search_config(NEW.language)) EXECUTE FUNCTION reindex_space();
SELECT index_space(id, language) FROM space;

-- migrate:down
DROP TRIGGER space_language ON space;
DROP FUNCTION reindex_space, index_space, search_vector, search_parts, search_within, search_places, search_scopes;
CREATE FUNCTION search_places(p_space text, p_text text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_places text[] := ARRAY['~' || p_space];
        v_hash integer := hashtext(p_text);
BEGIN
  FOR v_level IN 1..6 LOOP
    EXIT WHEN v_hash & (1 << (v_level - 1)) <> 0;
    v_places := v_places || ('~' || p_space || '.' || v_level);
  END LOOP;
  RETURN v_places;
END $$;
CREATE FUNCTION search_vector(p_space text, p_config regconfig, p_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_text text := search_text(p_text, false);
        v_plain text := search_plain(v_text);
        v_vector tsvector := array_to_tsvector(search_places(p_space, p_text));
BEGIN
  IF p_config = 'pg_catalog.simple'::regconfig THEN RETURN v_vector || to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain)); END IF;
  v_vector := v_vector || to_tsvector(p_config, v_text);
  IF v_plain <> v_text THEN v_vector := v_vector || to_tsvector(p_config, v_plain); END IF;
  RETURN v_vector || strip(to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain)));
END $$;
CREATE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_config regconfig := search_config(NEW.language);
BEGIN
  DELETE FROM section_unused WHERE space_id = NEW.id;
  DELETE FROM section_vector WHERE space_id = NEW.id;
  INSERT INTO section_vector (space_id, hash, heading_vector, vector)
  SELECT NEW.id, s.hash, search_vector(NEW.id, v_config, s.section ->> 'title'), search_vector(NEW.id, v_config, (s.section ->> 'title') || ' ' || (s.section ->> 'text'))
    FROM (SELECT DISTINCT ON (t.hash) t.hash, d.sections -> (t.idx - 1)::int AS section
            FROM (SELECT DISTINCT hash FROM page_current WHERE space_id = NEW.id) c JOIN document d ON d.space_id = NEW.id AND d.hash = c.hash
           CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)) s
      ON CONFLICT DO NOTHING;
  UPDATE page_current p SET title_vector = search_vector(p.space_id, v_config, i.title || ' ' || coalesce(i.props ->> 'description', ''))
    FROM content_item i
   WHERE p.space_id = NEW.id AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
  RETURN NULL;
END $$;
CREATE TRIGGER space_language AFTER UPDATE OF language ON space FOR EACH ROW
  WHEN (search_config(OLD.language) IS DISTINCT FROM search_config(NEW.language)) EXECUTE FUNCTION reindex_space();
DELETE FROM section_unused;
DELETE FROM section_vector;
INSERT INTO section_vector (space_id, hash, heading_vector, vector)
SELECT t.space_id, t.hash, search_vector(t.space_id, search_config(s.language), t.section ->> 'title'),
       search_vector(t.space_id, search_config(s.language), (t.section ->> 'title') || ' ' || (t.section ->> 'text'))
  FROM (SELECT DISTINCT ON (d.space_id, t.hash) d.space_id, t.hash, d.sections -> (t.idx - 1)::int AS section
          FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
         CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)) t
  JOIN space s ON s.id = t.space_id;
UPDATE page_current p SET title_vector = search_vector(p.space_id, search_config(s.language), i.title || ' ' || coalesce(i.props ->> 'description', ''))
  FROM space s JOIN content_item i ON i.space_id = s.id AND i.line = '' AND i.kind = 'page'
 WHERE s.id = p.space_id AND i.id = p.page_id;
