-- A source whose faults are accepted as far as they do not stop reading, and the warnings of the last reading.

-- migrate:up
ALTER TABLE openapi_spec
  ADD COLUMN tolerant boolean,
  ADD COLUMN warnings jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN warning_count integer NOT NULL DEFAULT 0;

-- migrate:down
ALTER TABLE openapi_spec
  DROP COLUMN tolerant,
  DROP COLUMN warnings,
  DROP COLUMN warning_count;
