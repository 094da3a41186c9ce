-- migrate:up

-- Roles of an organization's own: a role that the service has, and permissions beyond it. Members and grants that name one have
-- its base as their role: the foreign keys hold both together, so a new base reaches all who have it, and a role that is
-- deleted leaves them the base.
CREATE TABLE custom_role (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT custom_role_organization_fk REFERENCES organization,
  title text NOT NULL,
  description text,
  base access_level NOT NULL,
  permissions text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT custom_role_base_key UNIQUE (id, base),
  CONSTRAINT custom_role_organization_base_key UNIQUE (organization_id, id, base)
);

ALTER TABLE member
  ADD COLUMN custom_role_id text COLLATE "C",
  ADD CONSTRAINT member_custom_role_fk FOREIGN KEY (organization_id, custom_role_id, role)
    REFERENCES custom_role (organization_id, id, base) ON UPDATE CASCADE ON DELETE SET NULL (custom_role_id);
CREATE INDEX member_custom_role_idx ON member (custom_role_id) WHERE custom_role_id IS NOT NULL;

-- migrate:down
ALTER TABLE member DROP COLUMN custom_role_id;
DROP TABLE custom_role;
