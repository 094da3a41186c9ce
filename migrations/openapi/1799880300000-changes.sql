-- The changes of each version of a specification against the one before it, and sources that refuse some of them.

-- migrate:compatible a code more is allowed, and the new unique key holds already since the ids alone are unique
-- migrate:up
ALTER TABLE openapi_version
  -- How many changes of each effect there are; null where nothing was compared.
  ADD COLUMN change_counts jsonb,
  ADD CONSTRAINT openapi_version_organization_key UNIQUE (organization_id, id);
ALTER TABLE openapi_spec
  ADD COLUMN fail_on text CONSTRAINT openapi_spec_fail_on_check CHECK (fail_on IN ('breaking', 'dangerous')),
  DROP CONSTRAINT openapi_spec_error_check,
  ADD CONSTRAINT openapi_spec_error_check
    CHECK (error_code IN ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR', 'BREAKING_CHANGES'));

CREATE TABLE openapi_change (
  organization_id text COLLATE "C" NOT NULL,
  version_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  effect text NOT NULL CONSTRAINT openapi_change_effect_check
    CHECK (effect IN ('breaking', 'dangerous', 'compatible', 'documentation')),
  change jsonb NOT NULL,
  CONSTRAINT openapi_change_pkey PRIMARY KEY (organization_id, version_id, number),
  CONSTRAINT openapi_change_version_fk FOREIGN KEY (organization_id, version_id)
    REFERENCES openapi_version (organization_id, id) ON DELETE CASCADE
);

-- migrate:down
DROP TABLE openapi_change;
ALTER TABLE openapi_version DROP CONSTRAINT openapi_version_organization_key, DROP COLUMN change_counts;
UPDATE openapi_spec SET error_code = 'PARSE_ERROR' WHERE error_code = 'BREAKING_CHANGES';
ALTER TABLE openapi_spec
  DROP COLUMN fail_on,
  DROP CONSTRAINT openapi_spec_error_check,
  ADD CONSTRAINT openapi_spec_error_check CHECK (error_code IN ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'));
