-- The revision of another space that a computed revision follows from.

-- migrate:up
ALTER TABLE revision ADD COLUMN source_revision text COLLATE "C";

-- migrate:down
ALTER TABLE revision DROP COLUMN source_revision;
