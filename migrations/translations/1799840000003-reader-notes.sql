-- Readers of a translation may be told which pages nobody has reviewed.

-- migrate:up
ALTER TABLE translation ADD COLUMN reader_note boolean NOT NULL DEFAULT false;

-- migrate:down
ALTER TABLE translation DROP COLUMN reader_note;
