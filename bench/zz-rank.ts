// @ts-nocheck
import { readFileSync, existsSync } from 'node:fs';
import pg from 'pg';
import MiniSearch from 'minisearch';
const E = { off: 1, k: 60, we: 1, top: 200, ...JSON.parse(process.env.E ?? '{}') };
const port = readFileSync('/tmp/ev/postgres/postmaster.pid','utf8').split('\n')[3];
const client = new pg.Client({ connectionString: `postgres://bindery:${readFileSync('/tmp/ev/database-password','utf8')}@127.0.0.1:${port}/bindery` });
await client.connect();
const roots = { elsa: '/work/shared/corpora/elsa', fluentd: '/work/shared/corpora/fluentd', docs: '/work/main/docs', de: 'bench/search/corpora/de', ja: 'bench/search/corpora/ja', fr: 'bench/search/corpora/fr' };
const STOP = new Set('a an the of to in on for and or is are be do does did how what why when where which who can i my we our you your it its this that with from by at as if not no there have has had will would should could me us them they was were so than then but about into out up'.split(' '));
const verbose = process.argv.includes('-v');
const only = process.argv[2];
const results = {};
function add(kind, system, rank, ms) { ((results[kind] ??= {})[system] ??= []).push({ rank, ms }); }
const unescape = (s) => s.replace(/\\(.)/g, '$1').replace(/[`*_]/g, '').trim();
for (const [name, root] of Object.entries(roots)) {
  if (only && only !== 'all' && only !== name && !only.startsWith('-')) continue;
  const file = `bench/search/questions/${name}.json`;
  if (!existsSync(file)) continue;
  const questions = JSON.parse(readFileSync(file, 'utf8'));
  const { rows: [space] } = await client.query('SELECT id, language FROM space WHERE title = $1 ORDER BY id DESC LIMIT 1', [name]);
  if (!space) continue;
  const tok = 'bench-token-bench-token-bench-token-bench-token';
  const tree = await (await fetch(`http://localhost:4801/v1/spaces/${space.id}/content/pages`, { headers: { authorization: `Bearer ${tok}` } })).json();
  const pages = []; const walk = (l) => { for (const p of l) { if (p.type === 'document') pages.push(p); walk(p.pages ?? []); } }; walk(tree.pages);
  const links = [...readFileSync(`${root}/SUMMARY.md`, 'utf8').matchAll(/^\s*[*-]\s*\[((?:[^\]\\]|\\.)*)\]\(([^)]+)\)/gm)].map((m) => ({ title: unescape(m[1]), file: m[2].replace(/[<>]/g,'').split('#')[0] }));
  const fileOf = new Map(); let at = 0;
  for (const p of pages) { const k = links.findIndex((l, i) => i >= at && l.title === unescape(p.title)); if (k >= 0) { fileOf.set(p.id, links[k].file); at = k + 1; } }
  if (verbose) console.log(name, pages.length, links.length, fileOf.size);
  // Baselines on the same sections.
  const { rows: sections } = await client.query(`SELECT c.page_id AS page, i.title AS ptitle, coalesce(i.props ->> 'description','') AS description, s.section ->> 'title' AS title, s.section ->> 'text' AS text
     FROM page_current c JOIN content_item i ON i.space_id = c.space_id AND i.line = '' AND i.kind = 'page' AND i.id = c.page_id
     LEFT JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash CROSS JOIN LATERAL jsonb_array_elements(coalesce(d.sections,'[{"title":"","text":""}]')) AS s (section) WHERE c.space_id = $1`, [space.id]);
  const docs = sections.map((s, i) => ({ id: i, ...s }));
  const mini = new MiniSearch({ fields: ['ptitle', 'description', 'title', 'text'], searchOptions: { boost: { ptitle: 2, title: 2 }, prefix: (t, i, ts) => i === ts.length - 1, fuzzy: 0.2 } });
  mini.addAll(docs);
  const bm = bm25(docs);
  
  const pagesOf = (ranked) => [...new Set(ranked.map((i) => docs[i].page))];
  for (const q of questions) {
    const right = new Set(q.pages);
    for (const p of q.pages) if (![...fileOf.values()].includes(p)) console.log('unknown page', name, p);
    const rankOf = (ids) => { const k = ids.slice(0, 10).findIndex((id) => right.has(fileOf.get(id))); return k < 0 ? (ids.length === 0 ? -1 : 0) : k + 1; };
    const t = performance.now();
    const answer = await fetch(`http://localhost:4801/v1/spaces/${space.id}/search?limit=10&query=${encodeURIComponent(q.query)}`, { headers: { authorization: `Bearer ${tok}` } });
    if (!answer.ok) { console.log(q.query, answer.status, (await answer.text()).slice(0, 300)); process.exit(1); }
    let ours = (await answer.json()).items.map((h) => ({ page_id: h.id, score: 0 }));
    ours = ours.slice(0, 10);
    const ms = performance.now() - t;
    const mine = rankOf(ours.map((h) => h.page_id)); const b = rankOf(pagesOf(bm(q.query))); const m = rankOf(pagesOf(mini.search(q.query).map((h) => h.id)));
    for (const k of [q.kind, `~${name}`, 'ALL']) { add(k, 'ours', mine, ms); add(k, 'bm25', b, 0); add(k, 'mini', m, 0); }
    if (verbose && mine !== 1) console.log(`${name} ${q.kind} "${q.query}" ours ${mine} bm25 ${b} mini ${m}\n      want ${q.pages.join(', ')}\n      got ${ours.slice(0, 4).map((h) => `${fileOf.get(h.page_id)} ${Number(h.score).toFixed(2)}`).join(', ')}`);
  }
}
function bm25(docs) {
  const tok = (s) => (s.toLowerCase().normalize('NFKD').replace(/[\u0300-\u036f]/g,'').match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []).filter((w) => !STOP.has(w)).map((w) => w.replace(/(ing|ed|es|s)$/, ''));
  const df = new Map(); const all = docs.map((d) => { const words = tok(`${d.ptitle} ${d.ptitle} ${d.description} ${d.title} ${d.title} ${d.text}`); const tf = new Map(); for (const w of words) tf.set(w, (tf.get(w) ?? 0) + 1); for (const w of tf.keys()) df.set(w, (df.get(w) ?? 0) + 1); return { tf, len: words.length }; });
  const avg = all.reduce((s, d) => s + d.len, 0) / all.length;
  return (query) => { const words = tok(query); return all.map((d, i) => [i, words.reduce((s, w) => { const f = d.tf.get(w); if (!f) return s; const n = df.get(w); return s + Math.log(1 + (all.length - n + .5) / (n + .5)) * f * 2.2 / (f + 1.2 * (.25 + .75 * d.len / avg)); }, 0)]).filter(([, s]) => s > 0).sort((a, b) => b[1] - a[1]).map(([i]) => i); };
}
 
const order = Object.keys(results).sort();
for (const kind of order) {
  const line = Object.entries(results[kind]).map(([s, l]) => `${s} MRR ${(l.reduce((a, { rank }) => a + (rank > 0 ? 1 / rank : 0), 0) / l.length).toFixed(3)} s1 ${(l.filter(({ rank }) => rank === 1).length / l.length).toFixed(2)} empty ${l.filter(({ rank }) => rank < 0).length}`).join(' | ');
  const ms = results[kind].ours.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(`${kind.padEnd(12)} n ${String(results[kind].ours.length).padStart(3)}  ${line}  p50 ${ms[ms.length >> 1].toFixed(1)} max ${ms.at(-1).toFixed(0)} ms`);
}
await client.end();
