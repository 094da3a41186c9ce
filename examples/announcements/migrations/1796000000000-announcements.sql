-- migrate:up
CREATE TABLE announcement (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organization ON DELETE CASCADE,
  title text NOT NULL,
  text text NOT NULL,
  ends_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX announcement_of_organization ON announcement (organization_id, id);
CREATE INDEX announcement_ended ON announcement (ends_at) WHERE ends_at IS NOT NULL;

-- migrate:down
DROP TABLE announcement;
