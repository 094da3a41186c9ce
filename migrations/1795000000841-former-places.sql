-- Where pages stood before, by the page above and the slug: old paths are walked from page to page, so they lead on after any
-- number of moves of what is above and below.

-- migrate:up
CREATE TABLE page_former_place (
  space_id text COLLATE "C" NOT NULL,
  -- '' at the root.
  parent_id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  -- The page, which may be gone: the way to others may lead through it.
  page_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, parent_id, slug, page_id)
);

-- migrate:down
DROP TABLE page_former_place;
