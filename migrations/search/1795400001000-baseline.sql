-- What people look for, as queries of the vectors that content makes.

-- migrate:up
-- The query for one term, made as the vectors are. Null for a word that the language leaves out, unless it shall be kept.
CREATE FUNCTION search_term(p_config regconfig, p_text text, p_phrase boolean, p_prefix boolean, p_keep boolean) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_text text := CASE WHEN p_phrase THEN regexp_replace(search_text(p_text, false), '(?<=[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]) [\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF] *$', '') ELSE search_text(p_text, true) END;
        v_plain text := search_plain(v_text);
        v_words tsquery := plainto_tsquery('pg_catalog.simple'::regconfig, search_signs(v_plain));
        v_stems tsquery;
        v_others tsquery;
BEGIN
  IF p_config = 'pg_catalog.simple'::regconfig THEN
    IF p_phrase THEN RETURN phraseto_tsquery(p_config, search_signs(v_plain)); END IF;
  ELSE
    v_stems := CASE WHEN p_phrase THEN phraseto_tsquery(p_config, v_text) ELSE plainto_tsquery(p_config, v_text) END;
    IF v_plain <> v_text THEN
      v_others := CASE WHEN p_phrase THEN phraseto_tsquery(p_config, v_plain) ELSE plainto_tsquery(p_config, v_plain) END;
      IF v_others <> v_stems THEN v_stems := v_stems || v_others; END IF;
    END IF;
    IF p_phrase AND numnode(v_stems) > 0 THEN RETURN v_stems; END IF;
    IF numnode(v_stems) = 0 AND NOT p_prefix AND NOT p_keep THEN RETURN NULL; END IF;
  END IF;
  IF numnode(v_words) = 0 THEN RETURN v_stems; END IF;
  IF p_prefix THEN v_words := (v_words::text || ':*')::tsquery; END IF;
  RETURN CASE WHEN v_stems IS NULL OR v_stems = v_words THEN v_words ELSE v_stems || v_words END;
END $$;

-- The query of all terms: those of one group all have to match, and one group has to. `p_terms` are rows (choice, texts, phrase,
-- prefix, negated); one of the texts is enough. Words that the language leaves out count where there are no others. Null
-- where there is nothing to look for.
CREATE FUNCTION search_query(p_config regconfig, p_terms jsonb) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE v_query tsquery;
BEGIN
  FOR v_turn IN 1..2 LOOP
    SELECT string_agg(g.query, ' | ')::tsquery INTO v_query FROM (
      SELECT string_agg(CASE WHEN t.negated THEN '!(' ELSE '(' END || q.query || ')', ' & ') AS query
        FROM jsonb_to_recordset(p_terms) AS t (choice int, texts text[], phrase boolean, prefix boolean, negated boolean)
       CROSS JOIN LATERAL (
         SELECT string_agg('(' || one.query::text || ')', ' | ') AS query
           FROM unnest(t.texts) AS given (text) CROSS JOIN LATERAL (SELECT search_term(p_config, given.text, t.phrase, t.prefix, v_turn = 2) AS query) one
          WHERE numnode(one.query) > 0) q
       WHERE q.query IS NOT NULL GROUP BY t.choice) g;
    EXIT WHEN v_query IS NOT NULL;
  END LOOP;
  RETURN v_query;
END $$;

-- migrate:down
DROP FUNCTION search_query;
DROP FUNCTION search_term;
