-- People and the tokens that act for them.

-- migrate:up
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  display_name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  photo_url text,
  disabled boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX account_email_key ON account (lower(email));
CREATE INDEX account_name_idx ON account (lower(display_name), id);

-- All parts of three characters of a text, in lower case: what a longer text holds, it holds all parts of.
CREATE FUNCTION trigrams(p_text text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT substr(lower(p_text), at, 3)), '{}') FROM generate_series(1, length(lower(p_text)) - 2) AS at
$$;
CREATE INDEX account_trigrams_idx ON account USING gin ((trigrams(display_name) || trigrams(email)));

CREATE TABLE api_token (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL CONSTRAINT api_token_user_fk REFERENCES account,
  organization_id text COLLATE "C",
  name text NOT NULL,
  hash bytea NOT NULL,
  hint text NOT NULL,
  scopes text[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX api_token_hash_key ON api_token (hash);
CREATE INDEX api_token_user_idx ON api_token (user_id, created_at, id);

ALTER TABLE idempotency ADD CONSTRAINT idempotency_user_fk FOREIGN KEY (user_id) REFERENCES account;

-- migrate:down
ALTER TABLE idempotency DROP CONSTRAINT idempotency_user_fk;
DROP TABLE api_token, account;
DROP FUNCTION trigrams;
