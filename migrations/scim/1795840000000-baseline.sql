-- What identity providers call the members and teams that they provision by SCIM.

-- migrate:up
CREATE TABLE scim_user (
  organization_id text COLLATE "C" NOT NULL CONSTRAINT scim_user_organization_fk REFERENCES organization,
  -- The account and not the member: who comes back after a removal is known again.
  user_id text COLLATE "C" NOT NULL CONSTRAINT scim_user_user_fk REFERENCES account,
  user_name text NOT NULL,
  external_id text,
  -- The account was made by this provider, which may therefore change its name and address.
  owns_account boolean NOT NULL,
  CONSTRAINT scim_user_pkey PRIMARY KEY (organization_id, user_id)
);
CREATE UNIQUE INDEX scim_user_name_key ON scim_user (organization_id, lower(user_name));
CREATE UNIQUE INDEX scim_user_external_key ON scim_user (organization_id, external_id);
CREATE INDEX scim_user_account_idx ON scim_user (user_id);

CREATE TABLE scim_group (
  organization_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  external_id text NOT NULL,
  CONSTRAINT scim_group_pkey PRIMARY KEY (organization_id, team_id),
  CONSTRAINT scim_group_team_fk FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_group_external_key ON scim_group (organization_id, external_id);

-- migrate:down
DROP TABLE scim_group;
DROP TABLE scim_user;
