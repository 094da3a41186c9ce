-- migrate:up

-- Administrators of a site are told when its structure cannot be kept equal with its repository: such a row has a site and no space.
ALTER TABLE notification ALTER COLUMN space_id DROP NOT NULL;
ALTER TABLE notification ADD COLUMN site_id text COLLATE "C" CONSTRAINT notification_site_fk REFERENCES site ON DELETE CASCADE;
ALTER TABLE notification ADD CONSTRAINT notification_place_check CHECK (num_nonnulls(space_id, site_id) = 1);
CREATE INDEX notification_site_idx ON notification (site_id) WHERE site_id IS NOT NULL;
CREATE INDEX notification_user_site_idx ON notification (user_id, site_id) WHERE site_id IS NOT NULL;

-- migrate:down
DELETE FROM notification WHERE space_id IS NULL;
ALTER TABLE notification DROP COLUMN site_id;
ALTER TABLE notification ALTER COLUMN space_id SET NOT NULL;
