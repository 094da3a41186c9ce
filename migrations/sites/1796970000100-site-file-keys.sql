-- The names that the file of a site has for its parts, by which another import of the file finds them again.

-- migrate:up
ALTER TABLE site_section_group ADD COLUMN file_key text;
ALTER TABLE site_section ADD COLUMN file_key text;
ALTER TABLE site_external_link ADD COLUMN file_key text;
ALTER TABLE site_space ADD COLUMN file_key text;
CREATE UNIQUE INDEX site_section_group_file_key ON site_section_group (site_id, file_key) WHERE file_key IS NOT NULL;
CREATE UNIQUE INDEX site_section_file_key ON site_section (site_id, file_key) WHERE file_key IS NOT NULL;
CREATE UNIQUE INDEX site_external_link_file_key ON site_external_link (site_id, file_key) WHERE file_key IS NOT NULL;
CREATE UNIQUE INDEX site_space_file_key ON site_space (site_id, file_key) WHERE file_key IS NOT NULL;

-- migrate:down
ALTER TABLE site_section_group DROP COLUMN file_key;
ALTER TABLE site_section DROP COLUMN file_key;
ALTER TABLE site_external_link DROP COLUMN file_key;
ALTER TABLE site_space DROP COLUMN file_key;
