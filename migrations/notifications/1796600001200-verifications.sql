-- migrate:up

-- Owners of verified pages are told when the time of a verification has passed.
ALTER TABLE notification DROP CONSTRAINT notification_kind_check;
ALTER TABLE notification ADD CONSTRAINT notification_kind_check CHECK (kind IN ('review_requested', 'reviewed', 'commented', 'replied', 'mentioned', 'merged', 'conflict', 'translation_failed', 'import_ended', 'verification_due'));

-- migrate:down
DELETE FROM notification WHERE kind = 'verification_due';
ALTER TABLE notification DROP CONSTRAINT notification_kind_check;
ALTER TABLE notification ADD CONSTRAINT notification_kind_check CHECK (kind IN ('review_requested', 'reviewed', 'commented', 'replied', 'mentioned', 'merged', 'conflict', 'translation_failed', 'import_ended'));
