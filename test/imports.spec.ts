import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as requestOf, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Unpacking, type ArchiveKind, type ArchiveLimits } from '../src/authoring/interchange/archives/unpack.js';
import { readRobots } from '../src/authoring/interchange/domain/robots.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { ReadWebPage } from '../src/authoring/interchange/domain/web-page.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { keyed, toNewDocument } from '../src/authoring/content/document-codec.js';
import { DocumentStaging } from '../src/authoring/content/document-staging.js';
import { DocumentStore } from '../src/authoring/content/document-store.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { Blobs } from '../src/kernel/platform/storage/blobs.js';
import { FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { TaskLimitExceeded, WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { TestApp, useApp } from './app.js';
import { tarGzOf, tarOf, zipOf } from './archives.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';

const app = useApp({ IMPORT_MAX_BYTES: '200kb', IMPORT_MAX_PAGES: '4' });

interface Run {
  id: string;
  status: string;
  error?: string;
  revision?: string;
  changed?: boolean;
  completedAt?: string;
  target: { space: string; changeRequest?: string; page?: string };
  pages: { id: string; sourceURL?: string }[];
  problems: { file: string; message: string }[];
}

interface Node {
  id: string;
  title: string;
  path: string;
  pages?: Node[];
}

beforeAll(async () => {
  const port = await app.current.get(PublicListener).listen();
  app.current.get(Addresses).announce(app.current.url, `http://127.0.0.1:${port}`);
});

async function makeSpace(organization: Workspace, editMode: 'live' | 'locked' = 'live'): Promise<string> {
  return (
    await organization.admin.api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
      title: 'Guide',
      empty: true,
      editMode,
    })
  ).body.id;
}

async function offer(
  organization: Workspace,
  name: string,
  size: number,
  type = 'application/zip',
  kind = 'import_file',
) {
  return organization.admin.api.post<{ url: string; key: string }>(`/orgs/${organization.id}/storage/upload`, {
    kind,
    file: { name, type, size },
  });
}

async function upload(
  organization: Workspace,
  name: string,
  content: string | Buffer,
  type = 'application/octet-stream',
): Promise<string> {
  const bytes = Buffer.from(content);
  const { url, key } = (await offer(organization, name, bytes.length, type)).body;
  expect(
    (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'Content-Type': type } })).status,
  ).toBe(204);
  return key;
}

/** Starts an import and lets it run to its end. */
async function runImport(organization: Workspace, source: object, target: object): Promise<Run> {
  const started = await organization.admin.api.post<Run>(`/org/${organization.id}/imports`, { source, target });
  expect(started).toMatchObject({ status: 201, body: { status: 'pending', target } });
  await app.current.get(Jobs).drain();
  return (await organization.admin.api.get<Run>(`/org/${organization.id}/imports/${started.body.id}`)).body;
}

function sendArchive(api: Client, space: string, bytes: Buffer, type = 'application/gzip') {
  return api.post<Run>(`/spaces/${space}/import`, undefined, { raw: bytes, headers: { 'Content-Type': type } });
}

async function pathsOf(api: Client, at: string): Promise<string[]> {
  const { pages } = (await api.get<{ pages: Node[] }>(`${at}/content/pages`)).body;
  const below = (nodes: readonly Node[]): string[] => nodes.flatMap((node) => [node.path, ...below(node.pages ?? [])]);
  return below(pages);
}

const FOLDER = {
  'docs/README.md': '# Home\n\nSee [the guide](guide/start.md).\n',
  'docs/guide/README.md': '# Guide\n',
  'docs/guide/start.md': '# Start\n\nFirst steps. ![Dot](../dot.txt)\n',
  'docs/dot.txt': 'A dot.',
};

