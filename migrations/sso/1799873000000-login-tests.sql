-- Logins by which administrators see what an identity provider sends. They let nobody in, so they are no login requests: servers of
-- the last release must not take one for a login.

-- migrate:compatible the id alone is unique already, so the constraint refuses no row
-- migrate:up
ALTER TABLE identity_provider ADD CONSTRAINT identity_provider_organization_id_key UNIQUE (organization_id, id);
CREATE TABLE login_test (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- The administrator who began it, and who alone sees what came.
  user_id text COLLATE "C" NOT NULL,
  -- The hash of what the browser remembers: what came is shown after the test has ended in the browser that it began in.
  browser bytea NOT NULL,
  -- What the identity provider sent, and what a login would make of it; null until it has answered.
  result jsonb,
  finished boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT login_test_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT login_test_provider_fk FOREIGN KEY (organization_id, provider_id) REFERENCES identity_provider (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT login_test_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX login_test_user_key ON login_test (organization_id, provider_id, user_id);
CREATE INDEX login_test_member_idx ON login_test (organization_id, user_id);
CREATE INDEX login_test_expiry_idx ON login_test (expires_at);

-- migrate:down
DROP TABLE login_test;
ALTER TABLE identity_provider DROP CONSTRAINT identity_provider_organization_id_key;
