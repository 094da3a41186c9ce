-- migrate:up

-- All changes of the space that wait become one commit; otherwise each becomes one.
ALTER TABLE git_installation ADD COLUMN squash boolean NOT NULL DEFAULT true;

-- migrate:down
ALTER TABLE git_installation DROP COLUMN squash;
