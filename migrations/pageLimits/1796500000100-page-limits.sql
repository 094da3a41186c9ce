-- migrate:up

-- Pages, and with them all pages below, that only administrators of the organization and those whom grants name see. They belong
-- to the space and the id of the page, not to a revision, so they hold in change requests and history as well, and for a
-- page that is deleted and restored.
CREATE TABLE page_limit (
  space_id text COLLATE "C" NOT NULL CONSTRAINT page_limit_space_fk REFERENCES space,
  page_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, page_id)
);

CREATE TABLE page_member_grant (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT page_member_grant_user_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, page_id, user_id),
  CONSTRAINT page_member_grant_limit_fk FOREIGN KEY (space_id, page_id) REFERENCES page_limit (space_id, page_id) ON DELETE CASCADE
);
CREATE INDEX page_member_grant_user_idx ON page_member_grant (user_id);

CREATE TABLE page_team_grant (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL CONSTRAINT page_team_grant_team_fk REFERENCES team ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, page_id, team_id),
  CONSTRAINT page_team_grant_limit_fk FOREIGN KEY (space_id, page_id) REFERENCES page_limit (space_id, page_id) ON DELETE CASCADE
);
CREATE INDEX page_team_grant_team_idx ON page_team_grant (team_id);

-- The spaces of an organization that have limited pages.
CREATE FUNCTION limited_spaces(p_organization text) RETURNS TABLE (space_id text) LANGUAGE sql STABLE AS $$
  SELECT DISTINCT l.space_id FROM page_limit l JOIN space s ON s.id = l.space_id WHERE s.organization_id = p_organization
$$;

-- All limited pages of a space, in order: those that its sites do not show.
CREATE FUNCTION limited_pages(p_space text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT l.page_id FROM page_limit l WHERE l.space_id = p_space ORDER BY l.page_id)
$$;

-- The limited pages of a space that a user does not see, in order: grants of the user and of the user's teams open them alike.
CREATE FUNCTION hidden_pages(p_user text, p_space text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT l.page_id FROM page_limit l
     WHERE l.space_id = p_space
       AND NOT EXISTS (SELECT FROM space s JOIN member m ON m.organization_id = s.organization_id AND m.user_id = p_user
                        WHERE s.id = p_space AND m.role = 'admin')
       AND NOT EXISTS (SELECT FROM page_member_grant g WHERE g.space_id = p_space AND g.page_id = l.page_id AND g.user_id = p_user)
       AND NOT EXISTS (SELECT FROM page_team_grant g JOIN team_member tm ON tm.team_id = g.team_id AND tm.user_id = p_user
                        WHERE g.space_id = p_space AND g.page_id = l.page_id)
     ORDER BY l.page_id)
$$;

-- Whether a space is the source of a translation, or is one: nothing can be limited there, since a translation repeats all pages.
CREATE FUNCTION takes_part_in_translation(p_space text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM translation t WHERE t.source_space_id = p_space) OR EXISTS (SELECT FROM translation t WHERE t.result_space_id = p_space)
$$;

-- Whether somebody from whom some pages of a space are hidden sees a page of its current content or of a change request
-- ($3, '' for none). A page that is below a hidden one in either is hidden, and so is one that is in neither, since nobody knows
-- where it was. A computed page is its source.
CREATE FUNCTION sees_page(p_space text, p_hidden text[], p_line text, p_page text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_page IS NULL OR cardinality(p_hidden) = 0 THEN true ELSE
    EXISTS (SELECT FROM content_item i WHERE i.space_id = p_space AND i.line IN ('', p_line) AND i.kind = 'page' AND NOT i.deleted
               AND i.id = CASE length(p_page) WHEN 40 THEN left(p_page, 20) ELSE p_page END)
    AND NOT EXISTS (
      WITH RECURSIVE up (id) AS (
        SELECT (CASE length(p_page) WHEN 40 THEN left(p_page, 20) ELSE p_page END) COLLATE "C"
        UNION
        SELECT i.parent_id FROM up JOIN content_item i ON i.space_id = p_space AND i.line IN ('', p_line) AND i.kind = 'page' AND i.id = up.id
         WHERE i.parent_id <> '')
      SELECT FROM up WHERE up.id = ANY (p_hidden))
  END
$$;

-- A site shows no limited pages, so a change of what is limited is a change of the site.
CREATE FUNCTION touch_sites_of_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE site SET stamp = stamp WHERE id IN (
    SELECT ss.site_id FROM changed c JOIN site_space ss ON ss.space_id = c.space_id);
  RETURN NULL;
END $$;
CREATE TRIGGER page_limit_touches_sites AFTER INSERT ON page_limit REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_sites_of_limit();
CREATE TRIGGER page_limit_end_touches_sites AFTER DELETE ON page_limit REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_sites_of_limit();

-- migrate:down
DROP TABLE page_limit, page_member_grant, page_team_grant;
DROP FUNCTION touch_sites_of_limit;
DROP FUNCTION sees_page;
DROP FUNCTION takes_part_in_translation;
DROP FUNCTION hidden_pages;
DROP FUNCTION limited_pages;
DROP FUNCTION limited_spaces;
