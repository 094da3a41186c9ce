-- Sites, what is served where in them, who may do what with them, what their readers do, and the roles on spaces that follow
-- from all grants: those on spaces, collections and sites.

-- migrate:up
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
  -- Every change of the row takes the stamp on.
  stamp bigint NOT NULL DEFAULT 0,
  CONSTRAINT site_organization_id_key UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX site_basename_key ON site (lower(basename));
CREATE INDEX site_organization_idx ON site (organization_id, created_at, id);
CREATE INDEX site_by_hostname_idx ON site (lower(hostname)) WHERE hostname IS NOT NULL;
CREATE UNIQUE INDEX site_hostname_key ON site (hostname) WHERE hostname IS NOT NULL;
-- Of two sites behind one host and path readers would only get one, so there can be none.
CREATE UNIQUE INDEX site_proxy_key ON site (lower(proxy)) WHERE proxy IS NOT NULL;

CREATE FUNCTION stamp_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.stamp := OLD.stamp + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER site_stamp BEFORE UPDATE ON site FOR EACH ROW EXECUTE FUNCTION stamp_site();

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
CREATE INDEX site_section_group_siblings_idx ON site_section_group (site_id, position, id);

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
CREATE INDEX site_section_siblings_idx ON site_section (site_id, position, id);

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
CREATE UNIQUE INDEX site_space_path_key ON site_space (site_id, coalesce(section_id, ''), lower(path));
-- The lists of site spaces as the views below walk them: the root's null section as ''.
CREATE INDEX site_space_order_idx ON site_space (site_id, coalesce(section_id, ''), position, id);

