-- Organizations, their members, and totals of both that lists need not count.

-- migrate:up
-- 'none' is what the API shows as null: a guest, or a grant that takes access away.
CREATE TYPE access_level AS ENUM ('none', 'read', 'comment', 'edit', 'review', 'create', 'admin');

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

ALTER TABLE api_token ADD CONSTRAINT api_token_organization_fk FOREIGN KEY (organization_id) REFERENCES organization;
ALTER TABLE event_audience ADD CONSTRAINT event_audience_organization_fk FOREIGN KEY (organization_id) REFERENCES organization ON DELETE CASCADE;
ALTER TABLE job_lane ADD CONSTRAINT job_lane_organization_fk FOREIGN KEY (organization_id) REFERENCES organization ON DELETE CASCADE;

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
CREATE INDEX member_joined_idx ON member (organization_id, joined_at, user_id);
CREATE INDEX member_seen_idx ON member (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL AND NOT disabled;
CREATE INDEX member_role_idx ON member (organization_id, role, joined_at, user_id);

-- What a space's or collection's own level means to a member: guests see only what was granted to them, so to
-- them a level that was set is no access, whatever it says.
CREATE FUNCTION level_for(p_level access_level, p_member_role access_level) RETURNS access_level LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_level IS NOT NULL AND p_member_role = 'none' THEN 'none'::access_level ELSE p_level END
$$;

-- How many spaces (outside of the trash) and members an organization has. Triggers of the statements that change them count
-- once for a statement and add once for a transaction, so that its row is locked only while a transaction commits.
CREATE TABLE organization_total (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT organization_total_organization_fk REFERENCES organization ON DELETE CASCADE,
  spaces integer NOT NULL DEFAULT 0,
  members integer NOT NULL DEFAULT 0
);

-- Members by what lists filter them by. `seen`: they have been here.
CREATE TABLE organization_member_total (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT organization_member_total_organization_fk REFERENCES organization ON DELETE CASCADE,
  role access_level NOT NULL,
  disabled boolean NOT NULL,
  seen boolean NOT NULL,
  members bigint NOT NULL,
  PRIMARY KEY (organization_id, role, disabled, seen)
);

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

-- migrate:down
ALTER TABLE job_lane DROP CONSTRAINT job_lane_organization_fk;
ALTER TABLE event_audience DROP CONSTRAINT event_audience_organization_fk;
ALTER TABLE api_token DROP CONSTRAINT api_token_organization_fk;
DROP TABLE organization_total_change, organization_member_total, organization_total, member, organization;
DROP FUNCTION count_changed_member;
DROP FUNCTION count_members;
DROP FUNCTION add_to_totals;
DROP FUNCTION level_for;
DROP TYPE access_level;
