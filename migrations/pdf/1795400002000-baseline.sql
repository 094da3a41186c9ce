-- PDFs of spaces and change requests: rendered in the background, kept for as long as somebody asks for them.

-- migrate:up
CREATE TABLE pdf_rendering (
  id text COLLATE "C" PRIMARY KEY,
  space_id text COLLATE "C" NOT NULL CONSTRAINT pdf_rendering_space_fk REFERENCES space,
  -- A hash of everything that the PDF follows from; null once another one has taken its place.
  key bytea,
  status text NOT NULL,
  -- What is to be rendered: a point of the space's history and a part of its pages.
  wanted jsonb NOT NULL,
  name text NOT NULL,
  hash bytea CONSTRAINT pdf_rendering_hash_fk REFERENCES blob,
  size bigint,
  -- The versions of the specifications that pages were computed from.
  used jsonb,
  -- Why there is no PDF.
  error text,
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  asked_at timestamptz(3) NOT NULL,
  CONSTRAINT pdf_rendering_key UNIQUE (space_id, key),
  CONSTRAINT pdf_rendering_status_check CHECK (status IN ('pending', 'done', 'failed'))
);
CREATE INDEX pdf_rendering_hash_idx ON pdf_rendering (hash) WHERE hash IS NOT NULL;
CREATE INDEX pdf_rendering_asked_idx ON pdf_rendering (asked_at);
CREATE INDEX pdf_rendering_pending_idx ON pdf_rendering (space_id) WHERE status = 'pending';

-- migrate:down
DROP TABLE pdf_rendering;
