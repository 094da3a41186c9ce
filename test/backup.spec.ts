import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BackgroundWork } from '../src/kernel/platform/jobs/background-work.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { RestoredCopies } from '../src/operations/backup/restored-copies.service.js';
import { verifyBackup } from '../src/operations/backup/verify-backup.js';
import { migrateTo, migrateUp } from '../src/cli/schema.js';
import { connectTo } from '../src/kernel/common/connection.js';
import { TestApp, useApp } from './app.js';
import { BackupDesk } from './backup-desk.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { buildSpace, publish, type Made, type Space } from './published-site.js';
import { useReceiver } from './webhook-receiver.js';

const app = useApp();
const receiver = useReceiver();
let desk: BackupDesk;
let workspace: Workspace;
let space: Space;
let paths: string[];

const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const IMAGE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');

/** An organization with something of everything, and the paths that show it. */
async function build(): Promise<void> {
  workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const reviewer = await workspace.member('review');
  space = await buildSpace(workspace, 'Handbook', 'en');
  const [page = '', child = ''] = await space.write(
    { operation: 'insert_page', title: 'Start', document: { markdown: 'Hello **you**.\n\n## Second\n\nText.' } },
    { operation: 'insert_page', title: 'Deeper', document: { markdown: '| a | b |\n| - | - |\n| 1 | \\t é 漢 |' } },
  );
  const at = `/spaces/${space.id}`;
  const uploaded = await api.post<{ insertedFiles: Made[] }>(`${at}/content/files`, undefined, {
    raw: IMAGE,
    query: { name: 'logo.svg' },
    headers: { 'Content-Type': 'image/svg+xml' },
  });
  const file = uploaded.body.insertedFiles[0]?.id ?? '';
  await space.write({ operation: 'update_page', page: child, title: 'Deeper still' });
  const specification = await api.put<Made>(`/orgs/${workspace.id}/openapi/pets`, {
    source: { text: JSON.stringify({ openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} }) },
  });
  expect(specification.status).toBeLessThan(300);
  const open = (await api.post<Made>(`${at}/change-requests`, { subject: 'Open' })).body.id;
  const merged = (await api.post<Made>(`${at}/change-requests`, { subject: 'Merged' })).body.id;
  for (const [request, title] of [
    [merged, 'From a request'],
    [open, 'Not yet'],
  ])
    await api.post(`${at}/change-requests/${request}/content`, {
      changes: [{ operation: 'insert_page', title, document: { markdown: `About ${title}.` } }],
    });
  expect((await api.post(`${at}/change-requests/${merged}/merge`)).status).toBe(200);
  const requested = `${at}/change-requests/${open}`;
  const review = await reviewer.api.post(`${requested}/reviews`, {
    status: 'changes-requested',
    comment: { markdown: 'No.' },
  });
  expect(review.status).toBeLessThan(300);
  const comment = await api.post<Made>(`${at}/comments`, { body: { markdown: 'Is this right?' }, page });
  await api.post(`${at}/comments/${comment.body.id}/replies`, { body: { markdown: 'Yes.' } });
  await api.post(`${requested}/comments`, { body: { markdown: 'In the request.' } });
  const site = await publish(workspace, [space]);
  const org = `/orgs/${workspace.id}`;
  paths = [
    ...['', '/members', '/spaces', '/collections', '/teams', '/sites', '/openapi', '/change-requests', '/webhooks'].map(
      (end) => `${org}${end}`,
    ),
    ...['', '/content', '/content/pages', '/content/files', '/revisions', '/change-requests', '/comments'].map(
      (end) => `${at}${end}`,
    ),
    `${at}/content/page/${page}?format=markdown`,
    `${at}/content/page/${child}?format=markdown`,
    `${at}/content/page/${page}/html`,
    `${at}/content/files/${file}`,
    `${at}/comments/${comment.body.id}/replies`,
    ...['', '/content/pages', '/reviews', '/comments'].map((end) => `${requested}${end}`),
    `${at}/change-requests/${merged}`,
    ...['', '/structure', '/site-spaces', '/customization'].map((end) => `${site.path}${end}`),
    `${org}/openapi/pets`,
  ];
}

/** The pages that a server shows at these paths, without the parts that differ between two servers and hours. */
async function shownBy(server: TestApp): Promise<Record<string, unknown>> {
  const client = new Client(server.url, workspace.admin.api.token);
  const shown: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, body } = await client.get(path);
    shown[path] = [
      status,
      JSON.stringify(body)
        .replaceAll(server.url, '(api)')
        .replaceAll(server.url.replace('127.0.0.1', 'localhost'), '(published)')
        .replaceAll(/expires=\d+|signature=[\w-]+|,"lastSeenAt":(null|"[^"]+")/g, ''),
    ];
  }
  return shown;
}

