import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { cliFile } from './faults/program.js';
import { SpaceFolders, type Texts } from './space-folders.js';

const LIMIT = 300_000;
const app = useApp({ IMPORT_MAX_BYTES: '1mb' });
let program: string;
let home: string;

beforeAll(async () => {
  program = await cliFile();
  home = await mkdtemp(join(tmpdir(), 'bindery-spec-'));
  const port = await app.current.get(PublicListener).listen();
  app.current.get(Addresses).announce(app.current.url, `http://127.0.0.1:${port}`);
}, LIMIT);
afterAll(() => rm(home, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A writer with a folder of their own. */
class Writer {
  constructor(
    readonly folder: string,
    private readonly token: string,
    private readonly url = app.current.url,
  ) {}

  start(...words: readonly string[]): Running {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, BINDERY_TOKEN: this.token, BINDERY_URL: this.url };
    const child = spawn(process.execPath, [program, ...words], { cwd: home, env });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(([out, err]) => ({
      code: child.exitCode,
      out,
      err,
    }));
    return { child, ended };
  }

  /** Runs a command to its end, beside the background work of the server. */
  async run(...words: readonly string[]): Promise<Ended> {
    const { child, ended } = this.start(...words);
    while (child.exitCode === null && child.signalCode === null) {
      await app.current.get(Jobs).drain();
      await setTimeout(50);
    }
    return ended;
  }

  async pull(...words: readonly string[]): Promise<Ended> {
    return this.run('pull', this.folder, ...words);
  }
  status(...words: readonly string[]): Promise<Ended> {
    return this.run('status', this.folder, ...words);
  }
  push(...words: readonly string[]): Promise<Ended> {
    return this.run('push', this.folder, ...words);
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), content);
  }

  async replace(path: string, from: string, to: string): Promise<void> {
    await this.write(path, (await this.text(path)).replace(from, to));
  }

  text(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  async texts(): Promise<Texts> {
    const texts: Record<string, string> = {};
    for (const [path, file] of (await readFolder(this.folder)).files)
      texts[path] = (await file.read()).toString('latin1');
    return texts;
  }
}

const HANDBOOK: Texts = {
  'README.md': '# Handbook\n\nAll about clay.\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Handbook](README.md)\n* [Kiln](kiln.md)\n* [Wheel](wheel.md)\n* [Glaze](glaze.md)\n',
  'glaze.md': '# Glaze\n\n![Pot](.gitbook/assets/pot.svg)\n',
  '.gitbook/assets/pot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'kiln.md': '# Kiln\n\nHeat it slowly.\n\nWait a night.\n\nLet it cool.\n',
  'wheel.md': '# Wheel\n\n_Turn_ it.\n',
};

interface Setting {
  readonly organization: Workspace;
  readonly space: string;
  readonly server: SpaceFolders;
  readonly writer: (person?: Person) => Promise<Writer>;
}

async function setUp(editMode: 'live' | 'locked' = 'live'): Promise<Setting> {
  const organization = await buildOrganization(app.current);
  const { api } = organization.admin;
  const { id: space } = (
    await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, { title: 'Handbook', empty: true, editMode })
  ).body;
  const server = new SpaceFolders(app.current, organization.id, api);
  await server.start('import', space, {}, HANDBOOK);
  await app.current.get(Jobs).drain();
  const writer = async (person = organization.admin): Promise<Writer> => {
    const made = new Writer(join(await mkdtemp(join(home, 'writer-')), 'handbook'), person.api.token ?? '');
    expect(await made.pull('--space', space)).toMatchObject({ code: 0, err: '' });
    return made;
  };
  return { organization, space, server, writer };
}

