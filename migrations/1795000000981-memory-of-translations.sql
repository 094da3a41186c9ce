-- migrate:up
-- When a text was last asked for, so that the memory of a translation can forget those that nobody has asked for the longest.
ALTER TABLE translation_memory ADD COLUMN used_at timestamptz(3) NOT NULL DEFAULT now();
ALTER TABLE translation_memory ALTER COLUMN used_at DROP DEFAULT;

-- migrate:down
ALTER TABLE translation_memory DROP COLUMN used_at;
