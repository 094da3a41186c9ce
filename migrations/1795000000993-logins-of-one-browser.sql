-- Logins end in the browser that they began in: what an identity provider answers waits until that browser comes for it.

-- migrate:up
-- Logins of the last ten minutes, which have to be begun again.
DELETE FROM saml_request;
ALTER TABLE saml_request
  -- The hash of what the browser remembers.
  ADD COLUMN browser bytea NOT NULL,
  -- Who the answer was verified to be of, for a minute; null until there is one.
  ADD COLUMN answer jsonb;

-- migrate:down
ALTER TABLE saml_request
  DROP COLUMN answer,
  DROP COLUMN browser;
