-- migrate:up

-- People who have a space open now, one row for each window. A row that nobody has renewed for a while counts no more, so nothing
-- depends on its removal.
CREATE TABLE presence (
  organization_id text COLLATE "C" NOT NULL,
  space_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT presence_user_fk REFERENCES account,
  -- The window, as it names itself.
  client text COLLATE "C" NOT NULL,
  -- Null in the present content of the space.
  change_request_id text COLLATE "C",
  page_id text COLLATE "C",
  -- The key of the block that the person is in.
  block text,
  writing boolean NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, space_id, user_id, client)
);
CREATE INDEX presence_user_idx ON presence (user_id);

-- migrate:down
DROP TABLE presence;
