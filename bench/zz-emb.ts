// @ts-nocheck
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SentenceModel } from '../src/insight/conversations/engine/sentence-model.js';
const file = '/tmp/emb.json';
const cache = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const model = new SentenceModel();
export async function embed(texts) {
  const open = [...new Set(texts.map((t) => t.slice(0, 300)))].filter((t) => !(t in cache));
  if (open.length > 0) { const m = await model.embedded(open); open.forEach((t, i) => { cache[t] = Buffer.from(Int8Array.from(m.data.slice(i * 512, i * 512 + 512)).buffer).toString('base64'); }); writeFileSync(file, JSON.stringify(cache)); }
  return texts.map((t) => { const b = Buffer.from(cache[t.slice(0, 300)], 'base64'); return new Int8Array(b.buffer, b.byteOffset, 512); });
}
export function cosine(a, b) { let d = 0, x = 0, y = 0; for (let i = 0; i < 512; i++) { d += a[i] * b[i]; x += a[i] * a[i]; y += b[i] * b[i]; } return d / Math.sqrt(x * y || 1); }
