-- migrate:up

-- The head that the last run failed at ('' where there was no such branch, null where none was seen), and when the same head is tried again.
ALTER TABLE git_installation ADD COLUMN failed_oid text, ADD COLUMN retry_at timestamptz(3);

-- migrate:down
ALTER TABLE git_installation DROP COLUMN failed_oid, DROP COLUMN retry_at;
