-- Addresses of sites: hostnames of their own, and redirects from where something stood before or is wanted to be found.

-- migrate:up
CREATE UNIQUE INDEX site_hostname_key ON site (hostname) WHERE hostname IS NOT NULL;

-- `path` is the source as it is compared: in lower case, decoded, without slashes at its ends. Those that the service left
-- itself, where something was found before, are `automatic`.
CREATE TABLE site_redirect (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  automatic boolean NOT NULL,
  source text NOT NULL,
  path text COLLATE "C" NOT NULL,
  section_id text COLLATE "C",
  site_space_id text COLLATE "C",
  page_id text COLLATE "C",
  url text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_redirect_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_section_fk FOREIGN KEY (site_id, section_id) REFERENCES site_section (site_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_site_space_fk FOREIGN KEY (site_id, site_space_id) REFERENCES site_space (site_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_destination_check CHECK (num_nonnulls(section_id, site_space_id, url) = 1 AND (page_id IS NULL OR site_space_id IS NOT NULL))
);
CREATE UNIQUE INDEX site_redirect_path_key ON site_redirect (site_id, path) WHERE NOT automatic;
CREATE UNIQUE INDEX site_redirect_former_key ON site_redirect (site_id, path, site_space_id) WHERE automatic;
CREATE INDEX site_redirect_list_idx ON site_redirect (site_id, created_at, id) WHERE NOT automatic;
CREATE INDEX site_redirect_section_idx ON site_redirect (site_id, section_id) WHERE section_id IS NOT NULL;
CREATE INDEX site_redirect_site_space_idx ON site_redirect (site_id, site_space_id) WHERE site_space_id IS NOT NULL;
CALL let_touch_sites('site_redirect');

-- Basenames that sites had, in lower case; a site that has one now goes before.
CREATE TABLE site_former_basename (
  basename text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_former_basename_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX site_former_basename_site_idx ON site_former_basename (organization_id, site_id);

-- Where a site begins: behind a proxy, at a hostname of its own (whose scheme is that of the listener), or on the listener.
CREATE FUNCTION site_root(p_basename text, p_hostname text, p_proxy text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce('https://' || p_proxy, '//' || p_hostname, '/' || p_basename)
$$;

-- As before; `place` is the path below the site, '' at its root.
CREATE OR REPLACE VIEW site_route AS
  SELECT r.site_space_id, r.site_id, r.section_id, r.space_id, r.created_at, r.published, r.visibility, r.is_default,
         r.root || CASE WHEN r.place = '' THEN '' ELSE '/' || r.place END AS path, r.place
    FROM (
      SELECT ss.id AS site_space_id, ss.site_id, ss.section_id, ss.space_id, ss.created_at, site.published, site.visibility,
             ss.id = home.id AS is_default,
             site_root(site.basename, site.hostname, site.proxy) AS root,
             concat_ws('/',
               CASE WHEN ss.section_id = (SELECT front.section_id FROM site_front front WHERE front.site_id = ss.site_id) THEN NULL ELSE section.path END,
               CASE WHEN ss.id = home.id THEN NULL ELSE ss.path END) AS place
        FROM site_space ss
        JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
        JOIN site ON site.id = ss.site_id
        LEFT JOIN site_section section ON section.id = ss.section_id
        CROSS JOIN LATERAL (SELECT coalesce(
          (SELECT chosen.id
             FROM site_space chosen JOIN space kept ON kept.id = chosen.space_id AND kept.deleted_at IS NULL
            WHERE chosen.id = CASE WHEN ss.section_id IS NULL THEN site.default_site_space_id ELSE section.default_site_space_id END
              AND chosen.site_id = ss.site_id AND coalesce(chosen.section_id, '') = coalesce(ss.section_id, '')),
          (SELECT sibling.id
             FROM site_space sibling JOIN space kept ON kept.id = sibling.space_id AND kept.deleted_at IS NULL
            WHERE sibling.site_id = ss.site_id AND coalesce(sibling.section_id, '') = coalesce(ss.section_id, '')
            ORDER BY sibling.position, sibling.id
            LIMIT 1)) AS id) home) r;

-- migrate:down
DROP VIEW site_route;
CREATE VIEW site_route AS
  SELECT ss.id AS site_space_id, ss.site_id, ss.section_id, ss.space_id, ss.created_at, site.published, site.visibility,
         ss.id = home.id AS is_default,
         '/' || site.basename
           || CASE WHEN ss.section_id IS NULL OR ss.section_id = (SELECT front.section_id FROM site_front front WHERE front.site_id = ss.site_id)
                   THEN '' ELSE '/' || section.path END
           || CASE WHEN ss.id = home.id THEN '' ELSE '/' || ss.path END AS path
    FROM site_space ss
    JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
    JOIN site ON site.id = ss.site_id
    LEFT JOIN site_section section ON section.id = ss.section_id
    CROSS JOIN LATERAL (SELECT coalesce(
      (SELECT chosen.id
         FROM site_space chosen JOIN space kept ON kept.id = chosen.space_id AND kept.deleted_at IS NULL
        WHERE chosen.id = CASE WHEN ss.section_id IS NULL THEN site.default_site_space_id ELSE section.default_site_space_id END
          AND chosen.site_id = ss.site_id AND coalesce(chosen.section_id, '') = coalesce(ss.section_id, '')),
      (SELECT sibling.id
         FROM site_space sibling JOIN space kept ON kept.id = sibling.space_id AND kept.deleted_at IS NULL
        WHERE sibling.site_id = ss.site_id AND coalesce(sibling.section_id, '') = coalesce(ss.section_id, '')
        ORDER BY sibling.position, sibling.id
        LIMIT 1)) AS id) home;
DROP FUNCTION site_root(text, text, text);
DROP TABLE site_former_basename;
DROP TABLE site_redirect;
DROP INDEX site_hostname_key;
