// Compiles the sources of this checkout for tests that start the program many times, and prints where the program lies.
// What was compiled before from the same sources is used again.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.mjs';
import { COMPILER, compile } from './compile.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** In the checkout, so that the program finds its migrations and packages. */
const HOME = join(ROOT, 'coverage', 'program');
const DAY = 24 * 60 * 60 * 1000;

const names = (await readdir(join(ROOT, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
const sources = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(ROOT, 'src', name), 'utf8') })),
);
/** Files beside the sources that the bundle follows from. */
const packages = await Promise.all(
  ['scripts/bundle.mjs', 'package-lock.json'].map((name) => readFile(join(ROOT, name), 'utf8')),
);
const kept = join(
  HOME,
  createHash('sha256')
    .update(JSON.stringify([COMPILER, packages, sources]))
    .digest('hex'),
);

if (!existsSync(kept)) {
  const draft = `${kept}.${process.pid}`;
  await Promise.all(
    sources.map(async ({ name, text }) => {
      const file = join(draft, 'src', name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await compile(text, join(ROOT, 'src', name)));
    }),
  );
  await bundle(join(draft, 'src'), join(draft, 'bundle'));
  // Another process may have been faster.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true }));
  for (const name of await readdir(HOME)) {
    const { mtimeMs } = await stat(join(HOME, name));
    if (Date.now() - mtimeMs > DAY) await rm(join(HOME, name), { recursive: true, force: true });
  }
}
process.stdout.write(join(kept, 'src'));
