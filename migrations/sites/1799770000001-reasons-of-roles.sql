-- migrate:up
-- The rules that give one member a role on a collection, a space or a site: `place` is the order of precedence on collections
-- and spaces, 0 first, and rules that stand outside of it (administrators, creators) have none. The functions *_access say which
-- role follows; these say where it comes from. No row for people who are no members.
CREATE FUNCTION collection_reasons(p_user text, p_collection text)
RETURNS TABLE (place integer, rule text, thing text, thing_id text, team_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE me AS (
    SELECT c.organization_id, c.created_by, m.role
      FROM collection c JOIN member m ON m.organization_id = c.organization_id AND m.user_id = p_user AND NOT m.disabled
     WHERE c.id = p_collection
  ),
  up (id, organization_id, parent_id, level, depth) AS (
    SELECT c.id, c.organization_id, c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = p_collection
    UNION ALL
    SELECT c.id, c.organization_id, c.parent_id, c.default_level, up.depth + 1
      FROM up JOIN collection c ON c.organization_id = up.organization_id AND c.id = up.parent_id
  )
  SELECT NULL::integer, 'administrator', 'organization', me.organization_id, NULL::text, me.role FROM me WHERE me.role = 'admin'
  UNION ALL
  SELECT NULL, 'creator', 'collection', p_collection, NULL, greatest(me.role, 'read'::access_level) FROM me WHERE me.created_by = p_user
  UNION ALL
  SELECT 2 * up.depth, 'person', 'collection', up.id, NULL, g.role
    FROM me CROSS JOIN up JOIN collection_member_grant g ON g.organization_id = up.organization_id AND g.collection_id = up.id AND g.user_id = p_user
  UNION ALL
  SELECT 2 * up.depth, 'team', 'collection', up.id, g.team_id, g.role
    FROM me CROSS JOIN up JOIN collection_team_grant g ON g.organization_id = up.organization_id AND g.collection_id = up.id
    JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
  UNION ALL
  SELECT 2 * up.depth + 1, 'level', 'collection', up.id, NULL, level_for(up.level, me.role) FROM me CROSS JOIN up WHERE up.level IS NOT NULL
  UNION ALL
  SELECT 1000000, 'membership', 'organization', me.organization_id, NULL, me.role FROM me
$$;

CREATE FUNCTION space_reasons(p_user text, p_space text)
RETURNS TABLE (place integer, rule text, thing text, thing_id text, team_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH me AS (
    SELECT s.organization_id, s.collection_id, s.created_by, s.default_level AS level, m.role
      FROM space s JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
     WHERE s.id = p_space
  )
  SELECT NULL::integer, 'administrator', 'organization', me.organization_id, NULL::text, me.role FROM me WHERE me.role = 'admin'
  UNION ALL
  SELECT NULL, 'creator', 'space', p_space, NULL, greatest(me.role, 'read'::access_level) FROM me WHERE me.created_by = p_user
  UNION ALL
  SELECT 0, 'person', 'space', p_space, NULL, g.role FROM me JOIN space_member_grant g ON g.space_id = p_space AND g.user_id = p_user
  UNION ALL
  SELECT 0, 'team', 'space', p_space, g.team_id, g.role
    FROM me JOIN space_team_grant g ON g.space_id = p_space
    JOIN team_member t ON t.organization_id = me.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
  UNION ALL
  SELECT 1, 'level', 'space', p_space, NULL, level_for(me.level, me.role) FROM me WHERE me.level IS NOT NULL
  UNION ALL
  SELECT DISTINCT 2, 'person', 'site', g.site_id, NULL, g.role
    FROM me JOIN site_space ss ON ss.space_id = p_space
    JOIN site_member_grant g ON g.organization_id = me.organization_id AND g.site_id = ss.site_id AND g.user_id = p_user
  UNION ALL
  SELECT DISTINCT 2, 'team', 'site', g.site_id, g.team_id, g.role
    FROM me JOIN site_space ss ON ss.space_id = p_space
    JOIN site_team_grant g ON g.organization_id = me.organization_id AND g.site_id = ss.site_id
    JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
  UNION ALL
  SELECT 3 + c.place, c.rule, c.thing, c.thing_id, c.team_id, c.role
    FROM me CROSS JOIN LATERAL collection_reasons(p_user, me.collection_id) c WHERE c.thing = 'collection' AND c.place IS NOT NULL
  UNION ALL
  SELECT 1000000, 'membership', 'organization', me.organization_id, NULL, me.role FROM me
$$;

-- On a site the highest of them counts.
CREATE FUNCTION site_reasons(p_user text, p_site text)
RETURNS TABLE (place integer, rule text, thing text, thing_id text, team_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH me AS (
    SELECT s.organization_id, s.created_by, m.role
      FROM site s JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
     WHERE s.id = p_site
  )
  SELECT NULL::integer, 'administrator', 'organization', me.organization_id, NULL::text, me.role FROM me WHERE me.role = 'admin'
  UNION ALL
  SELECT NULL, 'creator', 'site', p_site, NULL, 'admin' FROM me WHERE me.created_by = p_user
  UNION ALL
  SELECT 0, 'person', 'site', p_site, NULL, g.role
    FROM me JOIN site_member_grant g ON g.organization_id = me.organization_id AND g.site_id = p_site AND g.user_id = p_user
  UNION ALL
  SELECT 0, 'team', 'site', p_site, g.team_id, g.role
    FROM me JOIN site_team_grant g ON g.organization_id = me.organization_id AND g.site_id = p_site
    JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
  UNION ALL
  SELECT 1000000, 'membership', 'organization', me.organization_id, NULL, least(me.role, 'create') FROM me
$$;

-- migrate:down
DROP FUNCTION site_reasons;
DROP FUNCTION space_reasons;
DROP FUNCTION collection_reasons;
