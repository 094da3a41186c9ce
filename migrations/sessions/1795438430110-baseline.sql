-- Sessions of browsers, and the links by which people sign in.

-- migrate:up
CREATE TABLE browser_session (
  token_id text COLLATE "C" PRIMARY KEY CONSTRAINT browser_session_token_fk REFERENCES api_token ON DELETE CASCADE,
  method text NOT NULL CONSTRAINT browser_session_method_check CHECK (method IN ('link', 'sso', 'invitation')),
  user_agent text,
  ip text
);

CREATE TABLE sign_in_link (
  hash bytea PRIMARY KEY,
  email text NOT NULL,
  -- Nobody yet for an address without an account, which an invite link admits.
  user_id text COLLATE "C" CONSTRAINT sign_in_link_user_fk REFERENCES account,
  -- Set for links that administrators made: their sessions act in this organization only, and end with the membership.
  organization_id text COLLATE "C",
  -- The invite link by which an address without an account joins.
  invite_id text COLLATE "C",
  mailed boolean NOT NULL,
  return_to text,
  -- The end of the token that made the link.
  session_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_link_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE,
  CONSTRAINT sign_in_link_person_check CHECK (user_id IS NOT NULL OR invite_id IS NOT NULL)
);
CREATE INDEX sign_in_link_email_idx ON sign_in_link (lower(email), created_at);
CREATE INDEX sign_in_link_expiry_idx ON sign_in_link (expires_at);
CREATE INDEX sign_in_link_member_idx ON sign_in_link (organization_id, user_id);
CREATE INDEX sign_in_link_user_idx ON sign_in_link (user_id);

-- migrate:down
DROP TABLE sign_in_link, browser_session;
