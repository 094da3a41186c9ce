-- What the text of a section is found by is kept once in a space, however many versions of documents have it; and which texts
-- are current is a narrow table, so that a write costs the texts that it changes.

-- migrate:up
-- By the hash of title and text: what a text is found by, for texts that are or were lately current and for drafts.
CREATE TABLE section_vector (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  heading_vector tsvector NOT NULL,
  vector tsvector NOT NULL,
  PRIMARY KEY (space_id, hash)
);

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

-- The sections of a document in their order, objects of anchor, title and text; and the hashes of these texts.
ALTER TABLE document ADD COLUMN sections jsonb NOT NULL DEFAULT '[]', ADD COLUMN section_texts bytea[] NOT NULL DEFAULT '{}';

DROP INDEX document_section_heading_idx, document_section_vector_idx;
UPDATE document d SET sections = s.sections, section_texts = s.texts
  FROM (SELECT space_id, hash, jsonb_agg(jsonb_build_object('anchor', anchor, 'title', title, 'text', body) ORDER BY idx) AS sections,
               array_agg(sha256(convert_to(octet_length(title)::text || ' ' || title || body, 'UTF8')) ORDER BY idx) AS texts
          FROM document_section GROUP BY space_id, hash) s
 WHERE s.space_id = d.space_id AND s.hash = d.hash;
INSERT INTO section_current (space_id, hash, page_id)
SELECT DISTINCT c.space_id, t.hash, c.page_id
  FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash CROSS JOIN LATERAL unnest(d.section_texts) AS t (hash);
INSERT INTO section_vector (space_id, hash, heading_vector, vector)
SELECT DISTINCT ON (d.space_id, t.hash) d.space_id, t.hash, s.heading_vector, s.vector
  FROM document d CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)
  JOIN document_section s ON s.space_id = d.space_id AND s.hash = d.hash AND s.idx = t.idx - 1
 WHERE s.vector IS NOT NULL ORDER BY d.space_id, t.hash;
INSERT INTO section_unused (space_id, hash, since)
SELECT v.space_id, v.hash, now() FROM section_vector v
 WHERE NOT EXISTS (SELECT FROM section_current c WHERE c.space_id = v.space_id AND c.hash = v.hash);
DROP TABLE document_section, document_superseded;

CREATE INDEX section_vector_heading_idx ON section_vector USING gin (heading_vector) WITH (gin_pending_list_limit = 64);
CREATE INDEX section_vector_text_idx ON section_vector USING gin (vector) WITH (gin_pending_list_limit = 64);
CREATE INDEX section_unused_since_idx ON section_unused (since);
-- Nothing looks for pages by their document any more; without it, a page that keeps its title is updated in place.
DROP INDEX page_current_hash_idx;

-- A change of a space's language indexes its current texts anew; the others are when they become current.
CREATE OR REPLACE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- migrate:down
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
CREATE TABLE document_section (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  idx integer NOT NULL,
  anchor text NOT NULL,
  level smallint NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  heading_vector tsvector,
  vector tsvector,
  PRIMARY KEY (space_id, hash, idx),
  CONSTRAINT document_section_document_fk FOREIGN KEY (space_id, hash) REFERENCES document (space_id, hash) ON DELETE CASCADE
);
-- Nothing has ever read the level of a section. Vectors stay with current documents.
INSERT INTO document_section (space_id, hash, idx, anchor, level, title, body, heading_vector, vector)
SELECT d.space_id, d.hash, o.idx - 1, o.anchor, CASE o.title WHEN '' THEN 0 ELSE 1 END, o.title, o.text,
       CASE WHEN c.hash IS NOT NULL THEN v.heading_vector END, CASE WHEN c.hash IS NOT NULL THEN v.vector END
  FROM document d
 CROSS JOIN ROWS FROM (jsonb_to_recordset(d.sections) AS (anchor text, title text, text text), unnest(d.section_texts)) WITH ORDINALITY AS o (anchor, title, text, hash, idx)
  LEFT JOIN section_vector v ON v.space_id = d.space_id AND v.hash = o.hash
  LEFT JOIN (SELECT DISTINCT space_id, hash FROM page_current WHERE hash IS NOT NULL) c ON c.space_id = d.space_id AND c.hash = d.hash;
CREATE INDEX document_section_heading_idx ON document_section USING gin (heading_vector) WITH (gin_pending_list_limit = 64) WHERE heading_vector IS NOT NULL;
CREATE INDEX document_section_vector_idx ON document_section USING gin (vector) WITH (gin_pending_list_limit = 64) WHERE vector IS NOT NULL;
CREATE TABLE document_superseded (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);
CREATE INDEX document_superseded_at_idx ON document_superseded (at);
CREATE INDEX page_current_hash_idx ON page_current (hash, space_id);
ALTER TABLE document DROP COLUMN sections, DROP COLUMN section_texts;
DROP TABLE section_unused, section_current, section_vector;
