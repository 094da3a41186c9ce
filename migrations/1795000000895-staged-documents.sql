-- Documents that were stored ahead of the change that is to name them, so that those of imports which never came to their
-- end can be found again.

-- migrate:up
CREATE TABLE document_staged (
  space_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  staged_at timestamptz(3) NOT NULL,
  PRIMARY KEY (space_id, hash)
);
CREATE INDEX document_staged_at_idx ON document_staged (staged_at);

-- What earlier imports may have left behind; whether something refers to it is looked at again before it is removed.
INSERT INTO document_staged (space_id, hash, staged_at)
SELECT d.space_id, d.hash, now() FROM document d
 WHERE NOT EXISTS (SELECT FROM content_item i WHERE i.space_id = d.space_id AND i.hash = d.hash)
   AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = d.space_id AND u.hash = d.hash);

-- migrate:down
DROP TABLE document_staged;
