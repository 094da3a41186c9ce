-- Indexes that leave the planner no wrong choice, a short list of what the text indexes have not taken in yet, and
-- documents without their Markdown.

-- migrate:up
-- Led by the parent, they cannot be taken for looking up an item by its id, which the primary keys are for: without
-- statistics, as after an import, both look equally good.
DROP INDEX content_item_children_idx;
CREATE INDEX content_item_children_idx ON content_item (parent_id, space_id, line, slug) WHERE kind = 'page';
DROP INDEX content_undo_children_idx;
CREATE INDEX content_undo_children_idx ON content_undo (parent_id, space_id, line, slug, sequence) WHERE existed AND kind = 'page';

DROP INDEX page_current_hash_idx;
CREATE INDEX page_current_hash_idx ON page_current (hash, space_id);

-- The list of a space's files, newest first.
CREATE INDEX content_item_files_idx ON content_item (space_id, created_at, id) WHERE kind = 'file' AND line = '';

-- Every search reads the whole pending list of an index: 4 MB of it cost more than the search. In kB.
ALTER INDEX document_section_heading_idx SET (gin_pending_list_limit = 64);
ALTER INDEX document_section_vector_idx SET (gin_pending_list_limit = 64);
ALTER INDEX page_current_title_idx SET (gin_pending_list_limit = 64);

-- Markdown is written when it is read: that costs less than writing it with every edit, and documents that are there
-- already gain from every improvement of how it is written.
ALTER TABLE document DROP COLUMN markdown;

-- migrate:down
ALTER TABLE document ADD COLUMN markdown text NOT NULL DEFAULT '';
ALTER INDEX page_current_title_idx RESET (gin_pending_list_limit);
ALTER INDEX document_section_vector_idx RESET (gin_pending_list_limit);
ALTER INDEX document_section_heading_idx RESET (gin_pending_list_limit);
DROP INDEX content_item_files_idx;
DROP INDEX page_current_hash_idx;
CREATE INDEX page_current_hash_idx ON page_current (space_id, hash);
DROP INDEX content_undo_children_idx;
CREATE INDEX content_undo_children_idx ON content_undo (space_id, line, kind, parent_id, slug, sequence) WHERE existed;
DROP INDEX content_item_children_idx;
CREATE INDEX content_item_children_idx ON content_item (space_id, line, kind, parent_id, slug);
