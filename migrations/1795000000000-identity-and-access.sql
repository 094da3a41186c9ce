-- People, organizations and everything that permission resolution runs over:
-- members, teams, collections, spaces, sites and the grants on them.

-- migrate:up
-- 'none' is what the API shows as null: a guest, or a grant that takes access away.
CREATE TYPE access_level AS ENUM ('none', 'read', 'comment', 'edit', 'review', 'create', 'admin');
CREATE TYPE team_role AS ENUM ('member', 'owner');

CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  display_name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  photo_url text,
  disabled boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX account_email_key ON account (lower(email));

CREATE TABLE organization (
  id text COLLATE "C" PRIMARY KEY,
  title text NOT NULL,
  email_domains text[] NOT NULL DEFAULT '{}',
  hostname text,
  type text NOT NULL DEFAULT 'business',
  use_case text,
  community_type text,
  default_role access_level NOT NULL DEFAULT 'none',
  sso boolean NOT NULL DEFAULT false,
  ai boolean NOT NULL DEFAULT false,
  invite_links boolean NOT NULL DEFAULT true,
  merge_rules jsonb NOT NULL DEFAULT '{"type": "none"}',
  logo text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX organization_hostname_key ON organization (hostname);

CREATE TABLE member (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT member_organization_fk REFERENCES organization,
  user_id text COLLATE "C" NOT NULL CONSTRAINT member_user_fk REFERENCES account,
  role access_level NOT NULL,
  disabled boolean NOT NULL DEFAULT false,
  sso boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  joined_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX member_user_idx ON member (user_id);

CREATE TABLE api_token (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL CONSTRAINT api_token_user_fk REFERENCES account,
  organization_id text COLLATE "C" CONSTRAINT api_token_organization_fk REFERENCES organization,
  name text NOT NULL,
  hash bytea NOT NULL,
  hint text NOT NULL,
  scopes text[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX api_token_hash_key ON api_token (hash);
CREATE INDEX api_token_user_idx ON api_token (user_id, created_at, id);

CREATE TABLE team (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT team_organization_fk REFERENCES organization,
  title text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT team_organization_id_key UNIQUE (organization_id, id)
);
CREATE TABLE team_member (
  organization_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role team_role NOT NULL DEFAULT 'member',
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, team_id, user_id),
  CONSTRAINT team_member_team_fk FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT team_member_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX team_member_user_idx ON team_member (user_id, organization_id);

CREATE TABLE collection (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT collection_organization_fk REFERENCES organization,
  parent_id text COLLATE "C",
  title text NOT NULL,
  description text,
  default_level access_level,
  position text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT collection_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT collection_organization_id_key UNIQUE (organization_id, id),
  CONSTRAINT collection_parent_fk FOREIGN KEY (organization_id, parent_id) REFERENCES collection (organization_id, id)
);
CREATE INDEX collection_siblings_idx ON collection (organization_id, parent_id, position, id);

-- default_level: null inherits, 'none' is no access.
CREATE TABLE space (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT space_organization_fk REFERENCES organization,
  collection_id text COLLATE "C",
  title text NOT NULL,
  emoji text,
  icon text,
  edit_mode text NOT NULL DEFAULT 'locked',
  language text,
  default_level access_level,
  merge_rules jsonb NOT NULL DEFAULT '{"type": "inherit"}',
  position text COLLATE "C" NOT NULL,
  revision_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  change_request_number integer NOT NULL DEFAULT 0,
  created_by text COLLATE "C" NOT NULL CONSTRAINT space_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT space_organization_id_key UNIQUE (organization_id, id),
  CONSTRAINT space_edit_mode_check CHECK (edit_mode IN ('live', 'locked')),
  CONSTRAINT space_collection_fk FOREIGN KEY (organization_id, collection_id) REFERENCES collection (organization_id, id)
);
CREATE INDEX space_siblings_idx ON space (organization_id, collection_id, position, id);
CREATE INDEX space_deleted_idx ON space (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE site (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT site_organization_fk REFERENCES organization,
  type text NOT NULL DEFAULT 'basic',
  title text NOT NULL,
  basename text NOT NULL,
  hostname text,
  proxy text,
  visibility text NOT NULL DEFAULT 'public',
  published boolean NOT NULL DEFAULT false,
  adaptive_content boolean NOT NULL DEFAULT false,
  agents_context text NOT NULL DEFAULT 'included',
  default_section_id text COLLATE "C",
  default_site_space_id text COLLATE "C",
  customization jsonb NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT site_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT site_organization_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX site_basename_key ON site (lower(basename));
CREATE TABLE organization_default_site (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT organization_default_site_organization_fk REFERENCES organization,
  site_id text COLLATE "C" NOT NULL,
  CONSTRAINT organization_default_site_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE site_section_group (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL CONSTRAINT site_section_group_site_fk REFERENCES site ON DELETE CASCADE,
  parent_id text COLLATE "C",
  title text NOT NULL,
  icon text,
  position text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_section_group_site_id_key UNIQUE (site_id, id),
  CONSTRAINT site_section_group_parent_fk FOREIGN KEY (site_id, parent_id) REFERENCES site_section_group (site_id, id)
);
CREATE TABLE site_section (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL CONSTRAINT site_section_site_fk REFERENCES site ON DELETE CASCADE,
  group_id text COLLATE "C",
  title text NOT NULL,
  description text,
  icon text,
  path text NOT NULL,
  condition text,
  default_site_space_id text COLLATE "C",
  position text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_section_site_id_key UNIQUE (site_id, id),
  CONSTRAINT site_section_group_fk FOREIGN KEY (site_id, group_id) REFERENCES site_section_group (site_id, id)
);
CREATE UNIQUE INDEX site_section_path_key ON site_section (site_id, lower(path));
CREATE TABLE site_space (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  section_id text COLLATE "C",
  space_id text COLLATE "C" NOT NULL,
  path text NOT NULL,
  condition text,
  customization jsonb NOT NULL DEFAULT '{}',
  position text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_space_site_id_key UNIQUE (site_id, id),
  CONSTRAINT site_space_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT site_space_space_fk FOREIGN KEY (organization_id, space_id) REFERENCES space (organization_id, id),
  CONSTRAINT site_space_section_fk FOREIGN KEY (site_id, section_id) REFERENCES site_section (site_id, id)
);
CREATE INDEX site_space_space_idx ON site_space (space_id);
CREATE INDEX site_space_siblings_idx ON site_space (site_id, section_id, position, id);

CREATE TABLE space_member_grant (
  space_id text COLLATE "C" NOT NULL CONSTRAINT space_member_grant_space_fk REFERENCES space,
  user_id text COLLATE "C" NOT NULL CONSTRAINT space_member_grant_user_fk REFERENCES account,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, user_id)
);
CREATE TABLE space_team_grant (
  space_id text COLLATE "C" NOT NULL CONSTRAINT space_team_grant_space_fk REFERENCES space,
  team_id text COLLATE "C" NOT NULL CONSTRAINT space_team_grant_team_fk REFERENCES team ON DELETE CASCADE,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, team_id)
);
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
CREATE TABLE site_member_grant (
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, user_id),
  CONSTRAINT site_member_grant_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT site_member_grant_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE TABLE site_team_grant (
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  role access_level NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (site_id, team_id),
  CONSTRAINT site_team_grant_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT site_team_grant_team_fk FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id) ON DELETE CASCADE
);

-- What a space's or collection's own level means to a member: guests see only what was granted to them, so to
-- them a level that was set is no access, whatever it says.
CREATE FUNCTION level_for(p_level access_level, p_member_role access_level) RETURNS access_level LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_level IS NOT NULL AND p_member_role = 'none' THEN 'none'::access_level ELSE p_level END
$$;

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

-- The effective role of one user on spaces, by precedence: direct grant (the member's before the
-- highest of the teams'), the space's own level, the highest of its sites' grants, the nearest
-- collection's, the organization role. Administrators of the organization always administer; a
-- creator keeps read or the organization role. Spaces of other organizations give no row.
CREATE FUNCTION space_access(p_user text, p_spaces text[])
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

-- migrate:down
DROP FUNCTION space_access(text, text[]);
DROP FUNCTION collection_access(text, text[]);
DROP FUNCTION level_for(access_level, access_level);
DROP TABLE site_team_grant, site_member_grant, collection_team_grant, collection_member_grant,
  space_team_grant, space_member_grant, organization_default_site, site_space, site_section, site_section_group, site,
  space, collection, team_member, team, api_token, member, organization, account;
DROP TYPE team_role;
DROP TYPE access_level;
