-- migrate:up

-- The branch that a space is kept equal with. A space has one at most. What it and the branch agreed on last is in `space_git`.
CREATE TABLE git_installation (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT git_installation_space_fk REFERENCES space,
  provider text NOT NULL,
  -- The address for cloning, and the branch; null until they are chosen.
  url text,
  ref text,
  -- The folder of the configuration of the documentation, '' for the root.
  directory text NOT NULL DEFAULT '',
  commit_message text,
  -- The side that wins when both begin to be kept equal.
  priority text,
  -- Name and password at the repository, and the secret of its hook.
  credentials sealed,
  hook_secret sealed NOT NULL,
  -- The last commit that the primary content contains, where the branch does not have the answer to it yet.
  merged_oid text,
  -- The change request with what both sides have changed, and the commit that it brings in.
  change_request_id text COLLATE "C",
  request_oid text,
  -- The failure that nothing has mended yet, and how often it was met.
  failure text,
  failures integer NOT NULL DEFAULT 0,
  last_run_id text COLLATE "C",
  -- When the branch is looked at again; null until the repository is chosen.
  due_at timestamptz(3),
  created_by text COLLATE "C" NOT NULL CONSTRAINT git_installation_creator_fk REFERENCES account,
  -- The person for whom it works: the last one who has set it up.
  updated_by text COLLATE "C" NOT NULL CONSTRAINT git_installation_updater_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT git_installation_space_key UNIQUE (space_id)
);
CREATE INDEX git_installation_due_idx ON git_installation (due_at);
CREATE INDEX git_installation_creator_idx ON git_installation (created_by);
CREATE INDEX git_installation_updater_idx ON git_installation (updated_by);

-- The deliveries of hooks that were taken, so that none is taken twice.
CREATE TABLE git_delivery (
  installation_id text COLLATE "C" NOT NULL CONSTRAINT git_delivery_installation_fk REFERENCES git_installation ON DELETE CASCADE,
  id text NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (installation_id, id)
);
CREATE INDEX git_delivery_at_idx ON git_delivery (at);

-- migrate:down
DROP TABLE git_delivery, git_installation;
