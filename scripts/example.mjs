/*
 * npm run example
 *
 * Packs the build, installs it with the example module into an otherwise empty folder, checks the packed documentation
 * with the packed command, and follows the guide "Extend it" there: builds the module, runs its tests, and starts the
 * service with it in the three ways of the guide, whose code is taken from there. Fails at the first step that fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const EXAMPLE = resolve('examples/announcements');
const GUIDE = resolve('docs/extending/extend.md');
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
  run('npx', '--no-install', 'bindery', 'check', 'node_modules/bindery/docs');
  run('npm', 'test', '--silent');
  const [configFile, program] = [...(await readFile(GUIDE, 'utf8')).matchAll(/^```js\n(.*?)^```$/gms)].map(
    ([, code]) => code,
  );
  await serve('node_modules/.bin/bindery', ['serve', '--json'], { BINDERY_MODULES: './dist/src/index.js' });
  await writeFile(join(folder, 'bindery.config.js'), configFile);
  await serve('node_modules/.bin/bindery', ['serve', '--json'], {});
  await rm(join(folder, 'bindery.config.js'));
  await writeFile(join(folder, 'server.js'), program);
  await serve(process.execPath, ['server.js'], {});
  console.log('The example works with the packed service.');
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts the packed service with the module, and looks for its operations in the published description. */
async function serve(command, parameters, environment) {
  console.log(
    `$ ${[...Object.entries(environment).map((entry) => entry.join('=')), command, ...parameters].join(' ')}`,
  );
  const port = await freePort();
  const server = spawn(resolve(folder, command), parameters, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      DEMO: 'false',
      WORKERS: '1',
      SHUTDOWN_DELAY: '0',
    },
  });
  const ended = new Promise((settle) => server.once('exit', settle));
  try {
    const { paths, tags } = await description(`http://127.0.0.1:${port}/openapi.json`, server);
    if (!Object.keys(paths).some((path) => path.endsWith('/announcements')))
      throw new Error('the published description has no operation of the module');
    if (!tags.some(({ name }) => name === 'Announcements'))
      throw new Error('the published description has no tag of the module');
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function description(address, server) {
  for (const last = Date.now() + START_SECONDS * 1000; Date.now() < last; await sleep(200)) {
    if (server.exitCode !== null) break;
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return answer.json();
  }
  throw new Error('the service with the module did not start');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
