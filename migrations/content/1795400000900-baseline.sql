-- The content of spaces and its history: revisions, pages, files, reusable contents and variables, documents, and what is
-- derived from documents for search and references.

-- migrate:up
-- A point in the history of a line: '' is the space's primary line, otherwise the id of a change request.
-- A revision of a change request stands on the primary line as it was at base_sequence.
CREATE TABLE revision (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT revision_space_fk REFERENCES space,
  line text COLLATE "C" NOT NULL DEFAULT '',
  sequence bigint NOT NULL,
  base_sequence bigint NOT NULL,
  base_revision_id text COLLATE "C",
  parents text[] COLLATE "C" NOT NULL DEFAULT '{}',
  type text NOT NULL,
  author_id text COLLATE "C" CONSTRAINT revision_author_fk REFERENCES account,
  message text,
  git jsonb,
  merged_from text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  -- The revision whose content a revision of type rollback has.
  rolled_back_to text COLLATE "C",
  CONSTRAINT revision_line_sequence_key UNIQUE (space_id, line, sequence),
  CONSTRAINT revision_type_check CHECK (type IN ('edits', 'merge', 'rollback', 'update', 'computed'))
);

-- The head of each line: pages, files, reusable contents and variables. The primary line has a row for
-- everything that exists; a change request only for what it changed, tombstones (deleted) included.
-- parent_id is '' at the root. hash names the document, or the bytes of a file.
CREATE TABLE content_item (
  space_id text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  parent_id text COLLATE "C" NOT NULL DEFAULT '',
  position text COLLATE "C" NOT NULL DEFAULT '',
  type text COLLATE "C" NOT NULL DEFAULT '',
  slug text COLLATE "C",
  title text NOT NULL DEFAULT '',
  props jsonb NOT NULL DEFAULT '{}',
  hash bytea,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, line, kind, id),
  CONSTRAINT content_item_kind_check CHECK (kind IN ('page', 'file', 'reusable', 'variable'))
) WITH (fillfactor = 80);
-- Led by the parent, they cannot be taken for looking up an item by its id, which the primary keys are for: without
-- statistics, as after an import, both look equally good.
CREATE INDEX content_item_children_idx ON content_item (parent_id, space_id, line, slug) WHERE kind = 'page';
-- Addresses of files name the file alone.
CREATE INDEX content_item_file_idx ON content_item (id) WHERE kind = 'file';
-- The list of a space's files, newest first.
CREATE INDEX content_item_files_idx ON content_item (space_id, created_at, id) WHERE kind = 'file' AND line = '';
-- Specifications are files that are found by their name.
CREATE INDEX content_item_specification_idx ON content_item (space_id, line, title) WHERE kind = 'file' AND title ~* '[.](ya?ml|json)$';
-- What only some readers of a site see, found without reading everything: pages that are hidden or have a condition.
CREATE INDEX content_item_conditional_idx ON content_item (space_id) WHERE line = '' AND kind = 'page' AND (props ? 'hidden' OR props ? 'condition');

-- What an item was before the revision `sequence` changed it (existed = false: it was not there). The state
-- of a line at revision N is, for each item, its first row here with sequence > N, else its head row.
CREATE TABLE content_undo (
  space_id text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  existed boolean NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  parent_id text COLLATE "C" NOT NULL DEFAULT '',
  position text COLLATE "C" NOT NULL DEFAULT '',
  type text COLLATE "C" NOT NULL DEFAULT '',
  slug text COLLATE "C",
  title text NOT NULL DEFAULT '',
  props jsonb NOT NULL DEFAULT '{}',
  hash bytea,
  created_at timestamptz(3),
  updated_at timestamptz(3),
  PRIMARY KEY (space_id, line, sequence, kind, id)
);
CREATE INDEX content_undo_item_idx ON content_undo (space_id, line, kind, id, sequence);
CREATE INDEX content_undo_children_idx ON content_undo (parent_id, space_id, line, slug, sequence) WHERE existed AND kind = 'page';
CREATE INDEX content_undo_file_idx ON content_undo (id) WHERE kind = 'file' AND existed;
CREATE INDEX content_undo_specification_idx ON content_undo (space_id, line, title) WHERE kind = 'file' AND existed AND title ~* '[.](ya?ml|json)$';

-- How many rows of content_item a line has by kind, kept by the statement that writes them, so that a limit costs no counting.
CREATE TABLE content_total (
  space_id text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (space_id, line, kind)
) WITH (fillfactor = 80);

