-- Tokens of two kinds: those of the API, and those of the sessions of browsers.

-- migrate:up
ALTER TABLE api_token ADD COLUMN kind text NOT NULL DEFAULT 'api' CONSTRAINT api_token_kind_check CHECK (kind IN ('api', 'session'));
CREATE INDEX api_token_session_idx ON api_token (expires_at) WHERE kind = 'session';

-- migrate:down
DELETE FROM api_token WHERE kind = 'session';
DROP INDEX api_token_session_idx;
ALTER TABLE api_token DROP COLUMN kind;
