-- What removing members reads.

-- migrate:up
CREATE INDEX requested_reviewer_user_idx ON requested_reviewer (user_id);

-- migrate:down
DROP INDEX requested_reviewer_user_idx;
