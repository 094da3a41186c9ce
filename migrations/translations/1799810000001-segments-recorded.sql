-- Translations whose runs have stored their segments; the others run once more.

-- migrate:up
ALTER TABLE translation ADD COLUMN segments_recorded boolean NOT NULL DEFAULT false;

-- migrate:down
ALTER TABLE translation DROP COLUMN segments_recorded;
