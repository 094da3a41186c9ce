-- A space may have several translations to one language, which differ by the name of their variant.

-- migrate:compatible servers of the release before make translations without a variant, and of these one for each language as until now
-- migrate:up
ALTER TABLE translation ADD COLUMN variant text NOT NULL DEFAULT '';
ALTER TABLE translation ADD CONSTRAINT translation_variant_check CHECK (char_length(variant) <= 20);
ALTER TABLE translation DROP CONSTRAINT translation_language_key;
ALTER TABLE translation ADD CONSTRAINT translation_variant_key UNIQUE (organization_id, source_space_id, language, variant);
CREATE INDEX translation_source_idx ON translation (source_space_id, language);

-- migrate:down
DROP INDEX translation_source_idx;
ALTER TABLE translation DROP CONSTRAINT translation_variant_key;
DELETE FROM translation WHERE variant <> '';
ALTER TABLE translation ADD CONSTRAINT translation_language_key UNIQUE (source_space_id, language);
ALTER TABLE translation DROP COLUMN variant;
