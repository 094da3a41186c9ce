-- migrate:up

-- False while a pull request of the repository of a site changes nothing in the folder of the space, whose change request is closed then.
ALTER TABLE git_pull_request ADD COLUMN touches boolean NOT NULL DEFAULT true;

-- Rows of the installation of a site, and of that of a single space: the paths that the pull request changes up to a commit
-- (null: too many), the run that tells the forge how it is, and whether another run has met something newer meanwhile.
ALTER TABLE git_pull_request ADD COLUMN changed_oid text,
  ADD COLUMN changed_paths jsonb,
  ADD COLUMN teller text COLLATE "C",
  ADD COLUMN is_outdated boolean NOT NULL DEFAULT false;

-- The comments at pull requests of spaces of sites go on as those of the sites.
INSERT INTO git_pull_request (installation_id, number, state, comment_id, url, created_at, updated_at)
SELECT DISTINCT ON (g.parent_id, p.number) g.parent_id, p.number, 'open', p.comment_id, p.url, p.created_at, p.updated_at
  FROM git_pull_request p JOIN git_installation g ON g.id = p.installation_id
 WHERE g.parent_id IS NOT NULL AND p.comment_id IS NOT NULL ORDER BY g.parent_id, p.number, p.created_at;

-- migrate:down
DELETE FROM git_pull_request p USING git_installation g WHERE g.id = p.installation_id AND g.site_id IS NOT NULL;
ALTER TABLE git_pull_request DROP COLUMN touches,
  DROP COLUMN changed_oid,
  DROP COLUMN changed_paths,
  DROP COLUMN teller,
  DROP COLUMN is_outdated;
