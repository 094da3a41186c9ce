-- A login that is being ended stays until somebody is let in, so that another setting of its provider ends it even then.

-- migrate:up
ALTER TABLE login_request ADD COLUMN taken boolean NOT NULL DEFAULT false;

-- migrate:down
DELETE FROM login_request WHERE taken;
ALTER TABLE login_request DROP COLUMN taken;
