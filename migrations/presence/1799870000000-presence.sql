-- migrate:up

-- People who have a space open now, one row for each window. A row that nobody has renewed for a while counts no more, and the next
-- one who comes into the space removes it.
CREATE TABLE presence (
  organization_id text COLLATE "C" NOT NULL,
  space_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The window, as it names itself.
  client text COLLATE "C" NOT NULL,
  -- Null in the present content of the space.
  change_request_id text COLLATE "C",
  change_request_number integer,
  page_id text COLLATE "C",
  -- The key of the block that the person is in.
  block text,
  writing boolean NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, space_id, user_id, client)
);

-- migrate:down
DROP TABLE presence;
