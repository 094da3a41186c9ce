-- Sections, groups of sections and site spaces that are drafts: no reader finds them, nor what is in them.

-- migrate:up
ALTER TABLE site_section_group ADD COLUMN draft boolean NOT NULL DEFAULT false;
ALTER TABLE site_section ADD COLUMN draft boolean NOT NULL DEFAULT false;
ALTER TABLE site_space ADD COLUMN draft boolean NOT NULL DEFAULT false;

-- Tells whether a group of a site is a draft or is in one.
CREATE FUNCTION is_in_draft_group(p_site text, p_group text) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT g.parent_id, g.draft FROM site_section_group g WHERE g.site_id = p_site AND g.id = p_group
    UNION ALL
    SELECT g.parent_id, g.draft FROM up JOIN site_section_group g ON g.site_id = p_site AND g.id = up.parent_id)
  SELECT coalesce(bool_or(up.draft), false) FROM up
$$;

-- As before, without sections and site spaces that are drafts.
CREATE OR REPLACE VIEW site_front AS
  SELECT site.id AS site_id,
         coalesce(
           (SELECT section.id
              FROM site_section section
             WHERE section.site_id = site.id AND section.id = site.default_section_id AND NOT section.draft
               AND CASE WHEN section.group_id IS NULL THEN true ELSE NOT is_in_draft_group(site.id, section.group_id) END
               AND EXISTS (SELECT FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
                            WHERE ss.site_id = site.id AND coalesce(ss.section_id, '') = section.id AND NOT ss.draft)),
           (SELECT section.id
              FROM site_section section
             WHERE section.site_id = site.id AND NOT section.draft
               AND CASE WHEN section.group_id IS NULL THEN true ELSE NOT is_in_draft_group(site.id, section.group_id) END
               AND EXISTS (SELECT FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
                            WHERE ss.site_id = site.id AND coalesce(ss.section_id, '') = section.id AND NOT ss.draft)
             ORDER BY section.position, section.id
             LIMIT 1)) AS section_id
    FROM site;

CREATE OR REPLACE VIEW site_route AS
  SELECT ss.id AS site_space_id, ss.site_id, ss.section_id, ss.space_id, ss.created_at, site.published, site.visibility,
         ss.id = home.id AS is_default,
         concat_ws('/', site_root(site.basename, site.hostname, site.proxy), nullif(way.place, '')) AS path, way.place
    FROM site_space ss
    JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
    JOIN site ON site.id = ss.site_id
    LEFT JOIN site_section section ON section.id = ss.section_id
    -- OFFSET 0: each is found once for a row, not once for every column that needs it.
    CROSS JOIN LATERAL (SELECT coalesce(
      (SELECT chosen.id
         FROM site_space chosen JOIN space kept ON kept.id = chosen.space_id AND kept.deleted_at IS NULL
        WHERE chosen.id = CASE WHEN ss.section_id IS NULL THEN site.default_site_space_id ELSE section.default_site_space_id END
          AND chosen.site_id = ss.site_id AND chosen.section_id IS NOT DISTINCT FROM ss.section_id AND NOT chosen.draft),
      (SELECT sibling.id
         FROM site_space sibling JOIN space kept ON kept.id = sibling.space_id AND kept.deleted_at IS NULL
        WHERE sibling.site_id = ss.site_id AND coalesce(sibling.section_id, '') = coalesce(ss.section_id, '') AND NOT sibling.draft
        ORDER BY sibling.position, sibling.id
        LIMIT 1)) AS id OFFSET 0) home
    CROSS JOIN LATERAL (SELECT concat_ws('/',
      CASE WHEN ss.section_id = (SELECT front.section_id FROM site_front front WHERE front.site_id = ss.site_id) THEN NULL ELSE section.path END,
      CASE WHEN ss.id = home.id THEN NULL ELSE ss.path END) AS place OFFSET 0) way
   WHERE NOT ss.draft AND section.draft IS NOT TRUE
     AND CASE WHEN section.group_id IS NULL THEN true ELSE NOT is_in_draft_group(ss.site_id, section.group_id) END;

-- migrate:down
-- Earlier versions would serve drafts, so none is left.
DELETE FROM site_space WHERE draft OR section_id IN (
  SELECT id FROM site_section WHERE draft OR (group_id IS NOT NULL AND is_in_draft_group(site_id, group_id)));
CREATE OR REPLACE VIEW site_front AS
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

CREATE OR REPLACE VIEW site_route AS
  SELECT ss.id AS site_space_id, ss.site_id, ss.section_id, ss.space_id, ss.created_at, site.published, site.visibility,
         ss.id = home.id AS is_default,
         concat_ws('/', site_root(site.basename, site.hostname, site.proxy), nullif(way.place, '')) AS path, way.place
    FROM site_space ss
    JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
    JOIN site ON site.id = ss.site_id
    LEFT JOIN site_section section ON section.id = ss.section_id
    -- OFFSET 0: each is found once for a row, not once for every column that needs it.
    CROSS JOIN LATERAL (SELECT coalesce(
      (SELECT chosen.id
         FROM site_space chosen JOIN space kept ON kept.id = chosen.space_id AND kept.deleted_at IS NULL
        WHERE chosen.id = CASE WHEN ss.section_id IS NULL THEN site.default_site_space_id ELSE section.default_site_space_id END
          AND chosen.site_id = ss.site_id AND chosen.section_id IS NOT DISTINCT FROM ss.section_id),
      (SELECT sibling.id
         FROM site_space sibling JOIN space kept ON kept.id = sibling.space_id AND kept.deleted_at IS NULL
        WHERE sibling.site_id = ss.site_id AND coalesce(sibling.section_id, '') = coalesce(ss.section_id, '')
        ORDER BY sibling.position, sibling.id
        LIMIT 1)) AS id OFFSET 0) home
    CROSS JOIN LATERAL (SELECT concat_ws('/',
      CASE WHEN ss.section_id = (SELECT front.section_id FROM site_front front WHERE front.site_id = ss.site_id) THEN NULL ELSE section.path END,
      CASE WHEN ss.id = home.id THEN NULL ELSE ss.path END) AS place OFFSET 0) way;
DROP FUNCTION is_in_draft_group(text, text);
ALTER TABLE site_section_group DROP COLUMN draft;
ALTER TABLE site_section DROP COLUMN draft;
ALTER TABLE site_space DROP COLUMN draft;
