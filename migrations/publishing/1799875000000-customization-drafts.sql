-- Looks of sites that people try before they save them. Only the person who tries one sees it.

-- migrate:up
CREATE TABLE customization_draft (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  -- The site space whose overrides these are; null for the settings of the site.
  site_space_id text COLLATE "C",
  settings jsonb NOT NULL,
  -- Another one with each change: pages that were made of a draft are kept by it.
  version text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT customization_draft_pkey PRIMARY KEY (organization_id, user_id, site_id),
  CONSTRAINT customization_draft_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT customization_draft_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX customization_draft_site_idx ON customization_draft (organization_id, site_id);

-- migrate:down
DROP TABLE customization_draft;
