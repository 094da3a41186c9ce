-- Roles on sites, in the shapes that those on spaces and collections have.

-- migrate:up
-- The role of one user on sites: administrators of the organization and the creator administer a site, everybody else has
-- their role in the organization, which administers no site, or a higher one that was given on the site.
CREATE FUNCTION site_access(p_user text, p_sites text[])
RETURNS TABLE (site_id text, role access_level) LANGUAGE sql STABLE AS $$
  SELECT s.id,
         CASE WHEN m.role = 'admin' OR s.created_by = p_user THEN 'admin'::access_level
              ELSE greatest(least(m.role, 'create'),
                (SELECT g.role FROM site_member_grant g WHERE g.site_id = s.id AND g.user_id = p_user),
                (SELECT max(g.role) FROM site_team_grant g
                   JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = p_user
                  WHERE g.site_id = s.id)) END
    FROM site s
    JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user AND NOT m.disabled
   WHERE s.id = ANY (p_sites)
$$;

-- The roles of members who have one of their own on a site: those with a grant, alone or by a team, and the creator.
CREATE FUNCTION site_specials(p_site text)
RETURNS TABLE (user_id text, joined_at timestamptz(3), member_role access_level, role access_level) LANGUAGE sql STABLE AS $$
  WITH person AS (
    SELECT g.user_id FROM site_member_grant g WHERE g.site_id = p_site
    UNION
    SELECT t.user_id FROM site_team_grant g JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id WHERE g.site_id = p_site
    UNION
    SELECT s.created_by FROM site s WHERE s.id = p_site)
  SELECT m.user_id, m.joined_at, m.role, a.role
    FROM site s CROSS JOIN person p
    JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p.user_id AND NOT m.disabled
   CROSS JOIN LATERAL site_access(p.user_id, ARRAY[p_site]) a
   WHERE s.id = p_site
$$;

-- Sites have no level of their own.
CREATE FUNCTION site_level(p_site text) RETURNS access_level LANGUAGE sql IMMUTABLE AS $$ SELECT NULL::access_level $$;

-- migrate:down
DROP FUNCTION site_level(text);
DROP FUNCTION site_specials(text);
DROP FUNCTION site_access(text, text[]);
