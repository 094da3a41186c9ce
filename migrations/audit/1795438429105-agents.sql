-- Lines about agents: the name of the agent that used the token.

-- migrate:up
ALTER TABLE audit_event ADD COLUMN agent text;

-- migrate:down
ALTER TABLE audit_event DROP COLUMN agent;
