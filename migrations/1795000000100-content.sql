-- Revisions, versioned content, change requests, documents and what is derived from documents for
-- search and references.

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
  CONSTRAINT revision_line_sequence_key UNIQUE (space_id, line, sequence),
  CONSTRAINT revision_type_check CHECK (type IN ('edits', 'merge', 'rollback', 'update', 'computed'))
);

CREATE TABLE change_request (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT change_request_space_fk REFERENCES space,
  number integer NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  subject text NOT NULL,
  description jsonb,
  created_by text COLLATE "C" NOT NULL CONSTRAINT change_request_creator_fk REFERENCES account,
  -- The head of its own line; sequence 0 is a line without revisions, whose content is the base.
  revision_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  -- The primary revision that the line stands on.
  base_revision_id text COLLATE "C" NOT NULL,
  base_sequence bigint NOT NULL,
  initial_revision_id text COLLATE "C" NOT NULL,
  merged_ancestor_id text COLLATE "C",
  merged_revision_id text COLLATE "C",
  issues_cluster_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT change_request_number_key UNIQUE (space_id, number),
  CONSTRAINT change_request_space_id_key UNIQUE (space_id, id),
  CONSTRAINT change_request_status_check CHECK (status IN ('draft', 'open', 'archived', 'merged'))
);
CREATE INDEX change_request_list_idx ON change_request (space_id, status, created_at, id);

CREATE TABLE requested_reviewer (
  space_id text COLLATE "C" NOT NULL,
  change_request_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT requested_reviewer_user_fk REFERENCES account,
  requested_by text COLLATE "C" NOT NULL CONSTRAINT requested_reviewer_requester_fk REFERENCES account,
  revision_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, change_request_id, user_id),
  CONSTRAINT requested_reviewer_change_request_fk FOREIGN KEY (space_id, change_request_id) REFERENCES change_request (space_id, id)
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
CREATE INDEX content_item_children_idx ON content_item (space_id, line, kind, parent_id, slug);
-- Addresses of files name the file alone.
CREATE INDEX content_item_file_idx ON content_item (id) WHERE kind = 'file';

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
CREATE INDEX content_undo_children_idx ON content_undo (space_id, line, kind, parent_id, slug, sequence) WHERE existed;
CREATE INDEX content_undo_file_idx ON content_undo (id) WHERE kind = 'file' AND existed;

-- Immutable documents, once per space under the hash of their canonical JSON. `body` is that JSON, word for
-- word; `markdown` has placeholders where it refers to pages, files and spaces.
CREATE TABLE document (
  space_id text COLLATE "C" NOT NULL CONSTRAINT document_space_fk REFERENCES space,
  hash bytea NOT NULL,
  body json NOT NULL,
  markdown text NOT NULL,
  words integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);

-- The text under one heading. The vectors are null for documents that left the primary line long ago.
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
CREATE INDEX document_section_heading_idx ON document_section USING gin (heading_vector) WHERE heading_vector IS NOT NULL;
CREATE INDEX document_section_vector_idx ON document_section USING gin (vector) WHERE vector IS NOT NULL;

CREATE TABLE document_ref (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  idx integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  target_space_id text COLLATE "C",
  anchor text,
  node text,
  PRIMARY KEY (space_id, hash, idx),
  CONSTRAINT document_ref_document_fk FOREIGN KEY (space_id, hash) REFERENCES document (space_id, hash) ON DELETE CASCADE
);
CREATE INDEX document_ref_target_idx ON document_ref (space_id, kind, target) WHERE kind <> 'url';
CREATE INDEX document_ref_foreign_idx ON document_ref (target_space_id, kind, target) WHERE target_space_id IS NOT NULL AND kind <> 'url';

-- Which documents and titles are current on the primary line: all that a write there switches.
CREATE TABLE page_current (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  hash bytea,
  title_vector tsvector NOT NULL,
  PRIMARY KEY (space_id, page_id)
) WITH (fillfactor = 80);
CREATE INDEX page_current_hash_idx ON page_current (space_id, hash);
CREATE INDEX page_current_title_idx ON page_current USING gin (title_vector);

-- Documents that left the primary line; their vectors are dropped in the background.
CREATE TABLE document_superseded (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);
CREATE INDEX document_superseded_at_idx ON document_superseded (at);

-- Old addresses of pages that were renamed or moved on the primary line.
CREATE TABLE page_redirect (
  space_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, path)
);

-- The dictionary for a language of the API; languages without one are indexed word by word.
CREATE FUNCTION search_config(p_language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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

-- Words as the language stems them and as they are written (for the prefix of a word that is still being
-- typed), and the space itself as a word, so that one index answers "in this space" too.
CREATE FUNCTION search_vector(p_space text, p_config regconfig, p_text text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY['~' || p_space]) || to_tsvector(p_config, p_text) || to_tsvector('pg_catalog.simple'::regconfig, p_text)
$$;

-- A change of a space's language indexes its current documents anew.
CREATE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER space_language AFTER UPDATE OF language ON space FOR EACH ROW
  WHEN (search_config(OLD.language) IS DISTINCT FROM search_config(NEW.language)) EXECUTE FUNCTION reindex_space();

-- migrate:down
DROP TRIGGER space_language ON space;
DROP FUNCTION reindex_space();
DROP TABLE page_redirect, document_superseded, page_current, document_ref, document_section, document,
  content_undo, content_item, requested_reviewer, change_request, revision;
DROP FUNCTION search_vector(text, regconfig, text);
DROP FUNCTION search_config(text);
