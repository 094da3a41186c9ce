-- Organizations of 100,000 members: totals that are counted once for a statement and kept once for a transaction, people
-- found by parts of their names, and effective roles of all members at the cost of the grants.

-- migrate:up
DROP TRIGGER member_total ON member;
DROP TRIGGER space_total_change ON space;
DROP TRIGGER space_total ON space;
DROP FUNCTION count_member();
DROP FUNCTION count_space();
DROP FUNCTION add_to_total(text, integer, integer);

-- Members by what lists filter them by. `seen`: they have been here.
CREATE TABLE organization_member_total (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT organization_member_total_organization_fk REFERENCES organization ON DELETE CASCADE,
  role access_level NOT NULL,
  disabled boolean NOT NULL,
  seen boolean NOT NULL,
  members bigint NOT NULL,
  PRIMARY KEY (organization_id, role, disabled, seen)
);
INSERT INTO organization_member_total (organization_id, role, disabled, seen, members)
SELECT organization_id, role, disabled, last_seen_at IS NOT NULL, count(*) FROM member GROUP BY 1, 2, 3, 4;

-- What a transaction has changed so far. Its rows are gone when it commits: then they are added to the totals, whose
-- rows are locked no earlier.
CREATE UNLOGGED TABLE organization_total_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  organization_id text COLLATE "C" NOT NULL,
  spaces bigint NOT NULL DEFAULT 0,
  members bigint NOT NULL DEFAULT 0,
  role access_level,
  disabled boolean,
  seen boolean
);
CREATE INDEX organization_total_change_transaction_idx ON organization_total_change (transaction);

-- The first of a transaction's rows adds all of them, in the order of the organizations.
CREATE FUNCTION add_to_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM organization_total_change WHERE id = NEW.id) THEN RETURN NULL; END IF;
  WITH change AS (
    DELETE FROM organization_total_change WHERE transaction = pg_current_xact_id() RETURNING *),
  member_change AS (
    INSERT INTO organization_member_total AS t (organization_id, role, disabled, seen, members)
    SELECT c.organization_id, c.role, c.disabled, c.seen, sum(c.members) FROM change c JOIN organization o ON o.id = c.organization_id
     WHERE c.role IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, role, disabled, seen) DO UPDATE SET members = t.members + excluded.members)
  INSERT INTO organization_total AS t (organization_id, spaces, members)
  SELECT c.organization_id, sum(c.spaces), sum(c.members) FROM change c JOIN organization o ON o.id = c.organization_id
   GROUP BY c.organization_id ORDER BY c.organization_id
  ON CONFLICT (organization_id) DO UPDATE SET spaces = t.spaces + excluded.spaces, members = t.members + excluded.members;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER organization_total_change_added AFTER INSERT ON organization_total_change
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION add_to_totals();

CREATE FUNCTION count_spaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_total_change (organization_id, spaces)
  SELECT organization_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed WHERE deleted_at IS NULL GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER space_total_inserted AFTER INSERT ON space REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_spaces();
CREATE TRIGGER space_total_deleted AFTER DELETE ON space REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_spaces();

-- By row, since most changes of a space change no total and should pay nothing.
CREATE FUNCTION count_moved_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL THEN INSERT INTO organization_total_change (organization_id, spaces) VALUES (OLD.organization_id, -1); END IF;
  IF NEW.deleted_at IS NULL THEN INSERT INTO organization_total_change (organization_id, spaces) VALUES (NEW.organization_id, 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER space_total_moved AFTER UPDATE OF deleted_at, organization_id ON space FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR OLD.organization_id <> NEW.organization_id)
  EXECUTE FUNCTION count_moved_space();

CREATE FUNCTION count_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_total_change (organization_id, role, disabled, seen, members)
  SELECT organization_id, role, disabled, last_seen_at IS NOT NULL, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER member_total_inserted AFTER INSERT ON member REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER member_total_deleted AFTER DELETE ON member REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE FUNCTION count_changed_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_total_change (organization_id, role, disabled, seen, members)
  VALUES (OLD.organization_id, OLD.role, OLD.disabled, OLD.last_seen_at IS NOT NULL, -1), (NEW.organization_id, NEW.role, NEW.disabled, NEW.last_seen_at IS NOT NULL, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER member_total_changed AFTER UPDATE ON member FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.disabled <> NEW.disabled OR (OLD.last_seen_at IS NULL) <> (NEW.last_seen_at IS NULL))
  EXECUTE FUNCTION count_changed_member();

