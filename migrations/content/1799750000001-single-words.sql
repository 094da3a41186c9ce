-- No code of this release looks up single words or headings.

-- migrate:phase contract
-- migrate:up
DROP TRIGGER space_vocabulary_given ON space_vocabulary;
DROP TABLE search_word;
DROP FUNCTION search_new_words, search_letters, take_search_words, give_search_words;
DROP INDEX section_vector_heading_idx;

-- migrate:down
CREATE INDEX section_vector_heading_idx ON section_vector USING gin (heading_vector) WITH (gin_pending_list_limit = 64);
CREATE TABLE search_word (
  space_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  letters integer NOT NULL
);
CREATE FUNCTION search_letters(p_word text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(bit_or(1 << (ascii(c) & 31)), 0) FROM string_to_table(p_word, NULL) AS c
$$;
INSERT INTO search_word (space_id, word, letters)
SELECT w.space_id, w.word, search_letters(w.word)
  FROM (SELECT DISTINCT k.space_id, w.word COLLATE "C" AS word FROM space_vocabulary k CROSS JOIN LATERAL string_to_table(k.words, chr(10)) AS w (word)) w;
CREATE INDEX search_word_idx ON search_word (space_id, word);
CREATE FUNCTION search_new_words(p_space text, p_vectors tsvector[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT w.word FROM (
    SELECT DISTINCT lexeme COLLATE "C" AS word FROM unnest(p_vectors) AS v (vector) CROSS JOIN LATERAL unnest(tsvector_to_array(v.vector)) AS lexeme
     WHERE length(lexeme) BETWEEN 4 AND 24 AND lexeme ~ '^[[:alpha:]]+$') w
   WHERE (SELECT true FROM search_word k WHERE k.space_id = p_space AND k.word = w.word LIMIT 1) IS NULL
$$;
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
