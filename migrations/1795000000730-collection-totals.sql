-- How many spaces a collection has, kept as the totals of organizations are, and the teams of a member in their order.

-- migrate:up
CREATE INDEX team_member_of_user_idx ON team_member (organization_id, user_id, team_id);

-- Spaces outside of the trash.
CREATE TABLE collection_total (
  collection_id text COLLATE "C" PRIMARY KEY CONSTRAINT collection_total_collection_fk REFERENCES collection ON DELETE CASCADE,
  spaces bigint NOT NULL
);
INSERT INTO collection_total (collection_id, spaces)
SELECT collection_id, count(*) FROM space WHERE deleted_at IS NULL AND collection_id IS NOT NULL GROUP BY collection_id;

CREATE UNLOGGED TABLE collection_total_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  collection_id text COLLATE "C" NOT NULL,
  spaces bigint NOT NULL
);
CREATE INDEX collection_total_change_transaction_idx ON collection_total_change (transaction);

CREATE FUNCTION add_to_collection_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM collection_total_change WHERE id = NEW.id) THEN RETURN NULL; END IF;
  WITH change AS (
    DELETE FROM collection_total_change WHERE transaction = pg_current_xact_id() RETURNING collection_id, spaces)
  INSERT INTO collection_total AS t (collection_id, spaces)
  SELECT c.collection_id, sum(c.spaces) FROM change c JOIN collection o ON o.id = c.collection_id
   GROUP BY c.collection_id ORDER BY c.collection_id
  ON CONFLICT (collection_id) DO UPDATE SET spaces = t.spaces + excluded.spaces;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER collection_total_change_added AFTER INSERT ON collection_total_change
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION add_to_collection_totals();

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
DROP TRIGGER collection_total_moved ON space;
DROP TRIGGER collection_total_deleted ON space;
DROP TRIGGER collection_total_inserted ON space;
DROP TABLE collection_total_change, collection_total;
DROP FUNCTION count_collected_space();
DROP FUNCTION count_collection_spaces();
DROP FUNCTION add_to_collection_totals();
DROP INDEX team_member_of_user_idx;
