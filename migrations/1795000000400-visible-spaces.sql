-- Lists of spaces and members that cost their page and not the organization: which spaces are an exception for a
-- member, totals that need no counting, and the indexes behind them.

-- migrate:up
CREATE INDEX space_list_idx ON space (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX space_closed_idx ON space (organization_id) WHERE default_level = 'none';
CREATE INDEX space_creator_idx ON space (organization_id, created_by);
CREATE INDEX collection_closed_idx ON collection (organization_id) WHERE default_level = 'none';
CREATE INDEX collection_parent_idx ON collection (parent_id);
CREATE INDEX member_joined_idx ON member (organization_id, joined_at, user_id);
CREATE INDEX team_member_team_idx ON team_member (team_id, user_id);
CREATE INDEX space_member_grant_user_idx ON space_member_grant (user_id);
CREATE INDEX space_team_grant_team_idx ON space_team_grant (team_id);
CREATE INDEX collection_member_grant_user_idx ON collection_member_grant (organization_id, user_id);
CREATE INDEX collection_team_grant_team_idx ON collection_team_grant (organization_id, team_id);
CREATE INDEX site_member_grant_user_idx ON site_member_grant (organization_id, user_id);
CREATE INDEX site_team_grant_team_idx ON site_team_grant (organization_id, team_id);

-- How many spaces (outside of the trash) and members an organization has. Kept by deferred triggers, so that its row is
-- locked only while a transaction commits.
CREATE TABLE organization_total (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT organization_total_organization_fk REFERENCES organization ON DELETE CASCADE,
  spaces integer NOT NULL DEFAULT 0,
  members integer NOT NULL DEFAULT 0
);
INSERT INTO organization_total (organization_id, spaces, members)
SELECT o.id, (SELECT count(*) FROM space s WHERE s.organization_id = o.id AND s.deleted_at IS NULL),
       (SELECT count(*) FROM member m WHERE m.organization_id = o.id)
  FROM organization o;

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

-- The spaces of an organization that a member sees otherwise than by the role in the organization: for guests those
-- that they can see, for everybody else those that they cannot. Whatever could make such a difference is found by
-- index, so this costs the member's exceptions and not the organization's spaces. No row for people who are no members.
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

-- migrate:down
DROP FUNCTION exceptional_spaces(text, text);
DROP TRIGGER member_total ON member;
DROP TRIGGER space_total_change ON space;
DROP TRIGGER space_total ON space;
DROP FUNCTION count_member();
DROP FUNCTION count_space();
DROP FUNCTION add_to_total(text, integer, integer);
DROP TABLE organization_total;
DROP INDEX site_team_grant_team_idx, site_member_grant_user_idx, collection_team_grant_team_idx, collection_member_grant_user_idx,
  space_team_grant_team_idx, space_member_grant_user_idx, team_member_team_idx, member_joined_idx, collection_parent_idx,
  collection_closed_idx, space_creator_idx, space_closed_idx, space_list_idx;