-- Immutable documents, once per space under the hash of their canonical JSON. `body` is that JSON, word for
-- word. Markdown is written when it is read: that costs less than writing it with every edit.
CREATE TABLE document (
  space_id text COLLATE "C" NOT NULL CONSTRAINT document_space_fk REFERENCES space,
  hash bytea NOT NULL,
  body json NOT NULL,
  words integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null for documents that were stored before anchors were: they count as having every anchor.
  anchors text[],
  -- The sections in their order, objects of anchor, title and text; and the hashes of these texts.
  sections jsonb NOT NULL DEFAULT '[]',
  section_texts bytea[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (space_id, hash)
);
-- Documents of which a part has a condition, for the same.
CREATE INDEX document_conditional_idx ON document (space_id, hash) WHERE body::text LIKE '%"type":"if"%';

CREATE TABLE document_ref (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  idx integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  target_space_id text COLLATE "C",
  anchor text,
  node text,
  relation text NOT NULL DEFAULT 'reference' CONSTRAINT document_ref_relation_check CHECK (relation IN ('reference', 'dependsOn')),
  PRIMARY KEY (space_id, hash, idx),
  CONSTRAINT document_ref_document_fk FOREIGN KEY (space_id, hash) REFERENCES document (space_id, hash) ON DELETE CASCADE
);

-- Documents that were stored ahead of the change that is to name them, so that those of imports which never came to their
-- end can be found again.
CREATE TABLE document_staged (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  staged_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);
CREATE INDEX document_staged_at_idx ON document_staged (staged_at);

-- Old addresses of pages that were renamed or moved on the primary line.
CREATE TABLE page_redirect (
  space_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- What an imported folder says of the redirect: a reference to a page, an anchor or an address. Null for the old address of a
  -- page that was renamed or moved. Where it leads to no page of the space, page_id is ''.
  given jsonb,
  PRIMARY KEY (space_id, path)
);

-- Where pages stood before, by the page above and the slug: old paths are walked from page to page, so they lead on after any
-- number of moves of what is above and below.
CREATE TABLE page_former_place (
  space_id text COLLATE "C" NOT NULL,
  -- '' at the root.
  parent_id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  -- The page, which may be gone: the way to others may lead through it.
  page_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, parent_id, slug, page_id)
);

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
  EXECUTE format('CREATE FUNCTION search_config(p_language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fn$
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

-- The letters of a word as bits: two words that differ little have nearly the same.
CREATE FUNCTION search_letters(p_word text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(bit_or(1 << (ascii(c) & 31)), 0) FROM string_to_table(p_word, NULL) AS c
$$;

-- Which documents and titles are current on the primary line: all that a write there switches.
CREATE TABLE page_current (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  hash bytea,
  title_vector tsvector NOT NULL,
  PRIMARY KEY (space_id, page_id)
) WITH (fillfactor = 80);
CREATE INDEX page_current_title_idx ON page_current USING gin (title_vector) WITH (gin_pending_list_limit = 64);

-- By the hash of title and text: what a text is found by, for texts that are or were lately current and for drafts.
CREATE TABLE section_vector (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  heading_vector tsvector NOT NULL,
  vector tsvector NOT NULL,
  PRIMARY KEY (space_id, hash)
);
-- Every search reads the whole pending list of an index: 4 MB of it cost more than the search. In kB.
CREATE INDEX section_vector_heading_idx ON section_vector USING gin (heading_vector) WITH (gin_pending_list_limit = 64);
CREATE INDEX section_vector_text_idx ON section_vector USING gin (vector) WITH (gin_pending_list_limit = 64);

-- The texts of the pages of the primary line.
CREATE TABLE section_current (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (space_id, hash, page_id)
);

-- Texts that no page has any more, or has yet: their vectors are dropped in the background some time after `since`. Every
-- text that has vectors is in this table or the one before. Whoever drops vectors or makes a text current takes its row here.
CREATE TABLE section_unused (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);
CREATE INDEX section_unused_since_idx ON section_unused (since);

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

-- A change of a space's language indexes its current texts anew; the others are when they become current.
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

-- The id in a copy (named by its space) of a page, file or reusable content: always the same, so that references can be
-- rewritten without a table of ids. Its beginning, the time, stays: ties in the order of siblings go as before.
CREATE FUNCTION copied_id(p_copy text, p_id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(p_id, 8) || left(translate(encode(sha256(convert_to(p_copy || ' ' || p_id, 'UTF8')), 'base64'), '+/=' || chr(10), ''), 12)
$$;

-- JSON text in which these ids, as whole strings, are those of a copy; the id of the space itself is that of the copy.
CREATE FUNCTION copied_json(p_json text, p_space text, p_copy text, p_ids text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_id text;
BEGIN
  FOREACH v_id IN ARRAY p_ids LOOP
    p_json := replace(p_json, '"' || v_id || '"', '"' || CASE WHEN v_id = p_space THEN p_copy ELSE copied_id(p_copy, v_id) END || '"');
  END LOOP;
  RETURN p_json;
END $$;

-- Whether an id was ever one of a page, file or reusable content of a space's primary line.
CREATE FUNCTION is_content(p_space text, p_kind text, p_id text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM content_item i WHERE i.space_id = p_space AND i.line = '' AND i.kind = p_kind AND i.id = p_id)
      OR EXISTS (SELECT FROM content_undo u WHERE u.space_id = p_space AND u.line = '' AND u.kind = p_kind AND u.id = p_id)
$$;

-- migrate:down
DROP TRIGGER space_language ON space;
DROP TABLE search_word, section_unused, section_current, section_vector, page_current, page_former_place,
  page_redirect, document_staged, document_ref, document, content_total, content_undo, content_item, revision;
DROP FUNCTION is_content;
DROP FUNCTION copied_json;
DROP FUNCTION copied_id;
DROP FUNCTION reindex_space;
DROP FUNCTION search_new_words;
DROP FUNCTION search_letters;
DROP FUNCTION search_vector;
DROP FUNCTION search_places;
DROP FUNCTION search_signs;
DROP FUNCTION search_plain;
DROP FUNCTION search_text;
DROP FUNCTION search_config;
