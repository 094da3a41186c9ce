-- An entry of a glossary may have other forms of its term, such as its plural, each with its translation.

-- migrate:compatible servers of the release before make entries without forms, and leave those of others as they are
-- migrate:up
ALTER TABLE glossary_entry ADD COLUMN forms jsonb NOT NULL DEFAULT '[]';

-- migrate:down
ALTER TABLE glossary_entry DROP COLUMN forms;
