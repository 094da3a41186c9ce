-- migrate:up
ALTER TABLE space_member_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT space_member_grant_custom_role_fk FOREIGN KEY (custom_role_id, role)
    REFERENCES custom_role (id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX space_member_grant_custom_role_idx ON space_member_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

ALTER TABLE space_team_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT space_team_grant_custom_role_fk FOREIGN KEY (custom_role_id, role)
    REFERENCES custom_role (id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX space_team_grant_custom_role_idx ON space_team_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

ALTER TABLE collection_member_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT collection_member_grant_custom_role_fk FOREIGN KEY (organization_id, custom_role_id, role)
    REFERENCES custom_role (organization_id, id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX collection_member_grant_custom_role_idx ON collection_member_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

ALTER TABLE collection_team_grant
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT collection_team_grant_custom_role_fk FOREIGN KEY (organization_id, custom_role_id, role)
    REFERENCES custom_role (organization_id, id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX collection_team_grant_custom_role_idx ON collection_team_grant (custom_role_id) WHERE custom_role_id IS NOT NULL;

-- migrate:down
ALTER TABLE collection_team_grant DROP COLUMN custom_role_id;
ALTER TABLE collection_member_grant DROP COLUMN custom_role_id;
ALTER TABLE space_team_grant DROP COLUMN custom_role_id;
ALTER TABLE space_member_grant DROP COLUMN custom_role_id;