describe('an upload', () => {
  it('takes the announced bytes once, at a signed address that no browser is kept from', async () => {
    const organization = await buildOrganization(app.current);
    const { url, key } = (await offer(organization, 'notes.md', 5, 'text/markdown')).body;
    const send = (address: string, body: string, type = 'text/markdown') =>
      fetch(address, { method: 'PUT', body, headers: { 'Content-Type': type } }).then(({ status }) => status);
    const preflight = await fetch(url, { method: 'OPTIONS' });
    expect([
      preflight.status,
      preflight.headers.get('access-control-allow-methods'),
      preflight.headers.get('access-control-allow-origin'),
    ]).toEqual([204, 'PUT, POST', '*']);
    expect(await send(url.replace(/expires=\d+/, 'expires=9999999999'), '# Hi\n')).toBe(403);
    expect(await send(url, '# Hi\n', 'text/html')).toBe(415);
    expect(await send(url, '# Hi there\n')).toBe(413);
    expect(await send(url, '# H\n')).toBe(400);
    expect((await fetch(url)).status).toBe(405);
    expect(await send(url, '# Hi\n')).toBe(204);
    expect(await send(url, '# Hi\n')).toBe(409);
    expect((await fetch(url.replace(key, 'Nothing0'), { method: 'POST', body: 'x' })).status).toBe(403);
    app.current.setTime(new Date(Date.now() + 3601 * 1000));
    const late = await send(url, '# Hi\n');
    app.current.setTime(undefined);
    expect(late).toBe(403);
  });

  it('is offered to members, of a limited size, and to fonts only as fonts; a font is served to everybody', async () => {
    const organization = await buildOrganization(app.current);
    expect((await offer(organization, 'all.zip', 200 * 1024 + 1)).body).toMatchObject({
      error: { details: [{ path: 'file.size' }] },
    });
    expect((await offer(organization, 'evil.html', 10, 'text/html', 'customization_font')).status).toBe(400);
    expect((await offer(organization, '../up.md', 10)).status).toBe(400);
    const { url, key } = (await offer(organization, 'sans.woff2', 4, 'font/woff2', 'customization_font')).body;
    expect((await fetch(url, { method: 'POST', body: 'font', headers: { 'Content-Type': 'font/woff2' } })).status).toBe(
      204,
    );
    const served = await fetch(`${new URL(url).origin}/~files/${key}/sans.woff2`);
    expect([served.status, served.headers.get('content-type'), await served.text()]).toEqual([
      200,
      'font/woff2',
      'font',
    ]);
    const page = '<html>no font</html>';
    const lie = (await offer(organization, 'sans.woff2', page.length, 'font/woff2', 'customization_font')).body;
    expect(
      (await fetch(lie.url, { method: 'POST', body: page, headers: { 'Content-Type': 'font/woff2' } })).status,
    ).toBe(400);
    expect(
      (
        await (
          await organization.member('none')
        ).api.post(`/orgs/${organization.id}/storage/upload`, {
          kind: 'import_file',
          file: { name: 'a.md', type: 'text/markdown', size: 1 },
        })
      ).status,
    ).toBe(403);
  });

  it('is forgotten with its bytes after a week', async () => {
    const organization = await buildOrganization(app.current);
    const key = await upload(organization, 'left.md', '# Left behind\n');
    const space = await makeSpace(organization);
    app.current.setTime(new Date(Date.now() + 8 * 24 * 3600 * 1000));
    await app.current.get(Jobs).enqueue('uploads.remove-stale', {});
    await app.current.get(Jobs).drain();
    expect(await app.current.get(Blobs).removeUnreferenced()).toBeGreaterThan(0);
    app.current.setTime(undefined);
    expect(
      (
        await organization.admin.api.post(`/org/${organization.id}/imports`, {
          source: { type: 'file', files: [key] },
          target: { space },
        })
      ).body,
    ).toMatchObject({ error: { details: [{ path: 'source.files.0' }] } });
  });
});

