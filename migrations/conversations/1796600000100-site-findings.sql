-- migrate:up

-- The decision of a person about what readers asked for; it holds until another question comes.
ALTER TABLE issues_cluster ADD outcome text COLLATE "C" CONSTRAINT issues_cluster_outcome_check CHECK (outcome IN ('open', 'done', 'canceled'));
ALTER TABLE issues_cluster ADD outcome_at timestamptz(3);

-- Questions of readers begin with the id of the question, so that all days of one are found by it.
UPDATE conversation c SET external_id = substr(c.external_id, 12) || '-' || left(c.external_id, 10)
  FROM conversation_source s WHERE s.id = c.source_id AND s.name LIKE 'integration:site:%' AND c.external_id ~ '^\d{4}-\d{2}-\d{2}-[0-9a-f]{32}$';

-- migrate:down

UPDATE conversation c SET external_id = right(c.external_id, 10) || '-' || left(c.external_id, 32)
  FROM conversation_source s WHERE s.id = c.source_id AND s.name LIKE 'integration:site:%' AND c.external_id ~ '^[0-9a-f]{32}-\d{4}-\d{2}-\d{2}$';
ALTER TABLE issues_cluster DROP outcome_at;
ALTER TABLE issues_cluster DROP outcome;
