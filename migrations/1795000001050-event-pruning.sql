-- Events that every consumer has had are removed after a while: whether a claim is left is asked for each of them.

-- migrate:up
CREATE INDEX event_claim_event_idx ON event_claim (event_id);

-- migrate:down
DROP INDEX event_claim_event_idx;
