-- Images in other sizes and formats, each made when somebody first asks for it.

-- migrate:up
CREATE TABLE image_variant (
  -- The file that was asked for: the same bytes in another file are converted again, so that nobody learns that they were known.
  file_id text COLLATE "C" NOT NULL,
  source bytea NOT NULL CONSTRAINT image_variant_source_fk REFERENCES blob ON DELETE CASCADE,
  width integer NOT NULL,
  format text NOT NULL,
  -- Null where the original is served: it cannot be decoded, or is smaller.
  hash bytea CONSTRAINT image_variant_hash_fk REFERENCES blob,
  size integer,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT image_variant_pkey PRIMARY KEY (file_id, source, width, format),
  CONSTRAINT image_variant_format_check CHECK (format IN ('avif', 'webp')),
  CONSTRAINT image_variant_size_check CHECK ((hash IS NULL) = (size IS NULL))
);
CREATE INDEX image_variant_source_idx ON image_variant (source);
CREATE INDEX image_variant_hash_idx ON image_variant (hash) WHERE hash IS NOT NULL;

-- migrate:down
DROP TABLE image_variant;
