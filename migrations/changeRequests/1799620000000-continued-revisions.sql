-- migrate:up

-- A revision of a merged change request that a later one goes on from: what the later one changes is the difference to it.
ALTER TABLE change_request ADD COLUMN continued_revision_id text COLLATE "C";

-- migrate:down
ALTER TABLE change_request DROP COLUMN continued_revision_id;
