-- Backups that this database was restored from.

-- migrate:up
CREATE TABLE restored_copy (
  id text COLLATE "C" NOT NULL,
  backup text NOT NULL,
  taken_at timestamptz(3) NOT NULL,
  restored_at timestamptz(3) NOT NULL,
  -- Null while the copy is quiet.
  activated_at timestamptz(3),
  CONSTRAINT restored_copy_pkey PRIMARY KEY (id)
);

-- migrate:down
DROP TABLE restored_copy;
