import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILER, compile } from './compile.mjs';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/bindery-sources', import.meta.url));

/** Sources import each other by the name that the compiled file will have. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

/** Compiles one source, once: tests start the same sources many times. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const text = await readFile(filename, 'utf8');
  const kept = join(
    CACHE,
    `${createHash('sha256')
      .update(JSON.stringify([COMPILER, filename, text]))
      .digest('hex')}.js`,
  );
  const source = await readFile(kept, 'utf8').catch(() => compiled(text, filename, kept));
  return { format: 'module', source, shortCircuit: true };
}

async function compiled(text, filename, kept) {
  const code = await compile(text, filename);
  // Where nothing can be kept, every start compiles again.
  await mkdir(CACHE, { recursive: true })
    .then(() => writeFile(`${kept}.${process.pid}`, code))
    .then(() => rename(`${kept}.${process.pid}`, kept))
    .catch(() => undefined);
  return code;
}
