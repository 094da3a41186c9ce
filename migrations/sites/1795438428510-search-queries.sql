-- What readers of sites search for and which of the found pages they open, by day. Nothing in it tells who they are.

-- migrate:up
CREATE TABLE site_search_query (
  site_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  -- In lower case, with single blanks.
  query text COLLATE "C" NOT NULL,
  searches integer NOT NULL,
  -- Searches without any hit.
  unanswered integer NOT NULL,
  -- Searches after which a result was opened.
  opened integer NOT NULL,
  last_asked_at timestamptz(3) NOT NULL,
  CONSTRAINT site_search_query_pkey PRIMARY KEY (site_id, day, query)
);
-- Days come in their order.
CREATE INDEX site_search_query_age_idx ON site_search_query USING brin (day) WITH (autosummarize = on);

CREATE TABLE site_search_choice (
  site_id text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL,
  day date NOT NULL,
  page_space_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  opens integer NOT NULL,
  CONSTRAINT site_search_choice_pkey PRIMARY KEY (site_id, query, day, page_space_id, page_id)
);
CREATE INDEX site_search_choice_age_idx ON site_search_choice USING brin (day) WITH (autosummarize = on);

-- migrate:down
DROP TABLE site_search_choice, site_search_query;
