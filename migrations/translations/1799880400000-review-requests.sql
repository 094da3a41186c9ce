-- Runs of a translation may write into a change request of its space, which people review and merge.

-- migrate:up
ALTER TABLE translation
  ADD COLUMN review boolean NOT NULL DEFAULT false,
  ADD COLUMN review_request_id text COLLATE "C",
  ADD COLUMN review_revision_id text COLLATE "C",
  ADD COLUMN review_sequence bigint;

-- migrate:down
ALTER TABLE translation
  DROP COLUMN review,
  DROP COLUMN review_request_id,
  DROP COLUMN review_revision_id,
  DROP COLUMN review_sequence;
