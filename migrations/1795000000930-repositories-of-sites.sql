-- A site shows where the repository of a space is, so a change of that is a change of the site.

-- migrate:up
CREATE FUNCTION touch_sites_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.url, NEW.provider, NEW.ref) IS DISTINCT FROM (OLD.url, OLD.provider, OLD.ref) THEN
    UPDATE site SET stamp = stamp WHERE id IN (SELECT ss.site_id FROM site_space ss WHERE ss.space_id = NEW.space_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER space_git_touches_sites AFTER INSERT OR UPDATE ON space_git FOR EACH ROW EXECUTE FUNCTION touch_sites_of_repository();

-- migrate:down
DROP TRIGGER space_git_touches_sites ON space_git;
DROP FUNCTION touch_sites_of_repository();
