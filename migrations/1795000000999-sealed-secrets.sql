-- Secrets that are encrypted with a key of SECRET_KEY are found by the type of their columns, so that a new key reaches all of them.

-- migrate:up
CREATE DOMAIN sealed AS bytea;
COMMENT ON DOMAIN sealed IS 'A text encrypted with one of the keys of SECRET_KEY, for as long as its row lives; every table with such a column has a primary key of one text column';

ALTER TABLE invite_link ALTER COLUMN sealed TYPE sealed;
ALTER TABLE invitation ALTER COLUMN sealed TYPE sealed;
ALTER TABLE import_run ALTER COLUMN secret TYPE sealed;
ALTER TABLE webhook ALTER COLUMN secret TYPE sealed, ALTER COLUMN previous_secret TYPE sealed;
ALTER TABLE site_share_link ALTER COLUMN key_sealed TYPE sealed;
ALTER TABLE site_publishing_auth ALTER COLUMN key_sealed TYPE sealed;

-- When a server last encrypted and signed with a key, and since when no column has a value of it. The empty id stands for values
-- from before keys had ids. Keys themselves are never stored.
CREATE TABLE sealing_key (
  id text COLLATE "C" PRIMARY KEY,
  current_at timestamptz(3) NOT NULL,
  free_at timestamptz(3)
);
INSERT INTO sealing_key (id, current_at) VALUES ('', now());

-- migrate:down
DROP TABLE sealing_key;
ALTER TABLE invite_link ALTER COLUMN sealed TYPE bytea;
ALTER TABLE invitation ALTER COLUMN sealed TYPE bytea;
ALTER TABLE import_run ALTER COLUMN secret TYPE bytea;
ALTER TABLE webhook ALTER COLUMN secret TYPE bytea, ALTER COLUMN previous_secret TYPE bytea;
ALTER TABLE site_share_link ALTER COLUMN key_sealed TYPE bytea;
ALTER TABLE site_publishing_auth ALTER COLUMN key_sealed TYPE bytea;
DROP DOMAIN sealed;
