/*
 * npm run example
 *
 * Packs what was built, installs it with the example module into an empty folder that has nothing else, and does there what the
 * guide "Extend it" says: builds the module, runs its tests, and starts the service with it. Fails at the first step that fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const EXAMPLE = resolve('examples/announcements');
const START_SECONDS = 120;

const folder = await mkdtemp(join(tmpdir(), 'bindery-example-'));
const run = (command, ...parameters) => {
  console.log(`$ ${[command, ...parameters].join(' ')}`);
  execFileSync(command, parameters, { cwd: folder, stdio: 'inherit' });
};

try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await cp(EXAMPLE, folder, {
    recursive: true,
    filter: (path) => !/[/\\](?:node_modules|dist)(?:[/\\]|$)/.test(path.slice(EXAMPLE.length)),
  });
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  manifest.dependencies = { bindery: `file:./${filename}` };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run('npm', 'test', '--silent');
  await serve();
  console.log('The example works with the packed service.');
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts the packed command with the module, and looks for its operations in the published description. */
async function serve() {
  const server = spawn(join(folder, 'node_modules/.bin/bindery'), ['serve', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      BINDERY_MODULES: './dist/src/index.js',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DEMO: 'false',
      SHUTDOWN_DELAY: '0',
    },
  });
  const ended = new Promise((settle) => server.once('exit', settle));
  const timer = setTimeout(() => server.kill('SIGKILL'), START_SECONDS * 1000);
  try {
    let api;
    for await (const line of createInterface({ input: server.stdout })) {
      ({ api } = JSON.parse(line));
      break;
    }
    if (api === undefined) throw new Error('the service with the module did not start');
    const { paths, tags } = await (await fetch(new URL('/openapi.json', api))).json();
    if (!Object.keys(paths).some((path) => path.endsWith('/announcements')))
      throw new Error('the published description has no operation of the module');
    if (!tags.some(({ name }) => name === 'Announcements'))
      throw new Error('the published description has no tag of the module');
  } finally {
    clearTimeout(timer);
    server.kill('SIGTERM');
    await ended;
  }
}
