-- Pages of change requests that a reviewer has looked at.

-- migrate:up
CREATE TABLE viewed_page (
  space_id text COLLATE "C" NOT NULL,
  change_request_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT viewed_page_user_fk REFERENCES account,
  page_id text COLLATE "C" NOT NULL,
  -- A hash of what was seen: the mark holds for this content only.
  state text COLLATE "C" NOT NULL,
  viewed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, change_request_id, user_id, page_id),
  CONSTRAINT viewed_page_change_request_fk FOREIGN KEY (space_id, change_request_id) REFERENCES change_request (space_id, id)
);

-- migrate:down
DROP TABLE viewed_page;
