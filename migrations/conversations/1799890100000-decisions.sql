-- migrate:compatible servers of the release before make no decisions and rebuild as before until they are replaced
-- migrate:up

-- People's decisions about clusters: `other_id` was merged into `cluster_id`, or `cluster_id` was split off from `other_id`.
CREATE TABLE issues_decision (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT issues_decision_organization_fk REFERENCES organization ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  kind text COLLATE "C" NOT NULL CONSTRAINT issues_decision_kind_check CHECK (kind IN ('merge', 'split')),
  cluster_id text COLLATE "C" NOT NULL,
  other_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT issues_decision_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT issues_decision_number_key UNIQUE (organization_id, number),
  CONSTRAINT issues_decision_clusters_check CHECK (cluster_id <> other_id),
  CONSTRAINT issues_decision_cluster_fk FOREIGN KEY (organization_id, cluster_id) REFERENCES issues_cluster (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT issues_decision_other_fk FOREIGN KEY (organization_id, other_id) REFERENCES issues_cluster (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX issues_decision_cluster_idx ON issues_decision (organization_id, cluster_id);
CREATE INDEX issues_decision_other_idx ON issues_decision (organization_id, other_id);

-- The issues that a decision keeps in their cluster; `is_moved` tells which of them it has moved there.
CREATE TABLE issues_hold (
  organization_id text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  issue_id text COLLATE "C" NOT NULL CONSTRAINT issues_hold_issue_fk REFERENCES conversation_issue ON DELETE CASCADE,
  is_moved boolean NOT NULL,
  CONSTRAINT issues_hold_pkey PRIMARY KEY (organization_id, decision_id, issue_id),
  CONSTRAINT issues_hold_decision_fk FOREIGN KEY (organization_id, decision_id) REFERENCES issues_decision (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX issues_hold_issue_idx ON issues_hold (issue_id);

-- Counts decisions and their ends, so that a rebuild that began before one of them is not stored.
ALTER TABLE conversation_analysis ADD decisions integer NOT NULL DEFAULT 0;

-- migrate:down

ALTER TABLE conversation_analysis DROP decisions;
DROP TABLE issues_hold, issues_decision;
