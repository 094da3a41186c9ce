-- How many pages, files, reusable contents and variables each line holds, and what a rollback went back to.

-- migrate:up
-- Rows of content_item of a line by kind, kept by the statement that writes them, so that a limit costs no counting.
CREATE TABLE content_total (
  space_id text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (space_id, line, kind)
) WITH (fillfactor = 80);
INSERT INTO content_total (space_id, line, kind, count) SELECT space_id, line, kind, count(*) FROM content_item GROUP BY space_id, line, kind;

-- The revision whose content a revision of type rollback has.
ALTER TABLE revision ADD COLUMN rolled_back_to text COLLATE "C";

-- migrate:down
ALTER TABLE revision DROP COLUMN rolled_back_to;
DROP TABLE content_total;
