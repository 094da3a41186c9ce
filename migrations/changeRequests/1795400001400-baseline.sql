-- Change requests.

-- migrate:up
CREATE TABLE change_request (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT change_request_space_fk REFERENCES space,
  number integer NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  subject text NOT NULL,
  description jsonb,
  created_by text COLLATE "C" NOT NULL CONSTRAINT change_request_creator_fk REFERENCES account,
  -- The head of its own line; sequence 0 is a line without revisions, whose content is the base.
  revision_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  -- The primary revision that the line stands on.
  base_revision_id text COLLATE "C" NOT NULL,
  base_sequence bigint NOT NULL,
  initial_revision_id text COLLATE "C" NOT NULL,
  merged_ancestor_id text COLLATE "C",
  merged_revision_id text COLLATE "C",
  issues_cluster_id text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- The last revision of the line that did more than pull primary: reviews of earlier ones are outdated.
  written_sequence bigint NOT NULL DEFAULT 0,
  CONSTRAINT change_request_number_key UNIQUE (space_id, number),
  CONSTRAINT change_request_space_id_key UNIQUE (space_id, id),
  CONSTRAINT change_request_status_check CHECK (status IN ('draft', 'open', 'archived', 'merged'))
);
CREATE INDEX change_request_list_idx ON change_request (space_id, status, created_at, id);
CREATE INDEX change_request_cluster_idx ON change_request (issues_cluster_id) WHERE issues_cluster_id IS NOT NULL;

-- migrate:down
DROP TABLE change_request;
