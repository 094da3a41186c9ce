-- The key of a partitioned table holds the time that it is partitioned by.

-- migrate:up
CREATE UNIQUE INDEX CONCURRENTLY audit_event_earlier_pkey ON audit_event (id, occurred_at);

-- migrate:down
DROP INDEX IF EXISTS audit_event_earlier_pkey;
