-- Redirects that an imported folder names itself, beside those that renamed pages leave.

-- migrate:up
-- What the source says of the redirect: a reference to a page, an anchor or an address. Null for the old
-- address of a page that was renamed or moved. Where it leads to no page of the space, page_id is ''.
ALTER TABLE page_redirect ADD COLUMN given jsonb;

-- migrate:down
DELETE FROM page_redirect WHERE given IS NOT NULL;
ALTER TABLE page_redirect DROP COLUMN given;