describe('a pulled folder', () => {
  it(
    'has the files of an export; what is changed, added, renamed and deleted in it is shown, pushed and pulled elsewhere',
    async () => {
      const { space, server, writer } = await setUp();
      const ada = await writer();
      const ben = await writer();
      expect(await ada.texts()).toEqual(HANDBOOK);
      expect(await ada.status()).toMatchObject({ code: 0, out: expect.stringContaining('Nothing has changed here.') });
      await ada.replace('kiln.md', 'slowly', '__slowly__');
      await rename(join(ada.folder, 'wheel.md'), join(ada.folder, 'Potter wheel.md'));
      await rm(join(ada.folder, '.gitbook/assets/pot.svg'));
      await ada.write('pictures/bowl.png', PNG);
      await ada.write('glaze.md', 'Glaze\n=====\n\n![Bowl](pictures/bowl.png)\n');
      await ada.replace('SUMMARY.md', 'wheel.md', 'Potter%20wheel.md');
      await ada.write('notes.txt', 'For nobody else.');
      expect(JSON.parse((await ada.status('--json')).out)).toMatchObject({
        behind: false,
        changed: ['SUMMARY.md', 'glaze.md', 'kiln.md'],
        added: ['notes.txt', 'pictures/bowl.png'],
        deleted: ['.gitbook/assets/pot.svg'],
        renamed: [{ from: 'wheel.md', to: 'Potter wheel.md' }],
      });
      const before = await ada.texts();
      const pushed = await ada.push('-m', 'Explain the bowl');
      expect(pushed).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Pushed: revision/m) });
      expect(await ada.texts()).toEqual(before);
      expect((await ada.status()).out).toContain('Nothing has changed here.\nNothing has changed in the space.');
      expect((await ada.push()).out).toBe('Nothing has changed here.\n');
      const { body } = await server.api.get<{ items: { message?: string }[] }>(`/spaces/${space}/revisions`);
      expect(body.items[0]).toMatchObject({ message: 'Explain the bowl' });

      expect((await ben.status()).out).toContain('The space has changed');
      const untouched = await stat(join(ben.folder, 'README.md'));
      expect(await ben.pull()).toMatchObject({ code: 0, err: '' });
      const { 'notes.txt': _own, 'kiln.md': kiln, 'glaze.md': _glaze, ...rest } = before;
      expect(await ben.texts()).toEqual({
        ...rest,
        'kiln.md': kiln?.replaceAll('__', '**'),
        'glaze.md': '# Glaze\n\n![Bowl](pictures/bowl.png)\n',
      });
      expect((await stat(join(ben.folder, 'README.md'))).mtimeMs).toBe(untouched.mtimeMs);
      expect((await ben.pull()).out).toBe('Nothing has changed in the space.\n');
    },
    LIMIT,
  );

  it(
    'is merged with what has changed in the space, line by line; the same lines stand between markers',
    async () => {
      const { writer } = await setUp();
      const [ada, ben] = [await writer(), await writer()];
      await ada.replace('kiln.md', 'slowly', 'quickly');
      await rm(join(ada.folder, 'wheel.md'));
      await ada.replace('SUMMARY.md', '* [Wheel](wheel.md)\n', '');
      await ada.replace('README.md', 'clay', 'clay and glass');
      expect(await ada.push()).toMatchObject({ code: 0 });
      await ben.replace('kiln.md', 'cool.', 'cool for a day.');
      await ben.replace('wheel.md', 'Turn', 'Spin');
      await ben.replace('README.md', 'clay', 'clay and water');
      const pulled = await ben.pull('--json');
      expect(pulled.code).toBe(1);
      expect(JSON.parse(pulled.out)).toMatchObject({
        merged: ['kiln.md'],
        written: ['SUMMARY.md'],
        conflicts: [
          { path: 'README.md', reason: 'both-changed' },
          { path: 'wheel.md', reason: 'deleted-there' },
        ],
      });
      expect(await ben.text('kiln.md')).toBe('# Kiln\n\nHeat it quickly.\n\nWait a night.\n\nLet it cool for a day.\n');
      expect(await ben.text('README.md')).toBe(
        '# Handbook\n\n<<<<<<< this folder\nAll about clay and water.\n=======\nAll about clay and glass.\n>>>>>>> the space\n',
      );
      expect(await ben.text('wheel.md')).toContain('Spin');
      expect(await ben.push()).toMatchObject({ code: 1, err: expect.stringContaining('README.md') });
      await ben.write('README.md', '# Handbook\n\nAll about clay, glass and water.\n');
      expect(await ben.push()).toMatchObject({ code: 0, err: '' });
      await rm(join(ada.folder, 'kiln.md'));
      expect(await ada.pull()).toMatchObject({
        code: 1,
        out: expect.stringContaining('conflict: kiln.md: deleted here and changed in the space'),
      });
      expect(await ada.text('kiln.md')).toContain('for a day');
    },
    LIMIT,
  );

  it(
    'is pushed although the space has changed: merged block by block, or as a change request that is given up once a pull has settled it',
    async () => {
      const { server, space, writer } = await setUp();
      const [ada, ben] = [await writer(), await writer()];
      await ada.replace('kiln.md', 'slowly', 'quickly');
      expect(await ada.push()).toMatchObject({ code: 0 });
      await ben.replace('kiln.md', 'cool.', 'cool for a day.');
      expect(await ben.push()).toMatchObject({ code: 0, out: expect.stringContaining('merged with what has changed') });
      expect(await ben.text('kiln.md')).toContain('quickly');
      await ada.replace('kiln.md', 'cool.', 'cool for a week.');
      const refused = await ada.push('--json');
      expect(refused.code).toBe(1);
      const { result, request } = JSON.parse(refused.out) as {
        result: string;
        request: { id: string; number: number; url: string };
      };
      expect([result, request.url]).toEqual(['conflicts', expect.stringContaining('http')]);
      expect((await ada.push()).out).toContain(`are in change request #${request.number} already`);
      expect((await server.export(space)).files['kiln.md']).toContain('for a day');
      expect(await ada.pull()).toMatchObject({ code: 1 });
      await ada.write('kiln.md', '# Kiln\n\nHeat it quickly.\n\nWait a night.\n\nLet it cool for some days.\n');
      expect(await ada.push()).toMatchObject({ code: 0, err: '' });
      expect((await server.export(space)).files['kiln.md']).toContain('for some days');
      const { body } = await server.api.get<{ status: string }>(`/spaces/${space}/change-requests/${request.id}`);
      expect(body.status).toBe('archived');
    },
    LIMIT,
  );

  it(
    'becomes a change request where a review is asked for, or needed, which takes later pushes as well',
    async () => {
      const { server, space, organization, writer } = await setUp('locked');
      const ada = await writer(await organization.member('edit'));
      await ada.replace('kiln.md', 'slowly', 'quickly');
      const first = await ada.push('-m', 'Faster', '--json');
      const { result, request } = JSON.parse(first.out) as { result: string; request: { id: string; number: number } };
      expect([first.code, result]).toEqual([0, 'proposed']);
      await ada.replace('kiln.md', 'cool', 'cool down');
      expect((await ada.push()).out).toContain(`wait in change request #${request.number}`);
      expect((await ada.status()).out).toContain(`#${request.number} of the last push is open`);
      const own = await ada.texts();
      expect((await server.export(space, { changeRequest: request.id })).files).toEqual(own);
      const reviewer = new Writer(join(await mkdtemp(join(home, 'writer-')), 'review'), server.api.token ?? '');
      expect(await reviewer.pull('--space', space, '--change-request', String(request.number))).toMatchObject({
        code: 0,
      });
      expect(await reviewer.texts()).toEqual(own);
      await reviewer.replace('wheel.md', 'Turn', 'Spin');
      expect(await reviewer.push()).toMatchObject({ code: 0, out: expect.stringContaining('Pushed') });
      await ada.replace('README.md', 'clay', 'glass');
      expect(await ada.push()).toMatchObject({ code: 1, err: expect.stringContaining('has changed since') });
      await server.api.post(`/spaces/${space}/change-requests/${request.id}/merge`);
      expect(await ada.pull()).toMatchObject({ code: 0 });
      expect(await ada.text('wheel.md')).toContain('Spin');
      expect(JSON.parse((await ada.status('--json')).out)).toMatchObject({ changed: ['README.md'] });
      expect(await reviewer.pull()).toMatchObject({ code: 1, err: expect.stringContaining('is merged') });
    },
    LIMIT,
  );

  it(
    'is pushed beside another one at the same moment, and refused where it is too large',
    async () => {
      const { server, space, writer } = await setUp();
      const [ada, ben] = [await writer(), await writer()];
      await ada.replace('kiln.md', 'slowly', 'quickly');
      await ada.write('clay.md', '# Clay\n');
      await ben.replace('kiln.md', 'cool.', 'cool for a day.');
      await ben.write('fire.md', '# Fire\n');
      for (const { code, err } of await Promise.all([ada.push(), ben.push()])) expect([code, err]).toEqual([0, '']);
      for (const each of [ada, ben]) {
        expect((await each.pull()).code).toBe(0);
        expect(Object.keys(await each.texts())).toEqual(expect.arrayContaining(['clay.md', 'fire.md']));
        expect(await each.text('kiln.md')).toBe(
          '# Kiln\n\nHeat it quickly.\n\nWait a night.\n\nLet it cool for a day.\n',
        );
      }
      const now = (await server.export(space)).run.revision;
      await ada.write('film.mp4', randomBytes(3 * 1024 ** 2));
      expect(await ada.push()).toMatchObject({ code: 1, err: expect.stringMatching(/^bindery: .*larger than/) });
      await rm(join(ada.folder, 'film.mp4'));
      expect(await ada.push()).toMatchObject({ code: 0, out: 'Nothing has changed here.\n' });
      expect((await server.export(space)).run.revision).toBe(now);
    },
    LIMIT,
  );

  it(
    'is pushed once although the command was killed before it had an answer, whatever has changed meanwhile',
    async () => {
      const { server, space, writer } = await setUp();
      const ada = await writer();
      await ada.write('clay.md', '# Clay\n\nDig it.\n');
      await ada.replace('SUMMARY.md', '* [Kiln]', '* [Clay](clay.md)\n* [Kiln]');
      const { child, ended } = ada.start('push', ada.folder);
      for (;;) {
        const { body } = await server.api.get<{ items: { source: { type: string } }[] }>(
          `/org/${server.organizationId}/imports`,
        );
        if (body.items.some(({ source }) => source.type === 'push')) break;
        await setTimeout(20);
      }
      child.kill('SIGKILL');
      await ended;
      await app.current.get(Jobs).drain();
      expect(await ada.pull()).toMatchObject({ code: 1, err: expect.stringContaining('was cut off') });
      await ada.replace('kiln.md', 'slowly', 'quickly');
      expect(await ada.push()).toMatchObject({ code: 0, err: '' });
      expect((await server.export(space)).files).toEqual(await ada.texts());
      const { body } = await server.api.get<{ items: { source: { type: string } }[] }>(
        `/org/${server.organizationId}/imports`,
      );
      expect(body.items.filter(({ source }) => source.type === 'push')).toHaveLength(2);
      expect((await ada.status()).out).toContain('Nothing has changed here.\nNothing has changed in the space.');
    },
    LIMIT,
  );

  it(
    'keeps the token where nobody else can read it, and says in one line why something is not done',
    async () => {
      const { space, organization, writer } = await setUp();
      const ada = await writer();
      const secret = organization.admin.api.token ?? '';
      const nameless = new Writer(ada.folder, '');
      expect(await nameless.status()).toMatchObject({ code: 1, err: expect.stringContaining('Give a token') });
      expect(await ada.pull('--save-token')).toMatchObject({ code: 0 });
      expect(await nameless.status()).toMatchObject({ code: 0 });
      expect((await stat(join(ada.folder, '.bindery/token'))).mode & 0o777).toBe(0o600);
      expect(await ada.text('.bindery/.gitignore')).toBe('*\n');
      await chmod(join(ada.folder, '.bindery/token'), 0o644);
      expect(await nameless.status()).toMatchObject({ code: 1, err: expect.stringContaining('Others can read') });
      expect(JSON.stringify(await ada.texts())).not.toContain(secret);

      const fresh = (token: string, url?: string) => new Writer(join(home, `new-${Math.random()}`), token, url);
      const stranger = (await buildOrganization(app.current)).admin;
      const reader = await organization.member('read');
      const cases: [Promise<Ended>, RegExp][] = [
        [fresh('wrong').pull('--space', space), /^bindery: The token is not valid/],
        [fresh(stranger.api.token ?? '').pull('--space', space), /^bindery: Space .*does not exist/],
        [fresh(secret, 'http://127.0.0.1:1').pull('--space', space), /^bindery: The server at .* cannot be reached/],
        [fresh(secret, 'ftp://example.com').pull('--space', space), /^bindery: .* is no address/],
        [fresh(secret).status(), /^bindery: .* is not a pulled folder/],
        [ada.pull('--space', space), /^bindery: .* is a pulled folder already/],
        [new Writer(home, secret).pull('--space', space), /^bindery: The folder .* is not empty/],
      ];
      for (const [ended, message] of cases)
        expect(await ended).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
      expect(JSON.parse((await fresh('wrong').pull('--space', space, '--json')).err)).toMatchObject({
        error: { message: expect.stringContaining('The token is not valid') },
      });
      const readers = await writer(reader);
      await readers.write('kiln.md', '# Kiln\n');
      expect(await readers.push()).toMatchObject({ code: 1, err: expect.stringContaining('The token does not allow') });
      await rm(join(ada.folder, 'kiln.md'));
      await symlink('/etc/hosts', join(ada.folder, 'kiln.md'));
      expect(await ada.push()).toMatchObject({ code: 1, err: expect.stringContaining('symbolic links') });
    },
    LIMIT,
  );
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
