-- Change requests of agents: the name of the agent that acted for the author.

-- migrate:up
ALTER TABLE change_request ADD COLUMN agent text;

-- migrate:down
ALTER TABLE change_request DROP COLUMN agent;
