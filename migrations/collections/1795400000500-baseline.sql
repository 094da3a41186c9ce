-- Collections, which may lie in each other, and how many spaces they have.

-- migrate:up
CREATE TABLE collection (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT collection_organization_fk REFERENCES organization,
  parent_id text COLLATE "C",
  title text NOT NULL,
  description text,
  default_level access_level,
  position text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT collection_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT collection_organization_id_key UNIQUE (organization_id, id),
  CONSTRAINT collection_parent_fk FOREIGN KEY (organization_id, parent_id) REFERENCES collection (organization_id, id)
);
CREATE INDEX collection_siblings_idx ON collection (organization_id, parent_id, position, id);
CREATE INDEX collection_closed_idx ON collection (organization_id) WHERE default_level = 'none';
CREATE INDEX collection_parent_idx ON collection (parent_id);

-- How many spaces outside of the trash a collection has, kept as the totals of organizations are.
CREATE TABLE collection_total (
  collection_id text COLLATE "C" PRIMARY KEY CONSTRAINT collection_total_collection_fk REFERENCES collection ON DELETE CASCADE,
  spaces bigint NOT NULL
);

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

-- migrate:down
DROP TABLE collection_total_change, collection_total, collection;
DROP FUNCTION add_to_collection_totals;
