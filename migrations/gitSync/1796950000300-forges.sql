-- migrate:up

-- The server of the provider where that is not the public one, and the id of the repository where it was chosen by that.
ALTER TABLE git_installation ADD COLUMN server_url text;
ALTER TABLE git_installation ADD COLUMN repository_id text;

-- migrate:down
ALTER TABLE git_installation DROP COLUMN server_url, DROP COLUMN repository_id;
