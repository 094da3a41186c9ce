-- Servers answer readers of public sites from memory, so they are told of each change that such an answer follows from: of the
-- organization whose sites it concerns, or of '*' where sites may be found at other addresses than before.

-- migrate:up

-- The stamp of a site covers its settings, its structure and what it shows of its spaces beside their content.
CREATE FUNCTION announce_sites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('published', c.organization_id) FROM (SELECT DISTINCT organization_id FROM changed) c;
  RETURN NULL;
END $$;
CREATE TRIGGER site_announces AFTER UPDATE ON site REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sites();

CREATE FUNCTION announce_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('published', '*');
  RETURN NULL;
END $$;
CREATE TRIGGER site_address_announces AFTER UPDATE ON site FOR EACH ROW
  WHEN (OLD.basename IS DISTINCT FROM NEW.basename OR OLD.hostname IS DISTINCT FROM NEW.hostname OR OLD.proxy IS DISTINCT FROM NEW.proxy)
  EXECUTE FUNCTION announce_addresses();
CREATE TRIGGER site_added_announces AFTER INSERT OR DELETE ON site FOR EACH STATEMENT EXECUTE FUNCTION announce_addresses();
CREATE TRIGGER organization_default_site_announces AFTER INSERT OR UPDATE OR DELETE ON organization_default_site
  FOR EACH STATEMENT EXECUTE FUNCTION announce_addresses();
CREATE TRIGGER organization_hostname_announces AFTER UPDATE ON organization FOR EACH ROW
  WHEN (OLD.hostname IS DISTINCT FROM NEW.hostname) EXECUTE FUNCTION announce_addresses();

-- The content of spaces that sites show. Drafts are none of it.
CREATE FUNCTION announce_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM site_space ss WHERE ss.space_id = NEW.id) THEN
    PERFORM announce('published', NEW.organization_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER space_announces AFTER UPDATE ON space FOR EACH ROW
  WHEN (OLD.revision_id IS DISTINCT FROM NEW.revision_id OR OLD.sequence IS DISTINCT FROM NEW.sequence
    OR OLD.version IS DISTINCT FROM NEW.version OR OLD.updated_at IS DISTINCT FROM NEW.updated_at)
  EXECUTE FUNCTION announce_space();

-- Specifications that pages show.
CREATE TRIGGER openapi_spec_announces_insert AFTER INSERT ON openapi_spec REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sites();
CREATE TRIGGER openapi_spec_announces_update AFTER UPDATE ON openapi_spec REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sites();
CREATE TRIGGER openapi_spec_announces_delete AFTER DELETE ON openapi_spec REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sites();

-- Who answers for a page, and what they are called.
CREATE FUNCTION announce_verifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('published', s.organization_id)
     FROM (SELECT DISTINCT space.organization_id FROM changed JOIN space ON space.id = changed.space_id) s;
  RETURN NULL;
END $$;
CREATE TRIGGER page_verification_announces_insert AFTER INSERT ON page_verification REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_verifications();
CREATE TRIGGER page_verification_announces_update AFTER UPDATE ON page_verification REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_verifications();
CREATE TRIGGER page_verification_announces_delete AFTER DELETE ON page_verification REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION announce_verifications();

CREATE FUNCTION announce_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('published', s.organization_id)
     FROM (SELECT DISTINCT space.organization_id FROM page_verification v JOIN space ON space.id = v.space_id
            WHERE CASE TG_TABLE_NAME WHEN 'account' THEN v.user_id ELSE v.team_id END = NEW.id) s;
  RETURN NULL;
END $$;
CREATE TRIGGER account_announces AFTER UPDATE ON account FOR EACH ROW
  WHEN (OLD.display_name IS DISTINCT FROM NEW.display_name) EXECUTE FUNCTION announce_owner();
CREATE TRIGGER team_announces AFTER UPDATE ON team FOR EACH ROW
  WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION announce_owner();

-- migrate:down
DROP TRIGGER team_announces ON team;
DROP TRIGGER account_announces ON account;
DROP FUNCTION announce_owner;
DROP TRIGGER page_verification_announces_insert ON page_verification;
DROP TRIGGER page_verification_announces_update ON page_verification;
DROP TRIGGER page_verification_announces_delete ON page_verification;
DROP FUNCTION announce_verifications;
DROP TRIGGER openapi_spec_announces_insert ON openapi_spec;
DROP TRIGGER openapi_spec_announces_update ON openapi_spec;
DROP TRIGGER openapi_spec_announces_delete ON openapi_spec;
DROP TRIGGER space_announces ON space;
DROP FUNCTION announce_space;
DROP TRIGGER organization_hostname_announces ON organization;
DROP TRIGGER organization_default_site_announces ON organization_default_site;
DROP TRIGGER site_added_announces ON site;
DROP TRIGGER site_address_announces ON site;
DROP FUNCTION announce_addresses;
DROP TRIGGER site_announces ON site;
DROP FUNCTION announce_sites;
