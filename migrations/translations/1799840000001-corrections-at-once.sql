-- Texts that nobody could translate have a state of their own, and corrections that no page says yet are found at once.

-- migrate:compatible the check allows one more state, which servers of the release before do not write
-- migrate:up
ALTER TABLE translation_segment DROP CONSTRAINT translation_segment_state_check;
ALTER TABLE translation_segment ADD CONSTRAINT translation_segment_state_check
  CHECK (state IN ('machine', 'reviewed', 'outdated', 'untranslated'));
CREATE INDEX translation_segment_unpublished_idx ON translation_segment (organization_id, translation_id, kind, source_item_id) WHERE NOT published;

-- migrate:down
DROP INDEX translation_segment_unpublished_idx;
UPDATE translation_segment SET state = 'machine' WHERE state = 'untranslated';
ALTER TABLE translation_segment DROP CONSTRAINT translation_segment_state_check;
ALTER TABLE translation_segment ADD CONSTRAINT translation_segment_state_check CHECK (state IN ('machine', 'reviewed', 'outdated'));
