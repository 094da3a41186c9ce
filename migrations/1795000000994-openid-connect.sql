-- OpenID Connect: what identity providers and logins of both protocols share has one set of tables.

-- migrate:up
ALTER TABLE saml_provider RENAME TO identity_provider;
ALTER INDEX saml_provider_pkey RENAME TO identity_provider_pkey;
ALTER INDEX saml_provider_organization_idx RENAME TO identity_provider_organization_idx;
ALTER INDEX saml_provider_team_idx RENAME TO identity_provider_team_idx;
ALTER TABLE identity_provider RENAME CONSTRAINT saml_provider_organization_fk TO identity_provider_organization_fk;
ALTER TABLE identity_provider RENAME CONSTRAINT saml_provider_status_check TO identity_provider_status_check;
ALTER TABLE identity_provider RENAME CONSTRAINT saml_provider_team_fk TO identity_provider_team_fk;

ALTER TABLE saml_request RENAME TO login_request;
ALTER INDEX saml_request_pkey RENAME TO login_request_pkey;
ALTER INDEX saml_request_expiry_idx RENAME TO login_request_expiry_idx;
ALTER TABLE login_request RENAME CONSTRAINT saml_request_provider_fk TO login_request_provider_fk;

ALTER TABLE saml_token RENAME TO login_token;
ALTER INDEX saml_token_pkey RENAME TO login_token_pkey;
ALTER INDEX saml_token_provider_idx RENAME TO login_token_provider_idx;
ALTER TABLE login_token RENAME CONSTRAINT saml_token_token_fk TO login_token_token_fk;
ALTER TABLE login_token RENAME CONSTRAINT saml_token_provider_fk TO login_token_provider_fk;

ALTER TABLE identity_provider
  ADD COLUMN protocol text NOT NULL DEFAULT 'saml',
  ADD COLUMN issuer text,
  ADD COLUMN client_id text,
  -- Encrypted.
  ADD COLUMN client_secret bytea,
  -- Lists with spaces in between: what is asked for, and the domains of e-mail addresses that are let in (none for all).
  ADD COLUMN scopes text,
  ADD COLUMN email_domains text,
  ADD CONSTRAINT identity_provider_protocol_check CHECK (
    CASE protocol
      WHEN 'saml' THEN num_nonnulls(issuer, client_id, client_secret, scopes, email_domains) = 0
      WHEN 'oidc' THEN num_nonnulls(entity_id, certificate, sso_url) = 0 AND num_nulls(scopes, email_domains) = 0
      ELSE false
    END
  );
ALTER TABLE identity_provider ALTER COLUMN protocol DROP DEFAULT;

-- migrate:down
DELETE FROM api_token t USING login_token l JOIN identity_provider p ON p.id = l.provider_id WHERE l.token_id = t.id AND p.protocol <> 'saml';
DELETE FROM identity_provider WHERE protocol <> 'saml';
ALTER TABLE identity_provider
  DROP CONSTRAINT identity_provider_protocol_check,
  DROP COLUMN email_domains,
  DROP COLUMN scopes,
  DROP COLUMN client_secret,
  DROP COLUMN client_id,
  DROP COLUMN issuer,
  DROP COLUMN protocol;

ALTER TABLE login_token RENAME CONSTRAINT login_token_provider_fk TO saml_token_provider_fk;
ALTER TABLE login_token RENAME CONSTRAINT login_token_token_fk TO saml_token_token_fk;
ALTER INDEX login_token_provider_idx RENAME TO saml_token_provider_idx;
ALTER INDEX login_token_pkey RENAME TO saml_token_pkey;
ALTER TABLE login_token RENAME TO saml_token;

ALTER TABLE login_request RENAME CONSTRAINT login_request_provider_fk TO saml_request_provider_fk;
ALTER INDEX login_request_expiry_idx RENAME TO saml_request_expiry_idx;
ALTER INDEX login_request_pkey RENAME TO saml_request_pkey;
ALTER TABLE login_request RENAME TO saml_request;

ALTER TABLE identity_provider RENAME CONSTRAINT identity_provider_team_fk TO saml_provider_team_fk;
ALTER TABLE identity_provider RENAME CONSTRAINT identity_provider_status_check TO saml_provider_status_check;
ALTER TABLE identity_provider RENAME CONSTRAINT identity_provider_organization_fk TO saml_provider_organization_fk;
ALTER INDEX identity_provider_team_idx RENAME TO saml_provider_team_idx;
ALTER INDEX identity_provider_organization_idx RENAME TO saml_provider_organization_idx;
ALTER INDEX identity_provider_pkey RENAME TO saml_provider_pkey;
ALTER TABLE identity_provider RENAME TO saml_provider;
