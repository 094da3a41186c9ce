-- Webhooks of organizations and what is delivered to them.

-- migrate:up
-- Secrets are encrypted with a key made from SECRET_KEY. For a while after a rotation the previous one signs, too. What was
-- given up in a row is counted in failures, and a webhook that fails for too long is switched off, with the reason.
CREATE TABLE webhook (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT webhook_organization_fk REFERENCES organization ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL,
  events text[] NOT NULL,
  spaces text[],
  active boolean NOT NULL,
  secret sealed NOT NULL,
  previous_secret sealed,
  previous_secret_until timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  disabled_reason text,
  disabled_at timestamptz(3),
  created_by text COLLATE "C" NOT NULL CONSTRAINT webhook_created_by_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT webhook_organization_key UNIQUE (organization_id, id)
);
CREATE INDEX webhook_list_idx ON webhook (organization_id, created_at DESC, id DESC);

-- One row for each webhook and event. What is sent is kept as it was when the event was recorded.
CREATE TABLE webhook_delivery (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  status text NOT NULL CONSTRAINT webhook_delivery_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  attempted_at timestamptz(3),
  completed_at timestamptz(3),
  response_status integer,
  response_excerpt text,
  duration integer,
  problem text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT webhook_delivery_webhook_fk FOREIGN KEY (organization_id, webhook_id) REFERENCES webhook (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_delivery_event_key UNIQUE (webhook_id, event_id)
);
CREATE INDEX webhook_delivery_list_idx ON webhook_delivery (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (webhook_id, due_at, id) WHERE status = 'pending';
CREATE INDEX webhook_delivery_created_idx ON webhook_delivery (created_at);

-- migrate:down
DROP TABLE webhook_delivery, webhook;
