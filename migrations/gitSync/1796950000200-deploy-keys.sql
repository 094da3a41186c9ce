-- migrate:up

-- The key by which we are let in at a server that is reached by SSH, and that by which we know the server.
ALTER TABLE git_installation ADD COLUMN deploy_key text;
ALTER TABLE git_installation ADD COLUMN deploy_secret sealed;
ALTER TABLE git_installation ADD COLUMN host_key text;

-- migrate:down
ALTER TABLE git_installation DROP COLUMN deploy_key, DROP COLUMN deploy_secret, DROP COLUMN host_key;
