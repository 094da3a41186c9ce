-- Translations of spaces into other languages: what is asked for, what was translated before, and glossaries.

-- migrate:up
-- Translations of spaces into other languages, and what their runs have come to.
CREATE TABLE translation (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT translation_organization_fk REFERENCES organization,
  source_space_id text COLLATE "C" NOT NULL,
  source_language text NOT NULL,
  language text NOT NULL,
  -- The space that holds the translation; nobody else writes to it.
  result_space_id text COLLATE "C" NOT NULL,
  -- A document.
  instructions json NOT NULL,
  slugs text NOT NULL,
  status text NOT NULL,
  -- The sequence of the source that the result follows from.
  source_sequence bigint NOT NULL DEFAULT -1,
  -- Another run was asked for while one is at work.
  again boolean NOT NULL DEFAULT false,
  -- Why the latest run failed.
  error text,
  -- Of the run that is at work: when it began, and what engines were sent since the last one that was completed.
  run_started_at timestamptz(3),
  run_words bigint NOT NULL DEFAULT 0,
  runs bigint NOT NULL DEFAULT 0,
  total_words bigint NOT NULL DEFAULT 0,
  total_pages bigint NOT NULL DEFAULT 0,
  -- Milliseconds.
  total_duration bigint NOT NULL DEFAULT 0,
  latest_run_duration bigint NOT NULL DEFAULT 0,
  latest_pages bigint NOT NULL DEFAULT 0,
  latest_words bigint NOT NULL DEFAULT 0,
  created_by text COLLATE "C" NOT NULL CONSTRAINT translation_creator_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT translation_source_fk FOREIGN KEY (organization_id, source_space_id) REFERENCES space (organization_id, id),
  CONSTRAINT translation_result_fk FOREIGN KEY (organization_id, result_space_id) REFERENCES space (organization_id, id),
  CONSTRAINT translation_language_key UNIQUE (source_space_id, language),
  CONSTRAINT translation_result_key UNIQUE (result_space_id),
  CONSTRAINT translation_slugs_check CHECK (slugs IN ('keep', 'translate')),
  CONSTRAINT translation_status_check CHECK (status IN ('pending', 'running', 'completed'))
);
CREATE INDEX translation_organization_idx ON translation (organization_id, created_at, id);
CREATE INDEX translation_creator_idx ON translation (created_by);
CREATE INDEX translation_unfinished_idx ON translation (updated_at) WHERE status <> 'completed';

-- What the pages and reusable contents of a translation follow from: those that follow from the same need no work.
CREATE TABLE translated_item (
  -- The space with the translation; kind and id are those of the source.
  space_id text COLLATE "C" NOT NULL CONSTRAINT translated_item_space_fk REFERENCES translation (result_space_id) ON DELETE CASCADE,
  kind text NOT NULL,
  id text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  PRIMARY KEY (space_id, kind, id)
);

-- Segments of a space that were translated before, under a hash of all that their translation follows from.
CREATE TABLE translation_memory (
  -- The source.
  space_id text COLLATE "C" NOT NULL CONSTRAINT translation_memory_space_fk REFERENCES space,
  language text NOT NULL,
  key bytea NOT NULL,
  segment json NOT NULL,
  -- When a text was last asked for, so that the memory can forget those that nobody has asked for the longest.
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, language, key)
);

-- Terms and how they are translated, for all translations of an organization.
CREATE TABLE glossary_entry (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT glossary_entry_organization_fk REFERENCES organization,
  -- The term by language.
  translations jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX glossary_entry_organization_idx ON glossary_entry (organization_id, created_at, id);

-- migrate:down
DROP TABLE glossary_entry, translation_memory, translated_item, translation;
