-- Caches in front of the service keep pages until they are told that these are others. The states of which they were told last
-- are kept here, so that no change is forgotten when a server ends or a cache does not answer.

-- migrate:up
CREATE TABLE shared_cache_state (
  -- No reference: caches are told of the sites of an organization that is gone, too.
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CONSTRAINT shared_cache_state_kind_check CHECK (kind IN ('site', 'space', 'specifications', 'verifications')),
  id text COLLATE "C" NOT NULL,
  told text NOT NULL,
  told_at timestamptz(3) NOT NULL,
  confirmed text,
  PRIMARY KEY (organization_id, kind, id)
);

-- migrate:down
DROP TABLE shared_cache_state;