-- All parts of three characters of a text, in lower case: what a longer text holds, it holds all parts of.
CREATE FUNCTION trigrams(p_text text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT substr(lower(p_text), at, 3)), '{}') FROM generate_series(1, length(lower(p_text)) - 2) AS at
$$;
CREATE INDEX account_trigrams_idx ON account USING gin ((trigrams(display_name) || trigrams(email)));

-- The effective roles of members who have one of their own on a collection or a space: those with a grant on the way up, alone
-- or by a team, and creators. All at once: each grant has its place in the order of precedence, each level too.
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

-- The level that everybody else has there who is neither a guest nor an administrator: that of the nearest thing which has one.
CREATE FUNCTION collection_level(p_collection text) RETURNS access_level LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (parent_id, level, depth) AS (
    SELECT c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = p_collection
    UNION ALL
    SELECT c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
  )
  SELECT up.level FROM up WHERE up.level IS NOT NULL ORDER BY up.depth LIMIT 1
$$;
CREATE FUNCTION space_level(p_space text) RETURNS access_level LANGUAGE sql STABLE AS $$
  SELECT coalesce(s.default_level, collection_level(s.collection_id)) FROM space s WHERE s.id = p_space
$$;

DROP FUNCTION collection_audience(text);
DROP FUNCTION space_audience(text);
DROP FUNCTION space_exceptions(text);
DROP FUNCTION collection_exceptions(text);

-- As before, but by index for each thing found (OFFSET keeps it so): the planner takes the few collections above for many
-- and reads all spaces of the organization.
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
CREATE OR REPLACE FUNCTION team_spaces(p_organization text, p_team text) RETURNS TABLE (space_id text) LANGUAGE sql STABLE AS $$
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
CREATE OR REPLACE FUNCTION team_spaces(p_organization text, p_team text) RETURNS TABLE (space_id text) LANGUAGE sql STABLE AS $$
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
    SELECT c.id FROM below JOIN collection c ON c.parent_id = below.id
  ),
  candidate AS (
    SELECT s.id FROM space s, me WHERE s.organization_id = p_organization AND s.default_level = 'none' AND NOT me.guest
    UNION
    SELECT s.id FROM below JOIN space s ON s.organization_id = p_organization AND s.collection_id = below.id
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
    JOIN space s ON s.id = a.space_id AND s.organization_id = p_organization AND s.deleted_at IS NULL
   WHERE (a.role > 'none') = me.guest
$$;
DROP FUNCTION space_level(text);
DROP FUNCTION collection_level(text);
DROP FUNCTION space_specials(text);
DROP FUNCTION collection_specials(text);
DROP INDEX account_trigrams_idx;
DROP FUNCTION trigrams(text);
DROP TRIGGER member_total_changed ON member;
DROP TRIGGER member_total_deleted ON member;
DROP TRIGGER member_total_inserted ON member;
DROP TRIGGER space_total_moved ON space;
DROP TRIGGER space_total_deleted ON space;
DROP TRIGGER space_total_inserted ON space;
DROP TABLE organization_total_change, organization_member_total;
DROP FUNCTION count_changed_member();
DROP FUNCTION count_members();
DROP FUNCTION count_moved_space();
DROP FUNCTION count_spaces();
DROP FUNCTION add_to_totals();

CREATE FUNCTION add_to_total(p_organization text, p_spaces integer, p_members integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO organization_total AS t (organization_id, spaces, members) VALUES (p_organization, p_spaces, p_members)
  ON CONFLICT (organization_id) DO UPDATE SET spaces = t.spaces + excluded.spaces, members = t.members + excluded.members
$$;
CREATE FUNCTION count_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN PERFORM add_to_total(OLD.organization_id, -1, 0); END IF;
  IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN PERFORM add_to_total(NEW.organization_id, 1, 0); END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER space_total AFTER INSERT OR DELETE ON space
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_space();
CREATE CONSTRAINT TRIGGER space_total_change AFTER UPDATE OF deleted_at, organization_id ON space
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR OLD.organization_id <> NEW.organization_id)
  EXECUTE FUNCTION count_space();
CREATE FUNCTION count_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM add_to_total(OLD.organization_id, 0, -1); ELSE PERFORM add_to_total(NEW.organization_id, 0, 1); END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER member_total AFTER INSERT OR DELETE ON member
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_member();

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