describe('an import of files', () => {
  it('adds archives, Markdown and HTML to what is there, under a page where one is named', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    const archive = await upload(organization, 'docs.tar.gz', tarGzOf(FOLDER));
    const first = await runImport(organization, { type: 'file', files: [archive] }, { space });
    expect(first).toMatchObject({ status: 'completed', changed: true, problems: [] });
    expect(first.pages).toHaveLength(3);
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual(['readme', 'guide', 'guide/start']);
    const html = await upload(
      organization,
      'old.html',
      '<html><head><title>Old</title></head><body><nav>Menu</nav><main><h1>Old page</h1><p>Text with <b>weight</b> and {{ braces }}.</p></main></body></html>',
      'text/html',
    );
    const markdown = await upload(organization, 'guide.md', '# Another guide\n\n[Old](old.html)\n', 'text/markdown');
    const page = first.pages[1]?.id;
    const second = await runImport(organization, { type: 'file', files: [html, markdown] }, { space, page });
    expect(second).toMatchObject({ status: 'completed', problems: [], revision: expect.any(String) });
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual([
      'readme',
      'guide',
      'guide/start',
      'guide/guide',
      'guide/old',
    ]);
    const old = (
      await api.get<{ title: string; markdown: string; id: string }>(`/spaces/${space}/content/path/guide%2Fold`, {
        query: { format: 'markdown' },
      })
    ).body;
    expect(old).toMatchObject({
      title: 'Old page',
      markdown: expect.stringMatching(/Text with \*\*weight\*\* and \\?\{\\?\{ braces/),
    });
    const links = (await api.get(`/spaces/${space}/content/path/guide%2Fguide`, { query: { format: 'document' } }))
      .body;
    expect(JSON.stringify(links)).toContain(JSON.stringify({ kind: 'page', page: old.id }));
    const again = await runImport(organization, { type: 'file', files: [archive] }, { space });
    expect(again.pages.map(({ id }) => id)).not.toContain(first.pages[0]?.id);
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual(
      expect.arrayContaining(['guide/guide', 'guide-1', 'guide-1/start', 'readme-1']),
    );
    expect((await api.get<{ count: number }>(`/spaces/${space}/content/files`)).body.count).toBe(1);
  });

  it('puts archives and files beside each other, and says which names are taken already', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const folder = (text: string) =>
      upload(
        organization,
        'docs.zip',
        zipOf({ 'README.md': `# ${text}\n`, [`${text}.md`]: `# Only ${text}\n\n[Odd](no%00thing.md)\n` }),
      );
    const files = [
      await folder('one'),
      await folder('two'),
      await upload(organization, 'three.md', '# Three\n'),
      await upload(organization, 'three.md', '# Four\n'),
    ];
    const run = await runImport(organization, { type: 'file', files }, { space });
    expect(run).toMatchObject({ status: 'completed' });
    expect(run.problems.filter(({ message }) => message === 'the name occurs twice').map(({ file }) => file)).toEqual([
      'README.md',
      'three.md',
    ]);
    expect(await pathsOf(organization.admin.api, `/spaces/${space}`)).toEqual(['readme', 'one', 'three', 'two']);
  });

  it('leaves out web pages that are too large to be read', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const files = [
      await upload(
        organization,
        'docs.tar.gz',
        tarGzOf({ 'README.md': '# Home\n', 'large.html': Buffer.alloc(5 * 1024 ** 2 + 1, '<p>') }),
      ),
    ];
    expect(await runImport(organization, { type: 'file', files }, { space })).toMatchObject({
      status: 'completed',
      problems: [{ file: 'large.html', message: expect.stringContaining('at most') }],
    });
    expect(await pathsOf(organization.admin.api, `/spaces/${space}`)).toEqual(['readme']);
  });

  it('reads hostile files beside the requests of others, and says which it could not read', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const archive = tarGzOf({
      'README.md': '# Home\n\n[Old](old.html)\n',
      'old.html': `<main><h1>Old</h1>${'<b><p>'.repeat(1_500)}`,
      'tagged.md': `---\ntitle: ${'!a '.repeat(15_000)}\n---\n\n# Tagged\n`,
      'flows.md': `---\na: ${'[{'.repeat(10_000)}\n---\n\nA body.\n`,
      'lists.md': `# Lists\n\n${'1) '.repeat(3_000)}x\n`,
      'long.md': `${'a'.repeat(1000)}\n`.repeat(4_300),
      '.gitbook/vars.yaml': `a: ${'!a '.repeat(15_000)}`,
    });
    const files = [await upload(organization, 'docs.tar.gz', archive)];
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const run = await runImport(organization, { type: 'file', files }, { space });
    delays.disable();
    expect(run).toMatchObject({ status: 'completed' });
    expect(await pathsOf(organization.admin.api, `/spaces/${space}`)).toEqual([
      'readme',
      'flows',
      'lists',
      'long',
      'old',
      'tagged',
    ]);
    expect(new Set(run.problems.map(({ file }) => file))).toEqual(
      new Set(['flows.md', 'lists.md', 'long.md', 'old.html', 'tagged.md', '.gitbook/vars.yaml']),
    );
    expect(run.problems.find(({ file }) => file === 'long.md')?.message).toBe(
      'what it says is left out: a text has at most 4194304 bytes',
    );
    expect(delays.max / 1e6).toBeLessThan(1_000);
  });

  it('keeps as written, or leaves empty, what takes too long to read, and imports everything else', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    const text = 'A sentence of the page. '.repeat(300);
    const archive = zipOf({
      'README.md': '# Home\n',
      'slow.md': `# Slow\n\n${text}`,
      'slower.md': `# Slower\n\n${text}`,
      'old.html': `<h1>Old</h1><p>${text}</p>`,
      'good.md': `# Good\n\n${text}`,
    });
    const files = [await upload(organization, 'docs.zip', archive)];
    const workers = app.current.get(WorkerPool);
    const run = workers.run.bind(workers);
    const slow: Readonly<Record<string, RegExp>> = {
      documentOfSource: /# Slow/,
      documentAsWritten: /# Slower/,
      markdownOfFile: /Old/,
    };
    workers.run = (task, input, options) =>
      slow[task.name]?.test(JSON.stringify(input)) === true
        ? Promise.reject(new TaskLimitExceeded('takes more than 30 seconds to process'))
        : run(task, input, options);
    try {
      const { status, problems } = await runImport(organization, { type: 'file', files }, { space });
      expect(status).toBe('completed');
      expect(problems.map(({ file, message }) => [file, message])).toEqual([
        ['old.html', 'the page is left empty, its HTML cannot be read: it takes more than 30 seconds to process'],
        ['slow.md', 'the page is kept verbatim: it takes more than 30 seconds to process'],
        ['slower.md', 'its content is left out: it takes more than 30 seconds to process'],
      ]);
    } finally {
      workers.run = run;
    }
    const markdownAt = async (path: string) =>
      (await api.get<{ markdown: string }>(`/spaces/${space}/content/path/${path}`, { query: { format: 'markdown' } }))
        .body.markdown;
    expect(await markdownAt('slow')).toContain(`# Slow\n\n${text.trim()}`);
    expect(await markdownAt('good')).toContain(text.trim());
    for (const path of ['slower', 'old']) expect(await markdownAt(path)).not.toContain('A sentence');
  });

  it('reads exports of Confluence and BookStack as they are, with their trees, files and links', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    for (const tool of ['confluence', 'bookstack']) {
      const { files } = await readFolder(resolve('test/fixtures/tools', tool));
      const entries = await Promise.all(
        [...files].map(async ([path, file]) => [`export/${path}`, (await file.read()).toString('utf8')] as const),
      );
      const key = await upload(organization, `${tool}.zip`, zipOf(Object.fromEntries(entries)));
      expect(await runImport(organization, { type: 'file', files: [key] }, { space })).toMatchObject({
        status: 'completed',
        problems: expect.arrayContaining([
          expect.objectContaining({ file: tool === 'confluence' ? 'Ringing-the-bells_1101.html' : 'oven.html' }),
        ]),
      });
    }
    const { body } = await api.get<{ pages: { title: string; type: string }[] }>(`/spaces/${space}/content`);
    expect(body.pages.map(({ title, type }) => `${type} ${title}`)).toEqual([
      'document Bell Tower Home',
      'document Ringing the bells',
      'document Ropes',
      'document Bakery handbook',
      'document Oven',
      'document Bread',
      'group Cake',
    ]);
    const { body: listed } = await api.get<{ items: { name: string }[] }>(`/spaces/${space}/content/files`);
    expect(listed.items.map(({ name }) => name).sort()).toEqual([
      'bells.json',
      'c0Ver1.jpg',
      'firing log.txt',
      'frame.svg',
      'oven.svg',
      'rope lengths.txt',
    ]);
  });

  it('goes into a change request, a new one where live edits are locked', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization, 'locked');
    const files = [await upload(organization, 'docs.zip', zipOf({ 'README.md': '# Home\n' }))];
    const made = await runImport(organization, { type: 'file', files }, { space });
    expect(made).toMatchObject({ status: 'completed', target: { changeRequest: expect.any(String) } });
    const request = `/spaces/${space}/change-requests/${made.target.changeRequest ?? ''}`;
    expect(await pathsOf(api, request)).toEqual(['readme']);
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual([]);
    const again = await runImport(
      organization,
      { type: 'file', files },
      { space, changeRequest: made.target.changeRequest, page: made.pages[0]?.id },
    );
    expect(again.status).toBe('completed');
    expect(await pathsOf(api, request)).toEqual(['readme', 'readme/readme']);
    await api.patch(request, { status: 'archived' });
    expect(
      (
        await api.post(`/org/${organization.id}/imports`, {
          source: { type: 'file', files },
          target: { space, changeRequest: made.target.changeRequest },
        })
      ).body,
    ).toMatchObject({ error: { details: [{ path: 'target.changeRequest' }] } });
  });

  it('leaves no change request where it writes nothing', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization, 'locked');
    const requests = () =>
      app.current.database.query<{ id: string; number: number }>(
        'SELECT id, number FROM change_request WHERE space_id = $1',
        [space],
      );
    const broken = await upload(organization, 'docs.zip', 'PK\u0003\u0004 and nothing more');
    expect(await runImport(organization, { type: 'file', files: [broken] }, { space })).toMatchObject({
      status: 'failed',
    });
    expect(await runImport(organization, { type: 'website', url: 'http://10.0.0.1/' }, { space })).toMatchObject({
      status: 'failed',
    });
    const source = { type: 'file', files: [await upload(organization, 'a.md', '# A\n')] };
    const { id, target } = (await api.post<Run>(`/org/${organization.id}/imports`, { source, target: { space } })).body;
    expect(target).toEqual({ space });
    await api.post(`/org/${organization.id}/imports/${id}/cancel`);
    await app.current.get(Jobs).drain();
    expect(await requests()).toEqual([]);
    const done = await runImport(organization, source, { space });
    expect(await requests()).toEqual([{ id: done.target.changeRequest, number: 1 }]);
    expect(
      (await api.get<{ items: Run[] }>(`/org/${organization.id}/imports`, { query: { space } })).body.items.map(
        (run) => run.target,
      ),
    ).toEqual([{ space, changeRequest: done.target.changeRequest }, { space }, { space }, { space }]);
  });

  it('is refused for targets and files that are not the caller’s, and fails with a reason for what cannot be read', async () => {
    const [organization, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const space = await makeSpace(organization);
    const foreign = { space: await makeSpace(other), key: await upload(other, 'a.md', '# A\n') };
    const start = (source: object, target: object) =>
      organization.admin.api.post(`/org/${organization.id}/imports`, { source, target });
    const fault = async (source: object, target: object) =>
      ((await start(source, target)).body as { error: { details: { path: string }[] } }).error.details[0]?.path;
    const files = [await upload(organization, 'picture.bin', 'no archive')];
    expect(await fault({ type: 'file', files }, { space: foreign.space })).toBe('target.space');
    expect(await fault({ type: 'file', files: [foreign.key] }, { space })).toBe('source.files.0');
    expect(await fault({ type: 'file', files }, { space, page: 'Nothing0' })).toBe('target.page');
    expect(await fault({ type: 'website' }, { space })).toBe('source.url');
    expect((await start({ type: 'file', files }, { space, changeRequest: '7' })).status).toBe(404);
    expect(await runImport(organization, { type: 'file', files }, { space })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('picture.bin'),
    });
    expect(
      (
        await runImport(
          organization,
          { type: 'file', files: [await upload(organization, 'x.tar.gz', gzipSync('no tar at all'))] },
          { space },
        )
      ).status,
    ).toBe('failed');
  });

  it('can be cancelled, also while it runs, and writes nothing then', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    const files = [await upload(organization, 'a.md', '# A\n')];
    const begin = async () =>
      (await api.post<Run>(`/org/${organization.id}/imports`, { source: { type: 'file', files }, target: { space } }))
        .body.id;
    const cancel = (id: string) => api.post<Run>(`/org/${organization.id}/imports/${id}/cancel`);
    const waiting = await begin();
    expect(await cancel(waiting)).toMatchObject({ status: 201, body: { status: 'cancelled' } });
    expect((await cancel(waiting)).status).toBe(201);
    await app.current.get(Jobs).drain();
    const running = await begin();
    const storage = app.current.nest.get(FileStorage);
    const get = storage.get.bind(storage);
    let read = 0;
    storage.get = async (hash) => {
      read++;
      expect(await cancel(running)).toMatchObject({ status: 201 });
      return get(hash);
    };
    await app.current
      .get(Jobs)
      .drain()
      .finally(() => (storage.get = get));
    expect(read).toBeGreaterThan(0);
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual([]);
    const done = await begin();
    await app.current.get(Jobs).drain();
    expect((await cancel(done)).status).toBe(400);
    const listed = (
      await api.get<{ items: Run[]; count: number }>(`/org/${organization.id}/imports`, { query: { space } })
    ).body;
    expect(new Map(listed.items.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [done, 'completed'],
        [running, 'cancelled'],
        [waiting, 'cancelled'],
      ]),
    );
    const elsewhere = await makeSpace(organization);
    const apart = await runImport(
      organization,
      { type: 'file', files: [await upload(organization, 'b.md', '# B\n')] },
      { space: elsewhere },
    );
    const runsOf = async (query: { space?: string }) =>
      (await api.get<{ items: Run[] }>(`/org/${organization.id}/imports`, { query })).body.items.map(({ id }) => id);
    expect(await runsOf({ space })).toEqual([done, running, waiting]);
    expect(await runsOf({ space: elsewhere })).toEqual([apart.id]);
    expect(await runsOf({})).toEqual([apart.id, done, running, waiting]);
    expect(
      (await api.get<{ count: number }>(`/org/${organization.id}/imports`, { query: { space, limit: 1 } })).body.count,
    ).toBe(3);
    expect(
      (await (await organization.member('read')).api.get<{ count: number }>(`/org/${organization.id}/imports`)).body
        .count,
    ).toBe(0);
  });
});

