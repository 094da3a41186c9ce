/*
 * npm run build --workspace diagrams
 *
 * Gathers what draws diagrams in browsers into dist/<hash of all of it>: the page of the frame, its script, and the
 * finished modules of mermaid, each with a compressed copy.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const HASH_LENGTH = 16;
const CHUNKS = 'chunks/mermaid.esm.min';

const own = dirname(fileURLToPath(import.meta.url));
const mermaid = dirname(fileURLToPath(import.meta.resolve('mermaid')));
const chunks = (await readdir(join(mermaid, CHUNKS))).filter((name) => name.endsWith('.mjs'));
const sources = [
  ...['frame.html', 'frame.js'].map((name) => [name, join(own, name)]),
  ...['mermaid.esm.min.mjs', ...chunks.map((name) => `${CHUNKS}/${name}`)].map((name) => [name, join(mermaid, name)]),
  ['LICENSE', join(mermaid, '..', 'LICENSE')],
];
const files = await Promise.all(sources.map(async ([name, path]) => ({ name, bytes: await readFile(path) })));

const hash = createHash('sha256');
for (const { name, bytes } of files) hash.update(`${name} ${bytes.length} `).update(bytes);
const target = join(own, 'dist', hash.digest('base64url').slice(0, HASH_LENGTH));

await rm(join(own, 'dist'), { recursive: true, force: true });
await mkdir(join(target, CHUNKS), { recursive: true });
for (const { name, bytes } of files) {
  await writeFile(join(target, name), bytes);
  await writeFile(join(target, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
}
