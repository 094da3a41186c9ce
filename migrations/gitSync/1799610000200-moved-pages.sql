-- migrate:up

-- The last revision of a space of the same site that has moved pages which are linked from here; null once an export has written the links.
ALTER TABLE git_installation ADD COLUMN moved_beside text COLLATE "C";

-- migrate:down
ALTER TABLE git_installation DROP COLUMN moved_beside;
