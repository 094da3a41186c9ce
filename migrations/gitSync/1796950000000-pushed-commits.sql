-- migrate:up

-- The commit that is being pushed, and the revision in it: one that arrived although the server stopped before that was noted is known again.
ALTER TABLE git_installation ADD COLUMN pushed_oid text;
ALTER TABLE git_installation ADD COLUMN pushed_revision text COLLATE "C";

-- migrate:down
ALTER TABLE git_installation DROP COLUMN pushed_oid, DROP COLUMN pushed_revision;
