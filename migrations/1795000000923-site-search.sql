-- What only some readers of a site see, found without reading everything: pages that are hidden or have a condition, and
-- documents of which a part has one.

-- migrate:up
CREATE INDEX content_item_conditional_idx ON content_item (space_id) WHERE line = '' AND kind = 'page' AND (props ? 'hidden' OR props ? 'condition');
CREATE INDEX document_conditional_idx ON document (space_id, hash) WHERE body::text LIKE '%"type":"if"%';

-- migrate:down
DROP INDEX document_conditional_idx;
DROP INDEX content_item_conditional_idx;
