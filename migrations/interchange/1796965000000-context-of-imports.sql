-- migrate:up
-- The hash of what the pages of the last import depend on beside their own sources; null after an export.
ALTER TABLE space_git ADD COLUMN context_hash text;

-- migrate:down
ALTER TABLE space_git DROP COLUMN context_hash;
