import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface Page {
  id: string;
  title: string;
  type: string;
  path?: string;
  pages?: Page[];
  urls?: { app: string };
  [name: string]: unknown;
}
interface Written {
  revision: string;
  changes: { object: string; ref?: string; page: { id: string } | string }[];
}

const TARGET = { kind: 'url', url: 'https://example.com/' };

async function liveSpace() {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Handbook',
    empty: true,
    editMode: 'live',
  });
  return { org, admin: org.admin, id: body.id, url: `/spaces/${body.id}` };
}

async function write(person: Person, place: string, ...changes: object[]): Promise<Written> {
  const { status, body } = await person.api.post<Written>(
    `${place}/content`,
    { changes },
    { query: { compat: false } },
  );
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function fault(
  person: Person,
  place: string,
  ...changes: object[]
): Promise<[number, string | undefined, string | undefined]> {
  const { status, body } = await person.api.post<{ error: { details: { path: string; message: string }[] } }>(
    `${place}/content`,
    { changes },
  );
  return [status, body.error?.details?.[0]?.path, body.error?.details?.[0]?.message];
}

const idOf = (written: Written, at = 0): string => {
  const page = written.changes[at]?.page ?? '';
  return typeof page === 'string' ? page : page.id;
};

async function tree(person: Person, place: string): Promise<unknown> {
  const { body } = await person.api.get<{ pages: Page[] }>(`${place}/content/pages`);
  const shape = (page: Page): unknown => [
    page.title,
    page.type === 'document' ? page.path : page.type,
    ...(page.pages?.length ? [page.pages.map(shape)] : []),
  ];
  return body.pages.map(shape);
}

async function request(person: Person, url: string): Promise<string> {
  const { body } = await person.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
  return `${url}/change-requests/${body.id}`;
}

async function merge(person: Person, place: string): Promise<void> {
  expect((await person.api.post(`${place}/merge`)).body).toMatchObject({ result: 'merge' });
}

describe('the tree of pages', () => {
  it('keeps groups at the root, and nothing under links and computed pages', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', type: 'group', title: 'Group' },
      { operation: 'insert_page', title: 'Page' },
      { operation: 'insert_page', type: 'link', title: 'Link', target: TARGET },
      {
        operation: 'insert_page',
        type: 'computed',
        title: 'Computed',
        computed: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
        },
      },
    );
    const [group, page, link, computed] = [0, 1, 2, 3].map((at) => idOf(made, at));
    expect((await fault(admin, url, { operation: 'update_page', page: group, into: page })).slice(0, 2)).toEqual([
      400,
      'changes.0.into',
    ]);
    expect(
      (await fault(admin, url, { operation: 'insert_page', type: 'group', title: 'Inner', into: page })).slice(0, 2),
    ).toEqual([400, 'changes.0.into']);
    for (const into of [link, computed])
      expect((await fault(admin, url, { operation: 'update_page', page, into })).slice(0, 2)).toEqual([
        400,
        'changes.0.into',
      ]);
    await write(
      admin,
      url,
      { operation: 'update_page', page, into: group },
      { operation: 'insert_page', title: 'Child', into: page },
    );
    expect((await fault(admin, url, { operation: 'update_page', page, type: 'group' })).slice(0, 2)).toEqual([
      400,
      'changes.0.into',
    ]);
    expect(
      (await fault(admin, url, { operation: 'update_page', page, type: 'link', target: TARGET })).slice(0, 2),
    ).toEqual([400, 'changes.0.type']);
    expect(await tree(admin, url)).toEqual([
      ['Group', 'group', [['Page', 'group/page', [['Child', 'group/page/child']]]]],
      ['Link', 'link'],
      ['Computed', 'computed'],
    ]);
  });

  it('keeps these rules when an old version comes back', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', type: 'group', title: 'Group' },
      { operation: 'insert_page', type: 'link', title: 'Link', target: TARGET },
      { operation: 'insert_page', ref: 'a', title: 'A' },
      { operation: 'insert_page', into: 'a', title: 'B' },
    );
    const [group, link, a, b] = [0, 1, 2, 3].map((at) => idOf(made, at));
    await write(
      admin,
      url,
      { operation: 'update_page', page: group, type: 'document', into: a },
      { operation: 'update_page', page: link, type: 'document' },
      { operation: 'insert_page', title: 'Below', into: link },
    );
    await write(admin, url, { operation: 'revert_page', page: group, revision: made.revision });
    expect(await tree(admin, url)).toEqual([
      ['Link', 'link', [['Below', 'link/below']]],
      ['A', 'a', [['B', 'a/b']]],
      ['Group', 'group'],
    ]);
    expect(
      (await fault(admin, url, { operation: 'revert_page', page: link, revision: made.revision })).slice(0, 2),
    ).toEqual([400, 'changes.0.page']);
    await write(admin, url, { operation: 'delete_page', page: a });
    await write(admin, url, { operation: 'revert_page', page: b, revision: made.revision });
    expect(await tree(admin, url)).toEqual([
      ['Link', 'link', [['Below', 'link/below']]],
      ['Group', 'group'],
      ['B', 'b'],
    ]);
    await write(
      admin,
      url,
      { operation: 'revert_page', page: a, revision: made.revision },
      { operation: 'update_page', page: b, into: a },
    );
    await write(
      admin,
      url,
      { operation: 'delete_page', page: b },
      { operation: 'update_page', page: a, type: 'link', target: TARGET },
    );
    await write(admin, url, { operation: 'revert_page', page: b, revision: made.revision });
    expect(await tree(admin, url)).toEqual([
      ['Link', 'link', [['Below', 'link/below']]],
      ['Group', 'group'],
      ['A', 'link'],
      ['B', 'b'],
    ]);
  });

  it('keeps these rules when both sides of a merge did what goes ill together, and loses no page', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      ...['A', 'B', 'C', 'Place'].map((title) => ({ operation: 'insert_page', title })),
      { operation: 'insert_page', title: 'Child' },
    );
    const [a, b, c, place] = [0, 1, 2, 3].map((at) => idOf(made, at));
    const proposal = await request(admin, url);
    await write(
      admin,
      proposal,
      { operation: 'update_page', page: a, type: 'link', target: TARGET },
      { operation: 'insert_page', title: 'Child', into: b, document: { markdown: 'Words' } },
      { operation: 'update_page', page: c, type: 'group' },
    );
    await write(
      admin,
      url,
      { operation: 'insert_page', title: 'Child', into: a },
      { operation: 'update_page', page: b, type: 'link', target: TARGET },
      { operation: 'update_page', page: c, into: place },
    );
    await merge(admin, proposal);
    expect(await tree(admin, url)).toEqual([
      ['A', 'link'],
      ['Child', 'child-1'],
      ['B', 'link'],
      ['Child', 'child-2'],
      ['Place', 'place', [['C', 'place/c']]],
      ['Child', 'child'],
    ]);
  });

  it('gives pages a free slug where one side of a merge moved and the other renamed them', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', title: 'A' },
      { operation: 'insert_page', title: 'B' },
    );
    const [a, b] = [idOf(made), idOf(made, 1)];
    const proposal = await request(admin, url);
    await write(admin, proposal, { operation: 'update_page', page: a, title: 'Same' });
    await write(
      admin,
      url,
      { operation: 'insert_page', title: 'Same', into: b },
      { operation: 'update_page', page: a, into: b },
    );
    await merge(admin, proposal);
    expect(await tree(admin, url)).toEqual([
      [
        'B',
        'b',
        [
          ['Same', 'b/same'],
          ['Same', 'b/same-1'],
        ],
      ],
    ]);
  });

  it('nests 500 levels, in reads of all kinds, and not one more', async () => {
    const { admin, url } = await liveSpace();
    let parent: string | null = null;
    const ids: string[] = [];
    for (let level = 0; level < 500; level += 50) {
      const changes = Array.from({ length: 50 }, (_, at) => ({
        operation: 'insert_page',
        ref: `r${at}`,
        title: `L${level + at}`,
        slug: 'l',
        into: at === 0 ? parent : `r${at - 1}`,
      }));
      const made = await write(admin, url, ...changes);
      ids.push(...made.changes.map((_, at) => idOf(made, at)));
      parent = ids.at(-1) ?? null;
    }
    const deepest = ids.at(-1) ?? '';
    const path = ids.map(() => 'l').join('/');
    expect(await fault(admin, url, { operation: 'insert_page', title: 'Too deep', into: deepest })).toEqual([
      400,
      'changes.0.into',
      'pages are nested at most 500 levels deep: this would make 501',
    ]);
    const other = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'o', title: 'Other' },
      { operation: 'insert_page', title: 'Below', into: 'o' },
    );
    expect(
      (await fault(admin, url, { operation: 'update_page', page: idOf(other), into: ids.at(-2) })).slice(0, 2),
    ).toEqual([400, 'changes.0.into']);
    expect(
      (await fault(admin, url, { operation: 'update_page', page: ids[1], into: idOf(other, 1) })).slice(0, 2),
    ).toEqual([400, 'changes.0.into']);
    await write(admin, url, { operation: 'update_page', page: idOf(other, 1), into: ids.at(-2) });
    for (const read of [
      'content/pages',
      `content/path/${path}`,
      `content/page/${ids[0] ?? ''}`,
      `content/page/${deepest}?format=markdown`,
      'content',
    ])
      expect((await admin.api.get(`${url}/${read}`)).status).toBe(200);
    const page = await admin.api.get<Page>(`${url}/content/page/${deepest}`);
    expect([page.body.path, page.body.urls?.app]).toEqual([path, expect.stringMatching(/\/l\/l\/l$/)]);
    const proposal = await request(admin, url);
    await write(admin, proposal, { operation: 'update_page', page: deepest, title: 'Changed' });
    await merge(admin, proposal);
    expect(
      (
        await admin.api.get<{ changes: object[] }>(
          `${url}/revisions/${(await admin.api.get<{ revision: string }>(url)).body.revision}/changes`,
        )
      ).body.changes,
    ).toEqual([expect.objectContaining({ type: 'page_edited' })]);
    await write(admin, url, { operation: 'delete_page', page: ids[0] });
    expect(await tree(admin, url)).toEqual([['Other', 'other']]);
  });

  it('has addresses that clients can take, however long its paths are', async () => {
    const { admin, url } = await liveSpace();
    const slug = '文'.repeat(100);
    const made = await write(
      admin,
      url,
      ...[0, 1, 2, 3].map((at) => ({
        operation: 'insert_page',
        ref: `r${at}`,
        title: 'Long',
        slug,
        ...(at > 0 && { into: `r${at - 1}` }),
        document: { markdown: `# Long\n\n## ${slug}\n\nLengthy` },
      })),
    );
    const read = async (at: number) => (await admin.api.get<Page>(`${url}/content/page/${idOf(made, at)}`)).body;
    expect((await read(1)).urls?.app).toContain(encodeURIComponent(slug));
    const deep = await read(3);
    expect(deep.urls?.app).toMatch(new RegExp(`/~/pages/${idOf(made, 3)}$`));
    expect(deep.path).toBe([slug, slug, slug, slug].join('/'));
    expect((await admin.api.get<Page>(`${url}/content/path/${encodeURIComponent(deep.path ?? '')}`)).body.id).toBe(
      deep.id,
    );
    const hits = await admin.api.get<{ items: { urls: { app: string }; sections: { urls: { app: string } }[] }[] }>(
      `${url}/search`,
      { query: { query: 'lengthy' } },
    );
    for (const hit of hits.body.items)
      for (const { urls } of [hit, ...hit.sections]) expect(urls.app.length).toBeLessThanOrEqual(2048);
    expect(hits.body.items).toHaveLength(4);
  });
});