describe('documents that are stored ahead of their change', () => {
  const days = (count: number) => new Date(Date.now() + count * 24 * 3600 * 1000);
  const word = (text: string) => parseMarkdown(text, { page: false }).document;
  const stored = async (space: string): Promise<string[]> =>
    (
      await app.current.database.query<{ body: string }>(
        'SELECT body::text AS body FROM document WHERE space_id = $1',
        [space],
      )
    )
      .map(({ body }) => /"text":"(\w+)"/.exec(body)?.[1] ?? '')
      .sort();
  const marks = async (space: string): Promise<number> =>
    (await app.current.database.query('SELECT FROM document_staged WHERE space_id = $1', [space])).length;
  const stage = (space: string, ...texts: string[]) =>
    app.current.get(DocumentStaging).stage(
      space,
      null,
      texts.map((text) => ({ json: JSON.stringify(word(text)), previous: null })),
    );
  async function sweep(at: Date): Promise<void> {
    app.current.setTime(at);
    try {
      await app.current.get(Jobs).enqueue('documents.remove-unclaimed', {});
      await app.current.get(Jobs).drain();
    } finally {
      app.current.setTime(undefined);
    }
  }

  it('are removed after a day where no change has named them, and stay where one has', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    await runImport(
      organization,
      { type: 'file', files: [await upload(organization, 'a.md', 'imported\n')] },
      { space },
    );
    expect([await marks(space), await stored(space)]).toEqual([0, ['imported']]);
    await stage(space, 'left', 'behind', 'imported', 'written');
    const { status } = await organization.admin.api.post(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'A', document: { document: word('other') } }],
    });
    expect(status).toBe(200);
    await sweep(days(0.9));
    expect([await marks(space), (await stored(space)).length]).toEqual([4, 6]);
    // Named by what is there, whether that knew of the mark or not.
    await app.current.database.execute(
      `UPDATE content_item SET hash = (SELECT hash FROM document WHERE space_id = $1 AND body::text LIKE '%"written"%') WHERE space_id = $1 AND title = 'A'`,
      [space],
    );
    await sweep(days(1.1));
    expect([await marks(space), await stored(space)]).toEqual([0, expect.not.arrayContaining(['left', 'behind'])]);
    expect(await stored(space)).toEqual(expect.arrayContaining(['imported', 'written']));
  });

  it('are not removed under a change that is about to name them, and are stored anew where they were', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const { database } = app.current;
    const store = app.current.get(DocumentStore);
    const [kept, gone] = [toNewDocument(keyed(word('kept'))), toNewDocument(keyed(word('gone')))];
    await store.stage(space, null, [kept, gone]);
    await database.transaction(async () => {
      expect(await store.claim(space, [kept.hash])).toBe(true);
      await database.apart(() => sweep(days(2)));
    });
    expect([await stored(space), await marks(space)]).toEqual([['kept'], 0]);
    expect(await store.claim(space, [kept.hash, gone.hash])).toBe(false);
    await store.stage(space, null, [gone, gone]);
    expect([await stored(space), await marks(space), await store.claim(space, [gone.hash])]).toEqual([
      ['gone', 'kept'],
      1,
      true,
    ]);
  });
});

