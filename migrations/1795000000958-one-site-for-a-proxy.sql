-- Of two sites behind one host and path readers would only get one, so there can be none.

-- migrate:up
UPDATE site SET proxy = NULL
 WHERE EXISTS (SELECT FROM site older WHERE lower(older.proxy) = lower(site.proxy) AND (older.created_at, older.id) < (site.created_at, site.id));
DROP INDEX site_by_proxy_idx;
CREATE UNIQUE INDEX site_proxy_key ON site (lower(proxy)) WHERE proxy IS NOT NULL;

-- migrate:down
DROP INDEX site_proxy_key;
CREATE INDEX site_by_proxy_idx ON site (lower(proxy)) WHERE proxy IS NOT NULL;
