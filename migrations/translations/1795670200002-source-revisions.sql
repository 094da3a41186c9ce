-- What translations were made from: the revision that the source had when each one was published.

-- migrate:up
UPDATE revision r SET source_revision = (
    SELECT s.id FROM revision s
     WHERE s.space_id = t.source_space_id AND s.line = '' AND s.created_at <= r.created_at ORDER BY s.sequence DESC LIMIT 1)
  FROM translation t WHERE r.space_id = t.result_space_id AND r.type = 'computed';

-- migrate:down
SELECT 1;
