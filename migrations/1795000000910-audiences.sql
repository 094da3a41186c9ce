-- Who sees published sites, and a stamp on every site that tells whether anything of it has changed.

-- migrate:up
CREATE TABLE site_adaptive_schema (
  site_id text COLLATE "C" PRIMARY KEY CONSTRAINT site_adaptive_schema_site_fk REFERENCES site ON DELETE CASCADE,
  -- As it was written: json keeps the order of properties.
  json_schema json NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL
);

-- Keys are found by their hash, and shown again by decrypting them.
CREATE TABLE site_share_link (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL CONSTRAINT site_share_link_site_fk REFERENCES site ON DELETE CASCADE,
  name text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  key_hash bytea NOT NULL,
  key_sealed bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT site_share_link_key UNIQUE (site_id, key_hash)
);
CREATE INDEX site_share_link_list_idx ON site_share_link (site_id, created_at, id);

-- The key that visitors' tokens are signed with; its generation counts how often it was replaced.
CREATE TABLE site_publishing_auth (
  site_id text COLLATE "C" PRIMARY KEY CONSTRAINT site_publishing_auth_site_fk REFERENCES site ON DELETE CASCADE,
  key_sealed bytea NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  fallback_url text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL
);

CREATE INDEX site_by_hostname_idx ON site (lower(hostname)) WHERE hostname IS NOT NULL;
CREATE INDEX site_by_proxy_idx ON site (lower(proxy)) WHERE proxy IS NOT NULL;

-- Every change of a site's row takes the stamp on.
ALTER TABLE site ADD COLUMN stamp bigint NOT NULL DEFAULT 0;
CREATE FUNCTION stamp_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.stamp := OLD.stamp + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER site_stamp BEFORE UPDATE ON site FOR EACH ROW EXECUTE FUNCTION stamp_site();

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
CALL let_touch_sites('site_adaptive_schema');
CALL let_touch_sites('site_share_link');
CALL let_touch_sites('site_publishing_auth');

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

-- migrate:down
DROP TRIGGER space_touches_sites ON space;
DROP FUNCTION touch_sites_of_space();
DROP TABLE site_publishing_auth, site_share_link, site_adaptive_schema;
DO $$
DECLARE owned text; event text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['site_section', 'site_section_group', 'site_space'] LOOP
    FOREACH event IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
      EXECUTE format('DROP TRIGGER touch_sites_%s ON %I', event, owned);
    END LOOP;
  END LOOP;
END $$;
DROP PROCEDURE let_touch_sites(regclass);
DROP FUNCTION touch_sites();
DROP TRIGGER site_stamp ON site;
DROP FUNCTION stamp_site();
ALTER TABLE site DROP COLUMN stamp;
DROP INDEX site_by_proxy_idx;
DROP INDEX site_by_hostname_idx;
