-- Uploads by signed address, and runs of imports and exports.

-- migrate:up
-- Bytes that somebody said they would upload; hash is there once they have.
CREATE TABLE upload (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT upload_organization_fk REFERENCES organization,
  user_id text COLLATE "C" NOT NULL CONSTRAINT upload_user_fk REFERENCES account,
  kind text NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL,
  hash bytea CONSTRAINT upload_hash_fk REFERENCES blob,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT upload_kind_check CHECK (kind IN ('customization_font', 'import_file'))
);
CREATE INDEX upload_organization_idx ON upload (organization_id);
CREATE INDEX upload_user_idx ON upload (user_id);
CREATE INDEX upload_hash_idx ON upload (hash) WHERE hash IS NOT NULL;
CREATE INDEX upload_created_idx ON upload (created_at);

-- Runs of imports and exports in the background.
CREATE TABLE import_run (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT import_run_space_fk REFERENCES space,
  status text NOT NULL,
  -- What was asked for; never holds a secret.
  source jsonb NOT NULL,
  change_request_id text COLLATE "C",
  page_id text COLLATE "C",
  -- The credentials of a repository, encrypted; they go when the run ends.
  secret sealed,
  created_by text COLLATE "C" NOT NULL CONSTRAINT import_run_creator_fk REFERENCES account,
  -- Why it failed, or what became of it.
  error text,
  result jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  CONSTRAINT import_run_status_check CHECK (status IN ('pending', 'in-progress', 'completed', 'failed', 'cancelled'))
);
CREATE INDEX import_run_space_idx ON import_run (space_id, created_at, id);
CREATE INDEX import_run_creator_idx ON import_run (created_by);
CREATE INDEX import_run_created_idx ON import_run (created_at, id);

-- migrate:down
DROP TABLE import_run, upload;
