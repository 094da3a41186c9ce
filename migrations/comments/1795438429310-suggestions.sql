-- Sides of comparisons, and replacements of blocks that comments suggest.

-- migrate:up
ALTER TABLE comment
  -- The side of the comparison that has the block; absent: the content that is discussed.
  ADD COLUMN side text,
  -- Lists of blocks: what is suggested, and what the block was then.
  ADD COLUMN suggestion json,
  ADD COLUMN suggestion_before json,
  ADD COLUMN applied_by text COLLATE "C" CONSTRAINT comment_applier_fk REFERENCES account,
  ADD COLUMN applied_at timestamptz(3),
  ADD CONSTRAINT comment_side_check CHECK (side IS NULL OR (node IS NOT NULL AND side IN ('before', 'after'))),
  ADD CONSTRAINT comment_suggestion_check CHECK ((suggestion IS NULL) = (suggestion_before IS NULL) AND (suggestion IS NULL OR node IS NOT NULL)),
  ADD CONSTRAINT comment_applied_check CHECK ((applied_by IS NULL) = (applied_at IS NULL) AND (applied_at IS NULL OR suggestion IS NOT NULL));

-- migrate:down
ALTER TABLE comment DROP COLUMN applied_at, DROP COLUMN applied_by, DROP COLUMN suggestion_before, DROP COLUMN suggestion, DROP COLUMN side;
