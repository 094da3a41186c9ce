-- Specifications are files that are found by their name.

-- migrate:up

CREATE INDEX content_item_specification_idx ON content_item (space_id, line, title) WHERE kind = 'file' AND title ~* '[.](ya?ml|json)$';
CREATE INDEX content_undo_specification_idx ON content_undo (space_id, line, title) WHERE kind = 'file' AND existed AND title ~* '[.](ya?ml|json)$';

-- migrate:down

DROP INDEX content_undo_specification_idx;
DROP INDEX content_item_specification_idx;
