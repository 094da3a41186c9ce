-- Ranges of addresses from which members reach an organization; none means all.

-- migrate:up
ALTER TABLE organization ADD COLUMN ip_allow_list cidr[] NOT NULL DEFAULT '{}';

-- migrate:down
ALTER TABLE organization DROP COLUMN ip_allow_list;
