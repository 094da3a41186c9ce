-- The sites that the root of the public listener names.

-- migrate:up
CREATE INDEX site_public_idx ON site (lower(title), id) WHERE published AND visibility = 'public';

-- migrate:down
DROP INDEX site_public_idx;
