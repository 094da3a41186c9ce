-- migrate:up
-- A packfile with what the next import needs of the commit: its trees, and the texts that every import reads. Null after an export.
ALTER TABLE space_git ADD COLUMN kept bytea;

-- migrate:down
ALTER TABLE space_git DROP COLUMN kept;
