-- The words of a space stand in sets of words: a row and an entry of an index for each word took 44 % of a database. Headings are
-- not looked up, only compared in texts that were found: their vectors need not tell the place of the text.

-- migrate:up
-- Words that stand or stood in a space, for finding what somebody meant who mistyped one. Only words that are still found
-- count, so none has to be taken away. Each write adds a set of all of its words, known or not, so that it reads no others and
-- nobody waits for somebody else; every eight sets of a level become one of the next level.
CREATE TABLE space_vocabulary (
  space_id text COLLATE "C" NOT NULL,
  level smallint NOT NULL DEFAULT 0,
  -- In their order, separated by line feeds.
  words text COLLATE "C" NOT NULL
);
CREATE INDEX space_vocabulary_idx ON space_vocabulary (space_id, level);

-- Sets that another transaction is merging are left to it. From the second level on a set has only words that no set of a
-- higher level has: reading those sets costs the more the seldomer it is done.
CREATE FUNCTION merge_vocabulary() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_sets tid[];
BEGIN
  IF (SELECT count(*) FROM space_vocabulary k WHERE k.space_id = NEW.space_id AND k.level = NEW.level) < 8 THEN RETURN NULL; END IF;
  v_sets := ARRAY(SELECT k.ctid FROM space_vocabulary k WHERE k.space_id = NEW.space_id AND k.level = NEW.level LIMIT 8 FOR UPDATE SKIP LOCKED);
  IF cardinality(v_sets) < 8 THEN RETURN NULL; END IF;
  WITH taken AS (
    DELETE FROM space_vocabulary k WHERE k.ctid = ANY (v_sets) RETURNING k.words),
  merged AS (
    SELECT w.word FROM taken t CROSS JOIN LATERAL string_to_table(t.words, chr(10)) AS w (word)
    EXCEPT
    SELECT w.word FROM space_vocabulary k CROSS JOIN LATERAL string_to_table(k.words, chr(10)) AS w (word)
     WHERE k.space_id = NEW.space_id AND NEW.level > 0 AND k.level > NEW.level)
  INSERT INTO space_vocabulary (space_id, level, words)
  SELECT NEW.space_id, NEW.level + 1, string_agg(m.word, chr(10) ORDER BY m.word COLLATE "C") FROM merged m HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER space_vocabulary_added AFTER INSERT ON space_vocabulary FOR EACH ROW EXECUTE FUNCTION merge_vocabulary();

-- The words of vectors that can be mistyped, as a set; null where there are none.
CREATE FUNCTION search_words(p_vectors tsvector[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(w.word, chr(10) ORDER BY w.word) FROM (
    SELECT DISTINCT lexeme COLLATE "C" AS word FROM unnest(p_vectors) AS v (vector) CROSS JOIN LATERAL unnest(tsvector_to_array(v.vector)) AS lexeme
     WHERE length(lexeme) BETWEEN 4 AND 24 AND lexeme ~ '^[[:alpha:]]+$') w
$$;

CREATE OR REPLACE FUNCTION index_space(p_space text, p_language text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_config regconfig := search_config(p_language);
        v_scopes text[] := search_scopes(p_space);
BEGIN
  DELETE FROM section_unused WHERE space_id = p_space;
  DELETE FROM section_vector WHERE space_id = p_space;
  INSERT INTO section_vector (space_id, hash, heading_vector, vector)
  SELECT p_space, s.hash, search_vector('{}', v_config, s.section ->> 'title'), search_vector(v_scopes, v_config, (s.section ->> 'title') || ' ' || (s.section ->> 'text'))
    FROM (SELECT DISTINCT ON (t.hash) t.hash, d.sections -> (t.idx - 1)::int AS section
            FROM (SELECT DISTINCT hash FROM page_current WHERE space_id = p_space) c JOIN document d ON d.space_id = p_space AND d.hash = c.hash
           CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)) s
      ON CONFLICT DO NOTHING;
  INSERT INTO space_vocabulary (space_id, words)
  SELECT p_space, w.words FROM search_words(ARRAY(SELECT v.vector FROM section_vector v WHERE v.space_id = p_space)) AS w (words) WHERE w.words IS NOT NULL;
  UPDATE page_current p
     SET title_vector = CASE WHEN i.props -> 'noIndex' = 'true' THEN '' ELSE search_vector(v_scopes, v_config, i.title || ' ' || coalesce(i.props ->> 'description', '')) END
    FROM content_item i
   WHERE p.space_id = p_space AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
END $$;

-- Servers of the release before read and write words one by one: words that either writes with pages, the other finds.
CREATE FUNCTION take_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO space_vocabulary (space_id, words)
  SELECT a.space_id, string_agg(DISTINCT a.word, chr(10) ORDER BY a.word) FROM added a GROUP BY a.space_id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_word_added AFTER INSERT ON search_word REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION take_search_words();
CREATE FUNCTION give_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_word (space_id, word, letters)
  SELECT NEW.space_id, w.word, search_letters(w.word) FROM string_to_table(NEW.words, chr(10)) AS w (word)
   WHERE NOT EXISTS (SELECT FROM search_word k WHERE k.space_id = NEW.space_id AND k.word = w.word);
  RETURN NULL;
END $$;
CREATE TRIGGER space_vocabulary_given AFTER INSERT ON space_vocabulary
  FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND NEW.level = 0) EXECUTE FUNCTION give_search_words();

-- migrate:background space by id in batches of 20
INSERT INTO space_vocabulary (space_id, level, words)
SELECT w.space_id, 1, string_agg(DISTINCT w.word, chr(10) ORDER BY w.word) FROM batch b JOIN search_word w ON w.space_id = b.id GROUP BY w.space_id;

-- migrate:down
DROP TRIGGER search_word_added ON search_word;
CREATE OR REPLACE FUNCTION index_space(p_space text, p_language text) RETURNS void LANGUAGE plpgsql AS $$
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
DROP TABLE space_vocabulary;
DROP FUNCTION merge_vocabulary, search_words, take_search_words, give_search_words;
