-- The repositories that spaces are kept in step with.

-- migrate:up
-- What is known of the repository that the primary content of a space was last imported from or exported to.
CREATE TABLE space_git (
  space_id text COLLATE "C" PRIMARY KEY CONSTRAINT space_git_space_fk REFERENCES space,
  repo_name text NOT NULL,
  provider text,
  -- Shown to people; remote and ref are where git goes. None of them holds credentials.
  url text NOT NULL,
  remote text NOT NULL,
  ref text NOT NULL,
  directory text NOT NULL,
  -- The commit and the revision that say the same.
  oid text NOT NULL,
  revision_id text COLLATE "C" NOT NULL,
  -- When what caused the last run happened.
  event_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- migrate:down
DROP TABLE space_git;
