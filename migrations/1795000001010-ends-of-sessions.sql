-- Tokens of logins end with the session at the identity provider, where it says when that is.

-- migrate:up
ALTER TABLE login_code ADD COLUMN session_until timestamptz(3);

-- migrate:down
ALTER TABLE login_code DROP COLUMN session_until;
