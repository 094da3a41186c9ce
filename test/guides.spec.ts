import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { cliFile } from './faults/program.js';
import { Forge } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { FILES, MAIN } from './git-pair.js';
import { usePublicListener } from './published-site.js';

/** The guides whose commands are run, in this order. */
const GUIDES = ['own-machine', 'command-line', 'move-in', 'work-in-git', 'preview-pull-requests'] as const;

/** Commands that are not run here, by their beginning, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npx bindery dev': 'runs until it is interrupted: the test of `bindery dev` runs it so',
  'curl -X PATCH -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' $API/git/installations/$INSTALLATION \\\n  -d \'{"provider": "gitlab", "providerConfiguration": {"url": "git@':
    'needs a server with SSH and its key: the tests of repositories by SSH have one',
  'curl -X PATCH -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' $API/git/installations/$INSTALLATION \\\n  -d \'{"provider": "github", "providerConfiguration": {"url": "https://github.com':
    'needs an app of GitHub and its key: the tests of GitHub Apps have one',
};

interface ShellBlock {
  readonly place: string;
  readonly source: string;
}

/** The blocks of shell commands of a guide, with their places. */
function blocksOf(guide: string): ShellBlock[] {
  const path = `docs/guides/${guide}.md`;
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```(?:sh|bash|shell|console)\n(.*?)^```/gms)].map((match) => ({
    place: `${path}:${text.slice(0, match.index).split('\n').length + 1}`,
    source: match[1] ?? '',
  }));
}

const app = useApp();
// The archives of pulled spaces are fetched from there.
usePublicListener(app);
let folder: string;
let forge: Forge;
let organization: Workspace;
/** The variables that the guides expect in the environment. */
const environment: Record<string, string> = {};
/** Addresses of others, and those of the stand-ins here. */
const addresses: [string, string][] = [];

/** Programs that stand before those of the machine. */
async function makePrograms(cli: string): Promise<string> {
  const programs = join(folder, 'bin');
  await mkdir(programs);
  const bindery = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(cli)} "$@"`;
  const scripts = {
    npx: `test "$1" = bindery && shift && ${bindery}`,
    npm: `test "$1 $2 $3 $4" = "run --silent bindery --" && shift 4 && ${bindery}`,
    curl: 'exec "$CURL" -sS --fail-with-body "$@"',
    jq: `exec ${JSON.stringify(process.execPath)} -e 'console.log(JSON.parse(fs.readFileSync(0))[process.argv[2].slice(1)])' -- "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
}

/** Runs commands as a shell does, and returns their output; throws if one of them fails. */
function run(source: string): Promise<string> {
  const script = addresses.reduce((text, [from, to]) => text.replaceAll(from, to), source);
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: environment }, (error, out, err) =>
      error ? reject(new Error(`${script}\n${out}${err}`)) : resolve(out),
    );
  });
}

