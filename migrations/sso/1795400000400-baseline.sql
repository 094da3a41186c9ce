-- Identity providers of organizations, and what logins through them have to remember.

-- migrate:up
CREATE TABLE identity_provider (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT identity_provider_organization_fk REFERENCES organization,
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
  protocol text NOT NULL,
  issuer text,
  client_id text,
  client_secret sealed,
  -- Lists with spaces in between: what is asked for, and the domains of e-mail addresses that are let in (none for all).
  scopes text,
  email_domains text,
  CONSTRAINT identity_provider_status_check CHECK (status IN ('pending', 'active')),
  CONSTRAINT identity_provider_protocol_check CHECK (
    CASE protocol
      WHEN 'saml' THEN num_nonnulls(issuer, client_id, client_secret, scopes, email_domains) = 0
      WHEN 'oidc' THEN num_nonnulls(entity_id, certificate, sso_url) = 0 AND num_nulls(scopes, email_domains) = 0
      ELSE false
    END
  ),
  CONSTRAINT identity_provider_team_fk FOREIGN KEY (organization_id, default_team_id) REFERENCES team (organization_id, id) ON DELETE SET NULL (default_team_id)
);
CREATE INDEX identity_provider_organization_idx ON identity_provider (organization_id, created_at, id);
CREATE INDEX identity_provider_team_idx ON identity_provider (organization_id, default_team_id) WHERE default_team_id IS NOT NULL;

-- Logins that were begun: each answer must name one, and uses it up.
CREATE TABLE login_request (
  id text COLLATE "C" PRIMARY KEY,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT login_request_provider_fk REFERENCES identity_provider ON DELETE CASCADE,
  -- Where the browser goes with a code afterwards; null shows the token.
  return_to text,
  expires_at timestamptz(3) NOT NULL,
  -- The hash of what the browser remembers: a login ends in the browser that it began in.
  browser bytea NOT NULL,
  -- Who the answer was verified to be of, for a minute; null until there is one.
  answer jsonb,
  -- A login that is being ended stays until somebody is let in, so that another setting of its provider ends it even then.
  taken boolean NOT NULL DEFAULT false
);
CREATE INDEX login_request_expiry_idx ON login_request (provider_id, expires_at);

-- Assertions that were used, kept for as long as they could be used again.
CREATE TABLE saml_assertion (
  provider_id text COLLATE "C" NOT NULL CONSTRAINT saml_assertion_provider_fk REFERENCES identity_provider ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (provider_id, id)
);
CREATE INDEX saml_assertion_expiry_idx ON saml_assertion (provider_id, expires_at);

-- Codes that turn into a token once.
CREATE TABLE login_code (
  hash bytea PRIMARY KEY,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT login_code_provider_fk REFERENCES identity_provider ON DELETE CASCADE,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- When the session at the identity provider ends, where it says so: the token ends with it.
  session_until timestamptz(3),
  CONSTRAINT login_code_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX login_code_expiry_idx ON login_code (expires_at);
CREATE INDEX login_code_provider_idx ON login_code (provider_id);
CREATE INDEX login_code_member_idx ON login_code (organization_id, user_id);

-- Tokens that logins ended in; they end with the provider.
CREATE TABLE login_token (
  token_id text COLLATE "C" PRIMARY KEY CONSTRAINT login_token_token_fk REFERENCES api_token ON DELETE CASCADE,
  provider_id text COLLATE "C" NOT NULL CONSTRAINT login_token_provider_fk REFERENCES identity_provider ON DELETE CASCADE
);
CREATE INDEX login_token_provider_idx ON login_token (provider_id);

-- migrate:down
DROP TABLE login_token, login_code, saml_assertion, login_request, identity_provider;