-- `path` is the source as it is compared: in lower case, decoded, without slashes at its ends. Those that the service left
-- itself, where something was found before, are `automatic`.
CREATE TABLE site_redirect (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  automatic boolean NOT NULL,
  source text NOT NULL,
  path text COLLATE "C" NOT NULL,
  section_id text COLLATE "C",
  site_space_id text COLLATE "C",
  page_id text COLLATE "C",
  url text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_redirect_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_section_fk FOREIGN KEY (site_id, section_id) REFERENCES site_section (site_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_site_space_fk FOREIGN KEY (site_id, site_space_id) REFERENCES site_space (site_id, id) ON DELETE CASCADE,
  CONSTRAINT site_redirect_destination_check CHECK (num_nonnulls(section_id, site_space_id, url) = 1 AND (page_id IS NULL OR site_space_id IS NOT NULL))
);
CREATE UNIQUE INDEX site_redirect_path_key ON site_redirect (site_id, path) WHERE NOT automatic;
CREATE UNIQUE INDEX site_redirect_former_key ON site_redirect (site_id, path, site_space_id) WHERE automatic;
CREATE INDEX site_redirect_list_idx ON site_redirect (site_id, created_at, id) WHERE NOT automatic;
CREATE INDEX site_redirect_section_idx ON site_redirect (site_id, section_id) WHERE section_id IS NOT NULL;
CREATE INDEX site_redirect_site_space_idx ON site_redirect (site_id, site_space_id) WHERE site_space_id IS NOT NULL;

-- Basenames that sites had, in lower case; a site that has one now goes before.
CREATE TABLE site_former_basename (
  basename text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_former_basename_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX site_former_basename_site_idx ON site_former_basename (organization_id, site_id);

-- Keys are found by their hash, and shown again by decrypting them.
CREATE TABLE site_share_link (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL CONSTRAINT site_share_link_site_fk REFERENCES site ON DELETE CASCADE,
  name text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  key_hash bytea NOT NULL,
  key_sealed sealed NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_share_link_key UNIQUE (site_id, key_hash)
);
CREATE INDEX site_share_link_list_idx ON site_share_link (site_id, created_at, id);

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
CREATE INDEX site_member_grant_user_idx ON site_member_grant (organization_id, user_id);

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
CREATE INDEX site_team_grant_team_idx ON site_team_grant (organization_id, team_id);

-- What readers of sites do, one narrow row for each event. No address, cookie or key of anybody is in it: visitors and
-- sessions are hashes that mean nothing outside of their site.
CREATE TABLE site_insight (
  site_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  -- Numbers of the lists in the code.
  type smallint NOT NULL,
  context smallint NOT NULL,
  device smallint NOT NULL,
  browser smallint NOT NULL,
  os smallint NOT NULL,
  bot smallint,
  visitor bigint NOT NULL,
  session bigint NOT NULL,
  -- Without query and fragment.
  url text NOT NULL,
  section_id text COLLATE "C",
  site_space_id text COLLATE "C",
  page_space_id text COLLATE "C",
  page_id text COLLATE "C",
  share_key text COLLATE "C",
  language text,
  referrer text,
  -- What else the event tells, by the names of its columns in queries; null for most.
  facts jsonb,
  claims jsonb
);
CREATE INDEX site_insight_range_idx ON site_insight (site_id, at);
-- For what is older than it may get: events come nearly in the order of their times.
CREATE INDEX site_insight_age_idx ON site_insight USING brin (at) WITH (autosummarize = on);

-- Changes of what belongs to sites touch these; the transition table of each trigger is called `changed` and has a site_id.
CREATE FUNCTION touch_sites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE site SET stamp = stamp WHERE id IN (SELECT site_id FROM changed);
  RETURN NULL;
END $$;

-- Makes all changes of a table with a site_id touch the sites.
CREATE PROCEDURE let_touch_sites(owned regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER touch_sites_insert AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_sites()', owned);
  EXECUTE format('CREATE TRIGGER touch_sites_update AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_sites()', owned);
  EXECUTE format('CREATE TRIGGER touch_sites_delete AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_sites()', owned);
END $$;

CALL let_touch_sites('site_section');
CALL let_touch_sites('site_section_group');
CALL let_touch_sites('site_space');
CALL let_touch_sites('site_share_link');
CALL let_touch_sites('site_redirect');

-- What a site shows of a space beside its content. A merge is none of it.
CREATE FUNCTION touch_sites_of_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE site SET stamp = stamp WHERE id IN (SELECT ss.site_id FROM site_space ss WHERE ss.space_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER space_touches_sites AFTER UPDATE ON space FOR EACH ROW
  WHEN (OLD.title IS DISTINCT FROM NEW.title OR OLD.emoji IS DISTINCT FROM NEW.emoji OR OLD.icon IS DISTINCT FROM NEW.icon
    OR OLD.language IS DISTINCT FROM NEW.language OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION touch_sites_of_space();

-- A site shows where the repository of a space is, so a change of that is a change of the site.
CREATE FUNCTION touch_sites_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.url, NEW.provider, NEW.ref) IS DISTINCT FROM (OLD.url, OLD.provider, OLD.ref) THEN
    UPDATE site SET stamp = stamp WHERE id IN (SELECT ss.site_id FROM site_space ss WHERE ss.space_id = NEW.space_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER space_git_touches_sites AFTER INSERT OR UPDATE ON space_git FOR EACH ROW EXECUTE FUNCTION touch_sites_of_repository();

-- Where a site begins: behind a proxy, at a hostname of its own (whose scheme is that of the listener), or on the listener.
CREATE FUNCTION site_root(p_basename text, p_hostname text, p_proxy text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce('https://' || p_proxy, '//' || p_hostname, '/' || p_basename)
$$;

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

-- Every site space that can be served, with its path on the public listener and its place: the path below the site, '' at its
-- root. Defaults have no slug of their own; spaces in the trash give no row, and the first in order stands in for a default
-- there. What a site space stands under is looked up once for its row, and by its key.
CREATE VIEW site_route AS
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

-- The effective role of one user on spaces, by precedence: direct grant (the member's before the highest of the teams'),
-- the space's own level, the highest of its sites' grants, the nearest collection's, the organization role. Administrators of
-- the organization always administer; a creator keeps read or the organization role. Spaces of other organizations give no
-- row. Each rule stands in it once, and is not asked where an earlier one has answered.
CREATE FUNCTION space_access(p_user text, p_spaces text[])
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

-- The same for a space as collection_specials for a collection.
CREATE FUNCTION space_specials(p_space text)
RETURNS TABLE (user_id text, joined_at timestamptz(3), member_role access_level, role access_level) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (id, parent_id, level, depth) AS (
    SELECT c.id, c.parent_id, c.default_level, 0 FROM space s JOIN collection c ON c.id = s.collection_id WHERE s.id = p_space
    UNION ALL
    SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  ),
  by_site AS (
    SELECT DISTINCT ON (o.site_id, o.user_id) o.user_id, o.role FROM (
      SELECT g.site_id, g.user_id, 0 AS place, g.role FROM site_space ss JOIN site_member_grant g ON g.site_id = ss.site_id WHERE ss.space_id = p_space
      UNION ALL
      SELECT g.site_id, t.user_id, 1, max(g.role) FROM site_space ss JOIN site_team_grant g ON g.site_id = ss.site_id
        JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id WHERE ss.space_id = p_space GROUP BY g.site_id, t.user_id) o
     ORDER BY o.site_id, o.user_id, o.place
  ),
  given (user_id, place, role) AS (
    SELECT g.user_id, 0, g.role FROM space_member_grant g WHERE g.space_id = p_space
    UNION ALL
    SELECT t.user_id, 1, max(g.role) FROM space_team_grant g JOIN team_member t ON t.team_id = g.team_id WHERE g.space_id = p_space GROUP BY t.user_id
    UNION ALL
    SELECT b.user_id, 3, max(b.role) FROM by_site b GROUP BY b.user_id
    UNION ALL
    SELECT g.user_id, 3 * up.depth + 4, g.role FROM up JOIN collection_member_grant g ON g.collection_id = up.id
    UNION ALL
    SELECT t.user_id, 3 * up.depth + 5, max(g.role) FROM up JOIN collection_team_grant g ON g.collection_id = up.id
      JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id GROUP BY t.user_id, up.depth
  ),
  best AS (SELECT DISTINCT ON (g.user_id) g.user_id, g.place, g.role FROM given g ORDER BY g.user_id, g.place),
  base AS (
    SELECT l.place, l.level FROM (
      SELECT 2 AS place, s.default_level AS level FROM space s WHERE s.id = p_space
      UNION ALL
      SELECT 3 * up.depth + 6, up.level FROM up) l
     WHERE l.level IS NOT NULL ORDER BY l.place LIMIT 1),
  person AS (SELECT b.user_id FROM best b UNION SELECT s.created_by FROM space s WHERE s.id = p_space)
  SELECT m.user_id, m.joined_at, m.role,
         CASE WHEN m.role = 'admin' THEN m.role WHEN m.user_id = s.created_by THEN greatest(own.role, m.role, 'read'::access_level) ELSE own.role END
    FROM space s CROSS JOIN person p
    JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p.user_id AND NOT m.disabled
    LEFT JOIN best b ON b.user_id = p.user_id
    LEFT JOIN base ON true
   CROSS JOIN LATERAL (SELECT CASE WHEN b.place < coalesce(base.place, b.place + 1) THEN b.role ELSE coalesce(level_for(base.level, m.role), m.role) END AS role) own
   WHERE s.id = p_space
$$;

-- The spaces of an organization that a member sees otherwise than by the role in the organization: for guests those
-- that they can see, for everybody else those that they cannot. Whatever could make such a difference is found by
-- index for each thing found (OFFSET keeps it so: the planner would take the few collections above for many and read all
-- spaces of the organization), so this costs the member's exceptions and not the organization's spaces. No row for people
-- who are no members.
CREATE FUNCTION exceptional_spaces(p_user text, p_organization text)
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

-- The spaces outside of the trash that a team reaches by a grant that gives something: on the space, on a site that
-- holds it, or on a collection above it.
CREATE FUNCTION team_spaces(p_organization text, p_team text) RETURNS TABLE (space_id text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE below (id) AS (
    SELECT g.collection_id FROM collection_team_grant g WHERE g.organization_id = p_organization AND g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT c.id FROM below CROSS JOIN LATERAL (SELECT i.id FROM collection i WHERE i.parent_id = below.id OFFSET 0) c
  ),
  reached AS (
    SELECT g.space_id AS id FROM space_team_grant g WHERE g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT ss.space_id FROM site_team_grant g CROSS JOIN LATERAL (SELECT i.space_id FROM site_space i WHERE i.site_id = g.site_id OFFSET 0) ss
     WHERE g.organization_id = p_organization AND g.team_id = p_team AND g.role > 'none'
    UNION
    SELECT s.id FROM below CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.organization_id = p_organization AND i.collection_id = below.id OFFSET 0) s
  )
  SELECT s.id FROM reached CROSS JOIN LATERAL (SELECT i.id FROM space i WHERE i.id = reached.id AND i.organization_id = p_organization AND i.deleted_at IS NULL OFFSET 0) s
$$;

-- migrate:down
DROP VIEW site_route;
DROP VIEW site_front;
DROP TRIGGER space_git_touches_sites ON space_git;
DROP TRIGGER space_touches_sites ON space;
DROP TABLE site_insight, site_team_grant, site_member_grant, site_share_link, site_former_basename, site_redirect,
  site_space, site_section, site_section_group, organization_default_site, site;
DROP FUNCTION team_spaces;
DROP FUNCTION exceptional_spaces;
DROP FUNCTION space_specials;
DROP FUNCTION space_access;
DROP FUNCTION site_level;
DROP FUNCTION site_specials;
DROP FUNCTION site_access;
DROP FUNCTION site_root;
DROP FUNCTION touch_sites_of_repository;
DROP FUNCTION touch_sites_of_space;
DROP PROCEDURE let_touch_sites;
DROP FUNCTION touch_sites;
DROP FUNCTION stamp_site;
