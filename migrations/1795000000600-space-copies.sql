-- Copies of spaces: the ids in a copy, and documents that refer to them. And an index for removing members.

-- migrate:up
CREATE INDEX requested_reviewer_user_idx ON requested_reviewer (user_id);

-- The id in a copy (named by its space) of a page, file or reusable content: always the same, so that references can be
-- rewritten without a table of ids. Its beginning, the time, stays: ties in the order of siblings go as before.
CREATE FUNCTION copied_id(p_copy text, p_id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(p_id, 8) || left(translate(encode(sha256(convert_to(p_copy || ' ' || p_id, 'UTF8')), 'base64'), '+/=' || chr(10), ''), 12)
$$;

-- JSON text in which these ids, as whole strings, are those of a copy; the id of the space itself is that of the copy.
CREATE FUNCTION copied_json(p_json text, p_space text, p_copy text, p_ids text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_id text;
BEGIN
  FOREACH v_id IN ARRAY p_ids LOOP
    p_json := replace(p_json, '"' || v_id || '"', '"' || CASE WHEN v_id = p_space THEN p_copy ELSE copied_id(p_copy, v_id) END || '"');
  END LOOP;
  RETURN p_json;
END $$;

-- Whether an id was ever one of a page, file or reusable content of a space's primary line.
CREATE FUNCTION is_content(p_space text, p_kind text, p_id text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM content_item i WHERE i.space_id = p_space AND i.line = '' AND i.kind = p_kind AND i.id = p_id)
      OR EXISTS (SELECT FROM content_undo u WHERE u.space_id = p_space AND u.line = '' AND u.kind = p_kind AND u.id = p_id)
$$;

-- migrate:down
DROP FUNCTION is_content(text, text, text);
DROP FUNCTION copied_json(text, text, text, text[]);
DROP FUNCTION copied_id(text, text);
DROP INDEX requested_reviewer_user_idx;
