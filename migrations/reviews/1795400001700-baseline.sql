-- Reviews of change requests, and who was asked for one.

-- migrate:up
CREATE TABLE requested_reviewer (
  space_id text COLLATE "C" NOT NULL,
  change_request_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT requested_reviewer_user_fk REFERENCES account,
  requested_by text COLLATE "C" NOT NULL CONSTRAINT requested_reviewer_requester_fk REFERENCES account,
  revision_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, change_request_id, user_id),
  CONSTRAINT requested_reviewer_change_request_fk FOREIGN KEY (space_id, change_request_id) REFERENCES change_request (space_id, id)
);
CREATE INDEX requested_reviewer_user_idx ON requested_reviewer (user_id);

CREATE TABLE change_request_review (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL,
  change_request_id text COLLATE "C" NOT NULL,
  reviewer_id text COLLATE "C" NOT NULL CONSTRAINT change_request_review_reviewer_fk REFERENCES account,
  -- Who had asked for it, if anybody.
  requested_by text COLLATE "C" CONSTRAINT change_request_review_requester_fk REFERENCES account,
  status text NOT NULL,
  -- The head of the change request that was looked at, and its place in the line.
  revision_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT change_request_review_space_id_key UNIQUE (space_id, id),
  CONSTRAINT change_request_review_change_request_fk FOREIGN KEY (space_id, change_request_id) REFERENCES change_request (space_id, id),
  CONSTRAINT change_request_review_status_check CHECK (status IN ('approved', 'changes-requested'))
);
CREATE INDEX change_request_review_list_idx ON change_request_review (space_id, change_request_id, created_at, id);

-- migrate:down
DROP TABLE change_request_review, requested_reviewer;
