import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { toDomainError } from '../../src/kernel/common/error.filter.js';
import type { Database } from '../../src/kernel/common/database.js';
import { BackgroundWork } from '../../src/kernel/platform/jobs/background-work.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { scratchDatabase, type ScratchDatabase } from '../scratch-database.js';
import { DatabaseProxy } from './database-proxy.js';

/** Of one statement and of a silent database. */
const TIMEOUT_SECONDS = 2;
/** Far more than the timeout: it only tells an answer from none. */
const PATIENCE_MS = 30_000;

const app = useApp({ DATABASE_POOL_SIZE: '20' });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly error?: { readonly code: number; readonly message: string } } & Record<string, unknown>;
}

/** A request of its own: these may be answered with 503, which no other test may see. */
async function ask(
  base: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Answer['body'],
  };
}

function expectUnavailable(answer: Answer, message: RegExp): void {
  expect([answer.status, answer.body.error?.code, Number(answer.retryAfter) >= 1]).toEqual([503, 503, true]);
  expect(answer.body.error?.message).toMatch(message);
}

/** How many connections wait for locks, as soon as they are so many. */
async function waitingForLocks(database: Database, expected: number): Promise<number> {
  const count = async () =>
    (
      await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && (await count()) < expected;) await pause(20);
  return count();
}

describe('3b-38 a database that is away, silent, full or overloaded', () => {
  let scratch: ScratchDatabase;
  let proxy: DatabaseProxy;
  let server: TestApp;
  let token: string | undefined;
  let organization: string;

  beforeAll(async () => {
    scratch = await scratchDatabase();
    proxy = new DatabaseProxy(new URL(scratch.url));
    await proxy.join();
    server = await TestApp.start({ DATABASE_POOL_SIZE: '4', DATABASE_TIMEOUT: String(TIMEOUT_SECONDS) }, proxy.url);
    const workspace = await buildOrganization(server);
    [organization, token] = [workspace.id, workspace.admin.api.token];
  });
  afterAll(async () => {
    await server.close();
    await proxy.break();
    await scratch.drop();
  });
  afterEach(async () => {
    expect((await read()).status).toBe(200);
    expect((await write('Afterwards')).status).toBe(201);
    expect(await spaces('Lost')).toBe(0);
  });

  const read = () => ask(server.url, token, 'GET', `/orgs/${organization}`);
  const write = (title: string) =>
    ask(server.url, token, 'POST', `/orgs/${organization}/spaces`, { title, empty: true });
  const spaces = async (title: string) =>
    Number(
      (await scratch.source.query<{ count: string }[]>('SELECT count(*) FROM space WHERE title = $1', [title]))[0]
        ?.count,
    );

  it('answers 503 while it is down, stays alive, and goes on with its jobs once it is back', async () => {
    server.get(BackgroundWork).start();
    await proxy.break();
    expectUnavailable(await read(), /cannot be reached/);
    expectUnavailable(await write('Lost'), /cannot be reached/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    await proxy.join();
    expect((await read()).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.get(Jobs).enqueue('pdf.remove-stale', {});
    const done = async () =>
      (
        await scratch.source.query<unknown[]>(
          `SELECT FROM jobs.job WHERE name = 'pdf.remove-stale' AND state = 'completed'`,
        )
      ).length > 0;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !(await done());) await pause(100);
    expect(await done()).toBe(true);
  });

  it('answers what was under way when the database restarted', async () => {
    const locked = scratch.source.createQueryRunner();
    await locked.startTransaction();
    await locked.query('LOCK TABLE space IN ACCESS EXCLUSIVE MODE');
    const waiting = write('Lost');
    await pause(300);
    await locked.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expectUnavailable(await waiting, /restarting|cannot be reached/);
    await locked.rollbackTransaction();
    await locked.release();
  });

  it('waits neither for a silent network nor for a statement that takes too long', async () => {
    proxy.swallow(true);
    const answers = await Promise.all([read(), write('Lost')]);
    for (const answer of answers) expectUnavailable(answer, /cannot be reached/);
    proxy.swallow(false);
    const locked = scratch.source.createQueryRunner();
    await locked.startTransaction();
    await locked.query('LOCK TABLE space IN ACCESS EXCLUSIVE MODE');
    expectUnavailable(await write('Lost'), /took too long/);
    await locked.rollbackTransaction();
    await locked.release();
  });

  it('refuses what finds no connection in time, and loses none of them', async () => {
    const locked = scratch.source.createQueryRunner();
    await locked.startTransaction();
    await locked.query('LOCK TABLE space IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(Array.from({ length: 12 }, () => write('Lost')));
    for (const answer of answers) expectUnavailable(answer, /took too long|cannot be reached/);
    await locked.rollbackTransaction();
    await locked.release();
  });

  it.each([
    ['53100', /no storage space left/],
    ['53200', /no memory/],
    ['25006', /accepts no changes/],
    ['40001', /too many changes/i],
    ['40P01', /too many changes/i],
  ])('tells a caller to come again when PostgreSQL says %s', async (state, message) => {
    await scratch.source.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret detail' USING ERRCODE = '${state}'; END $$`,
    );
    await scratch.source.query('CREATE TRIGGER refuse BEFORE INSERT ON space FOR EACH ROW EXECUTE FUNCTION refuse()');
    const answer = await write('Lost');
    expectUnavailable(answer, message);
    expect(JSON.stringify(answer.body)).not.toContain('secret detail');
    expect((await read()).status).toBe(200);
    await scratch.source.query('DROP FUNCTION refuse CASCADE');
  });

  it('tells a caller to come again when the disk for files is full', async () => {
    const file = await open('/dev/full', 'w');
    const fault: unknown = await file.write('x').catch((error: unknown) => error);
    await file.close();
    expect(toDomainError(fault)).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      message: 'There is no storage space left',
    });
  });
});

