-- Counting the spaces of a collection without looking at them.

-- migrate:up
CREATE INDEX space_collection_list_idx ON space (organization_id, collection_id, position, id) WHERE deleted_at IS NULL;

-- migrate:down
DROP INDEX space_collection_list_idx;
