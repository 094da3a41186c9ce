-- Entries of a site's structure that lead elsewhere, beside sections and groups.

-- migrate:up
CREATE TABLE site_external_link (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL CONSTRAINT site_external_link_site_fk REFERENCES site ON DELETE CASCADE,
  group_id text COLLATE "C",
  title text NOT NULL,
  description text,
  icon text,
  url text NOT NULL,
  condition text,
  draft boolean NOT NULL DEFAULT false,
  position text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_external_link_group_fk FOREIGN KEY (site_id, group_id) REFERENCES site_section_group (site_id, id)
);
CREATE INDEX site_external_link_siblings_idx ON site_external_link (site_id, position, id);
CALL let_touch_sites('site_external_link');

-- migrate:down
DROP TABLE site_external_link;
