import { createHmac } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { data, describeWithGit, GitHttpBackend, type FolderRepository } from '../git-http-backend.js';
import { makeIdentity } from '../security/saml/certificates.js';
import { inWholeRuns } from '../whole.js';
import { Caller } from './kill-clients.js';
import { KilledServer } from './kill-server.js';

/*
 * A large repository, and the memory of the server that is kept equal with it. The times that it prints are those of a machine that
 * does nothing else.
 */

const TOKEN = 'history-token-history-token-history-token';
const MAIN = 'refs/heads/main';
const PAGES = 1000;
const COMMITS = 5000;
const PATIENCE_MS = 300_000;
/** Bytes that a push of one page may take from the server of the repository: a hundredth of the whole. */
const PUSH_BYTES = 20_000;
/** Bytes that one synchronization may add to the memory of the server. */
const MEMORY_MB = 300;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly changed?: boolean;
}

const path = (page: number): string => `part-${page % 10}/page-${page}.md`;
const text = (page: number, commit: number): string =>
  `# Page ${page}\n\nCommit ${commit} says so.\n\n${`Words that stand on page ${page}, and so on. `.repeat(60)}\n`;

/** All pages in the first commit, one page in each later one. */
function* history(): Generator<string | Uint8Array> {
  yield `reset ${MAIN}\n\n`;
  for (let commit = 0; commit < COMMITS; commit++) {
    const author = `Writer <writer@example.com> ${1_700_000_000 + commit * 60} +0000`;
    yield `commit ${MAIN}\nauthor ${author}\ncommitter ${author}\n`;
    yield* data(`Commit ${commit}\n`);
    const pages = commit === 0 ? Array.from({ length: PAGES }, (_, page) => page) : [commit % PAGES];
    for (const page of pages) {
      yield `M 100644 inline ${path(page)}\n`;
      yield* data(text(page, commit));
    }
    yield '\n';
  }
}