describe('a run whose server died', () => {
  it('is done by another one, once, whatever the first does when it comes back', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    const second = await TestApp.start({ FILES_DIR: app.current.config.filesDir }, app.current.databaseUrl);
    const storage = app.current.nest.get(FileStorage);
    const get = storage.get.bind(storage);
    try {
      const { id } = (await sendArchive(api, space, tarGzOf(FOLDER))).body;
      let begun = (): void => undefined;
      let wake = (): void => undefined;
      const hangs = new Promise<void>((resolve) => (begun = resolve));
      const sleep = new Promise<void>((resolve) => (wake = resolve));
      storage.get = async (hash) => {
        begun();
        await sleep;
        return get(hash);
      };
      const first = app.current.get(Jobs).drain();
      await hangs;
      expect((await api.get<Run>(`/org/${organization.id}/imports/${id}`)).body.status).toBe('in-progress');
      await app.current.database.execute(
        `UPDATE jobs.job SET started_on = now() - interval '3 hours', expire_in = interval '1 second' WHERE name = 'imports.run' AND state = 'active'`,
      );
      await second.get(Jobs).reclaim();
      await app.current.database.execute(
        `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name = 'imports.run' AND state < 'active'`,
      );
      await second.get(Jobs).drain();
      const done = (await api.get<Run>(`/org/${organization.id}/imports/${id}`)).body;
      expect(done).toMatchObject({ status: 'completed', changed: true });
      storage.get = get;
      wake();
      await first;
      expect((await api.get<Run>(`/org/${organization.id}/imports/${id}`)).body).toEqual(done);
      expect(
        await app.current.database.query('SELECT id FROM revision WHERE space_id = $1 AND sequence > 0', [space]),
      ).toEqual([{ id: done.revision }]);
    } finally {
      storage.get = get;
      await second.close();
    }
  });
});

