-- Processes that serve, for migrations that wait for those of older releases, and statements of migrations that run in batches.

-- migrate:up
CREATE TABLE server_process (
  id text COLLATE "C" NOT NULL,
  release text NOT NULL,
  host text NOT NULL,
  -- The contracting migrations that its code knows, as history.name.
  contractions text[] NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  CONSTRAINT server_process_pkey PRIMARY KEY (id)
);

CREATE TABLE backfill (
  -- The table that records the migration.
  history text COLLATE "C" NOT NULL,
  migration text COLLATE "C" NOT NULL,
  migration_time bigint NOT NULL,
  table_name text NOT NULL,
  key_columns text[] NOT NULL,
  batch_rows integer NOT NULL,
  statement text NOT NULL,
  -- The key of the last row of the last batch; null before the first.
  last_key text[],
  -- An estimate of the rows of the table at the beginning.
  expected_rows bigint NOT NULL,
  done_rows bigint NOT NULL DEFAULT 0,
  begun_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- The reason why the last batch failed; null after one that did not.
  failure text,
  CONSTRAINT backfill_pkey PRIMARY KEY (history, migration)
);

-- migrate:down
DROP TABLE backfill;
DROP TABLE server_process;
