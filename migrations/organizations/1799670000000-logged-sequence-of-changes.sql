-- migrate:up
-- PostgreSQL replays the first page of a sequence that is not logged into memory alone. A replica that becomes the primary
-- before it has written that page to disk has a sequence that is unreadable for good.
ALTER SEQUENCE organization_total_change_id_seq SET LOGGED;

-- migrate:down
ALTER SEQUENCE organization_total_change_id_seq SET UNLOGGED;
