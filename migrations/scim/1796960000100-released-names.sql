-- The names of former members become free for others, whom the identity provider gives the same ones.

-- migrate:up
ALTER TABLE scim_user ALTER COLUMN user_name DROP NOT NULL;

-- migrate:down
UPDATE scim_user SET user_name = user_id WHERE user_name IS NULL;
ALTER TABLE scim_user ALTER COLUMN user_name SET NOT NULL;