/** Runs work of the server while a command waits for it. */
async function whileServed(source: string): Promise<string> {
  let isDone = false;
  const done = run(source).finally(() => (isDone = true));
  done.catch(() => undefined);
  while (!isDone) {
    await app.current.get(Jobs).drain();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return done;
}

describeWithGit('the commands of the guides', () => {
  beforeAll(async () => {
    app.current.get(GitTransport).httpsOnly = false;
    folder = await mkdtemp(join(tmpdir(), 'bindery-guides-'));
    forge = await Forge.start();
    for (const name of ['handbook', 'website']) {
      const repository = await forge.create(name);
      const files = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`docs/${path}`, text]));
      await repository.commit(MAIN, 'Begin\n', name === 'website' ? FILES : files);
    }
    await mkdir(join(folder, 'my-docs'));
    await writeFile(join(folder, 'my-docs', 'README.md'), '# Home\n\nWelcome.\n');
    organization = await buildOrganization(app.current);
    const { body } = await organization.admin.api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
      title: 'Guide',
      empty: true,
    });
    const { config, databaseUrl, url } = app.current;
    Object.assign(environment, {
      PATH: `${await makePrograms(await cliFile())}:${process.env['PATH'] ?? ''}`,
      CURL: (await run('command -v curl')).trim(),
      HOME: folder,
      API: `${url}/v1`,
      TOKEN: organization.admin.api.token,
      ORG: organization.id,
      SPACE: body.id,
      GIT_TOKEN: forge.token,
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.dataDir,
      SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
      SEARCH_VECTORS: 'none',
    });
    addresses.push(
      ['BINDERY_URL=https://docs.example.com BINDERY_TOKEN=…', `BINDERY_URL=${url} BINDERY_TOKEN=$TOKEN`],
      ['https://gitlab.com/team/handbook.git', `${forge.url}/handbook.git`],
      ['https://gitlab.example.com', forge.origin],
      ['https://git.example.com/team/website.git', `${forge.url}/website.git`.replace('//', `//guest:${forge.token}@`)],
    );
  }, 300_000);

  afterAll(async () => {
    await forge.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('do what they say, but for those that cannot be run here', async () => {
    const left = new Set(Object.keys(NOT_RUN));
    let count = 0;
    for (const { place, source } of GUIDES.flatMap(blocksOf)) {
      const reason = [...Object.keys(NOT_RUN)].find((beginning) => source.startsWith(beginning));
      if (reason !== undefined) {
        left.delete(reason);
        continue;
      }
      if (place.includes('preview-pull-requests')) await installGitHub();
      if (source.includes('$RUN')) await planned();
      if (source.includes('$CHANGE_REQUEST')) await changed();
      const out = await whileServed(source).catch((error: unknown) => {
        throw new Error(`${place}: ${String(error)}`);
      });
      if (source.includes('/git/installations \\\n'))
        environment['INSTALLATION'] = (JSON.parse(out) as { id: string }).id;
      count += 1;
    }
    expect({ left: [...left], isEnough: count > 10 }).toEqual({ left: [], isEnough: true });
  }, 300_000);
});

/** Connects another space with a repository of GitHub, as the guide on git says. */
async function installGitHub(): Promise<void> {
  const { api } = organization.admin;
  const { body: space } = await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, { title: 'Previews' });
  const { body } = await api.post<{ id: string }>('/git/installations', {
    provider: 'github',
    target: { type: 'space', spaceId: space.id },
  });
  environment['INSTALLATION'] = body.id;
  environment['SPACE'] = space.id;
  const set = await api.patch(`/git/installations/${body.id}`, {
    provider: 'github',
    providerConfiguration: {
      url: `${forge.url}/website.git`,
      branch: MAIN,
      customInstanceURL: forge.origin,
      accessToken: forge.token,
    },
  });
  expect(set.status).toBe(200);
}

/** Makes a change request of the connected space with a page that is new. */
async function changed(): Promise<void> {
  const { api } = organization.admin;
  const begun = await api.patch(`/git/installations/${environment['INSTALLATION'] ?? ''}`, {
    provider: 'github',
    providerConfiguration: {},
    priority: 'git',
  });
  expect(begun.status).toBe(200);
  await app.current.get(Jobs).drain();
  const requests = `/spaces/${environment['SPACE'] ?? ''}/change-requests`;
  const { body } = await api.post<{ id: string }>(requests, { subject: 'Installation' });
  const page = { operation: 'insert_page', title: 'Installation', document: { markdown: 'Unpack it.' } };
  expect((await api.post(`${requests}/${body.id}/content`, { changes: [page] })).status).toBe(200);
  environment['CHANGE_REQUEST'] = body.id;
}

/** Makes the run that a guide goes on with, whose id stands in the answer before. */
async function planned(): Promise<void> {
  const { body } = await organization.admin.api.post<{ id: string }>(
    `/git/installations/${environment['INSTALLATION'] ?? ''}/plan`,
    { priority: 'git' },
  );
  environment['RUN'] = body.id;
}
