-- Notifications of people: rows for each person, their settings, and the checks for conflicts that are due.

-- migrate:up
-- One row for each event and person who is told of it. `sequence` counts the rows of a person in the order of their commits.
-- `in_app` is false for rows that are only mailed; `mail_at` is the time from which a letter may tell of the row, by the clock
-- of the database, and null once a letter has, or need not.
CREATE TABLE notification (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL CONSTRAINT notification_user_fk REFERENCES account,
  sequence bigint NOT NULL,
  -- The event, or for a conflict the change request and its base.
  event_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  at timestamptz(3) NOT NULL,
  space_id text COLLATE "C" NOT NULL CONSTRAINT notification_space_fk REFERENCES space,
  change_request_id text COLLATE "C",
  comment_id text COLLATE "C",
  page_id text COLLATE "C",
  -- The review, the import or the translation.
  subject_id text COLLATE "C",
  outcome text,
  actor_id text COLLATE "C" CONSTRAINT notification_actor_fk REFERENCES account,
  in_app boolean NOT NULL,
  read_at timestamptz(3),
  mail_at timestamptz(3),
  CONSTRAINT notification_event_key UNIQUE (event_id, user_id),
  CONSTRAINT notification_kind_check CHECK (kind IN ('review_requested', 'reviewed', 'commented', 'replied', 'mentioned', 'merged', 'conflict', 'translation_failed', 'import_ended')),
  CONSTRAINT notification_change_request_fk FOREIGN KEY (space_id, change_request_id) REFERENCES change_request (space_id, id),
  CONSTRAINT notification_comment_fk FOREIGN KEY (space_id, comment_id) REFERENCES comment (space_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX notification_list_key ON notification (user_id, sequence);
CREATE INDEX notification_unread_idx ON notification (user_id, space_id) WHERE in_app AND read_at IS NULL;
CREATE INDEX notification_change_request_idx ON notification (space_id, change_request_id, kind);
CREATE INDEX notification_comment_idx ON notification (space_id, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX notification_mail_idx ON notification (mail_at, user_id) WHERE mail_at IS NOT NULL;
CREATE INDEX notification_age_idx ON notification (at);

-- The last sequence of each person, which serializes the transactions that add rows for them, and the failures of their letters.
CREATE TABLE notification_inbox (
  user_id text COLLATE "C" PRIMARY KEY CONSTRAINT notification_inbox_user_fk REFERENCES account,
  sequence bigint NOT NULL,
  mail_failures integer NOT NULL DEFAULT 0,
  mail_retry_at timestamptz(3)
);

-- What differs from the defaults, for everything or, with an organization, for what is of that organization.
CREATE TABLE notification_settings (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL CONSTRAINT notification_settings_user_fk REFERENCES account,
  organization_id text COLLATE "C" CONSTRAINT notification_settings_organization_fk REFERENCES organization ON DELETE CASCADE,
  kinds jsonb NOT NULL DEFAULT '{}',
  mail text NOT NULL DEFAULT 'immediately',
  CONSTRAINT notification_settings_mail_check CHECK (mail IN ('immediately', 'daily', 'weekly', 'never'))
);
CREATE UNIQUE INDEX notification_settings_key ON notification_settings (user_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX notification_settings_organization_idx ON notification_settings (organization_id);

-- Revisions of the primary line of a space whose conflicts with open change requests are still to be found.
CREATE TABLE conflict_check (
  space_id text COLLATE "C" PRIMARY KEY CONSTRAINT conflict_check_space_fk REFERENCES space,
  from_sequence bigint NOT NULL,
  to_sequence bigint NOT NULL,
  -- When a job for it was enqueued last.
  noted_at timestamptz(3) NOT NULL
);

-- migrate:down
DROP TABLE conflict_check, notification_settings, notification_inbox, notification;
