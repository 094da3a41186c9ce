-- Comments on the content of spaces and change requests, their replies and reactions.

-- migrate:up
-- `line` is that of the content which is discussed: '' is the primary line, otherwise the id of a change request. A reply is
-- a comment with a parent. The anchor (page, node, cell) is kept as it was given, whatever becomes of the content.
CREATE TABLE comment (
  space_id text COLLATE "C" NOT NULL CONSTRAINT comment_space_fk REFERENCES space,
  id text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  -- The review of a change request that it belongs to.
  review_id text COLLATE "C",
  -- The head of the line when it was posted.
  revision_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C",
  node text COLLATE "C",
  table_record text COLLATE "C",
  table_definition text COLLATE "C",
  body json NOT NULL,
  posted_by text COLLATE "C" NOT NULL CONSTRAINT comment_author_fk REFERENCES account,
  posted_at timestamptz(3) NOT NULL,
  edited_at timestamptz(3),
  resolved_by text COLLATE "C" CONSTRAINT comment_resolver_fk REFERENCES account,
  resolved_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (space_id, id),
  CONSTRAINT comment_parent_fk FOREIGN KEY (space_id, parent_id) REFERENCES comment (space_id, id) ON DELETE CASCADE,
  CONSTRAINT comment_node_check CHECK (node IS NULL OR page_id IS NOT NULL),
  CONSTRAINT comment_cell_check CHECK ((table_record IS NULL) = (table_definition IS NULL) AND (table_record IS NULL OR node IS NOT NULL)),
  CONSTRAINT comment_resolved_check CHECK ((resolved_by IS NULL) = (resolved_at IS NULL)),
  CONSTRAINT comment_reply_check CHECK (parent_id IS NULL OR (resolved_at IS NULL AND page_id IS NULL AND review_id IS NULL))
);
CREATE INDEX comment_list_idx ON comment (space_id, line, posted_at, id) WHERE parent_id IS NULL;
CREATE INDEX comment_open_idx ON comment (space_id, line, posted_at, id) WHERE parent_id IS NULL AND resolved_at IS NULL;
CREATE INDEX comment_page_idx ON comment (space_id, line, page_id, posted_at, id) WHERE parent_id IS NULL AND page_id IS NOT NULL;
CREATE INDEX comment_author_idx ON comment (space_id, line, posted_by);
CREATE INDEX comment_reply_idx ON comment (space_id, parent_id, posted_at, id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX comment_review_key ON comment (space_id, review_id) WHERE review_id IS NOT NULL;

-- `emoji` are code points in hexadecimal, joined by `-`.
CREATE TABLE comment_reaction (
  space_id text COLLATE "C" NOT NULL,
  comment_id text COLLATE "C" NOT NULL,
  emoji text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL CONSTRAINT comment_reaction_user_fk REFERENCES account,
  reacted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, comment_id, emoji, user_id),
  CONSTRAINT comment_reaction_comment_fk FOREIGN KEY (space_id, comment_id) REFERENCES comment (space_id, id) ON DELETE CASCADE
);

-- migrate:down
DROP TABLE comment_reaction, comment;