describe('3b-36 conflicts of transactions', () => {
  it('are tried again inside the server, and each change is made once', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const { database } = app.current;
    await database.execute('CREATE SEQUENCE conflicts');
    await database.execute(`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('conflicts') % 3 <> 0 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = CASE WHEN currval('conflicts') % 2 = 0 THEN '40001' ELSE '40P01' END; END IF; RETURN NEW; END $$`);
    await database.execute('CREATE TRIGGER conflict BEFORE INSERT ON space FOR EACH ROW EXECUTE FUNCTION conflict()');
    for (let at = 0; at < 4; at++)
      expect((await admin.api.post(`/orgs/${id}/spaces`, { title: `Conflict ${at}`, empty: true })).status).toBe(201);
    await database.execute('DROP FUNCTION conflict CASCADE');
    const made = await database.query<{ title: string }>(
      'SELECT title FROM space WHERE organization_id = $1 ORDER BY title',
      [id],
    );
    expect(made.map(({ title }) => title)).toEqual(['Conflict 0', 'Conflict 1', 'Conflict 2', 'Conflict 3']);
    expect(Number((await database.one<{ last: string }>('SELECT last_value AS last FROM conflicts'))?.last)).toBe(12);
  });

  it('do not come up between writers of one space, since each locks its row first', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const space = (
      await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Locked', empty: true, editMode: 'live' })
    ).body.id;
    const held = new pg.Client({ connectionString: app.current.databaseUrl });
    await held.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT FROM space WHERE id = $1 FOR NO KEY UPDATE', [space]);
      let answered = false;
      const writing = admin.api
        .post(`/spaces/${space}/content`, { changes: [{ operation: 'insert_page', title: 'Waits' }] })
        .finally(() => (answered = true));
      expect([await waitingForLocks(app.current.database, 1), answered]).toEqual([1, false]);
      // Readers do not wait for writers.
      expect((await admin.api.get(`/spaces/${space}/content/pages`)).status).toBe(200);
      await held.query('COMMIT');
      expect((await writing).status).toBe(200);
    } finally {
      await held.end();
    }
  });
});