describeWithGit('a repository with a long history', () => {
  let folder: string;
  let server: KilledServer;
  let git: GitHttpBackend;
  let repository: FolderRepository;

  const call = <Body>(method: string, address: string, body?: object): Promise<Body> =>
    new Caller(server.url, TOKEN).call<Body>(method, address, body);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-history-'));
    await chmod(folder, 0o755);
    const identity = makeIdentity({ commonName: 'localhost' });
    await writeFile(join(folder, 'certificate.pem'), identity.certificate);
    git = await GitHttpBackend.start(identity);
    repository = await git.create('docs');
    server = new KilledServer(join(folder, 'data'), TOKEN, {
      OUTBOUND_ALLOW: '127.0.0.1,::1',
      NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
      NODE_OPTIONS: '--dns-result-order=ipv4first',
      GIT_POLL_SECONDS: '86400',
    });
  }, 180_000);

  afterAll(async () => {
    await server.stop();
    await server.clear();
    await git.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  /** A figure of the server's memory in MB: what is resident now, or the most since it was forgotten. */
  async function memory(name: 'VmRSS' | 'VmHWM'): Promise<number> {
    const status = await readFile(`/proc/${server.pid ?? 0}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  }
  /** Seconds of processors that the server has used. */
  async function processors(): Promise<number> {
    const [, rest = ''] = /\) (.*)/s.exec(await readFile(`/proc/${server.pid ?? 0}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
  const forgetPeak = (): Promise<void> => writeFile(`/proc/${server.pid ?? 0}/clear_refs`, '5');

  async function ended(organization: string, id: string): Promise<Run> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const run = await call<Run>('GET', `/org/${organization}/imports/${id}`);
      if (run.status !== 'pending' && run.status !== 'in-progress') return run;
      if (Date.now() > deadline) throw new Error(`the run does not end: ${JSON.stringify(run)}`);
      await pause(100);
    }
  }

  inWholeRuns(
    'is read in bounded memory, and a push of one page takes a fraction of the time of the whole',
    async () => {
      await repository.fastImport([...history()]);
      expect((await repository.git('rev-list', '--count', MAIN)).trim()).toBe(String(COMMITS));
      await repository.git('gc', '--quiet');
      await repository.git('update-ref', MAIN, (await repository.git('rev-parse', MAIN)).trim());
      await server.start();
      const organization = (await call<{ items: { id: string }[] }>('GET', '/orgs')).items[0]?.id ?? '';
      const made = { title: 'History', empty: true, editMode: 'live' };
      const space = (await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, made)).id;
      const site = await call<{ id: string }>('POST', `/orgs/${organization}/sites`, {
        title: 'History',
        visibility: 'public',
        spaces: [space],
      });
      const { urls } = await call<{ urls: { published: string } }>(
        'POST',
        `/orgs/${organization}/sites/${site.id}/publish`,
        {},
      );
      const target = { type: 'space', spaceId: space };
      const installation = await call<{ id: string; hook: { url: string; secret: string } }>(
        'POST',
        '/git/installations',
        { provider: 'git', target },
      );

      const before = await memory('VmRSS');
      await forgetPeak();
      let began = Date.now();
      await call('PATCH', `/git/installations/${installation.id}`, {
        provider: 'git',
        providerConfiguration: { url: `${git.url}/docs.git`, branch: MAIN },
        priority: 'git',
      });
      const { id } = await call<Run>('POST', `/git/installations/${installation.id}/sync`, {});
      expect(await ended(organization, id)).toMatchObject({ status: 'completed' });
      const first = { seconds: (Date.now() - began) / 1000, peak: await memory('VmHWM') };
      const { pages } = await call<{ pages: { pages: object[] }[] }>('GET', `/spaces/${space}/content`);
      expect(pages.reduce((count, group) => count + group.pages.length, 0)).toBe(PAGES);

      const address = `${urls.published}/part-7/page-7`;
      const seconds: number[] = [];
      const used: number[] = [];
      const sent: number[] = [];
      await forgetPeak();
      for (let push = 0; push < 5; push++) {
        const words = text(7, COMMITS + push);
        const author = `Writer <writer@example.com> ${1_800_000_000 + push} +0000`;
        await repository.fastImport([
          `commit ${MAIN}\nauthor ${author}\ncommitter ${author}\n`,
          ...data(`Push ${push}\n`),
          `from ${MAIN}^0\nM 100644 inline ${path(7)}\n`,
          ...data(words),
        ]);
        const body = JSON.stringify({ ref: MAIN });
        const signature = createHmac('sha256', installation.hook.secret).update(body).digest('hex');
        const usedBefore = await processors();
        git.sent = 0;
        began = Date.now();
        const { status } = await fetch(installation.hook.url, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-Hub-Signature-256': `sha256=${signature}`,
            'X-GitHub-Delivery': String(push),
          },
          body,
        });
        expect(status).toBe(204);
        while (!(await (await fetch(address)).text()).includes(`Commit ${COMMITS + push} says so.`)) {
          if (Date.now() - began > PATIENCE_MS) throw new Error('the push does not show');
          await pause(20);
        }
        seconds.push((Date.now() - began) / 1000);
        used.push((await processors()) - usedBefore);
        sent.push(git.sent);
      }
      const later = await memory('VmHWM');
      process.stdout.write(
        `${PAGES} pages with ${COMMITS} commits: first synchronization ${first.seconds.toFixed(1)} s, memory ${before.toFixed(0)} MB before, ` +
          `${first.peak.toFixed(0)} MB at most, ${later.toFixed(0)} MB at most in pushes; from hook to page ${seconds.map((figure) => figure.toFixed(2)).join(', ')} s, ` +
          `of processors ${used.map((figure) => figure.toFixed(2)).join(', ')} s, packs of ${sent.join(', ')} bytes\n`,
      );
      expect(Math.max(first.peak, later) - before).toBeLessThan(MEMORY_MB);
      // Files that have not changed are not fetched, and not read again.
      expect(Math.max(...sent)).toBeLessThan(PUSH_BYTES);
      expect(seconds.sort((left, right) => left - right)[2]).toBeLessThan(first.seconds / 4);
    },
    PATIENCE_MS * 3,
  );
});
