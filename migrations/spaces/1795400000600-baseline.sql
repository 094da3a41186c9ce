-- Spaces, and how they count in the totals of their organization and collection.

-- migrate:up
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
CREATE INDEX space_list_idx ON space (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX space_closed_idx ON space (organization_id) WHERE default_level = 'none';
CREATE INDEX space_creator_idx ON space (organization_id, created_by);
CREATE INDEX space_collection_list_idx ON space (organization_id, collection_id, position, id) WHERE deleted_at IS NULL;

-- The totals of the organization and of the collection, kept by the statements that add, remove and move spaces.
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

CREATE FUNCTION count_collection_spaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO collection_total_change (collection_id, spaces)
  SELECT collection_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed
   WHERE deleted_at IS NULL AND collection_id IS NOT NULL GROUP BY collection_id;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_total_inserted AFTER INSERT ON space REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_collection_spaces();
CREATE TRIGGER collection_total_deleted AFTER DELETE ON space REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_collection_spaces();

CREATE FUNCTION count_collected_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND OLD.collection_id IS NOT NULL THEN INSERT INTO collection_total_change (collection_id, spaces) VALUES (OLD.collection_id, -1); END IF;
  IF NEW.deleted_at IS NULL AND NEW.collection_id IS NOT NULL THEN INSERT INTO collection_total_change (collection_id, spaces) VALUES (NEW.collection_id, 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_total_moved AFTER UPDATE OF deleted_at, collection_id ON space FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR OLD.collection_id IS DISTINCT FROM NEW.collection_id)
  EXECUTE FUNCTION count_collected_space();

-- migrate:down
DROP TABLE space;
DROP FUNCTION count_collected_space;
DROP FUNCTION count_collection_spaces;
DROP FUNCTION count_moved_space;
DROP FUNCTION count_spaces;
