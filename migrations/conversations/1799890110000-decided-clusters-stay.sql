-- migrate:compatible servers of the release before keep clusters that they would have removed
-- migrate:up

-- A cluster is merged into one other.
CREATE UNIQUE INDEX issues_decision_merged_key ON issues_decision (organization_id, other_id) WHERE kind = 'merge';

-- The next number is one more, also after the last one of an archive.
ALTER TABLE issues_decision ADD CONSTRAINT issues_decision_number_check CHECK (number >= 1 AND number <= 1000000000);

-- Servers of the release before remove clusters without knowing of decisions, which would go with them.
CREATE FUNCTION keep_decided_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM issues_decision d WHERE d.organization_id = OLD.organization_id AND OLD.id IN (d.cluster_id, d.other_id))
    AND EXISTS (SELECT FROM organization o WHERE o.id = OLD.organization_id)
  THEN RETURN NULL;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER issues_cluster_decided_kept BEFORE DELETE ON issues_cluster FOR EACH ROW EXECUTE FUNCTION keep_decided_cluster();

-- migrate:down

DROP TRIGGER issues_cluster_decided_kept ON issues_cluster;
DROP FUNCTION keep_decided_cluster();
ALTER TABLE issues_decision DROP CONSTRAINT issues_decision_number_check;
DROP INDEX issues_decision_merged_key;
