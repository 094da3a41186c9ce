-- migrate:up

-- Pull requests against the branch become change requests.
ALTER TABLE git_installation ADD COLUMN preview_external_branches boolean NOT NULL DEFAULT false;

-- The pull requests of the repository of an installation, as they were seen last.
CREATE TABLE git_pull_request (
  installation_id text COLLATE "C" NOT NULL CONSTRAINT git_pull_request_installation_fk REFERENCES git_installation ON DELETE CASCADE,
  number integer NOT NULL,
  state text NOT NULL,
  -- The change request with its content; null until there is one.
  change_request_id text COLLATE "C",
  -- The commit that is in the change request, or could not be read, and the revision with it, before what people have changed since.
  imported_oid text,
  imported_revision text COLLATE "C",
  -- What the import has found, and why nothing could be imported.
  problems jsonb NOT NULL DEFAULT '[]',
  failure text,
  -- The comment at the forge, and a hash of what was told there last.
  comment_id text,
  reported text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (installation_id, number)
);
CREATE INDEX git_pull_request_change_request_idx ON git_pull_request (change_request_id);

-- migrate:down
DROP TABLE git_pull_request;
ALTER TABLE git_installation DROP COLUMN preview_external_branches;
