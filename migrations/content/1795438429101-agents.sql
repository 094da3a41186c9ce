-- Revisions of agents: the name of the agent that acted for the author.

-- migrate:up
ALTER TABLE revision ADD COLUMN agent text;

-- migrate:down
ALTER TABLE revision DROP COLUMN agent;
