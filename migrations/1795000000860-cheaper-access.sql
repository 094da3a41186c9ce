-- The role of one user on spaces, as before, in a plan that takes half the time for one space: each rule stands in it once, and
-- is not asked where an earlier one has answered.

-- migrate:up
CREATE OR REPLACE FUNCTION space_access(p_user text, p_spaces text[])
RETURNS TABLE (space_id text, role access_level) LANGUAGE sql STABLE AS $$
  -- OFFSET: conditions on the role would else each compute it again.
  SELECT s.id,
         CASE WHEN m.role = 'admin' THEN m.role
              ELSE greatest(
                coalesce(
                  (SELECT g.role FROM space_member_grant g WHERE g.space_id = s.id AND g.user_id = p_user),
                  (SELECT max(g.role) FROM space_team_grant g
                     JOIN team_member tm ON tm.team_id = g.team_id AND tm.user_id = p_user
                    WHERE g.space_id = s.id),
                  level_for(s.default_level, m.role),
                  (SELECT max(coalesce(
                      (SELECT g.role FROM site_member_grant g WHERE g.site_id = ss.site_id AND g.user_id = p_user),
                      (SELECT max(g.role) FROM site_team_grant g
                         JOIN team_member tm ON tm.organization_id = g.organization_id AND tm.team_id = g.team_id AND tm.user_id = p_user
                        WHERE g.site_id = ss.site_id)))
                     FROM site_space ss WHERE ss.space_id = s.id),
                  (WITH RECURSIVE up AS (
                     SELECT c.id, c.parent_id, c.default_level, 0 AS depth FROM collection c WHERE c.id = s.collection_id
                     UNION ALL
                     SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id)
                   SELECT own.level
                     FROM up CROSS JOIN LATERAL (SELECT coalesce(
                       (SELECT g.role FROM collection_member_grant g WHERE g.collection_id = up.id AND g.user_id = p_user),
                       (SELECT max(g.role) FROM collection_team_grant g
                          JOIN team_member tm ON tm.organization_id = g.organization_id AND tm.team_id = g.team_id AND tm.user_id = p_user
                         WHERE g.collection_id = up.id),
                       level_for(up.default_level, m.role)) AS level OFFSET 0) own
                    WHERE own.level IS NOT NULL ORDER BY up.depth LIMIT 1),
                  m.role),
                CASE WHEN s.created_by = p_user THEN greatest(m.role, 'read') END) END
    FROM space s
    JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
   WHERE s.id = ANY (p_spaces) OFFSET 0
$$;

-- migrate:down
CREATE OR REPLACE FUNCTION space_access(p_user text, p_spaces text[])
RETURNS TABLE (space_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE target AS (
    SELECT s.id, s.organization_id, s.collection_id, s.default_level, s.created_by, m.role AS member_role
      FROM space s
      JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
     WHERE s.id = ANY (p_spaces)
  ),
  up (start, id, organization_id, parent_id, default_level, depth) AS (
    SELECT c.id, c.id, c.organization_id, c.parent_id, c.default_level, 0
      FROM collection c WHERE c.id IN (SELECT collection_id FROM target)
    UNION ALL
    SELECT up.start, c.id, c.organization_id, c.parent_id, c.default_level, up.depth + 1
      FROM up JOIN collection c ON c.id = up.parent_id
  ),
  inherited (start, level) AS (
    SELECT DISTINCT ON (up.start) up.start, own.level
      FROM up CROSS JOIN LATERAL (SELECT coalesce(
        (SELECT g.role FROM collection_member_grant g WHERE g.collection_id = up.id AND g.user_id = p_user),
        (SELECT max(g.role) FROM collection_team_grant g
           JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
          WHERE g.collection_id = up.id),
        level_for(up.default_level, (SELECT m.role FROM member m WHERE m.organization_id = up.organization_id AND m.user_id = p_user))) AS level) own
     WHERE own.level IS NOT NULL
     ORDER BY up.start, up.depth
  )
  SELECT t.id,
         CASE WHEN t.member_role = 'admin' THEN t.member_role
              WHEN t.created_by = p_user THEN greatest(level.role, t.member_role, 'read'::access_level)
              ELSE level.role END
    FROM target t
    LEFT JOIN inherited i ON i.start = t.collection_id
    CROSS JOIN LATERAL (SELECT coalesce(
      (SELECT g.role FROM space_member_grant g WHERE g.space_id = t.id AND g.user_id = p_user),
      (SELECT max(g.role) FROM space_team_grant g
         JOIN team_member tm ON tm.team_id = g.team_id AND tm.user_id = p_user
        WHERE g.space_id = t.id),
      level_for(t.default_level, t.member_role),
      (SELECT max(coalesce(
          (SELECT g.role FROM site_member_grant g WHERE g.site_id = ss.site_id AND g.user_id = p_user),
          (SELECT max(g.role) FROM site_team_grant g
             JOIN team_member tm ON tm.organization_id = g.organization_id AND tm.team_id = g.team_id AND tm.user_id = p_user
            WHERE g.site_id = ss.site_id)))
         FROM site_space ss WHERE ss.space_id = t.id),
      i.level,
      t.member_role) AS role) level
$$;
