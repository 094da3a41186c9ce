-- Roles on spaces and collections, and what follows from those on collections. What follows for spaces stands with sites, whose
-- roles count for their spaces, too.

-- migrate:up
CREATE TABLE space_member_grant (
  space_id text COLLATE "C" NOT NULL CONSTRAINT space_member_grant_space_fk REFERENCES space,
  user_id text COLLATE "C" NOT NULL CONSTRAINT space_member_grant_user_fk REFERENCES account,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, user_id)
);
CREATE INDEX space_member_grant_user_idx ON space_member_grant (user_id);

CREATE TABLE space_team_grant (
  space_id text COLLATE "C" NOT NULL CONSTRAINT space_team_grant_space_fk REFERENCES space,
  team_id text COLLATE "C" NOT NULL CONSTRAINT space_team_grant_team_fk REFERENCES team ON DELETE CASCADE,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, team_id)
);
CREATE INDEX space_team_grant_team_idx ON space_team_grant (team_id);

CREATE TABLE collection_member_grant (
  organization_id text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (collection_id, user_id),
  CONSTRAINT collection_member_grant_collection_fk FOREIGN KEY (organization_id, collection_id) REFERENCES collection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT collection_member_grant_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX collection_member_grant_user_idx ON collection_member_grant (organization_id, user_id);

CREATE TABLE collection_team_grant (
  organization_id text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (collection_id, team_id),
  CONSTRAINT collection_team_grant_collection_fk FOREIGN KEY (organization_id, collection_id) REFERENCES collection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT collection_team_grant_team_fk FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX collection_team_grant_team_idx ON collection_team_grant (organization_id, team_id);

-- The effective role of one user on collections: own grant before team grants before the
-- collection's own level, nearest collection first, the organization role last.
CREATE FUNCTION collection_access(p_user text, p_collections text[])
RETURNS TABLE (collection_id text, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (start, id, organization_id, parent_id, default_level, depth) AS (
    SELECT c.id, c.id, c.organization_id, c.parent_id, c.default_level, 0
      FROM collection c WHERE c.id = ANY (p_collections)
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
  SELECT c.id,
         CASE WHEN m.role = 'admin' THEN m.role
              WHEN c.created_by = p_user THEN greatest(coalesce(i.level, m.role), m.role, 'read'::access_level)
              ELSE coalesce(i.level, m.role) END
    FROM collection c
    JOIN member m ON m.organization_id = c.organization_id AND m.user_id = p_user AND NOT m.disabled
    LEFT JOIN inherited i ON i.start = c.id
   WHERE c.id = ANY (p_collections)
$$;

-- The effective roles of members who have one of their own on a collection: those with a grant on the way up, alone or by a
-- team, and creators. All at once: each grant has its place in the order of precedence, each level too.
CREATE FUNCTION collection_specials(p_collection text)
RETURNS TABLE (user_id text, joined_at timestamptz(3), member_role access_level, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (id, parent_id, level, depth) AS (
    SELECT c.id, c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = p_collection
    UNION ALL
    SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  ),
  given (user_id, place, role) AS (
    SELECT g.user_id, 3 * up.depth, g.role FROM up JOIN collection_member_grant g ON g.collection_id = up.id
    UNION ALL
    SELECT t.user_id, 3 * up.depth + 1, max(g.role) FROM up JOIN collection_team_grant g ON g.collection_id = up.id
      JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id GROUP BY t.user_id, up.depth
  ),
  best AS (SELECT DISTINCT ON (g.user_id) g.user_id, g.place, g.role FROM given g ORDER BY g.user_id, g.place),
  base AS (SELECT 3 * up.depth + 2 AS place, up.level FROM up WHERE up.level IS NOT NULL ORDER BY up.depth LIMIT 1),
  person AS (SELECT b.user_id FROM best b UNION SELECT c.created_by FROM collection c WHERE c.id = p_collection)
  SELECT m.user_id, m.joined_at, m.role,
         CASE WHEN m.role = 'admin' THEN m.role WHEN m.user_id = c.created_by THEN greatest(own.role, m.role, 'read'::access_level) ELSE own.role END
    FROM collection c CROSS JOIN person p
    JOIN member m ON m.organization_id = c.organization_id AND m.user_id = p.user_id AND NOT m.disabled
    LEFT JOIN best b ON b.user_id = p.user_id
    LEFT JOIN base ON true
   CROSS JOIN LATERAL (SELECT CASE WHEN b.place < coalesce(base.place, b.place + 1) THEN b.role ELSE coalesce(level_for(base.level, m.role), m.role) END AS role) own
   WHERE c.id = p_collection
$$;

-- The level that everybody else has there who is neither a guest nor an administrator: that of the nearest thing which has one.
CREATE FUNCTION collection_level(p_collection text) RETURNS access_level LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (parent_id, level, depth) AS (
    SELECT c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = p_collection
    UNION ALL
    SELECT c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  )
  SELECT up.level FROM up WHERE up.level IS NOT NULL ORDER BY up.depth LIMIT 1
$$;

-- The same for a space.
CREATE FUNCTION space_level(p_space text) RETURNS access_level LANGUAGE sql STABLE AS $$
  SELECT coalesce(s.default_level, collection_level(s.collection_id)) FROM space s WHERE s.id = p_space
$$;

-- migrate:down
DROP TABLE collection_team_grant, collection_member_grant, space_team_grant, space_member_grant;
DROP FUNCTION space_level;
DROP FUNCTION collection_level;
DROP FUNCTION collection_specials;
DROP FUNCTION collection_access;
