-- The number of all faults of a source, of which the first ones are kept.

-- migrate:up
ALTER TABLE openapi_spec ADD COLUMN error_count integer NOT NULL DEFAULT 0;
UPDATE openapi_spec SET error_count = jsonb_array_length(errors) WHERE errors <> '[]';

-- migrate:down
ALTER TABLE openapi_spec DROP COLUMN error_count;
