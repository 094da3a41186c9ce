-- Comments of agents: the name of the agent that acted for the author.

-- migrate:up
ALTER TABLE comment ADD COLUMN agent text;

-- migrate:down
ALTER TABLE comment DROP COLUMN agent;
