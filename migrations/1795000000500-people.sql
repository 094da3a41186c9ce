-- Members, teams and invitations: lists at the cost of their page, who reaches a space or a collection otherwise than
-- by the role in the organization, links and letters that invite, and the organization's instructions to agents.

-- migrate:up
CREATE INDEX account_name_idx ON account (lower(display_name), id);
CREATE INDEX member_seen_idx ON member (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL AND NOT disabled;
CREATE INDEX member_role_idx ON member (organization_id, role, joined_at, user_id);
CREATE INDEX team_list_idx ON team (organization_id, created_at, id);
CREATE INDEX team_member_list_idx ON team_member (team_id, created_at, user_id);

-- The spaces outside of the trash that a team reaches by a grant that gives something: on the space, on a site that
-- holds it, or on a collection above it.
CREATE FUNCTION team_spaces(p_organization text, p_team text) RETURNS TABLE (space_id text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE below (id) AS (
    SELECT g.collection_id FROM collection_team_grant g WHERE g.organization_id = p_organization AND g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT c.id FROM below JOIN collection c ON c.parent_id = below.id
  ),
  reached AS (
    SELECT g.space_id AS id FROM space_team_grant g WHERE g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT ss.space_id FROM site_team_grant g JOIN site_space ss ON ss.site_id = g.site_id
     WHERE g.organization_id = p_organization AND g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT s.id FROM below JOIN space s ON s.organization_id = p_organization AND s.collection_id = below.id
  )
  SELECT s.id FROM reached JOIN space s ON s.id = reached.id AND s.organization_id = p_organization AND s.deleted_at IS NULL
$$;

-- Members who may have another role on a space or collection than its own level, or their role in the organization,
-- gives them: those with a grant on the way up, alone or by a team, creators and administrators.
CREATE FUNCTION collection_exceptions(p_collection text) RETURNS TABLE (user_id text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT c.id, c.organization_id, c.parent_id FROM collection c WHERE c.id = p_collection
    UNION
    SELECT c.id, c.organization_id, c.parent_id FROM up JOIN collection c ON c.id = up.parent_id
  )
  SELECT g.user_id FROM up JOIN collection_member_grant g ON g.collection_id = up.id
  UNION
  SELECT t.user_id FROM up JOIN collection_team_grant g ON g.collection_id = up.id
    JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id
  UNION
  SELECT c.created_by FROM collection c WHERE c.id = p_collection
  UNION
  SELECT m.user_id FROM collection c JOIN member m ON m.organization_id = c.organization_id AND m.role = 'admin' WHERE c.id = p_collection
$$;
CREATE FUNCTION space_exceptions(p_space text) RETURNS TABLE (user_id text) LANGUAGE sql STABLE AS $$
  SELECT g.user_id FROM space_member_grant g WHERE g.space_id = p_space
  UNION
  SELECT t.user_id FROM space_team_grant g JOIN team_member t ON t.team_id = g.team_id WHERE g.space_id = p_space
  UNION
  SELECT g.user_id FROM site_space ss JOIN site_member_grant g ON g.site_id = ss.site_id WHERE ss.space_id = p_space
  UNION
  SELECT t.user_id FROM site_space ss JOIN site_team_grant g ON g.site_id = ss.site_id
    JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id WHERE ss.space_id = p_space
  UNION
  SELECT s.created_by FROM space s WHERE s.id = p_space
  UNION
  SELECT x.user_id FROM space s CROSS JOIN LATERAL collection_exceptions(s.collection_id) x WHERE s.id = p_space
  UNION
  SELECT m.user_id FROM space s JOIN member m ON m.organization_id = s.organization_id AND m.role = 'admin' WHERE s.id = p_space
$$;

-- The effective roles of all members on one space or collection. The exceptions are resolved one by one, everybody else
-- at once: guests have nothing, the others the level of the thing or of the nearest collection above, else their own role.
CREATE FUNCTION space_audience(p_space text)
RETURNS TABLE (user_id text, joined_at timestamptz(3), role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (id, parent_id, level, depth) AS (
    SELECT s.id, s.collection_id, s.default_level, 0 FROM space s WHERE s.id = p_space
    UNION ALL
    SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  ),
  base AS (SELECT (SELECT level FROM up WHERE level IS NOT NULL ORDER BY depth LIMIT 1) AS level),
  special AS MATERIALIZED (
    SELECT x.user_id, a.role FROM space_exceptions(p_space) x CROSS JOIN LATERAL space_access(x.user_id, ARRAY[p_space]) a
  ),
  everyone AS (
    SELECT m.user_id, m.joined_at,
           CASE WHEN special.user_id IS NOT NULL THEN special.role WHEN m.role = 'none' THEN 'none' ELSE coalesce(base.level, m.role) END AS role
      FROM space s JOIN member m ON m.organization_id = s.organization_id AND NOT m.disabled CROSS JOIN base
      LEFT JOIN special ON special.user_id = m.user_id
     WHERE s.id = p_space
  )
  SELECT e.user_id, e.joined_at, e.role FROM everyone e WHERE e.role > 'none'
$$;
CREATE FUNCTION collection_audience(p_collection text)
RETURNS TABLE (user_id text, joined_at timestamptz(3), role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (id, parent_id, level, depth) AS (
    SELECT c.id, c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = p_collection
    UNION ALL
    SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  ),
  base AS (SELECT (SELECT level FROM up WHERE level IS NOT NULL ORDER BY depth LIMIT 1) AS level),
  special AS MATERIALIZED (
    SELECT x.user_id, a.role FROM collection_exceptions(p_collection) x CROSS JOIN LATERAL collection_access(x.user_id, ARRAY[p_collection]) a
  ),
  everyone AS (
    SELECT m.user_id, m.joined_at,
           CASE WHEN special.user_id IS NOT NULL THEN special.role WHEN m.role = 'none' THEN 'none' ELSE coalesce(base.level, m.role) END AS role
      FROM collection c JOIN member m ON m.organization_id = c.organization_id AND NOT m.disabled CROSS JOIN base
      LEFT JOIN special ON special.user_id = m.user_id
     WHERE c.id = p_collection
  )
  SELECT e.user_id, e.joined_at, e.role FROM everyone e WHERE e.role > 'none'
$$;

-- A link that lets whoever has its secret into the organization (space and collection null), or as a guest to one space
-- or collection. The secret is what the API shows as the link's id; it is found by its hash and read back by decryption.
CREATE TABLE invite_link (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT invite_link_organization_fk REFERENCES organization,
  space_id text COLLATE "C",
  collection_id text COLLATE "C",
  role access_level NOT NULL,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT invite_link_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT invite_link_target_check CHECK (space_id IS NULL OR collection_id IS NULL),
  CONSTRAINT invite_link_space_fk FOREIGN KEY (organization_id, space_id) REFERENCES space (organization_id, id),
  CONSTRAINT invite_link_collection_fk FOREIGN KEY (organization_id, collection_id) REFERENCES collection (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX invite_link_hash_key ON invite_link (hash);
CREATE INDEX invite_link_list_idx ON invite_link (organization_id, created_at, id);
CREATE INDEX invite_link_space_idx ON invite_link (space_id) WHERE space_id IS NOT NULL;
CREATE INDEX invite_link_collection_idx ON invite_link (collection_id) WHERE collection_id IS NOT NULL;

-- A letter to one address. `mailed` ones went out by e-mail, so that their secret proves the address.
CREATE TABLE invitation (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT invitation_organization_fk REFERENCES organization,
  email text NOT NULL,
  role access_level NOT NULL,
  sso boolean NOT NULL DEFAULT false,
  mailed boolean NOT NULL,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT invitation_creator_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitation_hash_key ON invitation (hash);
CREATE UNIQUE INDEX invitation_email_key ON invitation (organization_id, lower(email));
CREATE INDEX invitation_list_idx ON invitation (organization_id, created_at, id);

CREATE TABLE agent_instructions (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT agent_instructions_organization_fk REFERENCES organization,
  instructions jsonb NOT NULL,
  updated_by text COLLATE "C" NOT NULL CONSTRAINT agent_instructions_author_fk REFERENCES account,
  updated_at timestamptz(3) NOT NULL
);

-- migrate:down
DROP TABLE agent_instructions, invitation, invite_link;
DROP FUNCTION collection_audience(text);
DROP FUNCTION space_audience(text);
DROP FUNCTION space_exceptions(text);
DROP FUNCTION collection_exceptions(text);
DROP FUNCTION team_spaces(text, text);
DROP INDEX team_member_list_idx, team_list_idx, member_role_idx, member_seen_idx, account_name_idx;
