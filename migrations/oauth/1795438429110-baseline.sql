-- OAuth 2.1: clients that registered themselves, and what people granted to them.

-- migrate:up
CREATE TABLE oauth_client (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_client_age_idx ON oauth_client (created_at);

CREATE TABLE oauth_grant (
  id text COLLATE "C" PRIMARY KEY,
  client_id text COLLATE "C" NOT NULL CONSTRAINT oauth_grant_client_fk REFERENCES oauth_client ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL CONSTRAINT oauth_grant_user_fk REFERENCES account,
  organization_id text COLLATE "C" CONSTRAINT oauth_grant_organization_fk REFERENCES organization ON DELETE CASCADE,
  scopes text[] NOT NULL,
  -- The end of the token with which it was granted, if that has one.
  ends_at timestamptz(3),
  -- The authorization code: its hash, where it was sent, and what its verifier must give.
  code_hash bytea NOT NULL CONSTRAINT oauth_grant_code_key UNIQUE,
  code_expires_at timestamptz(3) NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  -- The access token, once the code was exchanged: the grant ends with it.
  token_id text COLLATE "C" CONSTRAINT oauth_grant_token_fk REFERENCES api_token ON DELETE CASCADE,
  refresh_hash bytea,
  refresh_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_grant_client_idx ON oauth_grant (client_id);
CREATE INDEX oauth_grant_token_idx ON oauth_grant (token_id);
CREATE INDEX oauth_grant_organization_idx ON oauth_grant (organization_id);

-- migrate:down
DROP TABLE oauth_grant, oauth_client;
