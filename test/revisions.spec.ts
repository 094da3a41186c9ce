import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp({ DATABASE_POOL_SIZE: '30' });

interface Entry {
  id: string;
  type: string;
  parents: string[];
  author?: { id: string };
  [name: string]: unknown;
}
interface Listed<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Page {
  id: string;
  title: string;
  path?: string;
  pages?: Page[];
}
interface Written {
  revision: string;
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}

async function liveSpace() {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string; revision: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Handbook',
    empty: true,
    editMode: 'live',
  });
  return { org, admin: org.admin, url: `/spaces/${body.id}`, id: body.id, first: body.revision };
}

async function write(person: Person, url: string, ...changes: object[]): Promise<Written> {
  const { status, body } = await person.api.post<Written>(`${url}/content`, { changes });
  expect([status, body]).toEqual([200, body]);
  return body;
}

const idOf = (written: Written, at = 0) => written.changes[at]?.page.id ?? '';

async function tree(person: Person, place: string): Promise<unknown> {
  const { body } = await person.api.get<{ pages: Page[] }>(`${place}/pages`);
  const shape = (page: Page): unknown => [
    page.title,
    page.path,
    ...(page.pages?.length ? [page.pages.map(shape)] : []),
  ];
  return body.pages.map(shape);
}

/** Everything that a revision shows but what names the revision itself, and times and addresses that expire. */
async function contentOf(person: Person, place: string): Promise<unknown> {
  const { body } = await person.api.get<Record<string, unknown>>(place);
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) =>
        ['urls', 'updatedAt', 'downloadURL'].includes(name) ? [] : [[name, plain(each)]],
      ),
    );
  };
  return {
    pages: plain(body['pages']),
    files: plain(body['files']),
    reusableContents: plain(body['reusableContents']),
    variables: body['variables'],
  };
}