async function withServer<T>(url: string, files: string, work: (server: TestApp) => Promise<T>): Promise<T> {
  const server = await TestApp.start({ FILES_DIR: files }, url);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

beforeAll(async () => {
  desk = await BackupDesk.open();
  await build();
});
afterAll(() => desk.close());

describe('a restored backup', () => {
  it('shows over the interface what the original showed, with its files and its history', async () => {
    const target = await desk.target();
    const before = await shownBy(app.current);
    expect(Object.values(before).map((answer) => (answer as unknown[])[0])).toEqual(paths.map(() => 200));
    const first = await desk.create(app.current, target);
    await space.write({ operation: 'insert_page', title: 'Later', document: { markdown: 'Not in the first backup.' } });
    await desk.create(app.current, target);
    const { url, files } = await desk.restore(target, first.at);
    await withServer(url, files, async (server) => {
      expect(await shownBy(server)).toEqual(before);
      const storage = server.nest.get(FileStorage, { strict: false });
      const hashes = await server.database.query<{ hash: string }>(`SELECT encode(hash, 'hex') AS hash FROM blob`);
      expect(hashes.length).toBeGreaterThan(0);
      for (const { hash } of hashes) expect(await storage.has(hash)).toBe(true);
      // The sequences go on where they were, and triggers and foreign keys are back.
      const made = await new Client(server.url, workspace.admin.api.token).post(`/spaces/${space.id}/change-requests`, {
        subject: 'After',
      });
      expect(made.status).toBe(201);
      const catalogue = (database: TestApp['database']) =>
        database.query(
          `SELECT conrelid::regclass::text AS t, conname AS n, pg_get_constraintdef(oid) AS d FROM pg_constraint WHERE connamespace = 'public'::regnamespace
           UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3`,
        );
      expect(await catalogue(server.database)).toEqual(await catalogue(app.current.database));
    });
  });

  it('is verified by restoring it: rows and files are those that were read', async () => {
    const target = await desk.target();
    const { manifest } = await desk.create(app.current, target);
    const repository = await desk.repository(target);
    const place = async () => {
      const { url } = await desk.emptyDatabase();
      return { databaseUrl: url, migrateTo: (wanted: typeof manifest.migrations) => migrateTo(url, wanted) };
    };
    const found = await verifyBackup(repository, manifest, await place());
    expect(found).toMatchObject({ faults: [], files: manifest.files.count });
    expect(found.rows).toBeGreaterThan(100);
    // A row that is read otherwise than it was written would be found.
    const tables = manifest.tables.map((table) =>
      table.name === 'space' ? { ...table, stream: { ...table.stream, sha256: 'of other rows' } } : table,
    );
    const other = await verifyBackup(repository, { ...manifest, tables }, await place());
    expect(other.faults).toEqual([expect.stringContaining('The table public.space has')]);
  });

  it('is not restored over content, and not where migrations are others', async () => {
    const target = await desk.target();
    await desk.create(app.current, target);
    await expect(desk.restore(target, undefined, app.current.databaseUrl)).rejects.toThrow(
      /not empty, its table account has rows/,
    );
    await expect(desk.restore(target, new Date('2020-01-01'))).rejects.toThrow(/no backup in .* of 2020-01-01/);
    const { url } = await desk.emptyDatabase();
    await migrateUp(url);
    // Migrated and empty is as good as empty.
    expect((await desk.restore(target, undefined, url)).url).toBe(url);
    const newer = await desk.emptyDatabase();
    await expect(migrateTo(newer.url, { migration: ['FromTheFuture1999999999999'] })).rejects.toThrow(/newer release/);
    await expect(migrateTo(newer.url, { migration: [], migration_of_zoo: ['Zoo1799999999999'] })).rejects.toThrow(
      /external modules whose migrations are not at hand \(migration_of_zoo\)/,
    );
  });

  it('of an older schema is migrated behind its rows', async () => {
    const older = await desk.emptyDatabase();
    const all = (await desk.create(app.current, await desk.target())).manifest.migrations['migration'] ?? [];
    const known = all.filter((name) => name !== 'GitSyncSitePullRequests1799640000000');
    expect(known.length).toBe(all.length - 1);
    await migrateTo(older.url, { migration: known });
    await older.source.query(
      `INSERT INTO account (id, email, display_name, created_at) VALUES ('older', 'older@example.com', 'Older', now())`,
    );
    const target = await desk.target();
    const { manifest } = await desk.create(app.current, target, { databaseUrl: older.url });
    expect(manifest.migrations).toEqual({ migration: known });
    const restored = await connectTo((await desk.restore(target)).url, 'spec');
    const rows = async (text: string) => (await restored.query<{ name: string }>(text)).rows.map(({ name }) => name);
    expect(new Set(await rows('SELECT name FROM migration'))).toEqual(new Set(all));
    expect(await rows('SELECT email AS name FROM account')).toEqual(['older@example.com']);
    await restored.end();
  });
});

describe('a restored copy', () => {
  it('is quiet until it is told that it is the one: a webhook hears nothing, then everything', async () => {
    const hook = await workspace.admin.api.post(`/orgs/${workspace.id}/webhooks`, {
      url: receiver.url('/quiet'),
      events: ['space_updated'],
    });
    expect(hook.status).toBe(201);
    const target = await desk.target();
    await desk.create(app.current, target);
    const { url, files } = await desk.restore(target);
    await withServer(url, files, async (server) => {
      const work = server.get(BackgroundWork);
      const started = [Jobs, OutboxRelay].map((type) => {
        const service = server.get<Jobs | OutboxRelay>(type);
        const original = service.start.bind(service);
        let calls = 0;
        service.start = () => (calls++, original());
        return () => calls;
      });
      const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as Record<string, unknown>;
      work.start();
      const api = new Client(server.url, workspace.admin.api.token);
      expect((await api.patch(`/spaces/${space.id}`, { title: 'Renamed in the copy' })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect([receiver.at('/quiet').length, ...started.map((calls) => calls())]).toEqual([0, 0, 0]);
      expect(await ready()).toEqual({
        status: 'ready',
        backgroundWork: expect.stringContaining('waits: restored from'),
      });
      expect(await server.get(RestoredCopies).activate()).toBe(true);
      expect(await server.get(RestoredCopies).activate()).toBe(false);
      expect(await ready()).toEqual({ status: 'ready' });
      for (let turn = 0; turn < 150 && receiver.at('/quiet').length === 0; turn++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(receiver.at('/quiet').length).toBeGreaterThan(0);
      expect(started.map((calls) => calls())).toEqual([1, 1]);
    });
  });
});

describe('a backup that is made while two servers write', () => {
  it('is of one moment: all references resolve', async () => {
    const target = await desk.target();
    // Two servers on one database.
    const second = await TestApp.start({ FILES_DIR: app.current.config.filesDir }, app.current.databaseUrl);
    let writing = true;
    const writers = [app.current, second].map(async ({ url }, writer) => {
      const client = new Client(url, workspace.admin.api.token);
      for (let round = 0; writing; round++) {
        const title = `Page ${writer}.${round}`;
        const written = await client.post(`/spaces/${space.id}/content`, {
          changes: [{ operation: 'insert_page', title, document: { markdown: 'New.' } }],
        });
        expect(written.status).toBe(200);
        await client.post(`/spaces/${space.id}/content/files`, undefined, {
          raw: Buffer.from(title),
          query: { name: `${writer}-${round}.txt` },
          headers: { 'Content-Type': 'text/plain' },
        });
      }
    });
    const made = [];
    for (let round = 0; round < ROUNDS; round++) made.push(await desk.create(app.current, target));
    writing = false;
    await Promise.all(writers);
    await second.close();
    expect(made.map(({ lostFiles }) => lostFiles)).toEqual(made.map(() => []));
    for (const { at, manifest } of made.slice(-1)) {
      // Foreign keys are made anew behind the rows, so a row that names another one that is missing would fail.
      const { url, files } = await desk.restore(target, at);
      await withServer(url, files, async (server) => {
        const client = new Client(server.url, workspace.admin.api.token);
        const { body } = await client.get<{ pages: { id: string }[] }>(`/spaces/${space.id}/content/pages`);
        for (const { id } of body.pages)
          expect((await client.get(`/spaces/${space.id}/content/page/${id}?format=markdown`)).status).toBe(200);
        const [{ count } = { count: 0 }] = await server.database.query<{ count: number }>(
          'SELECT count(*)::int AS count FROM blob',
        );
        expect(count).toBe(manifest.files.count);
      });
    }
  });
});
