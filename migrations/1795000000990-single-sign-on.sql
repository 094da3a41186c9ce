-- Single sign-on: identity providers of organizations, and what logins through them have to remember.

-- migrate:up
CREATE TABLE saml_provider (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT saml_provider_organization_fk REFERENCES organization,
  label text NOT NULL,
  -- Null until they are given: an identity provider is told our addresses first.
  entity_id text,
  certificate text,
  sso_url text,
  default_team_id text COLLATE "C",
  default_role access_level NOT NULL DEFAULT 'none',
  status text NOT NULL DEFAULT 'pending',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT saml_provider_status_check CHECK (status IN ('pending', 'active')),
  CONSTRAINT saml_provider_team_fk FOREIGN KEY (organization_id, default_team_id) REFERENCES team (organization_id, id) ON DELETE SET NULL (default_team_id)
);
CREATE INDEX saml_provider_organization_idx ON saml_provider (organization_id, created_at, id);
CREATE INDEX saml_provider_team_idx ON saml_provider (organization_id, default_team_id) WHERE default_team_id IS NOT NULL;

-- Logins that were begun: each answer must name one, and uses it up.
CREATE TABLE saml_request (
  id text COLLATE "C" PRIMARY KEY,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT saml_request_provider_fk REFERENCES saml_provider ON DELETE CASCADE,
  -- Where the browser goes with a code afterwards; null shows the token.
  return_to text,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX saml_request_expiry_idx ON saml_request (provider_id, expires_at);

-- Assertions that were used, kept for as long as they could be used again.
CREATE TABLE saml_assertion (
  provider_id text COLLATE "C" NOT NULL CONSTRAINT saml_assertion_provider_fk REFERENCES saml_provider ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (provider_id, id)
);
CREATE INDEX saml_assertion_expiry_idx ON saml_assertion (provider_id, expires_at);

-- Codes that turn into a token once.
CREATE TABLE login_code (
  hash bytea PRIMARY KEY,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT login_code_provider_fk REFERENCES saml_provider ON DELETE CASCADE,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT login_code_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX login_code_expiry_idx ON login_code (expires_at);
CREATE INDEX login_code_provider_idx ON login_code (provider_id);
CREATE INDEX login_code_member_idx ON login_code (organization_id, user_id);

-- Tokens that logins ended in; they end with the provider.
CREATE TABLE saml_token (
  token_id text COLLATE "C" PRIMARY KEY CONSTRAINT saml_token_token_fk REFERENCES api_token ON DELETE CASCADE,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT saml_token_provider_fk REFERENCES saml_provider ON DELETE CASCADE
);
CREATE INDEX saml_token_provider_idx ON saml_token (provider_id);

-- migrate:down
DROP TABLE saml_token;
DROP TABLE login_code;
DROP TABLE saml_assertion;
DROP TABLE saml_request;
DROP TABLE saml_provider;
