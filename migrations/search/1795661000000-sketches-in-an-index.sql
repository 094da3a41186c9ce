-- A search compares the sketches of all pages of its spaces: the index has them side by side, without those of the sections.

-- migrate:up
CREATE INDEX page_embedding_sketch_idx ON page_embedding (space_id, model) INCLUDE (page_id, sketch);

-- migrate:down
DROP INDEX page_embedding_sketch_idx;
