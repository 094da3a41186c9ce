-- migrate:up

-- The revisions of change requests that say what the branch says at request_oid and at merged_oid.
ALTER TABLE git_installation ADD COLUMN request_revision text COLLATE "C", ADD COLUMN merged_revision text COLLATE "C";

-- migrate:down
ALTER TABLE git_installation DROP COLUMN request_revision, DROP COLUMN merged_revision;