describe('3b-41 one organization that asks for everything at once', () => {
  const POOL = 6;
  const SHARE = 3;
  const MANY = 20;

  it('has half of the connections of a server, and the others are answered meanwhile', async () => {
    const server = await TestApp.start({ DATABASE_POOL_SIZE: String(POOL) });
    const held = new pg.Client({ connectionString: server.databaseUrl });
    await held.connect();
    try {
      const [greedy, modest] = [await buildOrganization(server), await buildOrganization(server)];
      const colleague = await greedy.member('admin');
      for (const person of [greedy.admin, colleague, modest.admin])
        await person.api.get(`/orgs/${person === modest.admin ? modest.id : greedy.id}`);
      await held.query('BEGIN');
      await held.query('SELECT FROM organization WHERE id = $1 FOR UPDATE', [greedy.id]);
      let answered = 0;
      const waiting = Array.from({ length: MANY }, (_, at) =>
        (at % 2 === 0 ? greedy.admin : colleague).api
          .post(`/orgs/${greedy.id}/spaces`, { title: `Many ${at}`, empty: true })
          .finally(() => answered++),
      );
      expect(await waitingForLocks(server.database, SHARE)).toBe(SHARE);
      const impatient = request(`${server.url}/v1/orgs/${greedy.id}/spaces`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${colleague.api.token ?? ''}`, 'Content-Type': 'application/json' },
      });
      const left = once(impatient, 'error');
      impatient.end('{"title":"Left"}');
      for (let at = 0; at < 10; at++)
        expect(
          (await modest.admin.api.post(`/orgs/${modest.id}/spaces`, { title: `Modest ${at}`, empty: true })).status,
        ).toBe(201);
      impatient.destroy(new Error('left'));
      await left;
      expect([await waitingForLocks(server.database, SHARE), answered]).toEqual([SHARE, 0]);
      await held.query('COMMIT');
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 201));
      expect(
        (await greedy.admin.api.get<{ items: object[] }>(`/orgs/${greedy.id}/spaces`, { query: { limit: 100 } })).body
          .items,
      ).toHaveLength(MANY);
    } finally {
      await held.end();
      await server.close();
    }
  });
});

describe('3b-35 places of pages under parallel moves', () => {
  interface Pages {
    readonly pages: readonly { readonly id: string; readonly slug: string; readonly pages?: Pages['pages'] }[];
  }
  const flat = (pages: Pages['pages']): Pages['pages'] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

  it('makes no circle of pages that are moved under each other, and no slug twice among siblings', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const space = (
      await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Moves', empty: true, editMode: 'live' })
    ).body.id;
    const url = `/spaces/${space}/content`;
    const write = (...changes: object[]) => admin.api.post<{ changes: { page: { id: string } }[] }>(url, { changes });
    const ids = (
      await write(...Array.from({ length: 6 }, (_, at) => ({ operation: 'insert_page', title: `P${at}` })))
    ).body.changes.map(({ page }) => page.id);
    const children = (
      await write(...ids.map((into) => ({ operation: 'insert_page', title: 'Same', slug: 'same', into })))
    ).body.changes.map(({ page }) => page.id);
    const [a = '', b = ''] = ids;
    for (let round = 0; round < 5; round++) {
      const crossed = await Promise.all([
        write({ operation: 'update_page', page: a, into: b }),
        write({ operation: 'update_page', page: b, into: a }),
      ]);
      expect(crossed.map(({ status }) => status).sort()).toEqual([200, 400]);
      const meeting = await Promise.all([
        ...children.map((page) => write({ operation: 'update_page', page, into: null })),
        ...children.map((_, at) => write({ operation: 'insert_page', title: `Same ${at}`, slug: 'same' })),
      ]);
      for (const { status } of meeting) expect([200, 400]).toContain(status);
      const { pages } = (await admin.api.get<Pages>(`${url}/pages`)).body;
      const reached = flat(pages).map((page) => page.id);
      for (const page of [...ids, ...children]) expect(reached).toContain(page);
      const slugs = (siblings: Pages['pages']): void => {
        expect(new Set(siblings.map(({ slug }) => slug)).size).toBe(siblings.length);
        for (const { pages: below } of siblings) slugs(below ?? []);
      };
      slugs(pages);
      await write({ operation: 'update_page', page: a, into: null }, { operation: 'update_page', page: b, into: null });
    }
  });
});
