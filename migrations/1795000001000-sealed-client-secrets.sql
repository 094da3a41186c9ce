-- The secrets that identity providers gave us are reached by a new key as well.

-- migrate:up
ALTER TABLE identity_provider ALTER COLUMN client_secret TYPE sealed;

-- migrate:down
ALTER TABLE identity_provider ALTER COLUMN client_secret TYPE bytea;
