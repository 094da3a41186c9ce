-- Exports and imports of whole organizations in the background.

-- migrate:up
CREATE TABLE organization_run (
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  -- Null for an import until its organization is there: the transaction that imports sets it.
  organization_id text COLLATE "C" CONSTRAINT organization_run_organization_fk REFERENCES organization ON DELETE CASCADE,
  created_by text COLLATE "C" NOT NULL CONSTRAINT organization_run_creator_fk REFERENCES account,
  -- The archive that waits to be imported.
  source_hash bytea CONSTRAINT organization_run_source_fk REFERENCES blob,
  steps_done integer NOT NULL DEFAULT 0,
  steps integer NOT NULL DEFAULT 0,
  result jsonb,
  error text,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  CONSTRAINT organization_run_pkey PRIMARY KEY (id),
  CONSTRAINT organization_run_kind_check CHECK (kind IN ('export', 'import')),
  CONSTRAINT organization_run_status_check CHECK (status IN ('pending', 'in-progress', 'completed', 'failed')),
  CONSTRAINT organization_run_organization_check CHECK (kind = 'import' OR organization_id IS NOT NULL)
);
CREATE INDEX organization_run_organization_idx ON organization_run (organization_id, created_at, id);
CREATE INDEX organization_run_creator_idx ON organization_run (created_by);
CREATE INDEX organization_run_source_idx ON organization_run (source_hash) WHERE source_hash IS NOT NULL;
CREATE INDEX organization_run_created_idx ON organization_run (created_at);

-- migrate:down
DROP TABLE organization_run;
