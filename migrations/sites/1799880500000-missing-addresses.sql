-- Addresses of published sites at which readers found no page, by day. Nothing in it tells who they are.

-- migrate:up
CREATE TABLE site_missing_address (
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  -- Below the site, with a slash at its beginning.
  path text COLLATE "C" NOT NULL,
  requests integer NOT NULL,
  -- The page that the last reader came from who told of one.
  referrer text,
  last_asked_at timestamptz(3) NOT NULL,
  CONSTRAINT site_missing_address_pkey PRIMARY KEY (organization_id, site_id, day, path),
  CONSTRAINT site_missing_address_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
-- Days come in their order.
CREATE INDEX site_missing_address_age_idx ON site_missing_address USING brin (day) WITH (autosummarize = on);

-- migrate:down
DROP TABLE site_missing_address;