describe('old paths', () => {
  const at = async (person: Person, place: string, path: string) => {
    const { status, body } = await person.api.get<Page>(`${place}/content/path/${path}`);
    return status === 200 ? body.path : status;
  };

  it('lead to pages that were renamed or moved, and to what lies below them', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'a', title: 'A' },
      { operation: 'insert_page', ref: 'b', into: 'a', title: 'B' },
      { operation: 'insert_page', into: 'b', title: 'C' },
      { operation: 'insert_page', title: 'Other' },
    );
    const [a, b, c, other] = [0, 1, 2, 3].map((index) => idOf(made, index));
    await write(admin, url, { operation: 'update_page', page: a, title: 'Alpha' });
    expect([await at(admin, url, 'a'), await at(admin, url, 'a/b'), await at(admin, url, 'A/B/c')]).toEqual([
      'alpha',
      'alpha/b',
      'alpha/b/c',
    ]);
    await write(admin, url, { operation: 'update_page', page: b, title: 'Beta' });
    await write(admin, url, { operation: 'update_page', page: c, slug: 'gamma' });
    await write(admin, url, { operation: 'update_page', page: a, into: other });
    for (const old of ['a/b/c', 'alpha/b/c', 'alpha/beta/c', 'a/beta/c', 'alpha/beta/gamma', 'a/b/gamma'])
      expect([old, await at(admin, url, old)]).toEqual([old, 'other/alpha/beta/gamma']);
    await write(admin, url, { operation: 'update_page', page: b, into: null });
    for (const old of ['a/b/c', 'other/alpha/beta/gamma', 'alpha/beta'])
      expect([old, await at(admin, url, old)]).toEqual([old, old === 'alpha/beta' ? 'beta' : 'beta/gamma']);
    expect(await at(admin, url, 'a/b/nothing')).toBe(404);
    expect(await at(admin, `${url}/revisions/${made.revision}`.replace(/$/, ''), 'a')).toBe(404);
  });

  it('give way to real pages, and forget pages that are gone', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'a', title: 'A' },
      { operation: 'insert_page', into: 'a', title: 'B' },
    );
    const [a, b] = [idOf(made), idOf(made, 1)];
    await write(admin, url, { operation: 'update_page', page: a, title: 'New' });
    const real = await write(admin, url, { operation: 'insert_page', title: 'A' });
    expect([await at(admin, url, 'a'), await at(admin, url, 'a/b')]).toEqual(['a', 'new/b']);
    await write(admin, url, { operation: 'delete_page', page: idOf(real) });
    expect(await at(admin, url, 'a')).toBe('new');
    // The page of the longer redirect is gone, that of the shorter one is not.
    await write(admin, url, { operation: 'update_page', page: b, title: 'Beta' });
    await write(admin, url, { operation: 'delete_page', page: b });
    expect(await at(admin, url, 'new/b')).toBe(404);
    await write(admin, url, { operation: 'insert_page', title: 'B', into: a });
    expect([await at(admin, url, 'new/b'), await at(admin, url, 'a/b')]).toEqual(['new/b', 'new/b']);
  });

  it('lead on after merges and rollbacks, also in change requests, and never in a circle', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'a', title: 'A' },
      { operation: 'insert_page', into: 'a', title: 'B' },
    );
    const [a, b] = [idOf(made), idOf(made, 1)];
    const proposal = await request(admin, url);
    await write(admin, proposal, { operation: 'update_page', page: a, title: 'Merged' });
    expect([await at(admin, url, 'merged'), await at(admin, proposal, 'merged/b')]).toEqual([404, 'merged/b']);
    await merge(admin, proposal);
    expect([await at(admin, url, 'a'), await at(admin, url, 'a/b')]).toEqual(['merged', 'merged/b']);
    await admin.api.post(`${url}/revisions/${made.revision}/rollback`);
    expect([await at(admin, url, 'a/b'), await at(admin, url, 'merged'), await at(admin, url, 'merged/b')]).toEqual([
      'a/b',
      'a',
      'a/b',
    ]);
    await write(
      admin,
      url,
      { operation: 'update_page', page: b, into: null },
      { operation: 'update_page', page: a, into: b },
    );
    expect([await at(admin, url, 'a'), await at(admin, url, 'a/b'), await at(admin, url, 'merged/b')]).toEqual([
      'b/a',
      'b',
      'b',
    ]);
    expect([await at(admin, url, 'a/a/a/a'), await at(admin, url, 'a/b/a/b/a')]).toEqual([404, 'b/a']);
  });

  it('are sought in short time, however often pages have changed places', async () => {
    const { admin, url } = await liveSpace();
    const pages = Array.from({ length: 30 }, (_, at) => ({
      operation: 'insert_page',
      ref: `p${at}`,
      title: 'X',
      ...(at > 0 && { into: `p${at - 1}` }),
    }));
    const made = await write(admin, url, ...pages);
    await app.current.database.execute(
      `INSERT INTO page_former_place (space_id, parent_id, slug, page_id, created_at)
       SELECT $1, parent, 'x', page, now() - row_number() OVER () * interval '1 second' FROM unnest(array_append($2::text[], '')) AS parent CROSS JOIN unnest($2::text[]) AS page`,
      [url.split('/').at(-1), pages.map((_, at) => idOf(made, at))],
    );
    const started = performance.now();
    expect(await at(admin, url, `${'x/'.repeat(30)}y`)).toBe(404);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('are followed through as many moves as there were', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'p', title: 'P' },
      { operation: 'insert_page', into: 'p', title: 'Child' },
    );
    for (let at = 0; at < 12; at++)
      await write(
        admin,
        url,
        { operation: 'update_page', page: idOf(made), title: `P${at}` },
        { operation: 'update_page', page: idOf(made, 1), title: `Child ${at}` },
      );
    expect([
      await at(admin, url, 'p/child'),
      await at(admin, url, 'p3/child-3'),
      await at(admin, url, 'p/child-11'),
    ]).toEqual(Array(3).fill('p11/child-11'));
  });
});

