-- Where a site's spaces are served: paths that cannot collide, and the addresses that follow from the defaults.

-- migrate:up
CREATE INDEX site_organization_idx ON site (organization_id, created_at, id);
CREATE INDEX site_section_siblings_idx ON site_section (site_id, position, id);
CREATE INDEX site_section_group_siblings_idx ON site_section_group (site_id, position, id);
CREATE UNIQUE INDEX site_space_path_key ON site_space (site_id, coalesce(section_id, ''), lower(path));

-- The lists of site spaces as the views below walk them: the root's null section as ''.
CREATE INDEX site_space_order_idx ON site_space (site_id, coalesce(section_id, ''), position, id);

-- The section at the root of each site: the chosen one, or while all of its spaces are in the trash
-- the first that has something to show. Usually one lookup: the walk is for the exception.
CREATE VIEW site_front AS
  SELECT site.id AS site_id,
         coalesce(
           (SELECT ss.section_id
              FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
             WHERE ss.site_id = site.id AND coalesce(ss.section_id, '') = site.default_section_id
             LIMIT 1),
           (SELECT section.id
              FROM site_section section
             WHERE section.site_id = site.id
               AND EXISTS (SELECT FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
                            WHERE ss.site_id = site.id AND coalesce(ss.section_id, '') = section.id)
             ORDER BY section.position, section.id
             LIMIT 1)) AS section_id
    FROM site;

-- Every site space that can be served, with its path on the public listener. Defaults have no slug of
-- their own; spaces in the trash give no row, and the first in order stands in for a default there.
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

-- migrate:down
DROP VIEW site_route;
DROP VIEW site_front;
DROP INDEX site_space_order_idx;
DROP INDEX site_space_path_key;
DROP INDEX site_section_group_siblings_idx;
DROP INDEX site_section_siblings_idx;
DROP INDEX site_organization_idx;
