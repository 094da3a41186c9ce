-- What the platform keeps for all modules: the outbox, the clockwork of scheduled jobs and the lanes of others, stored blobs,
-- answers for Idempotency-Key, the budgets of rate limits and the keys of stored secrets. The tables of the job queue are made by
-- the queue itself, in the schema jobs.

-- migrate:up
-- Secrets that are encrypted with a key of SECRET_KEY are found by the type of their columns, so that a new key reaches all of them.
CREATE DOMAIN sealed AS bytea;
COMMENT ON DOMAIN sealed IS 'A text encrypted with one of the keys of SECRET_KEY, for as long as its row lives; every table with such a column has a primary key of one text column';

-- No foreign keys: history outlives the organizations, spaces and people it tells of.
CREATE TABLE event (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C",
  space_id text COLLATE "C",
  type text NOT NULL,
  actor_id text COLLATE "C",
  token_id text COLLATE "C",
  ip text,
  target text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL
);
CREATE INDEX event_organization_idx ON event (organization_id, at DESC, id DESC);
CREATE INDEX event_space_idx ON event (space_id, at DESC, id DESC) WHERE space_id IS NOT NULL;

CREATE TABLE event_consumer (
  name text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL,
  everywhere boolean NOT NULL DEFAULT true
);

-- The organizations that a consumer hears of which does not listen everywhere: events of all others cost nothing.
CREATE TABLE event_audience (
  consumer text NOT NULL CONSTRAINT event_audience_consumer_fk REFERENCES event_consumer ON DELETE CASCADE,
  organization_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (consumer, organization_id)
);

-- Each consumer has its own row for every event it has not dealt with yet: events are claimed by
-- locking these rows, since neither ids nor times follow the order of commits.
CREATE TABLE event_claim (
  consumer text NOT NULL CONSTRAINT event_claim_consumer_fk REFERENCES event_consumer ON DELETE CASCADE,
  event_id text COLLATE "C" NOT NULL CONSTRAINT event_claim_event_fk REFERENCES event ON DELETE CASCADE,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  dead boolean NOT NULL DEFAULT false,
  problem text,
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX event_claim_due_idx ON event_claim (consumer, due_at, event_id) WHERE NOT dead;
-- Whether a claim is left is asked for each event that is removed after a while.
CREATE INDEX event_claim_event_idx ON event_claim (event_id);

-- When each scheduled job was last due; the row is the lock that lets one server at a time tick.
CREATE TABLE clockwork (
  name text PRIMARY KEY,
  ticked_at timestamptz(3) NOT NULL
);

-- The lanes in which work for organizations is done, one job of a kind at a time. While woken, a job is enqueued that has not
-- begun; while leased, one is at work.
CREATE TABLE job_lane (
  organization_id text COLLATE "C" NOT NULL,
  job text NOT NULL,
  woken boolean NOT NULL DEFAULT false,
  run_id text,
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, job)
);

-- Bytes in the file storage, once per installation, under their SHA-256. What no foreign key to this
-- table and no registered column refers to is removed after 48 hours.
CREATE TABLE blob (
  hash bytea PRIMARY KEY,
  size bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  unreferenced_since timestamptz(3),
  CONSTRAINT blob_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX blob_unreferenced_idx ON blob (unreferenced_since) WHERE unreferenced_since IS NOT NULL;

-- organization_id is '' where the request belongs to none. Without response a repeat is refused.
CREATE TABLE idempotency (
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  method text NOT NULL,
  path text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  status integer NOT NULL,
  response bytea,
  created_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, organization_id, method, path, key)
);
CREATE INDEX idempotency_created_idx ON idempotency (created_at);

-- Not logged: after a crash every budget starts anew. window_number counts the minutes since 1970.
CREATE UNLOGGED TABLE rate_budget (
  key text COLLATE "C" PRIMARY KEY,
  window_number bigint NOT NULL,
  used integer NOT NULL
);
CREATE INDEX rate_budget_window_idx ON rate_budget (window_number);

-- When a server last encrypted and signed with a key, and since when no column has a value of it. The empty id stands for values
-- from before keys had ids. Keys themselves are never stored.
CREATE TABLE sealing_key (
  id text COLLATE "C" PRIMARY KEY,
  current_at timestamptz(3) NOT NULL,
  free_at timestamptz(3)
);
INSERT INTO sealing_key (id, current_at) VALUES ('', now());

-- migrate:down
DROP TABLE sealing_key, rate_budget, idempotency, blob, job_lane, clockwork, event_claim, event_audience,
  event_consumer, event;
DROP DOMAIN sealed;
DROP SCHEMA IF EXISTS jobs CASCADE;
