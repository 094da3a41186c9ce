-- migrate:up
-- The spaces of an organization that some of its members see otherwise than by the role in the organization: for guests those
-- that they can see, for everybody else those that they cannot. All of the members are asked at once, because a list shows many
-- of whom hardly any has an exception. Whatever could make a difference is found by index for each thing found (OFFSET
-- keeps it so: the planner would take the few collections above for many and read all spaces of the organization), so this
-- costs the members' exceptions and not the organization's spaces. No row for people who are no members.
CREATE FUNCTION exceptional_spaces_of(p_users text[], p_organization text)
RETURNS TABLE (user_id text, space_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE me AS MATERIALIZED (
    SELECT m.user_id, m.role = 'none' AS guest FROM member m
     WHERE m.organization_id = p_organization AND m.user_id = ANY (p_users) AND NOT m.disabled AND m.role < 'admin'
  ),
  mine AS MATERIALIZED (
    SELECT me.user_id, me.guest, t.team_id FROM me
     CROSS JOIN LATERAL (SELECT i.team_id FROM team_member i WHERE i.organization_id = p_organization AND i.user_id = me.user_id OFFSET 0) t
  ),
  below (user_id, id) AS (
    SELECT told.user_id, told.id FROM (
      SELECT me.user_id, c.id FROM me CROSS JOIN collection c
       WHERE NOT me.guest AND c.organization_id = p_organization AND c.default_level = 'none'
      UNION
      SELECT me.user_id, g.id FROM me
       CROSS JOIN LATERAL (SELECT i.collection_id AS id FROM collection_member_grant i
         WHERE i.organization_id = p_organization AND i.user_id = me.user_id AND (i.role > 'none') = me.guest OFFSET 0) g
      UNION
      SELECT mine.user_id, g.id FROM mine
       CROSS JOIN LATERAL (SELECT i.collection_id AS id FROM collection_team_grant i
         WHERE i.organization_id = p_organization AND i.team_id = mine.team_id AND (i.role > 'none') = mine.guest OFFSET 0) g) told
    UNION
    SELECT below.user_id, c.id FROM below CROSS JOIN LATERAL (SELECT i.id FROM collection i WHERE i.parent_id = below.id OFFSET 0) c
  ),
  candidate (user_id, id) AS (
    SELECT me.user_id, s.id FROM me CROSS JOIN space s
     WHERE NOT me.guest AND s.organization_id = p_organization AND s.default_level = 'none'
    UNION
    SELECT below.user_id, s.id FROM below
     CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.organization_id = p_organization AND i.collection_id = below.id OFFSET 0) s
    UNION
    SELECT me.user_id, g.id FROM me
     CROSS JOIN LATERAL (SELECT i.space_id AS id FROM space_member_grant i
       WHERE i.user_id = me.user_id AND (i.role > 'none') = me.guest OFFSET 0) g
    UNION
    SELECT mine.user_id, g.id FROM mine
     CROSS JOIN LATERAL (SELECT i.space_id AS id FROM space_team_grant i
       WHERE i.team_id = mine.team_id AND (i.role > 'none') = mine.guest OFFSET 0) g
    UNION
    SELECT me.user_id, g.id FROM me
     CROSS JOIN LATERAL (SELECT ss.space_id AS id FROM site_member_grant i JOIN site_space ss ON ss.site_id = i.site_id
       WHERE i.organization_id = p_organization AND i.user_id = me.user_id AND (i.role > 'none') = me.guest OFFSET 0) g
    UNION
    SELECT mine.user_id, g.id FROM mine
     CROSS JOIN LATERAL (SELECT ss.space_id AS id FROM site_team_grant i JOIN site_space ss ON ss.site_id = i.site_id
       WHERE i.organization_id = p_organization AND i.team_id = mine.team_id AND (i.role > 'none') = mine.guest OFFSET 0) g
    UNION
    SELECT me.user_id, s.id FROM me
     CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE me.guest AND i.organization_id = p_organization AND i.created_by = me.user_id OFFSET 0) s
  )
  SELECT me.user_id, s.id, a.role
    FROM (SELECT c.user_id, array_agg(c.id) AS ids FROM candidate c GROUP BY c.user_id) found
    JOIN me ON me.user_id = found.user_id
   CROSS JOIN LATERAL space_access(found.user_id, found.ids) a
   CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.id = a.space_id AND i.organization_id = p_organization AND i.deleted_at IS NULL OFFSET 0) s
   WHERE (a.role > 'none') = me.guest
$$;

-- The same for one member.
CREATE OR REPLACE FUNCTION exceptional_spaces(p_user text, p_organization text)
RETURNS TABLE (space_id text, role access_level) LANGUAGE sql STABLE AS $$
  SELECT e.space_id, e.role FROM exceptional_spaces_of(ARRAY[p_user], p_organization) e
$$;

-- migrate:down
CREATE OR REPLACE FUNCTION exceptional_spaces(p_user text, p_organization text)
RETURNS TABLE (space_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE me AS (
    SELECT m.role = 'none' AS guest FROM member m WHERE m.organization_id = p_organization AND m.user_id = p_user AND NOT m.disabled AND m.role < 'admin'
  ),
  mine AS (SELECT t.team_id FROM team_member t WHERE t.organization_id = p_organization AND t.user_id = p_user),
  below (id) AS (
    SELECT told.id FROM (
      SELECT c.id FROM collection c, me WHERE c.organization_id = p_organization AND c.default_level = 'none' AND NOT me.guest
      UNION
      SELECT g.collection_id FROM collection_member_grant g, me
       WHERE g.organization_id = p_organization AND g.user_id = p_user AND (g.role > 'none') = me.guest
      UNION
      SELECT g.collection_id FROM collection_team_grant g JOIN mine USING (team_id), me
       WHERE g.organization_id = p_organization AND (g.role > 'none') = me.guest) told
    UNION
    SELECT c.id FROM below CROSS JOIN LATERAL (SELECT i.id FROM collection i WHERE i.parent_id = below.id OFFSET 0) c
  ),
  candidate AS (
    SELECT s.id FROM space s, me WHERE s.organization_id = p_organization AND s.default_level = 'none' AND NOT me.guest
    UNION
    SELECT s.id FROM below CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.organization_id = p_organization AND i.collection_id = below.id OFFSET 0) s
    UNION
    SELECT g.space_id FROM space_member_grant g, me WHERE g.user_id = p_user AND (g.role > 'none') = me.guest
    UNION
    SELECT g.space_id FROM space_team_grant g JOIN mine USING (team_id), me WHERE (g.role > 'none') = me.guest
    UNION
    SELECT ss.space_id FROM site_member_grant g JOIN site_space ss ON ss.site_id = g.site_id, me
     WHERE g.organization_id = p_organization AND g.user_id = p_user AND (g.role > 'none') = me.guest
    UNION
    SELECT ss.space_id FROM site_team_grant g JOIN mine USING (team_id) JOIN site_space ss ON ss.site_id = g.site_id, me
     WHERE g.organization_id = p_organization AND (g.role > 'none') = me.guest
    UNION
    SELECT s.id FROM space s, me WHERE me.guest AND s.organization_id = p_organization AND s.created_by = p_user
  )
  SELECT s.id, a.role
    FROM me, space_access(p_user, ARRAY(SELECT id FROM candidate)) a
   CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.id = a.space_id AND i.organization_id = p_organization AND i.deleted_at IS NULL OFFSET 0) s
   WHERE (a.role > 'none') = me.guest
$$;
DROP FUNCTION exceptional_spaces_of;
