-- The registry of OpenAPI specifications.

-- migrate:up
-- A specification comes from an address or from a text, of which source_hash names the bytes. Whoever gives it anew raises
-- source_number, so that what was read of an older source does not count. It is due for reading as soon as due_at has come.
CREATE TABLE openapi_spec (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT openapi_spec_organization_fk REFERENCES organization ON DELETE CASCADE,
  slug text COLLATE "C" NOT NULL,
  source_url text,
  source_hash bytea CONSTRAINT openapi_spec_source_fk REFERENCES blob,
  source_number integer NOT NULL DEFAULT 1,
  -- What the address said of the version that was read last; null where that cannot be asked for.
  etag text,
  last_modified text,
  visibility text NOT NULL CONSTRAINT openapi_spec_visibility_check CHECK (visibility IN ('private', 'public')),
  state text NOT NULL CONSTRAINT openapi_spec_state_check CHECK (state IN ('pending', 'progress', 'complete')),
  due_at timestamptz(3),
  -- Attempts in a row that did not come to an end.
  attempts integer NOT NULL DEFAULT 0,
  last_version_id text COLLATE "C",
  processed_at timestamptz(3),
  error_code text CONSTRAINT openapi_spec_error_check CHECK (error_code IN ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
  errors jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT openapi_spec_slug_key UNIQUE (organization_id, slug),
  CONSTRAINT openapi_spec_organization_key UNIQUE (organization_id, id),
  CONSTRAINT openapi_spec_source_check CHECK ((source_url IS NULL) <> (source_hash IS NULL))
);
CREATE INDEX openapi_spec_list_idx ON openapi_spec (organization_id, created_at DESC, id DESC);
CREATE INDEX openapi_spec_due_idx ON openapi_spec (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX openapi_spec_source_idx ON openapi_spec (source_hash) WHERE source_hash IS NOT NULL;

-- What a specification said at a time, as OpenAPI 3 in JSON.
CREATE TABLE openapi_version (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  spec_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL CONSTRAINT openapi_version_hash_fk REFERENCES blob,
  size bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT openapi_version_spec_fk FOREIGN KEY (organization_id, spec_id) REFERENCES openapi_spec (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX openapi_version_list_idx ON openapi_version (spec_id, created_at DESC, id DESC);
CREATE INDEX openapi_version_hash_idx ON openapi_version (hash);

-- migrate:down
DROP TABLE openapi_version, openapi_spec;
