-- migrate:up
-- It is logged for the same reason as that of the changes of organizations.
ALTER SEQUENCE collection_total_change_id_seq SET LOGGED;

-- migrate:down
ALTER SEQUENCE collection_total_change_id_seq SET UNLOGGED;
