-- The segments of translations, what people have said of them, and how the pages stand.

-- migrate:compatible the id of a translation is unique by itself, and so is each pair with it
-- migrate:up
ALTER TABLE translation ADD CONSTRAINT translation_organization_key UNIQUE (organization_id, id);

-- Translations that people have given to texts of the source, wherever these stand. Runs take it before what an engine says, and never write here.
CREATE TABLE translation_correction (
  organization_id text COLLATE "C" NOT NULL,
  translation_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the text with its markers.
  digest bytea NOT NULL,
  source jsonb NOT NULL,
  target jsonb NOT NULL,
  -- False for what came in a file that does not say that somebody has reviewed it.
  reviewed boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, translation_id, digest),
  CONSTRAINT translation_correction_translation_fk FOREIGN KEY (organization_id, translation_id)
    REFERENCES translation (organization_id, id) ON DELETE CASCADE
);

-- The texts of the pages and reusable contents of translations as the latest runs have read them: each text once for each item.
CREATE TABLE translation_segment (
  organization_id text COLLATE "C" NOT NULL,
  translation_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- The item of the source, and the one that is made of it.
  source_item_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  digest bytea NOT NULL,
  source jsonb NOT NULL,
  target jsonb NOT NULL,
  state text NOT NULL,
  -- The translation of a former source of an outdated segment, with the difference of the two.
  former jsonb,
  -- The item says the target, or the run that has written this will make it so.
  published boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, translation_id, id),
  CONSTRAINT translation_segment_text_key UNIQUE (organization_id, translation_id, kind, source_item_id, digest),
  CONSTRAINT translation_segment_translation_fk FOREIGN KEY (organization_id, translation_id)
    REFERENCES translation (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT translation_segment_state_check CHECK (state IN ('machine', 'reviewed', 'outdated'))
);
CREATE INDEX translation_segment_item_idx ON translation_segment (organization_id, translation_id, item_id, position, id);
CREATE INDEX translation_segment_state_idx ON translation_segment (organization_id, translation_id, state, item_id, position, id);
CREATE INDEX translation_segment_digest_idx ON translation_segment (organization_id, translation_id, digest);

-- migrate:down
DROP TABLE translation_segment, translation_correction;
ALTER TABLE translation DROP CONSTRAINT translation_organization_key;
