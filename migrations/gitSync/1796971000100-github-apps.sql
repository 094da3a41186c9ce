-- migrate:up

-- The GitHub App, and its installation, as which the repository is reached; `credentials` is its private key then.
ALTER TABLE git_installation
  ADD COLUMN app_id text,
  ADD COLUMN app_installation_id text,
  -- The provider does not let the credentials in, as of the last failure.
  ADD COLUMN is_refused boolean NOT NULL DEFAULT false;

-- migrate:down
-- A private key is no token: repositories that were reached by it need new credentials.
UPDATE git_installation SET credentials = NULL WHERE app_id IS NOT NULL;
ALTER TABLE git_installation DROP COLUMN app_id, DROP COLUMN app_installation_id, DROP COLUMN is_refused;
