import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, keptFile } from './compile.mjs';

/** Addresses of spec files and of what they load have a query. */
const isTypeScript = (url) => url !== undefined && /\.ts(\?|$)/.test(url);

/** Sources import each other by the name that the compiled file will have. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && isTypeScript(context.parentURL)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

/** Compiles one source, once: tests start the same sources many times. */
export async function load(url, context, next) {
  if (!isTypeScript(url) || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const text = await readFile(filename, 'utf8');
  const kept = keptFile(filename, text);
  const source = await readFile(kept, 'utf8').catch(() => compiled(text, filename, kept));
  return { format: 'module', source, shortCircuit: true };
}

async function compiled(text, filename, kept) {
  const code = await compile(text, filename);
  // Threads of one process compile the same source at the same time.
  const draft = `${kept}.${randomUUID()}`;
  // Where nothing can be kept, every start compiles again.
  await mkdir(dirname(kept), { recursive: true })
    .then(() => writeFile(draft, code))
    .then(() => rename(draft, kept))
    .catch(() => undefined);
  return code;
}
