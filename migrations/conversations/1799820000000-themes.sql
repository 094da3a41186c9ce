-- migrate:compatible servers of the release before write no theme of a cluster
-- migrate:up

-- Clusters that are about related matters; each rebuild writes them. Their issues are those of their clusters.
CREATE TABLE issues_theme (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT issues_theme_organization_fk REFERENCES organization ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  label text NOT NULL,
  icon text NOT NULL,
  summary text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT issues_theme_pkey PRIMARY KEY (organization_id, id)
);
ALTER TABLE issues_cluster ADD theme_id text COLLATE "C";
ALTER TABLE issues_cluster ADD CONSTRAINT issues_cluster_theme_fk FOREIGN KEY (organization_id, theme_id) REFERENCES issues_theme (organization_id, id) ON DELETE SET NULL (theme_id);
CREATE INDEX issues_cluster_theme_idx ON issues_cluster (organization_id, theme_id, issues, id);

-- migrate:down

ALTER TABLE issues_cluster DROP theme_id;
DROP TABLE issues_theme;
