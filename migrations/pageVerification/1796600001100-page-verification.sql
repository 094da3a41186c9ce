-- migrate:up

-- Pages that somebody holds to be true until a time. They belong to the space and the id of the page, so a page that is moved, or
-- deleted and restored, keeps its verification. Without an owner (who left, or was a team that is gone) nobody answers for the page
-- any longer: the verification is over, whatever its time.
CREATE TABLE page_verification (
  space_id text COLLATE "C" NOT NULL CONSTRAINT page_verification_space_fk REFERENCES space,
  page_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" CONSTRAINT page_verification_user_fk REFERENCES account,
  team_id text COLLATE "C" CONSTRAINT page_verification_team_fk REFERENCES team ON DELETE SET NULL,
  until timestamptz(3) NOT NULL,
  note text,
  verified_by text COLLATE "C" NOT NULL CONSTRAINT page_verification_verified_by_fk REFERENCES account,
  verified_at timestamptz(3) NOT NULL,
  -- When its end was told of; null until then.
  told_at timestamptz(3),
  PRIMARY KEY (space_id, page_id),
  CONSTRAINT page_verification_owner_check CHECK (user_id IS NULL OR team_id IS NULL)
);
CREATE INDEX page_verification_until_idx ON page_verification (space_id, until, page_id);
CREATE INDEX page_verification_due_idx ON page_verification (until) WHERE told_at IS NULL;
CREATE INDEX page_verification_user_idx ON page_verification (user_id);
CREATE INDEX page_verification_team_idx ON page_verification (team_id);

-- migrate:down
DROP TABLE page_verification;