describe('the revisions of a space', () => {
  it('are listed newest first, page by page, with where they come from', async () => {
    const { admin, org, url, first } = await liveSpace();
    const made = await write(admin, url, { operation: 'insert_page', title: 'A' });
    const editor = await org.member('edit');
    const { body: request } = await editor.api.post<{ id: string; number: number }>(`${url}/change-requests`, {
      subject: 'Proposal',
    });
    await editor.api.post(`${url}/change-requests/${request.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'B' }],
    });
    const { body: head } = await admin.api.get<{ revision: string }>(`${url}/change-requests/${request.id}`);
    const { body: merged } = await admin.api.post<{ revision: string }>(`${url}/change-requests/${request.id}/merge`);
    const back = await admin.api.post<Entry>(`${url}/revisions/${made.revision}/rollback`);
    const { body: list } = await editor.api.get<Listed<Entry>>(`${url}/revisions`);
    expect(list).toEqual({
      count: 4,
      items: [
        { ...back.body },
        {
          object: 'revision',
          id: merged.revision,
          type: 'merge',
          parents: [made.revision, head.revision],
          createdAt: expect.any(String),
          author: expect.objectContaining({ object: 'user', id: admin.id, email: admin.email }),
          changeRequest: request.id,
          urls: { app: expect.stringContaining(`/~/revisions/${merged.revision}`) },
        },
        {
          object: 'revision',
          id: made.revision,
          type: 'edits',
          parents: [first],
          createdAt: expect.any(String),
          author: expect.objectContaining({ id: admin.id }),
          urls: expect.any(Object),
        },
        {
          object: 'revision',
          id: first,
          type: 'edits',
          parents: [],
          createdAt: expect.any(String),
          author: expect.objectContaining({ id: admin.id }),
          urls: expect.any(Object),
        },
      ],
    });
    const one = await admin.api.get<Listed<Entry>>(`${url}/revisions`, { query: { limit: 3 } });
    await write(admin, url, { operation: 'insert_page', title: 'Later' });
    const two = await admin.api.get<Listed<Entry>>(`${url}/revisions`, {
      query: { limit: 3, page: one.body.next?.page },
    });
    expect([...one.body.items, ...two.body.items].map(({ id }) => id)).toEqual(list.items.map(({ id }) => id));
    expect(two.body.next).toBeUndefined();
    expect((await admin.api.get(`${url}/revisions`, { query: { limit: 0 } })).body).toEqual({ items: [], count: 5 });
    const other = await liveSpace();
    expect((await other.admin.api.get(`${other.url}/revisions`, { query: { page: one.body.next?.page } })).status).toBe(
      400,
    );
    expect((await other.admin.api.get(`${url}/revisions`)).status).toBe(404);
  });

  it('of a change request are listed for it alone, by its number as well', async () => {
    const { admin, org, url } = await liveSpace();
    const editor = await org.member('edit');
    const { body: request } = await editor.api.post<{ id: string; number: number }>(`${url}/change-requests`, {
      subject: 'Proposal',
    });
    const place = `${url}/change-requests/${request.number}`;
    for (const title of ['A', 'B'])
      await editor.api.post(`${place}/content`, { changes: [{ operation: 'insert_page', title }] });
    await write(admin, url, { operation: 'insert_page', title: 'Elsewhere' });
    const { body: head } = await admin.api.get<{ revision: string }>(place);
    const { body: list } = await admin.api.get<Listed<Entry>>(`${place}/revisions`, { query: { limit: 1 } });
    expect(list.items).toMatchObject([{ id: head.revision, type: 'edits', author: { id: editor.id } }]);
    const { body: rest } = await admin.api.get<Listed<Entry>>(`${url}/change-requests/${request.id}/revisions`, {
      query: { page: list.next?.page },
    });
    expect(rest.items.map(({ id }) => id)).toContain(list.items[0]?.parents[0]);
    expect(rest.items).toHaveLength(list.count - 1);
    for (const { id } of rest.items) expect((await admin.api.get(`${url}/revisions/${id}/changes`)).status).toBe(200);
    expect((await admin.api.get(`${url}/change-requests/99/revisions`)).status).toBe(404);
    const stranger = await liveSpace();
    expect((await stranger.admin.api.get(`${place}/revisions`)).status).toBe(404);
  });

  it('show the facts of git and the message of a commit', async () => {
    const { admin, url, id } = await liveSpace();
    const git = {
      oid: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      message: 'Explain the installation',
      createdByGitBook: false,
      url: 'https://git.example.com/docs/commit/9fceb02d',
      ref: 'main',
    };
    await app.current.database.execute('UPDATE revision SET git = $2, message = $3 WHERE space_id = $1', [
      id,
      JSON.stringify(git),
      git.message,
    ]);
    expect((await admin.api.get<Listed<Entry>>(`${url}/revisions`)).body.items).toEqual([
      expect.objectContaining({ git, message: git.message }),
    ]);
  });
});

describe('rolling back', () => {
  it('brings back pages, files, reusable contents and variables in one revision, and nothing of the history is lost', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      { operation: 'insert_page', ref: 'a', title: 'A', document: { markdown: 'Apples' }, icon: 'gear' },
      { operation: 'insert_page', ref: 'b', into: 'a', title: 'B', document: { markdown: 'Bananas' } },
      { operation: 'insert_page', title: 'C' },
      {
        operation: 'insert_files',
        files: [{ name: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('notes').toString('base64') }],
      },
      { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine to five' } },
      { operation: 'set_variables', variables: { product: 'Bindery', edition: 1 } },
    );
    const [a, b, c] = [idOf(made), idOf(made, 1), idOf(made, 2)];
    const before = await contentOf(admin, `${url}/revisions/${made.revision}`);
    const { body: reusable } = await admin.api.get<{ reusableContents: { id: string }[] }>(`${url}/content`);
    await write(admin, url, { operation: 'delete_page', page: a });
    await write(
      admin,
      url,
      { operation: 'update_page', page: c, title: 'Cherries', at: 0 },
      { operation: 'insert_page', title: 'New', document: { markdown: 'Novelties' } },
    );
    const last = await write(
      admin,
      url,
      { operation: 'delete_files', files: [made.insertedFiles?.[0]?.id] },
      {
        operation: 'update_reusable_content',
        reusableContent: reusable.reusableContents[0]?.id,
        title: 'Opening hours',
      },
      { operation: 'set_variables', variables: { product: null, edition: 2, other: true } },
    );
    const later = await contentOf(admin, `${url}/content`);
    const events = 'SELECT payload FROM event WHERE space_id = $1 AND type = $2 ORDER BY at DESC, id DESC LIMIT 1';

    const back = await admin.api.post<Entry>(`${url}/revisions/${made.revision}/rollback`);
    expect(back).toMatchObject({
      status: 200,
      body: {
        object: 'revision',
        type: 'rollback',
        parents: [last.revision],
        rolledBackTo: made.revision,
        author: { id: admin.id },
      },
    });
    expect(await contentOf(admin, `${url}/content`)).toEqual(before);
    expect((await admin.api.get<{ revision: string }>(url)).body.revision).toBe(back.body.id);
    expect(await contentOf(admin, `${url}/revisions/${last.revision}`)).toEqual(later);
    expect((await admin.api.get(`${url}/revisions/${back.body.id}`)).body).toMatchObject({ type: 'rollback' });
    expect(await app.current.database.one(events, [url.split('/').at(-1), 'space_content_updated'])).toEqual({
      payload: { revisionId: back.body.id, revisionType: 'rollback', rolledBackToRevisionId: made.revision },
    });
    expect(
      (await admin.api.get<PageBody>(`${url}/content/page/${b}`, { query: { format: 'markdown' } })).body.markdown,
    ).toBe('# B\n\nBananas\n');
    const found = async (query: string) =>
      (await admin.api.get<{ items: { id: string }[] }>(`${url}/search`, { query: { query } })).body.items.map(
        ({ id }) => id,
      );
    expect([await found('bananas'), await found('novelties'), await found('cherries')]).toEqual([[b], [], []]);
    expect((await admin.api.get(`${url}/content/path/cherries`)).body).toMatchObject({ id: c, path: 'c' });
    const { body: changes } = await admin.api.get<{ changes: { type: string }[] }>(
      `${url}/revisions/${back.body.id}/changes`,
      { query: { limit: 100 } },
    );
    expect(changes.changes.map(({ type }) => type).sort()).toEqual([
      'file_created',
      'page_created',
      'page_created',
      'page_deleted',
      'page_edited',
      'page_moved',
      'reusable_content_edited',
      'variables_edited',
    ]);

    // Forward again, to the state before the rollback.
    await admin.api.post(`${url}/revisions/${last.revision}/rollback`);
    expect(await contentOf(admin, `${url}/content`)).toEqual(later);
  });

  it('refuses what would change nothing, what is no revision of the primary line, and what has changed meanwhile', async () => {
    const { admin, url, first } = await liveSpace();
    const made = await write(admin, url, { operation: 'insert_page', title: 'A' });
    expect((await admin.api.post(`${url}/revisions/${made.revision}/rollback`)).status).toBe(409);
    const page = idOf(made);
    await write(admin, url, { operation: 'update_page', page, title: 'B' });
    await write(admin, url, { operation: 'update_page', page, title: 'A' });
    expect((await admin.api.post(`${url}/revisions/${made.revision}/rollback`)).status).toBe(409);
    const { body: request } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
    await admin.api.post(`${url}/change-requests/${request.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'B' }],
    });
    const { body: head } = await admin.api.get<{ revision: string }>(`${url}/change-requests/${request.id}`);
    expect((await admin.api.post(`${url}/revisions/${head.revision}/rollback`)).status).toBe(409);
    for (const id of ['nothing', (await liveSpace()).first])
      expect((await admin.api.post(`${url}/revisions/${id}/rollback`)).status).toBe(404);
    expect(
      (await admin.api.post(`${url}/revisions/${first}/rollback`, undefined, { headers: { 'If-Match': '"1.x"' } }))
        .status,
    ).toBe(412);
    expect((await admin.api.get<Listed<Entry>>(`${url}/revisions`)).body.count).toBe(4);
    const etag = (await admin.api.get(url)).headers.get('etag') ?? '';
    expect(
      (await admin.api.post(`${url}/revisions/${first}/rollback`, undefined, { headers: { 'If-Match': etag } })).status,
    ).toBe(200);
    expect(await tree(admin, `${url}/content`)).toEqual([]);
  });

  it('takes the right to edit where edits are live, and the right to merge where they are locked', async () => {
    const { org, admin, url, first } = await liveSpace();
    const [reader, editor, reviewer] = [
      await org.member('comment'),
      await org.member('edit'),
      await org.member('review'),
    ];
    const attempt = async (person: Person) => {
      await app.current.database.execute(`UPDATE space SET edit_mode = 'live' WHERE id = $1`, [url.split('/').at(-1)]);
      await write(admin, url, { operation: 'insert_page', title: 'Something' });
      const live = (await person.api.post(`${url}/revisions/${first}/rollback`)).status;
      await write(admin, url, { operation: 'insert_page', title: 'Something else' });
      await admin.api.patch(url, { editMode: 'locked' });
      return [live, (await person.api.post(`${url}/revisions/${first}/rollback`)).status];
    };
    expect([await attempt(reader), await attempt(editor), await attempt(reviewer)]).toEqual([
      [403, 403],
      [200, 403],
      [200, 200],
    ]);
  });

  it('is current in change requests once they are updated, and merges meet it like any other change', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(admin, url, { operation: 'insert_page', title: 'A', document: { markdown: 'One' } });
    await write(admin, url, { operation: 'insert_page', title: 'B' });
    const { body: request } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
    const at = `${url}/change-requests/${request.id}`;
    await admin.api.post(`${at}/content`, { changes: [{ operation: 'insert_page', title: 'C' }] });
    await admin.api.post(`${url}/revisions/${made.revision}/rollback`);
    expect((await admin.api.get(at)).body).toMatchObject({ outdated: true });
    expect(await tree(admin, `${at}/content`)).toEqual([
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'c'],
    ]);
    expect((await admin.api.post(`${at}/update`)).body).toMatchObject({ result: 'update' });
    expect(await tree(admin, `${at}/content`)).toEqual([
      ['A', 'a'],
      ['C', 'c'],
    ]);
    expect((await admin.api.post(`${at}/merge`)).body).toMatchObject({ result: 'merge' });
    expect(await tree(admin, `${url}/content`)).toEqual([
      ['A', 'a'],
      ['C', 'c'],
    ]);
  });

  it('runs one after the other with merges, writes and other rollbacks', async () => {
    const { admin, url, first } = await liveSpace();
    const made = await write(admin, url, { operation: 'insert_page', title: 'A' });
    await write(admin, url, { operation: 'insert_page', title: 'B' });
    const { body: request } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
    await admin.api.post(`${url}/change-requests/${request.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'C' }],
    });
    const answers = await Promise.all([
      admin.api.post(`${url}/revisions/${made.revision}/rollback`),
      admin.api.post(`${url}/change-requests/${request.id}/merge`),
      admin.api.post(`${url}/revisions/${made.revision}/rollback`),
      admin.api.post(`${url}/content`, { changes: [{ operation: 'insert_page', title: 'D' }] }),
      admin.api.post(`${url}/revisions/${first}/rollback`),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const { items } = (await admin.api.get<Listed<Entry>>(`${url}/revisions`, { query: { limit: 100 } })).body;
    items.forEach((entry, index) => expect(entry.parents[0]).toBe(items[index + 1]?.id));
    expect(items).toHaveLength(3 + answers.filter(({ status }) => status === 200).length);
    for (const { id, rolledBackTo } of items)
      if (typeof rolledBackTo === 'string')
        expect(await contentOf(admin, `${url}/revisions/${id}`)).toEqual(
          await contentOf(admin, `${url}/revisions/${rolledBackTo}`),
        );
    expect(await contentOf(admin, `${url}/content`)).toEqual(
      await contentOf(admin, `${url}/revisions/${items[0]?.id ?? ''}`),
    );
  });
});

interface PageBody {
  markdown: string;
}

describe('rights', () => {
  it('are looked at again once a change has its lock', async () => {
    const { org, admin, url, id, first } = await liveSpace();
    const editor = await org.member('read');
    await admin.api.post(`${url}/permissions`, { role: 'create', users: [editor.id] });
    await write(admin, url, { operation: 'insert_page', title: 'A' });
    const { body: request } = await editor.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
    const cr = `${url}/change-requests/${request.id}`;
    const { body: other } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Proposal' });
    const changes = [{ operation: 'insert_page', title: 'Too late' }];
    const attempts = [
      () => editor.api.post(`${url}/content`, { changes }),
      () => editor.api.post(`${cr}/content`, { changes }),
      () => editor.api.patch(cr, { subject: 'Too late' }),
      () => editor.api.post(`${cr}/update`),
      () => editor.api.post(`${cr}/merge`),
      () => editor.api.post(`${url}/revisions/${first}/rollback`),
      () => editor.api.patch(url, { mergeRules: { type: 'none' } }),
      () => editor.api.post(`${url}/change-requests`, { subject: 'Too late' }),
      () => editor.api.post(`${url}/content/template`, { id: 'changelog' }),
      () => editor.api.post(`${url}/change-requests/${other.id}/reviews`, { status: 'approved' }),
      () => editor.api.post(`${cr}/requested-reviewers`, { users: [admin.id] }),
      () => editor.api.delete(`${cr}/requested-reviewers/${admin.id}`),
    ];
    const { database } = app.current;
    // While the rows are held, all of them pass the guard and wait; then the role goes.
    const waiting = await database.transaction(async () => {
      await database.execute('SELECT FROM space WHERE id = $1 FOR NO KEY UPDATE', [id]);
      await database.execute('SELECT FROM change_request WHERE space_id = $1 FOR NO KEY UPDATE', [id]);
      const running = attempts.map((attempt) => database.apart(attempt));
      for (let waiters = 0; waiters < attempts.length;) {
        const row = await database.apart(() =>
          database.one<{ count: number }>(
            `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        );
        waiters = row?.count ?? 0;
      }
      await database.execute('DELETE FROM space_member_grant WHERE space_id = $1', [id]);
      return running;
    });
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual(attempts.map(() => 403));
    expect(await tree(admin, `${url}/content`)).toEqual([['A', 'a']]);
  });
});
