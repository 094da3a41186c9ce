-- Pages are found by what their titles and headings mean.

-- migrate:up
-- The vectors of the sections of current pages, as the bits of their signs. All rows of one model have equally many bits.
CREATE TABLE page_embedding (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  model text NOT NULL,
  -- The SHA-256 of what the vectors were made from.
  source bytea NOT NULL,
  -- Of all sections together, null for a page without any text: only the nearest pages are compared by section.
  sketch bit varying,
  hashes bytea[] NOT NULL,
  sketches bit varying[] NOT NULL,
  PRIMARY KEY (space_id, page_id)
);

-- Pages whose vectors may be out of date, or are not made yet. Marking one twice raises its generation.
CREATE TABLE page_embedding_due (
  space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL DEFAULT 0,
  PRIMARY KEY (space_id, page_id)
);

CREATE FUNCTION page_embeddings_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO page_embedding_due (space_id, page_id) SELECT DISTINCT c.space_id, c.page_id FROM changed c ORDER BY 1, 2
      ON CONFLICT (space_id, page_id) DO UPDATE SET generation = page_embedding_due.generation + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER page_embedding_made AFTER INSERT ON page_current REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION page_embeddings_due();
CREATE TRIGGER page_embedding_changed AFTER UPDATE ON page_current REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION page_embeddings_due();
CREATE TRIGGER page_embedding_left AFTER DELETE ON page_current REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION page_embeddings_due();
INSERT INTO page_embedding_due (space_id, page_id) SELECT space_id, page_id FROM page_current;

-- migrate:down
DROP TRIGGER page_embedding_made ON page_current;
DROP TRIGGER page_embedding_changed ON page_current;
DROP TRIGGER page_embedding_left ON page_current;
DROP FUNCTION page_embeddings_due;
DROP TABLE page_embedding, page_embedding_due;
