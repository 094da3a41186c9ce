// @ts-nocheck
import { searchTerms } from '../src/authoring/search/domain/search-terms.js';

const P = { k1: 2, b: 0.5, bt: 0.5, wt: 6, wh: 1.5, wd: 1, pair: 0.6, cover: 0.2, rest: 0.1, page: 0, budget: 2000, ...JSON.parse(process.env.P ?? '{}') };
const TF = (v, q) => `CASE WHEN w.ranked IS NULL THEN 1 ELSE greatest(1, least(20, 1 / (1.645 - 1.64493 * ts_rank('{1,1,1,1}', ${v}, w.ranked)) - 0.5)) END`;

/** $1 space, $2 language, $3 terms. */
const SQL = `
WITH config AS MATERIALIZED (SELECT search_config($2) AS config, ('''~' || $1 || '''')::tsquery AS here, ('''~' || $1 || '.6''')::tsquery AS sample),
given AS MATERIALIZED (
  SELECT t.idx, t.kind, t.weight, search_query(c.config, jsonb_build_array(jsonb_build_object('choice', 0, 'texts', t.texts, 'phrase', t.phrase, 'prefix', t.prefix, 'negated', false))) AS query, CASE WHEN t.phrase THEN NULL ELSE nullif(plainto_tsquery(c.config, search_text(t.texts[1], true)), ''::tsquery) END AS ranked, search_term(c.config, t.texts[1], t.phrase, t.prefix, false) IS NULL AS stop
    FROM config c CROSS JOIN jsonb_to_recordset($3::jsonb) AS t (idx int, kind text, texts text[], phrase boolean, prefix boolean, weight real)),
term AS MATERIALIZED (SELECT * FROM given WHERE numnode(query) > 0 AND (NOT stop OR NOT EXISTS (SELECT FROM given WHERE NOT stop))),
total AS MATERIALIZED (SELECT greatest(count(*), 1)::real AS texts FROM section_current WHERE space_id = $1),
counted AS MATERIALIZED (
  SELECT t.*, (CASE WHEN p.found >= 30 THEN p.found * 64 ELSE e.found END)::real AS texts
    FROM term t CROSS JOIN config c
   CROSS JOIN LATERAL (SELECT count(*) AS found FROM (SELECT FROM section_vector s WHERE s.vector @@ (t.query && c.sample) LIMIT 1200) x) p
   CROSS JOIN LATERAL (SELECT count(*) AS found FROM (SELECT FROM section_vector s WHERE p.found < 30 AND s.vector @@ (t.query && c.here) LIMIT 4000) x) e),
weighed AS MATERIALIZED (
  SELECT c.idx, c.query, CASE WHEN numnode(c.ranked) = 1 THEN c.ranked END AS ranked, c.texts, c.weight * ln(1 + greatest(n.texts - c.texts, 0) / (c.texts + 0.5) + 0.5 / (c.texts + 0.5)) AS idf FROM counted c CROSS JOIN total n),
chosen AS MATERIALIZED (
  SELECT string_agg('(' || query::text || ')', ' | ')::tsquery AS query FROM (SELECT query, sum(texts) OVER (ORDER BY texts, idx) AS total FROM counted) x WHERE total <= ${P.budget} OR total = (SELECT min(texts) FROM counted)),
any_term AS MATERIALIZED (SELECT string_agg('(' || query::text || ')', ' | ')::tsquery AS query FROM counted),
body AS MATERIALIZED (
  SELECT c.page_id, s.heading_vector, s.vector, length(s.vector)::real AS size
    FROM chosen q CROSS JOIN config f CROSS JOIN LATERAL (SELECT s.hash, s.heading_vector, s.vector FROM section_vector s WHERE s.vector @@ (q.query && f.here) AND s.space_id || '' = $1 LIMIT ${2 * P.budget}) s
   CROSS JOIN LATERAL (SELECT c.page_id FROM section_current c WHERE c.space_id = $1 AND c.hash = s.hash OFFSET 0) c),
titled AS MATERIALIZED (
  SELECT c.page_id FROM any_term q CROSS JOIN config f JOIN page_current c ON c.title_vector @@ (q.query && f.here) AND c.space_id || '' = $1 LIMIT 1000),
average AS MATERIALIZED (SELECT greatest(avg(size), 1) AS size FROM body),
candidate AS MATERIALIZED (SELECT row_number() OVER () AS id, c.* FROM (
  SELECT page_id, heading_vector, vector, size FROM body
  UNION ALL SELECT page_id, ''::tsvector, ''::tsvector, a.size FROM titled t CROSS JOIN average a) c),
titles AS MATERIALIZED (
  SELECT c.page_id, w.idx, ${TF('c.title_vector', 'w.query')} / (1 - ${P.bt} + ${P.bt} * length(c.title_vector) / 12.0) AS tf
    FROM (SELECT DISTINCT page_id FROM candidate) p JOIN page_current c ON c.space_id = $1 AND c.page_id = p.page_id CROSS JOIN weighed w WHERE c.title_vector @@ w.query),
pair AS MATERIALIZED (
  SELECT x.page_id, x.id, w.idx, w.idf, w.idf * s.tf * ${P.k1 + 1} / (s.tf + ${P.k1}) AS part
    FROM candidate x CROSS JOIN average a CROSS JOIN weighed w LEFT JOIN titles t ON t.page_id = x.page_id AND t.idx = w.idx
     CROSS JOIN LATERAL (SELECT coalesce(t.tf, 0) * ${P.wt} + CASE WHEN x.vector @@ w.query THEN (${TF('x.vector', 'w.query')} + CASE WHEN x.heading_vector @@ w.query THEN ${P.wh} ELSE 0 END) / (1 - ${P.b} + ${P.b} * x.size / a.size) ELSE 0 END AS tf) s
   WHERE s.tf > 0),
whole AS MATERIALIZED (SELECT sum(idf) AS idf FROM weighed),
section AS (SELECT page_id, id, sum(part) * (${1 - P.cover} + ${P.cover} * sum(p.idf) / max(w.idf)) AS score FROM pair p CROSS JOIN whole w GROUP BY page_id, id),
best AS (SELECT page_id, max(score) * (1 + ${P.rest} * ln(sum(score) / greatest(max(score), 0.0001))) AS score FROM section GROUP BY page_id),
united AS (SELECT page_id, sum(part) AS score FROM (SELECT page_id, idx, max(part) AS part FROM pair GROUP BY page_id, idx) t GROUP BY page_id)
SELECT b.page_id, b.score + ${P.page} * u.score AS score FROM best b JOIN united u USING (page_id) ORDER BY 2 DESC LIMIT 1000`;

