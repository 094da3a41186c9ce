-- Reviews of agents, which count for `require_agent_review` alone: the name of the agent.

-- migrate:up
ALTER TABLE change_request_review ADD COLUMN agent text;

-- migrate:down
ALTER TABLE change_request_review DROP COLUMN agent;
