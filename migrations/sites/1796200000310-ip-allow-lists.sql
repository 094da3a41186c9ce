-- Ranges of addresses from which visitors read a site; none means all.

-- migrate:up
ALTER TABLE site ADD COLUMN ip_allow_list cidr[] NOT NULL DEFAULT '{}';

-- migrate:down
ALTER TABLE site DROP COLUMN ip_allow_list;
