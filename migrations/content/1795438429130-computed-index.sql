-- Pages computed from specifications are found: their texts are made in the background.

-- migrate:up
-- A row for each space that has computed pages, or has texts of some: `due_at` since when its texts may be out of date.
CREATE TABLE computed_index (
  space_id text COLLATE "C" PRIMARY KEY CONSTRAINT computed_index_space_fk REFERENCES space ON DELETE CASCADE,
  -- The version of each specification that the texts were made from, by slug; null where there was none.
  versions jsonb NOT NULL DEFAULT '{}',
  due_at timestamptz(3)
);
CREATE INDEX computed_index_due_idx ON computed_index (due_at) WHERE due_at IS NOT NULL;

CREATE FUNCTION computed_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_space text := coalesce(NEW.space_id, OLD.space_id);
BEGIN
  IF TG_ARGV[0] = 'page' THEN
    INSERT INTO computed_index (space_id, due_at) VALUES (v_space, now()) ON CONFLICT (space_id) DO UPDATE SET due_at = coalesce(computed_index.due_at, excluded.due_at);
  ELSE
    UPDATE computed_index SET due_at = coalesce(due_at, now()) WHERE space_id = v_space;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER computed_page_made AFTER INSERT OR UPDATE ON content_item FOR EACH ROW
  WHEN (NEW.line = '' AND NEW.kind = 'page' AND NEW.props ? 'computed') EXECUTE FUNCTION computed_due('page');
CREATE TRIGGER computed_page_left AFTER UPDATE OR DELETE ON content_item FOR EACH ROW
  WHEN (OLD.line = '' AND OLD.kind = 'page' AND OLD.props ? 'computed') EXECUTE FUNCTION computed_due('left');
CREATE TRIGGER computed_file_made AFTER INSERT OR UPDATE ON content_item FOR EACH ROW
  WHEN (NEW.line = '' AND NEW.kind = 'file' AND NEW.title ~* '\.(json|ya?ml)$') EXECUTE FUNCTION computed_due('file');
CREATE TRIGGER computed_file_left AFTER DELETE ON content_item FOR EACH ROW
  WHEN (OLD.line = '' AND OLD.kind = 'file' AND OLD.title ~* '\.(json|ya?ml)$') EXECUTE FUNCTION computed_due('file');

-- Another language means other forms of words.
CREATE OR REPLACE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_space(NEW.id, NEW.language);
  UPDATE computed_index SET due_at = coalesce(due_at, now()) WHERE space_id = NEW.id;
  RETURN NULL;
END $$;
INSERT INTO computed_index (space_id, due_at)
SELECT DISTINCT i.space_id, now() FROM content_item i WHERE i.line = '' AND i.kind = 'page' AND i.props ? 'computed';

-- migrate:down
CREATE OR REPLACE FUNCTION reindex_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_space(NEW.id, NEW.language);
  RETURN NULL;
END $$;
DROP TRIGGER computed_page_made ON content_item;
DROP TRIGGER computed_page_left ON content_item;
DROP TRIGGER computed_file_made ON content_item;
DROP TRIGGER computed_file_left ON content_item;
DROP FUNCTION computed_due;
DELETE FROM section_current WHERE length(page_id) = 40;
DELETE FROM page_current WHERE length(page_id) = 40;
DROP TABLE computed_index;
