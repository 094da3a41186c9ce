-- Teams and who is in them.

-- migrate:up
CREATE TYPE team_role AS ENUM ('member', 'owner');

CREATE TABLE team (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT team_organization_fk REFERENCES organization,
  title text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT team_organization_id_key UNIQUE (organization_id, id)
);
CREATE INDEX team_list_idx ON team (organization_id, created_at, id);

CREATE TABLE team_member (
  organization_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role team_role NOT NULL DEFAULT 'member',
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, team_id, user_id),
  CONSTRAINT team_member_team_fk FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT team_member_member_fk FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX team_member_user_idx ON team_member (user_id, organization_id);
CREATE INDEX team_member_team_idx ON team_member (team_id, user_id);
CREATE INDEX team_member_list_idx ON team_member (team_id, created_at, user_id);
CREATE INDEX team_member_of_user_idx ON team_member (organization_id, user_id, team_id);

-- migrate:down
DROP TABLE team_member, team;
DROP TYPE team_role;
