import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { describeWithGit, GitHttpBackend, type FolderRepository } from '../git-http-backend.js';
import { makeIdentity } from '../security/saml/certificates.js';
import { chanceOf } from './chance.js';
import { Caller } from './kill-clients.js';
import { KilledServer } from './kill-server.js';

/*
 * A space that is kept equal with a branch, a site of two spaces, and a server that is killed while it does that: the next server makes both equal,
 * loses nothing, and makes no commit twice.
 */

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'kill-token-kill-token-kill-token-kill-token';
const MAIN = 'refs/heads/main';
const PAGES = 40;
const PATIENCE_MS = 60_000;
/** The lease of the killed server is over after a minute, the next attempt begins some seconds later: here both at once. */
const END_LEASES = `UPDATE jobs.job SET started_on = now() - interval '3 hours', expire_in = interval '1 second' WHERE name IN ('imports.run', 'git-sync.site') AND state = 'active'`;
const END_WAITING = `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name IN ('imports.run', 'git-sync.site') AND state < 'active'`;
const UNFINISHED = `SELECT id FROM import_run WHERE status IN ('pending', 'in-progress')`;
const UNFINISHED_STRUCTURES = `SELECT id FROM jobs.job WHERE name = 'git-sync.site' AND state < 'completed'`;
/** Lets the transaction wait that tells the space with the folder \`guides\` of what has come beside it. */
const HOLD_GUIDES = `CREATE FUNCTION hold_guides() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(4); RETURN NEW; END';
  CREATE TRIGGER hold_guides BEFORE INSERT ON import_run FOR EACH ROW WHEN (NEW.source ->> 'directory' = 'guides') EXECUTE FUNCTION hold_guides()`;
const HELD = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
const LET_GO = 'DROP FUNCTION hold_guides CASCADE';

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly changed?: boolean;
}
interface Revision {
  readonly pages: readonly { readonly id: string; readonly slug: string }[];
}

const name = (index: number): string => `page-${index}`;
const first = (index: number): string =>
  `# Page ${index}\n\nGit says nothing.\n\n${'And so on. '.repeat(60)}\n\nThe space says nothing.\n`;
const FILES = Object.fromEntries(Array.from({ length: PAGES }, (_, index) => [`${name(index)}.md`, first(index)]));

const SITE_FILES = {
  'docs.yaml': `site:
  title: Handbook
  structure:
    - { type: space, key: guides, title: Guides, path: guides, default: true, content: { directory: ./guides } }
    - { type: space, key: internals, title: Internals, path: internals, content: { directory: ./internals } }
`,
  'guides/README.md': '# Guides\n\nSee [later](../internals/later.md).\n',
  'internals/README.md': '# Internals\n\nHow it works.\n',
};

interface SiteInstallation {
  readonly id: string;
  readonly target: { readonly spaceId?: string };
  readonly projectDirectory?: string;
  readonly error?: string;
}

