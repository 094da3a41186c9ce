import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { pause } from './faults/processes.js';
import { cliFile } from './faults/program.js';

const app = useApp();
const EXAMPLES = 'examples/workflows';

interface Service {
  readonly name: string;
  readonly file: string;
  /** Where the script that publishes goes. */
  readonly scripts: string;
  /** The variables of all jobs, and the commands of each. */
  readonly read: (text: string) => {
    readonly variables: Readonly<Record<string, string>>;
    readonly check: string;
    readonly publish: string;
  };
}

interface GitHubWorkflow {
  env: Record<string, string>;
  jobs: Record<'check' | 'publish', { steps: { run?: string; env?: Record<string, string> }[] }>;
}

type GitLabPipeline = { variables: Record<string, string> } & Record<
  'check documentation' | 'publish documentation',
  { script: string[] }
>;

const SERVICES: readonly Service[] = [
  {
    name: 'GitHub Actions',
    file: 'github-actions.yml',
    scripts: '.github/workflows',
    read: (text) => {
      const { env, jobs } = parse(text) as GitHubWorkflow;
      const commands = (job: 'check' | 'publish') => jobs[job].steps.flatMap(({ run }) => run ?? []).join('\n');
      return { variables: env, check: commands('check'), publish: commands('publish') };
    },
  },
  {
    name: 'GitLab CI',
    file: 'gitlab-ci.yml',
    scripts: '.gitlab',
    read: (text) => {
      const { variables, ...jobs } = parse(text) as GitLabPipeline;
      const commands = (job: 'check' | 'publish') => jobs[`${job} documentation`].script.join('\n');
      return { variables, check: commands('check'), publish: commands('publish') };
    },
  },
];

describe('the workflows for documentation', () => {
  let workspace: Workspace;
  let folder: string;

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    folder = await mkdtemp(join(tmpdir(), 'bindery-workflows-'));
    // The package of this checkout in the place of the one that npx would install.
    const cli = await cliFile();
    await write(
      'bin/npx',
      `#!/bin/sh\n[ "$1 $2 $3 $4" = '--yes --package bindery.tgz bindery' ] || exit 9\nshift 4\nexec '${process.execPath}' '${cli}' "$@"\n`,
    );
    await chmod(join(folder, 'bin/npx'), 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  /** Runs commands as the shell of a job does: the first that fails ends it. */
  function run(commands: string, variables: Readonly<Record<string, string>>) {
    const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(':');
    return new Promise<{ code: number; out: string; err: string }>((settle) => {
      execFile(
        'sh',
        ['-e', '-c', commands],
        { cwd: folder, env: { ...variables, BINDERY: 'bindery.tgz', PATH } },
        (error, out, err) => settle({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  it.each(SERVICES)(
    'check and publish a folder in $name',
    async ({ name, file, scripts, read }) => {
      const { variables, check, publish } = read(await readFile(join(EXAMPLES, file), 'utf8'));
      const { admin, id: organization } = workspace;
      const { body: space } = await admin.api.post<{ id: string }>(`/orgs/${organization}/spaces`, { title: name });
      await mkdir(join(folder, scripts), { recursive: true });
      await copyFile(resolve(EXAMPLES, 'publish.sh'), join(folder, scripts, 'publish.sh'));
      const secrets = {
        BINDERY_TOKEN: admin.api.token ?? '',
        BINDERY_URL: app.current.url,
        BINDERY_ORGANIZATION: organization,
        BINDERY_SPACE: space.id,
      };
      await write('docs/README.md', '# Home\n\n[gone](gone.md)\n');
      const faulty = await run(check, variables);
      expect([faulty.code, faulty.out.includes('README.md') && faulty.out.includes('gone.md leads nowhere')]).toEqual([
        1,
        true,
      ]);

      await write('docs/gone.md', '# Here again\n');
      expect((await run(check, variables)).code).toBe(0);
      const publishing = run(publish, { ...variables, ...secrets });
      let hasEnded = false;
      void publishing.finally(() => (hasEnded = true));
      while (!hasEnded) await Promise.all([app.current.get(Jobs).drain(), pause(100)]);
      const words = await publishing;
      expect(words).toEqual({ code: 0, out: 'The space says what docs says.\n', err: '' });
      const { body } = await admin.api.get<{ pages: { title: string }[] }>(`/spaces/${space.id}/content`);
      expect(body.pages.map(({ title }) => title).sort()).toEqual(['Here again', 'Home']);

      const refused = await run(publish, { ...variables, ...secrets, BINDERY_TOKEN: 'of nobody' });
      expect([refused.code, refused.err.includes('401')]).toEqual([1, true]);
      await rm(join(folder, 'docs'), { recursive: true });
    },
    60_000,
  );
});
