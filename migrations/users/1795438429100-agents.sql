-- Tokens of agents: the name of the agent that uses them.

-- migrate:up
ALTER TABLE api_token ADD COLUMN agent text;

-- migrate:down
ALTER TABLE api_token DROP COLUMN agent;
