-- migrate:up

-- Change requests that are branches of the repository of an installation, and pull requests where its server has these.
CREATE TABLE git_request_branch (
  installation_id text COLLATE "C" NOT NULL CONSTRAINT git_request_branch_installation_fk REFERENCES git_installation ON DELETE CASCADE,
  change_request_id text COLLATE "C" NOT NULL,
  ref text NOT NULL,
  -- The commit and the revision of the change request that said the same last; null until the branch is there.
  oid text,
  revision text COLLATE "C",
  -- The commit of the branch of the space that is in this branch, and the revision of the primary content with it.
  base_oid text,
  base_revision text COLLATE "C",
  -- A commit that is about to be pushed, or was, and its revision.
  pushed_oid text,
  pushed_revision text COLLATE "C",
  -- The pull request, and a hash of the subject and the description that it was given.
  number integer,
  wording text,
  -- Why it is not at the forge as it is here.
  failure text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (installation_id, change_request_id),
  CONSTRAINT git_request_branch_ref_key UNIQUE (installation_id, ref)
);
CREATE INDEX git_request_branch_change_request_idx ON git_request_branch (change_request_id);

-- The page of a pull request at the forge.
ALTER TABLE git_pull_request ADD COLUMN url text;

-- migrate:down
ALTER TABLE git_pull_request DROP COLUMN url;
DROP TABLE git_request_branch;
