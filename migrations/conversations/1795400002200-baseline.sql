-- Conversations with customers, the issues that are found in them and the clusters that these form.

-- migrate:up
-- Organizations without a row have the defaults.
CREATE TABLE conversation_settings (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT conversation_settings_organization_fk REFERENCES organization ON DELETE CASCADE,
  redact boolean NOT NULL DEFAULT true,
  retention_days integer,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT conversation_settings_retention_check CHECK (retention_days >= 1)
);

-- What is known of an organization's issues, and the lock under which clusters and their members change. The model places
-- new issues among the clusters; its version counts, and so tells which issues were tried with which.
CREATE TABLE conversation_analysis (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT conversation_analysis_organization_fk REFERENCES organization ON DELETE CASCADE,
  model bytea,
  model_version integer NOT NULL DEFAULT 0,
  built_at timestamptz(3),
  built_issues integer NOT NULL DEFAULT 0,
  -- Issues that came or went since then.
  changed_issues integer NOT NULL DEFAULT 0,
  problem text
);

-- A source that was deleted keeps its row until its conversations are gone; the name is free at once.
CREATE TABLE conversation_source (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT conversation_source_organization_fk REFERENCES organization ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT conversation_source_organization_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX conversation_source_name_key ON conversation_source (organization_id, name) WHERE deleted_at IS NULL;
CREATE INDEX conversation_source_deleted_idx ON conversation_source (deleted_at) WHERE deleted_at IS NOT NULL;

-- Clean and, where the organization wants it, redacted: nothing else of a conversation is ever stored. Without processed_at
-- its issues are still to be found; the version tells whether it has changed meanwhile.
CREATE TABLE conversation (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  subject text,
  parts jsonb NOT NULL,
  metadata jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  processed_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT conversation_source_fk FOREIGN KEY (organization_id, source_id) REFERENCES conversation_source (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT conversation_organization_key UNIQUE (organization_id, id),
  CONSTRAINT conversation_external_key UNIQUE (source_id, external_id)
);
CREATE INDEX conversation_list_idx ON conversation (organization_id, created_at, id) INCLUDE (source_id);
CREATE INDEX conversation_source_list_idx ON conversation (source_id, created_at, id);
CREATE INDEX conversation_pending_idx ON conversation (organization_id, ingested_at, id) WHERE processed_at IS NULL;

CREATE TABLE issues_cluster (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT issues_cluster_organization_fk REFERENCES organization ON DELETE CASCADE,
  label text NOT NULL,
  icon text NOT NULL,
  summary text NOT NULL,
  -- Members of sources that are there.
  issues integer NOT NULL DEFAULT 0,
  conversations integer NOT NULL DEFAULT 0,
  -- Somebody has looked at it: it stays, under its label.
  reviewed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT issues_cluster_organization_key UNIQUE (organization_id, id)
);
CREATE INDEX issues_cluster_updated_idx ON issues_cluster (organization_id, updated_at, id);
CREATE INDEX issues_cluster_issues_idx ON issues_cluster (organization_id, issues, updated_at, id);
CREATE INDEX issues_cluster_conversations_idx ON issues_cluster (organization_id, conversations, updated_at, id);

-- created_at is the time of the conversation. Without a cluster an issue is tried again with each new version of the model.
CREATE TABLE conversation_issue (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  conversation_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  cluster_id text COLLATE "C",
  model_version integer NOT NULL,
  title text NOT NULL,
  summary text NOT NULL,
  text text NOT NULL,
  language text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  CONSTRAINT conversation_issue_conversation_fk FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT conversation_issue_cluster_fk FOREIGN KEY (organization_id, cluster_id) REFERENCES issues_cluster (organization_id, id) ON DELETE SET NULL (cluster_id)
);
CREATE INDEX conversation_issue_list_idx ON conversation_issue (organization_id, created_at, id) INCLUDE (source_id);
CREATE INDEX conversation_issue_conversation_idx ON conversation_issue (organization_id, conversation_id);
CREATE INDEX conversation_issue_cluster_idx ON conversation_issue (organization_id, cluster_id, created_at, id) INCLUDE (source_id, conversation_id);
CREATE INDEX conversation_issue_unplaced_idx ON conversation_issue (organization_id, model_version) WHERE cluster_id IS NULL;

ALTER TABLE change_request ADD CONSTRAINT change_request_cluster_fk FOREIGN KEY (issues_cluster_id) REFERENCES issues_cluster ON DELETE SET NULL;

-- migrate:down
ALTER TABLE change_request DROP CONSTRAINT change_request_cluster_fk;
DROP TABLE conversation_issue, issues_cluster, conversation, conversation_source, conversation_analysis,
  conversation_settings;
