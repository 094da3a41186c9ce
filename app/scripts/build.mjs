/*
 * npm run build --workspace app
 *
 * Takes the OpenAPI document of the service that was built beside it, makes the types of the client from it, and builds
 * the files that the server serves, with compressed copies. `--types` ends after the types.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import openapiTS, { astToString } from 'openapi-typescript';
import { build } from 'vite';

const TYPES = 'src/api/schema.d.ts';
const PROSE = new Set(['description', 'summary', 'example', 'examples']);
/** Their members are names of fields and not words of the format. */
const NAMES = new Set(['properties', 'schemas', 'paths', 'responses', 'mapping']);
const COMPRESSED = /\.(?:js|css|svg|html|json)$/;

const document = execFileSync(process.execPath, ['../dist/src/cli.js', 'openapi'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
});
const text = astToString(await openapiTS(withoutProse(JSON.parse(document))));
await mkdir(dirname(TYPES), { recursive: true });
if ((await readFile(TYPES, 'utf8').catch(() => '')) !== text) {
  await writeFile(`${TYPES}.new`, text);
  await rename(`${TYPES}.new`, TYPES);
}

/** Descriptions and examples are for readers of the document, and most of its length. */
function withoutProse(node, isNamed = false) {
  if (Array.isArray(node)) return node.map((each) => withoutProse(each));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => isNamed || !PROSE.has(key))
      .map(([key, value]) => [key, withoutProse(value, NAMES.has(key) && !isNamed)]),
  );
}

if (!process.argv.includes('--types')) {
  await build({ logLevel: 'warn' });
  const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)];
  for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
    // The server writes into index.html, so it has no finished copies.
    if (!entry.isFile() || entry.name === 'index.html' || !COMPRESSED.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    await writeFile(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    await writeFile(`${file}.gz`, await deflate(bytes, { level: 9 }));
  }
}