export const TF_FUNCTION = `CREATE OR REPLACE FUNCTION search_tf(v tsvector, q tsquery) RETURNS real LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (1 + 2 * (1.64493 * ts_rank('{1,1,1,1}', v, q) - 0.9))::real $$`;

const partsOf = (w) => w.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const { STOP_WORDS } = await import('../src/insight/conversations/domain/stop-words.js');
export function inputOf(query, language = 'en') {
  const terms = searchTerms(query.replace(/^-|(?<=\s)--/g, ' ')).filter(({ negated }) => !negated);
  const words = [];
  for (const t of terms) {
    const text = t.texts[0];
    if (!t.phrase && /^[\u0E00-\u0EFF\u1000-\u109F\u3005\u3007\u3040-\u30FA\u30FC-\u318F\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7FF]/.test(text) && [...text].length > 2) {
      const segs = [...new Intl.Segmenter(language ?? 'ja', { granularity: 'word' }).segment(text)].filter((x) => x.isWordLike).map((x) => x.segment);
      if (process.env.DBG) console.log(segs);
      for (const seg of segs) { const n = [...seg].length; const hira = /^[\u3040-\u309f]+$/.test(seg);
        words.push({ idx: words.length, kind: 'word', texts: [seg], phrase: false, prefix: n === 1, weight: hira ? P.hira ?? 0.2 : n === 1 ? 0.4 : 1 });
      }
      continue;
    }
    const parts = t.phrase || /[\u3040-\u9fff]/.test(text) ? [] : partsOf(text);
    const idx = words.length;
    const filler = STOP_WORDS.get(language)?.has(text.toLowerCase()) ? P.filler ?? 0.3 : 1;
    if (parts.length > 1) {
      words.push({ idx, kind: 'compound', texts: [text, parts.join(' ')], phrase: true, prefix: false, weight: P.comp ?? 1 });
      for (const part of parts) words.push({ idx: words.length, kind: 'word', texts: [part], phrase: false, prefix: false, weight: P.part ?? 0.35 });
    } else words.push({ idx, kind: 'word', texts: t.texts, phrase: t.phrase, prefix: false, weight: filler });
    if (t.prefix && words.length < (P.maxPrefix ?? 99)) words.push({ idx: words.length, kind: 'prefix', texts: [parts.length > 1 ? parts.at(-1) : text], phrase: false, prefix: true, weight: P.prefix ?? 0.3 });
  }
  return words;
}
export async function hitsOf(client, space, query, limit) {
  const { rows } = await client.query(SQL, [space.id, space.language, JSON.stringify(inputOf(query, space.language ?? 'en'))]);
  return rows.slice(0, limit);
}
