-- Redirects of sites that are drafts, that match whatever begins like their source, or that are permanent.

-- migrate:up
-- The path of a redirect with a wildcard is what stands before the asterisk, with the slash of `/*`.
ALTER TABLE site_redirect
  ADD COLUMN wildcard boolean NOT NULL DEFAULT false,
  ADD COLUMN capture_wildcard boolean NOT NULL DEFAULT false,
  ADD COLUMN draft boolean NOT NULL DEFAULT false,
  ADD COLUMN permanent boolean NOT NULL DEFAULT false,
  ADD COLUMN updated_at timestamptz(3),
  ADD CONSTRAINT site_redirect_capture_check CHECK (wildcard OR NOT capture_wildcard);
-- A draft stands beside the live redirect that it is to replace.
DROP INDEX site_redirect_path_key;
CREATE UNIQUE INDEX site_redirect_path_key ON site_redirect (site_id, path, wildcard, draft) WHERE NOT automatic;

-- migrate:down
-- Earlier versions would follow drafts, and take what stands before an asterisk for a whole path.
DELETE FROM site_redirect WHERE draft OR wildcard;
DROP INDEX site_redirect_path_key;
CREATE UNIQUE INDEX site_redirect_path_key ON site_redirect (site_id, path) WHERE NOT automatic;
ALTER TABLE site_redirect
  DROP CONSTRAINT site_redirect_capture_check,
  DROP COLUMN wildcard,
  DROP COLUMN capture_wildcard,
  DROP COLUMN draft,
  DROP COLUMN permanent,
  DROP COLUMN updated_at;