describeWithGit(`kill -9 while a space and a branch are made equal (ROUNDS=${ROUNDS} SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let folder: string;
  let server: KilledServer;
  let git: GitHttpBackend;
  let repository: FolderRepository;
  let organization: string;
  let space: string;
  let installation: string;
  let words = 0;

  const call = <Body>(method: string, path: string, body?: object): Promise<Body> =>
    new Caller(server.url, TOKEN).call<Body>(method, path, body);
  const head = (): string => repository.refs.get(MAIN) ?? '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-kill-git-'));
    await chmod(folder, 0o755);
    const identity = makeIdentity({ commonName: 'localhost' });
    await writeFile(join(folder, 'certificate.pem'), identity.certificate);
    git = await GitHttpBackend.start(identity);
    repository = await git.create('docs');
    await repository.commit(MAIN, 'Begin\n', FILES);
    server = new KilledServer(join(folder, 'data'), TOKEN, {
      OUTBOUND_ALLOW: '127.0.0.1,::1',
      NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
      NODE_OPTIONS: '--dns-result-order=ipv4first',
      GIT_POLL_SECONDS: '86400',
    });
    await server.start();
    organization = (await call<{ items: { id: string }[] }>('GET', '/orgs')).items[0]?.id ?? '';
    const made = { title: 'Kept equal', empty: true, editMode: 'live' };
    space = (await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, made)).id;
    const target = { type: 'space', spaceId: space };
    installation = (await call<{ id: string }>('POST', '/git/installations', { provider: 'git', target })).id;
    await call('PATCH', `/git/installations/${installation}`, {
      provider: 'git',
      providerConfiguration: { url: `${git.url}/docs.git`, branch: MAIN },
      priority: 'git',
    });
    await settle();
  }, 180_000);

  afterAll(async () => {
    await server.stop();
    await server.clear();
    await git.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  async function inDatabase<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: await server.databaseUrl() });
    await client.connect();
    return (await client.query<Row>(statement).finally(() => client.end())).rows;
  }

  /** Waits until nothing is left to do, and makes sure that both sides are known to be equal. */
  async function settle(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const { id } = await call<Run>('POST', `/git/installations/${installation}/sync`, {});
      while ((await inDatabase(UNFINISHED)).length > 0 && Date.now() < deadline) {
        await inDatabase(END_WAITING);
        await pause(200);
      }
      const run = await call<Run>('GET', `/org/${organization}/imports/${id}`);
      if (run.status === 'completed' && run.changed === false) return;
      if (Date.now() > deadline) throw new Error(`both sides do not become equal: ${JSON.stringify(run)}`);
    }
  }

  async function comeBack(): Promise<void> {
    await server.kill();
    await server.start();
    await inDatabase(END_LEASES);
    await settle();
  }

  const pageId = async (index: number): Promise<string> =>
    (await call<Revision>('GET', `/spaces/${space}/content`)).pages.find(({ slug }) => slug === name(index))?.id ?? '';

  /** Puts a new word into a page of the space. */
  async function write(index: number): Promise<string> {
    const word = `word${words++}`;
    const page = await pageId(index);
    const path = `/spaces/${space}/content`;
    const { markdown } = await call<{ markdown: string }>('GET', `${path}/page/${page}?format=markdown`);
    const document = { markdown: markdown.replace(/The space says \w+/, `The space says ${word}`) };
    await call('POST', path, { changes: [{ operation: 'update_page', page, document }] });
    return word;
  }

  /** Puts a new word into all pages of the branch. */
  async function push(): Promise<string> {
    const word = `word${words++}`;
    const files = Object.entries(await repository.files(head())).map(([path, text]) => [
      path,
      text.replace(/Git says \w+/, `Git says ${word}`),
    ]);
    await repository.commit(MAIN, `Push ${word}\n`, Object.fromEntries(files) as Record<string, string>);
    return word;
  }

  /** The words of a page for one side, which must be the same on both sides. */
  async function said(index: number, side: 'Git' | 'The space'): Promise<string> {
    const find = (text: string): string => new RegExp(`${side} says (\\w+)`).exec(text)?.[1] ?? '';
    const inGit = find((await repository.files(head()))[`${name(index)}.md`] ?? '');
    const { markdown } = await call<{ markdown: string }>(
      'GET',
      `/spaces/${space}/content/page/${await pageId(index)}?format=markdown`,
    );
    expect(find(markdown)).toBe(inGit);
    return inGit;
  }

  const commitsSince = async (oid: string): Promise<string[]> =>
    (await repository.git('log', '--format=%s', `${oid}..${MAIN}`)).split('\n').filter((line) => line !== '');
  const requests = async (): Promise<string[]> =>
    (await inDatabase<{ status: string }>('SELECT status FROM change_request')).map(({ status }) => status);

  /** Lets the server die as soon as git has done what a path says, before it is told so. */
  function killAfter(path: string): Promise<void> {
    return new Promise((resolve) => {
      git.beforeAnswer = async (pathname) => {
        if (!pathname.endsWith(path)) return;
        git.beforeAnswer = undefined;
        await server.kill();
        resolve();
      };
    });
  }

  it('after a push that it did not note: the commit is known again', async () => {
    const before = head();
    const killed = killAfter('/git-receive-pack');
    const word = await write(3);
    await killed;
    expect(await commitsSince(before)).toEqual(['Edit Kept equal']);
    await comeBack();
    expect(await said(3, 'The space')).toBe(word);
    expect(await commitsSince(before)).toEqual(['Edit Kept equal']);
    expect(await requests()).toEqual([]);
  }, 180_000);

  it(
    'in the middle of an import: it is done once',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const word = await push();
        const before = head();
        const killed = killAfter('/git-upload-pack');
        await call('POST', `/git/installations/${installation}/sync`, {});
        if (round === 0) await killed;
        else {
          git.beforeAnswer = undefined;
          await pause(chance() * 3000);
        }
        await comeBack();
        expect(await said(Math.floor(chance() * PAGES), 'Git')).toBe(word);
        expect(head()).toBe(before);
      }
      expect(await requests()).toEqual([]);
    },
    180_000 + ROUNDS * 60_000,
  );

  it(
    'in the middle of a merge of both sides: nothing is lost, and one commit answers',
    async () => {
      let count = 0;
      for (let round = 0; round < ROUNDS + 1; round++) {
        const gits = await push();
        const before = head();
        const killed = round === 0 ? killAfter('/git-receive-pack') : undefined;
        const spaces = await write(5);
        await (killed ?? pause(chance() * 4000));
        await comeBack();
        count++;
        expect([await said(5, 'Git'), await said(5, 'The space'), await said(6, 'Git')]).toEqual([gits, spaces, gits]);
        expect(await commitsSince(before)).toHaveLength(1);
        expect(new Set(await requests())).toEqual(new Set(['merged']));
        expect((await requests()).length).toBeLessThanOrEqual(count);
      }
      expect(await repository.git('fsck', '--strict', '--no-dangling')).toBe('');
      const trees = (await repository.git('log', '--format=%T', MAIN)).trim().split('\n');
      expect(new Set(trees).size).toBe(trees.length);
      process.stdout.write(`kill -9 of synchronizations: ${count} merges of both sides, seed ${SEED}, all done once\n`);
    },
    180_000 + ROUNDS * 60_000,
  );

  /** A site with two spaces that is kept equal with a repository of its own. */
  async function connectSite(name: string) {
    const files = await git.create(name);
    await files.commit(MAIN, 'Begin\n', SITE_FILES);
    const { id } = await call<{ id: string }>('POST', `/orgs/${organization}/sites`, { title: 'Manual' });
    const target = { type: 'site', siteId: id };
    const parent = await call<{ id: string }>('POST', '/git/installations', { provider: 'git', target });
    await call('PATCH', `/git/installations/${parent.id}`, {
      provider: 'git',
      providerConfiguration: { url: `${git.url}/${name}.git`, branch: MAIN },
      priority: 'git',
    });
    const path = `/orgs/${organization}/sites/${id}`;
    const list = async () =>
      (await call<{ items: SiteInstallation[] }>('GET', `${path}/spaces/git/installations`)).items;
    await until(async () => (await list()).length === 3);
    const children = await list();
    const child = (folder: string) => children.find((each) => each.projectDirectory === folder);
    const site = { path, list, files, guides: child('guides'), internals: child('internals') };
    await until(async () => (await linkOf(site.guides)) === '../internals/later.md');
    return site;
  }

  /** Waits for something, while nothing else has to be waited for; then until nothing is left to do. */
  async function until(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    const isBusy = async (): Promise<boolean> =>
      !(await check()) ||
      (await inDatabase(UNFINISHED)).length > 0 ||
      (await inDatabase(UNFINISHED_STRUCTURES)).length > 0;
    while (await isBusy()) {
      if (Date.now() > deadline) throw new Error('it does not come');
      await inDatabase(END_WAITING);
      await pause(200);
    }
  }

  /** The address of the link in the first page of a space, as Markdown has it. */
  async function linkOf(child: SiteInstallation | undefined): Promise<string> {
    const path = `/spaces/${child?.target.spaceId ?? ''}/content`;
    const [page] = (await call<Revision>('GET', path)).pages;
    if (!page) return '';
    const { markdown } = await call<{ markdown: string }>('GET', `${path}/page/${page.id}?format=markdown`);
    return /\]\((.+)\)/.exec(markdown)?.[1] ?? '';
  }

  it('after a push of the structure of a site that it did not note: it is no change of others, whatever has changed since', async () => {
    const site = await connectSite('structure');
    const before = site.files.refs.get(MAIN) ?? '';
    const killed = killAfter('/git-receive-pack');
    await call('PATCH', site.path, { title: 'Once' });
    await killed;
    await server.start();
    await call('PATCH', site.path, { title: 'Twice' });
    await inDatabase(END_LEASES);
    const written = async (): Promise<string> =>
      (await site.files.files(site.files.refs.get(MAIN) ?? ''))['docs.yaml'] ?? '';
    await until(async () => (await written()).includes('title: Twice'));
    expect(await written()).toBe(SITE_FILES['docs.yaml'].replace('title: Handbook', 'title: Twice'));
    for (const each of await site.list()) expect(each).not.toHaveProperty('error');
    const subjects = await site.files.git('log', '--format=%s', `${before}..${MAIN}`);
    expect(subjects.trim().split('\n')).toEqual(['Structure of Twice', 'Structure of Once']);
  }, 180_000);

  it('between an import and the links of the spaces beside it: the links come, and nothing is written for them', async () => {
    const { files, guides, internals, list } = await connectSite('links');
    const later = { ...SITE_FILES, 'internals/later.md': '# Later\n\nHere.\n' };
    const pushed = await files.commit(MAIN, 'Add a page\n', later);
    await inDatabase(HOLD_GUIDES);
    await call('POST', `/git/installations/${internals?.id ?? ''}/sync`, {});
    while ((await inDatabase(HELD)).length === 0) await pause(20);
    await server.kill();
    await server.start();
    expect(await linkOf(guides)).toBe('../internals/later.md');
    await inDatabase(LET_GO);
    await inDatabase(END_LEASES);
    await until(async () => (await linkOf(guides)) !== '../internals/later.md');
    expect(await linkOf(guides)).toContain(internals?.target.spaceId ?? 'a space');
    for (const each of await list()) expect(each).not.toHaveProperty('error');
    expect(files.refs.get(MAIN)).toBe(pushed);
  }, 180_000);
});
