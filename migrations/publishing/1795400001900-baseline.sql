-- Who sees published sites, and as whom.

-- migrate:up
CREATE TABLE site_adaptive_schema (
  site_id text COLLATE "C" PRIMARY KEY CONSTRAINT site_adaptive_schema_site_fk REFERENCES site ON DELETE CASCADE,
  -- As it was written: json keeps the order of properties.
  json_schema json NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL
);

-- The key that visitors' tokens are signed with; its generation counts how often it was replaced.
CREATE TABLE site_publishing_auth (
  site_id text COLLATE "C" PRIMARY KEY CONSTRAINT site_publishing_auth_site_fk REFERENCES site ON DELETE CASCADE,
  key_sealed sealed NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  fallback_url text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL
);

CALL let_touch_sites('site_adaptive_schema');
CALL let_touch_sites('site_publishing_auth');

-- migrate:down
DROP TABLE site_publishing_auth, site_adaptive_schema;
