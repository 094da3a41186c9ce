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

-- The same for Markdown, where references stand as JSON in base64url between two private-use characters.
CREATE FUNCTION copied_markdown(p_markdown text, p_space text, p_copy text, p_ids text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_placeholder text; v_before text; v_after text;
BEGIN
  FOR v_placeholder IN SELECT DISTINCT m[1] FROM regexp_matches(p_markdown, U&'\+0F0000([A-Za-z0-9_-]+)\+0F0001', 'g') AS m LOOP
    v_before := convert_from(decode(rpad(translate(v_placeholder, '-_', '+/'), (length(v_placeholder) + 3) / 4 * 4, '='), 'base64'), 'UTF8');
    v_after := copied_json(v_before, p_space, p_copy, p_ids);
    IF v_after <> v_before THEN
      p_markdown := replace(p_markdown, U&'\+0F0000' || v_placeholder || U&'\+0F0001',
        U&'\+0F0000' || translate(encode(convert_to(v_after, 'UTF8'), 'base64'), '+/=' || chr(10), '-_') || U&'\+0F0001');
    END IF;
  END LOOP;
  RETURN p_markdown;
END $$;

-- Whether an id was ever one of a page, file or reusable content of a space's primary line.
CREATE FUNCTION is_content(p_space text, p_kind text, p_id text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM content_item i WHERE i.space_id = p_space AND i.line = '' AND i.kind = p_kind AND i.id = p_id)
      OR EXISTS (SELECT FROM content_undo u WHERE u.space_id = p_space AND u.line = '' AND u.kind = p_kind AND u.id = p_id)
$$;

-- migrate:down
DROP FUNCTION is_content(text, text, text);
DROP FUNCTION copied_markdown(text, text, text, text[]);
DROP FUNCTION copied_json(text, text, text, text[]);
DROP FUNCTION copied_id(text, text);
DROP INDEX requested_reviewer_user_idx;
