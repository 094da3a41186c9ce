-- migrate:up
ALTER TABLE site_member_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT site_member_grant_custom_role_fk FOREIGN KEY (organization_id, custom_role_id, role)
    REFERENCES custom_role (organization_id, id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX site_member_grant_custom_role_idx ON site_member_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

ALTER TABLE site_team_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT site_team_grant_custom_role_fk FOREIGN KEY (organization_id, custom_role_id, role)
    REFERENCES custom_role (organization_id, id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX site_team_grant_custom_role_idx ON site_team_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

-- The permissions that custom roles add to the role of a user on a site: those of every role that site_access compares.
CREATE FUNCTION site_additions(p_user text, p_site text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT DISTINCT added.permission FROM custom_role r CROSS JOIN unnest(r.permissions) AS added (permission) WHERE r.id IN (
    SELECT m.custom_role_id FROM site s JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled WHERE s.id = p_site
    UNION ALL
    SELECT g.custom_role_id FROM site_member_grant g WHERE g.site_id = p_site AND g.user_id = p_user
    UNION ALL
    SELECT g.custom_role_id FROM site_team_grant g
      JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
     WHERE g.site_id = p_site))
$$;

-- The same for a space. It walks the order of precedence of space_access: the first that decides the role decides these as well.
-- A level that a space or collection has itself adds nothing; where several grants decide together, all of them add.
CREATE FUNCTION space_additions(p_user text, p_space text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT DISTINCT added.permission FROM custom_role r CROSS JOIN unnest(r.permissions) AS added (permission) WHERE r.id = ANY (given.roles))
    FROM space s
    JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
   CROSS JOIN LATERAL (SELECT coalesce(
       (SELECT ARRAY[g.custom_role_id] FROM space_member_grant g WHERE g.space_id = s.id AND g.user_id = p_user),
       (SELECT array_agg(g.custom_role_id) FROM space_team_grant g
          JOIN team_member tm ON tm.team_id = g.team_id AND tm.user_id = p_user
         WHERE g.space_id = s.id),
       CASE WHEN s.default_level IS NOT NULL THEN '{}'::text[] END,
       (SELECT array_agg(own.role) FROM site_space ss CROSS JOIN LATERAL unnest(coalesce(
           (SELECT ARRAY[g.custom_role_id] FROM site_member_grant g WHERE g.site_id = ss.site_id AND g.user_id = p_user),
           (SELECT array_agg(g.custom_role_id) FROM site_team_grant g
              JOIN team_member tm ON tm.organization_id = g.organization_id AND tm.team_id = g.team_id AND tm.user_id = p_user
             WHERE g.site_id = ss.site_id))) AS own (role)
         WHERE ss.space_id = s.id),
       (WITH RECURSIVE up AS (
          SELECT c.id, c.parent_id, c.default_level, 0 AS depth FROM collection c WHERE c.id = s.collection_id
          UNION ALL
          SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id)
        SELECT own.roles
          FROM up CROSS JOIN LATERAL (SELECT coalesce(
            (SELECT ARRAY[g.custom_role_id] FROM collection_member_grant g WHERE g.collection_id = up.id AND g.user_id = p_user),
            (SELECT array_agg(g.custom_role_id) FROM collection_team_grant g
               JOIN team_member tm ON tm.organization_id = g.organization_id AND tm.team_id = g.team_id AND tm.user_id = p_user
              WHERE g.collection_id = up.id),
            CASE WHEN up.default_level IS NOT NULL THEN '{}'::text[] END) AS roles) own
         WHERE own.roles IS NOT NULL ORDER BY up.depth LIMIT 1),
       ARRAY[m.custom_role_id])
     || CASE WHEN s.created_by = p_user THEN ARRAY[m.custom_role_id] END AS roles) given
   WHERE s.id = p_space
$$;

-- migrate:down
DROP FUNCTION space_additions;
DROP FUNCTION site_additions;
ALTER TABLE site_team_grant DROP COLUMN custom_role_id;
ALTER TABLE site_member_grant DROP COLUMN custom_role_id;
