-- migrate:up

-- An installation is that of a space or that of a site. The installation of a site keeps its structure equal with a file, and has
-- one for each of its spaces, which have its connection and go with it.
ALTER TABLE git_installation
  ALTER COLUMN space_id DROP NOT NULL,
  ADD COLUMN site_id text COLLATE "C" CONSTRAINT git_installation_site_fk REFERENCES site ON DELETE CASCADE,
  ADD COLUMN parent_id text COLLATE "C" CONSTRAINT git_installation_parent_fk REFERENCES git_installation ON DELETE CASCADE,
  -- The commit, and the hashes of the file and of the structure, that said the same last.
  ADD COLUMN agreed_oid text,
  ADD COLUMN agreed_file text,
  ADD COLUMN agreed_structure text,
  ADD CONSTRAINT git_installation_site_key UNIQUE (site_id);
CREATE INDEX git_installation_parent_idx ON git_installation (parent_id);

-- migrate:down
DELETE FROM git_installation WHERE parent_id IS NOT NULL;
DELETE FROM git_installation WHERE space_id IS NULL;
DROP INDEX git_installation_parent_idx;
ALTER TABLE git_installation
  DROP COLUMN site_id, DROP COLUMN parent_id, DROP COLUMN agreed_oid, DROP COLUMN agreed_file, DROP COLUMN agreed_structure,
  ALTER COLUMN space_id SET NOT NULL;