describe('an archive for a whole space', () => {
  it('makes the space say what it says, locked or not, and writes nothing the second time', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization, 'locked');
    const finish = async (bytes: Buffer, type?: string): Promise<Run> => {
      const { body, status } = await sendArchive(api, space, bytes, type);
      expect(status).toBe(201);
      await app.current.get(Jobs).drain();
      return (await api.get<Run>(`/org/${organization.id}/imports/${body.id}`)).body;
    };
    const first = await finish(tarGzOf(FOLDER));
    expect(first).toMatchObject({ status: 'completed', changed: true });
    const second = await finish(tarGzOf(FOLDER));
    expect(second).toMatchObject({ status: 'completed', changed: false, revision: first.revision });
    const third = await finish(
      zipOf({ 'README.md': '# Home\n\nChanged.\n', 'guide/start.md': '# Start\n' }),
      'application/zip',
    );
    expect(third).toMatchObject({
      changed: true,
      pages: first.pages.map(({ id }) => ({ id, type: 'page', status: 'complete' })),
    });
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual(['readme', 'guide', 'guide/start']);
    expect((await api.get<{ count: number }>(`/spaces/${space}/content/files`)).body.count).toBe(0);
  });

  it('is taken from those who manage the space only, as an archive and up to a size', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const archive = tarGzOf(FOLDER);
    expect((await sendArchive((await organization.member('review')).api, space, archive)).body).toMatchObject({
      error: { code: 403, message: expect.stringContaining('space:replaceContent') },
    });
    expect((await sendArchive((await buildOrganization(app.current)).admin.api, space, archive)).status).toBe(404);
    expect((await sendArchive(organization.admin.api, space, archive, 'text/plain')).body).toMatchObject({
      error: { code: 415, message: expect.stringMatching(/gzip.*x-gzip.*x-tar.*tar\+gzip.*zip.*octet-stream/) },
    });
    expect((await sendArchive(organization.admin.api, space, Buffer.alloc(0))).body).toMatchObject({
      error: { code: 400, details: [{ path: 'body' }] },
    });
    expect((await sendArchive(organization.admin.api, space, Buffer.alloc(300_000), 'application/x-tar')).status).toBe(
      413,
    );
    expect((await sendArchive(organization.admin.api, space, Buffer.alloc(20, 'x'), 'application/gzip')).status).toBe(
      201,
    );
    await app.current.get(Jobs).drain();
    const { items } = (
      await organization.admin.api.get<{ items: Run[] }>(`/org/${organization.id}/imports`, { query: { space } })
    ).body;
    expect(items).toMatchObject([{ status: 'failed', error: 'body: is neither a zip, a tar nor a tar.gz archive' }]);
  });

  it('is received before a transaction is open, also with an Idempotency-Key', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const { secret } = await app.current.get(Tokens).issue(organization.admin.id, { name: 'upload' });
    const archive = tarGzOf(FOLDER);
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/gzip',
      'Idempotency-Key': 'archive',
      'Content-Length': archive.length,
    };
    const sent = requestOf(`${app.current.url}/v1/spaces/${space}/import`, { method: 'POST', headers });
    const answer = new Promise<number | undefined>((resolve, reject) =>
      sent.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject),
    );
    sent.write(archive.subarray(0, 50));
    await setTimeout(300);
    const open = await app.current.database.one(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    sent.end(archive.subarray(50));
    expect([await answer, open]).toEqual([201, { count: 0 }]);
    await app.current.get(Jobs).drain();
    expect(await pathsOf(organization.admin.api, `/spaces/${space}`)).toEqual(['readme', 'guide', 'guide/start']);
  });

  it('3b-28 it is unpacked without links, devices, names that lead out of it, and beyond no limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-unpack-'));
    try {
      const [tar, zip, into] = [join(folder, 'a.tar'), join(folder, 'a.zip'), join(folder, 'into')];
      const long = `${'deep/'.repeat(25)}page.md`;
      await writeFile(
        tar,
        tarOf([
          ['./README.md', '# Fine\n'],
          ['../out.md', 'x'],
          ['/etc/out.md', 'x'],
          ['link.md', { type: '2', to: '/etc/passwd' }],
          ['hard.md', { type: '1', to: 'README.md' }],
          ['device', { type: '3' }],
          ['readme.MD', 'x'],
          ['.git/config', 'x'],
          ['README.md/below.md', 'x'],
          [`${'x'.repeat(253)}.md`, 'x'],
          [long, 'Long'],
          ['deep', 'x'],
          ['empty', { type: '5' }],
        ]),
      );
      const unpack = async (path: string, kind: ArchiveKind, to: string, limits?: ArchiveLimits) => {
        const unpacking = new Unpacking(to, limits);
        await unpacking.unpack(path, kind);
        return unpacking.refused;
      };
      const refused = await unpack(tar, 'tar', into);
      expect(refused.map(({ path }) => path).sort()).toEqual([
        '../out.md',
        '.git/config',
        '/etc/out.md',
        'README.md/below.md',
        'deep',
        'device',
        'hard.md',
        'link.md',
        'readme.MD',
        `${'x'.repeat(253)}.md`,
      ]);
      expect(
        (await readdir(into, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
          .sort(),
      ).toEqual(['README.md', 'page.md']);
      expect(await readFile(join(into, long), 'utf8')).toBe('Long');
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['a.tar', 'into']));
      await writeFile(
        zip,
        zipOf({ '../../slip.md': 'x', 'ok.md': '# Ok\n', 'link.md': '/etc/passwd', 'C:\\x.md': 'x' }, ['link.md']),
      );
      expect((await unpack(zip, 'zip', join(folder, 'zipped'))).map(({ path }) => path).sort()).toEqual([
        '../../slip.md',
        'C:\\x.md',
        'link.md',
      ]);
      const bomb = join(folder, 'bomb.tar.gz');
      await writeFile(bomb, tarGzOf({ 'a.md': Buffer.alloc(200_000), 'b.md': Buffer.alloc(200_000) }));
      const limited = (limits: object) =>
        unpack(bomb, 'tar.gz', join(folder, `bomb-${JSON.stringify(limits).length}`), {
          entries: 10,
          fileBytes: 1e6,
          totalBytes: 1e6,
          ...limits,
        });
      await expect(limited({ totalBytes: 300_000 })).rejects.toMatchObject({ code: 'tooLarge' });
      await expect(limited({ fileBytes: 1000 })).rejects.toMatchObject({ code: 'tooLarge' });
      await expect(limited({ entries: 1 })).rejects.toMatchObject({ code: 'tooLarge' });
      await writeFile(
        bomb,
        gzipSync(tarOf(Array.from({ length: 2000 }, () => ['link.md', { type: '2', to: 'x' }] as const))),
      );
      await expect(limited({})).rejects.toMatchObject({ code: 'tooLarge' });
      await expect(limited({ entries: 1e6 })).rejects.toMatchObject({ code: 'tooLarge' });
      expect(await limited({ entries: 1e6, totalBytes: 1e7 })).toHaveLength(2000);
      await writeFile(bomb, gzipSync(tarOf([['a.md', 'x'.repeat(5000)]])).subarray(0, 60));
      await expect(unpack(bomb, 'tar.gz', join(folder, 'cut'))).rejects.toMatchObject({ code: 'invalid' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('an import of a website', () => {
  let server: Server;
  const asked: string[] = [];
  let meanwhile = async (): Promise<unknown> => undefined;
  const page = (title: string, body: string) =>
    `<!doctype html><html><head><title>${title} | Site</title></head><body><header>Top <a href="/docs/hidden-in-nav">n</a></header><main><h1>${title}</h1>${body}</main><footer>Foot</footer><script>alert(1)</script></body></html>`;
  const pages: Readonly<Record<string, string>> = {
    '/docs/': page(
      'Welcome',
      '<p>See <a href="guide/">the guide</a>, <a href="/docs/guide/install?x=1#linux">how to install</a>, <a href="/other">elsewhere</a> and <a href="/docs/secret">secrets</a>.</p><img src="/dot.svg" alt="A dot">',
    ),
    '/docs/guide/': page('Guide', '<table><tr><th>A</th></tr><tr><td>1</td></tr></table>'),
    '/docs/guide/install': page(
      'Install',
      '<pre><code class="language-sh">run\n\nit</code></pre><a href="javascript:alert(1)">Trick</a>',
    ),
    '/docs/hidden-in-nav': page('Found by navigation', '<p>Here.</p>'),
    '/docs/fifth': page('Fifth', ''),
    '/docs/secret': page('Secret', 'No robots.'),
    '/other': page('Other', ''),
    '/many/': page('Many', Array.from({ length: 500 }, (_, at) => `<a href="${at}">${at}</a>`).join(' ')),
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      asked.push(pathname);
      const html = pages[pathname];
      if (pathname === '/lost/')
        return void meanwhile().then(() =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(page('Lost', '')),
        );
      if (pathname === '/robots.txt') response.end('User-agent: *\nDisallow: /docs/secret\n');
      else if (pathname === '/dot.svg')
        response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>');
      else if (html !== undefined) response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
  });

  it('fetches what lies below an address, with its pictures and links, as robots.txt allows', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await makeSpace(organization);
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = await runImport(organization, { type: 'website', url: `${origin}/docs/` }, { space });
    // The anchors of the website are not those of the pages that are made from it.
    expect(run).toMatchObject({
      status: 'completed',
      problems: [{ message: 'guide/install.md#linux names an anchor that its page does not have' }],
    });
    expect(run.pages.map(({ sourceURL }) => sourceURL?.slice(origin.length)).sort()).toEqual([
      '/docs/',
      '/docs/guide/',
      '/docs/guide/install',
      '/docs/hidden-in-nav',
    ]);
    expect(asked).not.toContain('/docs/secret');
    expect(asked).not.toContain('/other');
    expect(await pathsOf(api, `/spaces/${space}`)).toEqual(['docs', 'guide', 'guide/install', 'hidden-in-nav']);
    const home = (
      await api.get<{ title: string; markdown: string }>(`/spaces/${space}/content/path/docs`, {
        query: { format: 'markdown' },
      })
    ).body;
    expect(home.title).toBe('Welcome');
    expect(home.markdown).toContain(`${origin}/other`);
    expect(home.markdown).not.toMatch(/Top|Foot|alert/);
    const document = JSON.stringify(
      (await api.get(`/spaces/${space}/content/path/docs`, { query: { format: 'document' } })).body,
    );
    expect(document).toContain(
      JSON.stringify({
        anchor: 'linux',
        kind: 'anchor',
        page: run.pages.find(({ sourceURL }) => sourceURL?.endsWith('/install') === true)?.id,
      }),
    );
    expect(document).toMatch(/"kind":"file"/);
    const install = JSON.stringify(
      (await api.get(`/spaces/${space}/content/path/guide%2Finstall`, { query: { format: 'document' } })).body,
    );
    expect(install).toContain('"syntax":"sh"');
    expect(install).not.toContain('javascript:');
  });

  it('leaves out what is too much, and fails where nothing is to be had', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await runImport(organization, { type: 'website', url: `${origin}/nothing` }, { space })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('404'),
    });
    expect(await runImport(organization, { type: 'website', url: `${origin}/docs/secret` }, { space })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('robots.txt'),
    });
    expect(
      await runImport(organization, { type: 'website', url: 'http://169.254.169.254/latest/' }, { space }),
    ).toMatchObject({ status: 'failed', error: expect.stringContaining('not allowed') });
    const all = await runImport(organization, { type: 'website', url: `${origin}/docs/fifth` }, { space });
    expect(all).toMatchObject({ status: 'completed' });
    expect(await runImport(organization, { type: 'website', url: `${origin}/many/` }, { space })).toMatchObject({
      status: 'completed',
      pages: [{}],
    });
    expect(asked.filter((path) => path.startsWith('/many/'))).toHaveLength(4 * 20);
  });

  it('writes nothing for somebody who has lost the right meanwhile', async () => {
    const organization = await buildOrganization(app.current);
    const space = await makeSpace(organization);
    const writer = await organization.member('edit');
    meanwhile = () => app.current.database.execute(`UPDATE member SET role = 'read' WHERE user_id = $1`, [writer.id]);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lost/`;
    const { id } = (
      await writer.api.post<Run>(`/org/${organization.id}/imports`, {
        source: { type: 'website', url },
        target: { space },
      })
    ).body;
    await app.current.get(Jobs).drain();
    expect((await organization.admin.api.get(`/org/${organization.id}/imports/${id}`)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('space:edit'),
    });
    expect(await pathsOf(organization.admin.api, `/spaces/${space}`)).toEqual([]);
  });
});

describe('the rules of websites', () => {
  it('are read as robots.txt means them', () => {
    const rules = readRobots(
      'User-agent: other\nDisallow: /\n\nUser-Agent: *\nUser-agent: bindery\nDisallow: /private\nAllow: /private/open # yes\nDisallow: /*.pdf$\nDisallow:\n',
      'Bindery',
    );
    expect(['/', '/private', '/private/x', '/private/open/1', '/a.pdf', '/a.pdf?x', '/b/c.pdf'].map(rules)).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(readRobots('', 'Bindery')('/any')).toBe(true);
    expect(readRobots('User-agent: *\nDisallow: /', 'Bindery')('/any')).toBe(false);
    const spelled = readRobots(
      'User-agent: Bindery/2.0 (+https://example.com)\nDisallow: /a%3cd\nDisallow: /ü\nDisallow: /%62az\nDisallow: /f-%2A.html\nDisallow: /*$1\n',
      'Bindery',
    );
    const paths = ['/a%3Cd', '/%C3%BC', '/baz', '/f-*.html', '/f-x.html', '/cost$1', '/cost'];
    expect(paths.map(spelled)).toEqual([false, false, false, false, true, false, true]);
    expect(readRobots('User-agent: Bind\nDisallow: /\n', 'Bindery')('/any')).toBe(true);
    const started = performance.now();
    expect(
      readRobots(
        `User-agent: *\nDisallow: /x${' '.repeat(500_000)}y\n${'Disallow: /a*b\n'.repeat(30_000)}`,
        'Bindery',
      )('/any'),
    ).toBe(true);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('leave of a page what it says, however deep it is nested', () => {
    const read = new ReadWebPage(
      `<body><aside>Ads</aside>${'<div>'.repeat(5000)}deep${'</div>'.repeat(5000)}<article><h1>Title</h1><p>Costs $5 and {% if %}, :smile: </p><p hidden>gone</p></article></body>`,
      'https://example.com/a/b',
    );
    const { title, markdown } = read.convert((target) => target);
    expect(title).toBe('Title');
    expect(markdown).toContain('Costs');
    expect(markdown).not.toMatch(/Ads|gone|[^\\]\{%/);
  });
});
