-- The search index names the organization in which a text was written: texts of spaces that came from another one are
-- searched by the space alone.

-- migrate:up
ALTER TABLE space ADD COLUMN is_transferred boolean NOT NULL DEFAULT false;

-- migrate:down
ALTER TABLE space DROP COLUMN is_transferred;
