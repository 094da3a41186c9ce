-- Search in every language that PostgreSQL knows, in scripts without blanks between words, without regard to accents and
-- with mistakes in typing; and words that take an even sample of a space, for what stands nearly everywhere.

-- migrate:up
-- The dictionary for a language; languages without one, also those that this version of PostgreSQL lacks, are indexed word by word.
DO $do$
DECLARE v_cases text;
BEGIN
  SELECT string_agg(format('WHEN %L THEN %L', l.code, 'pg_catalog.' || l.config), ' ') INTO v_cases
    FROM (VALUES ('ar', 'arabic'), ('ca', 'catalan'), ('da', 'danish'), ('de', 'german'), ('el', 'greek'), ('en', 'english'), ('es', 'spanish'),
      ('et', 'estonian'), ('eu', 'basque'), ('fi', 'finnish'), ('fr', 'french'), ('ga', 'irish'), ('hi', 'hindi'), ('hu', 'hungarian'),
      ('hy', 'armenian'), ('id', 'indonesian'), ('it', 'italian'), ('lt', 'lithuanian'), ('ne', 'nepali'), ('nl', 'dutch'), ('no', 'norwegian'),
      ('pt', 'portuguese'), ('pt-br', 'portuguese'), ('ro', 'romanian'), ('ru', 'russian'), ('sr', 'serbian'), ('sv', 'swedish'), ('ta', 'tamil'),
      ('tr', 'turkish'), ('yi', 'yiddish')) AS l (code, config)
   WHERE EXISTS (SELECT FROM pg_ts_config c WHERE c.cfgname = l.config AND c.cfgnamespace = 'pg_catalog'::regnamespace);
  EXECUTE format('CREATE OR REPLACE FUNCTION search_config(p_language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fn$
    SELECT (CASE coalesce(p_language, ''en'') %s ELSE ''pg_catalog.simple'' END)::regconfig $fn$', v_cases);
END $do$;

-- Text in which words can be told apart: Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, which are written without
-- blanks or join what is asked for to other words, as overlapping pairs of characters. The last character of a run is a word
-- too, so that each character begins one; in a query it would only cost, but in a phrase it has its place before what follows.
CREATE FUNCTION search_text(p_text text, p_query boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length(p_text) = length(p_text) OR p_text !~ '[^\x01-\x7f\u2010-\u203A\u2190-\u27BF]' THEN RETURN p_text; END IF;
  p_text := normalize(p_text, NFKC);
  IF p_text !~ '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]' THEN RETURN p_text; END IF;
  p_text := regexp_replace(p_text, '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]+', ' \& ', 'g');
  IF p_query THEN RETURN regexp_replace(p_text, '(?<=[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF])[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF](?=[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF])', '\& \&', 'g'); END IF;
  RETURN regexp_replace(p_text, '(?<=[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF])[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]', '\& \&', 'g');
END $$;

-- Without accents and vowel points, and with letters of some languages as others write them.
CREATE FUNCTION search_plain(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length(p_text) = length(p_text) OR p_text !~ '[^\x01-\x7f\u2010-\u203A\u2190-\u27BF]' THEN RETURN p_text; END IF;
  p_text := normalize(regexp_replace(normalize(p_text, NFD), '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u065F\u0670]+', '', 'g'), NFC);
  IF p_text !~ '[ßẞæÆœŒþÞøØłŁđĐðÐıħĦŧŦŋŊς]' THEN RETURN p_text; END IF;
  p_text := replace(replace(replace(replace(p_text, 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE');
  p_text := replace(replace(replace(replace(p_text, 'œ', 'oe'), 'Œ', 'OE'), 'þ', 'th'), 'Þ', 'TH');
  RETURN translate(p_text, 'øØłŁđĐðÐıħĦŧŦŋŊς', 'oOlLdDdDihHtTnNσ');
END $$;

-- The words of a text as they are written, lower case and accents aside: what stands between signs is a word of its own.
CREATE FUNCTION search_signs(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(p_text, '[!-/:-@\[-`{-~]+', ' ', 'g')
$$;

-- Words that say where a text stands, so that one index answers "in this space" too: one for the space, and in every second
-- text one for the half, in every fourth one for the quarter and so on. A word that is nearly everywhere is looked for in
-- such a sample, which is the same each time.
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

-- What a text is found by: words as the language stems them, with and without accents, and as they are written, for the
-- prefix of a word that is still being typed.
CREATE OR REPLACE FUNCTION search_vector(p_space text, p_config regconfig, p_text text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_text text := search_text(p_text, false);
        v_plain text := search_plain(v_text);
        v_vector tsvector := array_to_tsvector(search_places(p_space, p_text));
BEGIN
  IF p_config = 'pg_catalog.simple'::regconfig THEN RETURN v_vector || to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain)); END IF;
  v_vector := v_vector || to_tsvector(p_config, v_text);
  IF v_plain <> v_text THEN v_vector := v_vector || to_tsvector(p_config, v_plain); END IF;
  RETURN v_vector || strip(to_tsvector('pg_catalog.simple'::regconfig, search_signs(v_plain)));
END $$;

-- The query for one term, made as the vectors are. Null for a word that the language leaves out, unless it shall be kept.
CREATE FUNCTION search_term(p_config regconfig, p_text text, p_phrase boolean, p_prefix boolean, p_keep boolean) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_text text := CASE WHEN p_phrase THEN regexp_replace(search_text(p_text, false), '(?<=[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]) [\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF] *$', '') ELSE search_text(p_text, true) END;
        v_plain text := search_plain(v_text);
        v_words tsquery := plainto_tsquery('pg_catalog.simple'::regconfig, search_signs(v_plain));
        v_stems tsquery;
        v_others tsquery;
BEGIN
  IF p_config = 'pg_catalog.simple'::regconfig THEN
    IF p_phrase THEN RETURN phraseto_tsquery(p_config, search_signs(v_plain)); END IF;
  ELSE
    v_stems := CASE WHEN p_phrase THEN phraseto_tsquery(p_config, v_text) ELSE plainto_tsquery(p_config, v_text) END;
    IF v_plain <> v_text THEN
      v_others := CASE WHEN p_phrase THEN phraseto_tsquery(p_config, v_plain) ELSE plainto_tsquery(p_config, v_plain) END;
      IF v_others <> v_stems THEN v_stems := v_stems || v_others; END IF;
    END IF;
    IF p_phrase AND numnode(v_stems) > 0 THEN RETURN v_stems; END IF;
    IF numnode(v_stems) = 0 AND NOT p_prefix AND NOT p_keep THEN RETURN NULL; END IF;
  END IF;
  IF numnode(v_words) = 0 THEN RETURN v_stems; END IF;
  IF p_prefix THEN v_words := (v_words::text || ':*')::tsquery; END IF;
  RETURN CASE WHEN v_stems IS NULL OR v_stems = v_words THEN v_words ELSE v_stems || v_words END;
END $$;

-- The query of all terms: those of one group all have to match, and one group has to. `p_terms` are rows (choice, texts, phrase,
-- prefix, negated); one of the texts is enough. Words that the language leaves out count where there are no others. Null
-- where there is nothing to look for.
CREATE FUNCTION search_query(p_config regconfig, p_terms jsonb) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_query tsquery;
BEGIN
  FOR v_turn IN 1..2 LOOP
    SELECT string_agg(g.query, ' | ')::tsquery INTO v_query FROM (
      SELECT string_agg(CASE WHEN t.negated THEN '!(' ELSE '(' END || q.query || ')', ' & ') AS query
        FROM jsonb_to_recordset(p_terms) AS t (choice int, texts text[], phrase boolean, prefix boolean, negated boolean)
       CROSS JOIN LATERAL (
         SELECT string_agg('(' || one.query::text || ')', ' | ') AS query
           FROM unnest(t.texts) AS given (text) CROSS JOIN LATERAL (SELECT search_term(p_config, given.text, t.phrase, t.prefix, v_turn = 2) AS query) one
          WHERE numnode(one.query) > 0) q
       WHERE q.query IS NOT NULL GROUP BY t.choice) g;
    EXIT WHEN v_query IS NOT NULL;
  END LOOP;
  RETURN v_query;
END $$;

-- The letters of a word as bits: two words that differ little have nearly the same.
CREATE FUNCTION search_letters(p_word text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(bit_or(1 << (ascii(c) & 31)), 0) FROM string_to_table(p_word, NULL) AS c
$$;

-- Words that stand or stood in a space, for finding what somebody meant who mistyped one. Only words that are still found
-- count, so none has to be taken away; twice the same does no harm, so nobody waits for somebody else's.
CREATE TABLE search_word (
  space_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  letters integer NOT NULL
);
CREATE INDEX search_word_idx ON search_word (space_id, word);

-- Those words of vectors that can be mistyped and that the space does not know yet.
CREATE FUNCTION search_new_words(p_space text, p_vectors tsvector[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT w.word FROM (
    SELECT DISTINCT lexeme COLLATE "C" AS word FROM unnest(p_vectors) AS v (vector) CROSS JOIN LATERAL unnest(tsvector_to_array(v.vector)) AS lexeme
     WHERE length(lexeme) BETWEEN 4 AND 24 AND lexeme ~ '^[[:alpha:]]+$') w
   WHERE (SELECT true FROM search_word k WHERE k.space_id = p_space AND k.word = w.word LIMIT 1) IS NULL
$$;

-- A change of a space's language indexes its current documents anew.
CREATE OR REPLACE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_config regconfig := search_config(NEW.language);
BEGIN
  UPDATE document_section SET heading_vector = search_vector(space_id, v_config, title), vector = search_vector(space_id, v_config, title || ' ' || body)
   WHERE space_id = NEW.id AND vector IS NOT NULL;
  UPDATE page_current p SET title_vector = search_vector(p.space_id, v_config, i.title || ' ' || coalesce(i.props ->> 'description', ''))
    FROM content_item i
   WHERE p.space_id = NEW.id AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
  RETURN NULL;
END $$;

-- What is there is indexed anew; making the indexes again costs less than keeping them meanwhile.
DROP INDEX document_section_heading_idx, document_section_vector_idx, page_current_title_idx;
UPDATE document_section d SET heading_vector = search_vector(d.space_id, s.config, d.title), vector = search_vector(d.space_id, s.config, d.title || ' ' || d.body)
  FROM (SELECT id, search_config(language) AS config FROM space) s WHERE s.id = d.space_id AND d.vector IS NOT NULL;
UPDATE page_current p SET title_vector = search_vector(p.space_id, s.config, i.title || ' ' || coalesce(i.props ->> 'description', ''))
  FROM (SELECT id, search_config(language) AS config FROM space) s, content_item i
 WHERE s.id = p.space_id AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
CREATE INDEX document_section_heading_idx ON document_section USING gin (heading_vector) WITH (gin_pending_list_limit = 64) WHERE heading_vector IS NOT NULL;
CREATE INDEX document_section_vector_idx ON document_section USING gin (vector) WITH (gin_pending_list_limit = 64) WHERE vector IS NOT NULL;
CREATE INDEX page_current_title_idx ON page_current USING gin (title_vector) WITH (gin_pending_list_limit = 64);

WITH words AS MATERIALIZED (
  SELECT DISTINCT space_id, lexeme COLLATE "C" AS word FROM document_section CROSS JOIN LATERAL unnest(tsvector_to_array(vector)) AS lexeme
  UNION SELECT space_id, lexeme COLLATE "C" FROM page_current CROSS JOIN LATERAL unnest(tsvector_to_array(title_vector)) AS lexeme)
INSERT INTO search_word (space_id, word, letters)
SELECT space_id, word, search_letters(word) FROM words WHERE length(word) BETWEEN 4 AND 24 AND word COLLATE "default" ~ '^[[:alpha:]]+$';

-- migrate:down
CREATE OR REPLACE FUNCTION search_config(p_language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (CASE coalesce(p_language, 'en')
    WHEN 'en' THEN 'pg_catalog.english' WHEN 'fr' THEN 'pg_catalog.french' WHEN 'de' THEN 'pg_catalog.german'
    WHEN 'es' THEN 'pg_catalog.spanish' WHEN 'it' THEN 'pg_catalog.italian' WHEN 'pt' THEN 'pg_catalog.portuguese'
    WHEN 'pt-br' THEN 'pg_catalog.portuguese' WHEN 'ru' THEN 'pg_catalog.russian' WHEN 'ar' THEN 'pg_catalog.arabic'
    WHEN 'hi' THEN 'pg_catalog.hindi' WHEN 'nl' THEN 'pg_catalog.dutch' WHEN 'tr' THEN 'pg_catalog.turkish'
    WHEN 'sv' THEN 'pg_catalog.swedish' WHEN 'no' THEN 'pg_catalog.norwegian' WHEN 'da' THEN 'pg_catalog.danish'
    WHEN 'fi' THEN 'pg_catalog.finnish' WHEN 'el' THEN 'pg_catalog.greek' WHEN 'hu' THEN 'pg_catalog.hungarian'
    WHEN 'ro' THEN 'pg_catalog.romanian' WHEN 'id' THEN 'pg_catalog.indonesian' WHEN 'lt' THEN 'pg_catalog.lithuanian'
    ELSE 'pg_catalog.simple' END)::regconfig
$$;
CREATE OR REPLACE FUNCTION search_vector(p_space text, p_config regconfig, p_text text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY['~' || p_space]) || to_tsvector(p_config, p_text) || to_tsvector('pg_catalog.simple'::regconfig, p_text)
$$;
CREATE OR REPLACE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE document_section SET
    heading_vector = search_vector(space_id, search_config(NEW.language), title),
    vector = search_vector(space_id, search_config(NEW.language), title || ' ' || body)
   WHERE space_id = NEW.id AND vector IS NOT NULL;
  UPDATE page_current p SET title_vector = search_vector(p.space_id, search_config(NEW.language), i.title || ' ' || coalesce(i.props ->> 'description', ''))
    FROM content_item i
   WHERE p.space_id = NEW.id AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
  RETURN NULL;
END $$;
-- What is there is indexed anew; making the indexes again costs less than keeping them meanwhile.
DROP INDEX document_section_heading_idx, document_section_vector_idx, page_current_title_idx;
UPDATE document_section d SET heading_vector = search_vector(d.space_id, s.config, d.title), vector = search_vector(d.space_id, s.config, d.title || ' ' || d.body)
  FROM (SELECT id, search_config(language) AS config FROM space) s WHERE s.id = d.space_id AND d.vector IS NOT NULL;
UPDATE page_current p SET title_vector = search_vector(p.space_id, s.config, i.title || ' ' || coalesce(i.props ->> 'description', ''))
  FROM (SELECT id, search_config(language) AS config FROM space) s, content_item i
 WHERE s.id = p.space_id AND i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id;
CREATE INDEX document_section_heading_idx ON document_section USING gin (heading_vector) WITH (gin_pending_list_limit = 64) WHERE heading_vector IS NOT NULL;
CREATE INDEX document_section_vector_idx ON document_section USING gin (vector) WITH (gin_pending_list_limit = 64) WHERE vector IS NOT NULL;
CREATE INDEX page_current_title_idx ON page_current USING gin (title_vector) WITH (gin_pending_list_limit = 64);

DROP FUNCTION search_new_words(text, tsvector[]);
DROP TABLE search_word;
DROP FUNCTION search_letters(text);
DROP FUNCTION search_query(regconfig, jsonb);
DROP FUNCTION search_term(regconfig, text, boolean, boolean, boolean);
DROP FUNCTION search_places(text, text);
DROP FUNCTION search_signs(text);
DROP FUNCTION search_plain(text);
DROP FUNCTION search_text(text, boolean);
