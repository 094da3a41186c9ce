-- migrate:up

-- The hash of the file of a site that is being pushed: a file with it is no change of the repository, whatever has changed meanwhile.
ALTER TABLE git_installation ADD COLUMN pushed_file text;

-- migrate:down
ALTER TABLE git_installation DROP COLUMN pushed_file;
