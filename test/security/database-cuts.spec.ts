import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { buildSpace, publish, type Space } from '../published-site.js';
import { scratchDatabase, type ScratchDatabase } from '../scratch-database.js';
import { DatabaseProxy, ENDS } from './database-proxy.js';

/** Only tells an answer from none. */
const PATIENCE_MS = 20_000;
/** Attempts after which a server has to be well again: each connection of its pool may have been broken. */
const POOL = 3;
const IN_EVERY_WAY = process.env['ROUNDS'] !== undefined;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

interface Asked {
  readonly name: string;
  readonly expected: readonly number[];
  readonly ask: () => Promise<Answer>;
}

/** An answer without the style of a page. */
const wordsOf = (text: string): string => text.replace(/<style\b.*?<\/style>/gs, '');

describe('3b-38 a connection to the database that is lost at any moment', () => {
  let scratch: ScratchDatabase;
  let proxy: DatabaseProxy;
  let server: TestApp;
  let workspace: Workspace;
  let space: Space;
  let site: string;
  let file: string;
  let origin: string;
  let created = 0;
  const titles: string[] = [];

  beforeAll(async () => {
    scratch = await scratchDatabase();
    proxy = new DatabaseProxy(new URL(scratch.url));
    await proxy.join();
    // Without a delay published pages ask the database, whose loss they would not notice otherwise.
    const settings = { DATABASE_POOL_SIZE: String(POOL), DATABASE_TIMEOUT: '3', PUBLISHED_DELAY_SECONDS: '0' };
    server = await TestApp.start(settings, proxy.url);
    origin = `http://localhost:${await server.get(PublicListener).listen()}`;
    server.get(Addresses).announce(server.url, origin);
    workspace = await buildOrganization(server);
    space = await buildSpace(workspace, 'Cut');
    for (const title of ['Page', 'Other'])
      await space.write({ operation: 'insert_page', title, document: { markdown: 'Text.' } });
    const inserted = await workspace.admin.api.post<{ insertedFiles: { downloadURL: string }[] }>(
      `/spaces/${space.id}/content`,
      {
        changes: [{ operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'eA==' }] }],
      },
    );
    file = inserted.body.insertedFiles[0]?.downloadURL ?? '';
    site = (await publish(workspace, [space])).base;
  });
  afterAll(async () => {
    await server.get(PublicListener).beforeApplicationShutdown();
    await server.close();
    await proxy.break();
    await scratch.drop();
  });

  async function fetched(address: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  }
  const api = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    fetched(`${server.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${workspace.admin.api.token ?? ''}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const request = async (): Promise<Answer> => {
    const made = await api('POST', `/spaces/${space.id}/change-requests`, { subject: 'Cut' });
    return made.status === 201
      ? api('POST', `/spaces/${space.id}/change-requests/${(JSON.parse(made.text) as { id: string }).id}/merge`)
      : made;
  };
  const create = async (headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const title = `Created ${created++}`;
    const answer = await api('POST', `/orgs/${workspace.id}/spaces`, { title, empty: true }, headers);
    if (answer.status === 201) titles.push(title);
    return answer;
  };

  const cases: readonly Asked[] = [
    { name: 'a read', expected: [200], ask: () => api('GET', `/orgs/${workspace.id}`) },
    { name: 'a list', expected: [200], ask: () => api('GET', `/orgs/${workspace.id}/spaces`) },
    { name: 'a search', expected: [200], ask: () => api('GET', `/spaces/${space.id}/search?query=text`) },
    {
      name: 'a refused read',
      expected: [404],
      ask: () => api('GET', `/spaces/${space.id.slice(0, -1)}0/content/pages`),
    },
    {
      name: 'a change of one row',
      expected: [200],
      ask: () => api('PATCH', `/spaces/${space.id}`, { title: `Cut ${created++}` }),
    },
    { name: 'a new space', expected: [201], ask: () => create() },
    {
      name: 'a new space that may be asked for again',
      expected: [201],
      ask: () => create({ 'Idempotency-Key': `cut-${created}` }),
    },
    {
      name: 'new content',
      expected: [200],
      ask: () =>
        api('POST', `/spaces/${space.id}/content`, {
          changes: [{ operation: 'insert_page', title: `Page ${created++}`, document: { markdown: 'More.' } }],
        }),
    },
    { name: 'a change request and its merge', expected: [200], ask: request },
    { name: 'a published page', expected: [200], ask: () => fetched(`${origin}${site}/other`) },
    {
      name: 'a published page that is not there',
      expected: [404],
      ask: () => fetched(`${origin}${site}/nothing-${created++}`),
    },
    { name: 'a file', expected: [200], ask: () => fetched(file) },
    {
      name: 'a page of a login',
      expected: [404],
      ask: () => fetched(`${server.url}/sso/saml/${space.id}/start`),
    },
  ];

  it.each(cases)(
    'answers $name with 503 or as ever',
    async ({ expected, ask }) => {
      expect(expected).toContain((await ask()).status);
      const before = proxy.passed;
      await ask();
      const pieces = proxy.passed - before;
      let unavailable = 0;
      for (let after = 0; after <= pieces; after++) {
        // Each moment in one of three ways; with ROUNDS in every way.
        for (const end of ENDS.filter((_, way) => IN_EVERY_WAY || way === after % ENDS.length)) {
          proxy.cutAfter(after, end);
          const { status, retryAfter, text } = await ask();
          const wasCut = !proxy.isToCut;
          proxy.cutAfter(null);
          if (status === 503) {
            unavailable++;
            expect([Number(retryAfter) >= 1, /select|insert|pg_|127\.0/i.test(wordsOf(text))]).toEqual([true, false]);
          } else
            expect([after, end, status, expected.includes(status), text.slice(0, 200)]).toEqual([
              after,
              end,
              status,
              true,
              text.slice(0, 200),
            ]);
          if (!wasCut) continue;
          let again = (await ask()).status;
          for (let tries = 0; again === 503 && tries < POOL; tries++) again = (await ask()).status;
          expect([after, end, expected.includes(again)]).toEqual([after, end, true]);
        }
      }
      // A test that cuts nothing shows nothing.
      expect([pieces > 0, unavailable > 0]).toEqual([true, true]);
    },
    300_000,
  );

  it('loses nothing that was acknowledged, and makes nothing by halves', async () => {
    const made = await scratch.source.query<{ title: string; whole: boolean }[]>(
      `SELECT s.title, EXISTS (SELECT FROM revision r WHERE r.space_id = s.id AND r.id = s.revision_id) AND EXISTS (SELECT FROM event e WHERE e.space_id = s.id AND e.type = 'space_created') AS whole
         FROM space s WHERE s.title LIKE 'Created %'`,
    );
    expect(made.filter(({ whole }) => !whole)).toEqual([]);
    const stored = made.map(({ title }) => title);
    expect(new Set(stored).size).toBe(stored.length);
    expect(titles.filter((title) => !stored.includes(title))).toEqual([]);
    expect(titles.length).toBeGreaterThan(10);
  });
});
