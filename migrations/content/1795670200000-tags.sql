-- migrate:up

-- Tags are items of content like variables: versioned, and merged.
ALTER TABLE content_item DROP CONSTRAINT content_item_kind_check,
  ADD CONSTRAINT content_item_kind_check CHECK (kind IN ('page', 'file', 'reusable', 'variable', 'tag'));

-- migrate:down

DELETE FROM content_item WHERE kind = 'tag';
DELETE FROM content_undo WHERE kind = 'tag';
DELETE FROM content_total WHERE kind = 'tag';
ALTER TABLE content_item DROP CONSTRAINT content_item_kind_check,
  ADD CONSTRAINT content_item_kind_check CHECK (kind IN ('page', 'file', 'reusable', 'variable'));