describe('a write with an Idempotency-Key', () => {
  it('has its files fetched before a transaction is open, and once', async () => {
    const { admin, url } = await liveSpace();
    const open: (number | undefined)[] = [];
    const server = createServer((_, response) => {
      const busy = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
      void app.current.database.one<{ count: number }>(busy).then((row) => {
        open.push(row?.count);
        response.writeHead(open.length < 3 ? 200 : 404).end('Notes');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const files = (count: number) =>
        Array.from({ length: count }, (_, at) => ({
          name: `${at}.txt`,
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${at}`,
        }));
      const send = (key: string, count: number) =>
        admin.api.post(
          `${url}/content`,
          { changes: [{ operation: 'insert_files', files: files(count) }] },
          { headers: { 'Idempotency-Key': key } },
        );
      const first = await send('one', 2);
      const again = await send('one', 2);
      expect([first.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
      expect(open).toEqual([0, 0]);
      expect(await send('two', 1)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'changes.0.files.0.url' }] } },
      });
      expect((await admin.api.get<{ count: number }>(`${url}/content/files`)).body.count).toBe(2);
    } finally {
      server.close();
    }
  });
});

describe('a fault in a list', () => {
  it('names the element', async () => {
    const { org, admin, url } = await liveSpace();
    const paths = async (answer: Promise<{ body: { error?: { details: { path: string; message: string }[] } } }>) =>
      (await answer).body.error?.details;
    expect(
      await paths(admin.api.post(`${url}/permissions`, { role: 'read', users: [admin.id, '', admin.id] })),
    ).toEqual([{ path: 'users.1', message: 'must be longer than or equal to 1 characters' }]);
    expect(
      await paths(
        admin.api.post(`${url}/content`, {
          changes: [
            { operation: 'insert_page', title: 'A' },
            { operation: 'delete_files', files: ['a', 'b', null] },
          ],
        }),
      ),
    ).toEqual([{ path: 'changes.1.files.2', message: expect.any(String) }]);
    expect(await paths(admin.api.patch(`/orgs/${org.id}`, { emailDomains: ['example.com', 'no domain'] }))).toEqual([
      { path: 'emailDomains.1', message: expect.stringContaining('must match') },
    ]);
    expect(await paths(admin.api.post('/user/tokens', { name: 'x', scopes: ['space:read', 'nothing'] }))).toEqual([
      { path: 'scopes.1', message: expect.stringContaining('must be one of') },
    ]);
  });
});
