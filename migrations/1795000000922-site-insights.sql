-- What readers of sites do, one narrow row for each event. No address, cookie or key of anybody is in it: visitors and
-- sessions are hashes that mean nothing outside of their site.

-- migrate:up
CREATE TABLE site_insight (
  site_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  -- Numbers of the lists in the code.
  type smallint NOT NULL,
  context smallint NOT NULL,
  device smallint NOT NULL,
  browser smallint NOT NULL,
  os smallint NOT NULL,
  bot smallint,
  visitor bigint NOT NULL,
  session bigint NOT NULL,
  -- Without query and fragment.
  url text NOT NULL,
  section_id text COLLATE "C",
  site_space_id text COLLATE "C",
  page_space_id text COLLATE "C",
  page_id text COLLATE "C",
  share_key text COLLATE "C",
  language text,
  referrer text,
  -- What else the event tells, by the names of its columns in queries; null for most.
  facts jsonb,
  claims jsonb
);
CREATE INDEX site_insight_range_idx ON site_insight (site_id, at);
-- For what is older than it may get: events come nearly in the order of their times.
CREATE INDEX site_insight_age_idx ON site_insight USING brin (at) WITH (autosummarize = on);

-- migrate:down
DROP TABLE site_insight;
