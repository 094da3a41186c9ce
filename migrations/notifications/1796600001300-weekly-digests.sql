-- migrate:up

-- Whether a person wants a letter each week about what changed in their spaces; null: those do whose letters are weekly.
ALTER TABLE notification_settings ADD COLUMN digest boolean;
-- The time up to which such letters have told a person of changes; null for people who want none.
ALTER TABLE notification_inbox ADD COLUMN digest_since timestamptz(3);
CREATE INDEX notification_inbox_digest_idx ON notification_inbox (digest_since) WHERE digest_since IS NOT NULL;

INSERT INTO notification_inbox (user_id, sequence, digest_since)
SELECT DISTINCT g.user_id, 0, (date_trunc('week', now() AT TIME ZONE 'UTC') + interval '7 hours') AT TIME ZONE 'UTC' FROM notification_settings g WHERE g.mail = 'weekly'
ON CONFLICT (user_id) DO UPDATE SET digest_since = excluded.digest_since;

-- migrate:down
ALTER TABLE notification_inbox DROP COLUMN digest_since;
ALTER TABLE notification_settings DROP COLUMN digest;
