import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface ChangeRequest {
  id: string;
  number: number;
  status: string;
  subject: string;
  revision: string;
  revisionInitial: string;
  revisionMerged?: string;
  revisionMergedAncestor?: string;
  outdated: boolean;
  createdBy: { id: string };
  [name: string]: unknown;
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Result {
  revision: string;
  result: string;
}
interface Conflict {
  id: string;
  kind: string;
  page?: string;
  block?: string;
  attribute?: string;
  text: string;
  words?: Record<'base' | 'primary' | 'changed', string>;
  base: unknown;
  primary: unknown;
  changed: unknown;
}
interface PageBody {
  id: string;
  title: string;
  path: string;
  pages: PageBody[];
  markdown?: string;
}

async function space() {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  return { org, admin: org.admin, id: body.id, url: `/spaces/${body.id}` };
}

async function write(person: Person, url: string, ...changes: object[]): Promise<string[]> {
  const { status, body } = await person.api.post<{ changes: { page: { id: string } | string }[] }>(
    `${url}/content`,
    { changes },
    { query: url.includes('change-requests') ? { compat: false } : {} },
  );
  expect([status, body]).toEqual([200, body]);
  return body.changes.map(({ page }) => (typeof page === 'string' ? page : page.id));
}

const insert = (title: string, markdown = '', more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const edit = (page: string | undefined, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

async function request(person: Person, url: string, subject = 'Proposal') {
  const { status, body } = await person.api.post<ChangeRequest>(`${url}/change-requests`, { subject });
  expect(status).toBe(201);
  return { ...body, url: `${url}/change-requests/${body.id}` };
}

async function markdown(person: Person, url: string, page: string | undefined): Promise<string | undefined> {
  return (await person.api.get<PageBody>(`${url}/content/page/${page ?? ''}`, { query: { format: 'markdown' } })).body
    .markdown;
}

async function tree(person: Person, url: string): Promise<unknown> {
  const { body } = await person.api.get<{ pages: PageBody[] }>(`${url}/content/pages`);
  const shape = (page: PageBody): unknown => [page.path, ...(page.pages.length ? [page.pages.map(shape)] : [])];
  return body.pages.map(shape);
}

const merge = (person: Person, url: string) => person.api.post<Result>(`${url}/merge`);
const pull = (person: Person, url: string, body?: object) => person.api.post<Result>(`${url}/update`, body);

describe('change requests', () => {
  it('are created, read by id and number, and changed', async () => {
    const { admin, url } = await space();
    const made = await request(admin, url, 'First');
    expect(made).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'First',
      outdated: false,
      comments: 0,
      createdBy: { id: admin.id },
    });
    expect(made.revisionInitial).toBe(made.revision);
    const { url: _, ...body } = made;
    expect((await admin.api.get(made.url)).body).toEqual(body);
    expect((await admin.api.get(`${url}/change-requests/1`)).body).toEqual(body);
    expect((await admin.api.get(`${url}/change-requests/2`)).status).toBe(404);
    expect((await admin.api.get(`${url}/change-requests/99999999999`)).status).toBe(404);
    const description = {
      object: 'document',
      data: { schemaVersion: 8 },
      nodes: [{ object: 'block', type: 'divider' }],
    };
    const patched = await admin.api.patch<ChangeRequest>(made.url, { subject: 'Second', description, status: 'open' });
    expect(patched.body).toMatchObject({
      subject: 'Second',
      description: { ...description, nodes: [{ ...description.nodes[0], isVoid: true, data: {} }] },
      status: 'open',
    });
    const markdown = 'Node.js 18 is **over**.\n\n* one\n* two\n';
    const written = await admin.api.patch<ChangeRequest>(made.url, { description: { markdown } });
    expect(written.body).toMatchObject({ description: { object: 'document', nodes: [{ type: 'paragraph' }, {}] } });
    const described = await admin.api.get<ChangeRequest>(made.url, { query: { format: 'markdown' } });
    expect(described.body).toEqual({ ...written.body, descriptionMarkdown: markdown });
    expect((await admin.api.patch(made.url, { description: { markdown: 1 } })).status).toBe(400);
    expect((await admin.api.patch(made.url, { status: 'merged' })).status).toBe(400);
    expect((await admin.api.patch(made.url, { subject: 'x'.repeat(101) })).status).toBe(400);
    expect((await admin.api.patch(made.url, { description: { object: 'nonsense' } })).status).toBe(400);
    for (const status of ['archived', 'draft', 'archived', 'open'])
      expect((await admin.api.patch<ChangeRequest>(made.url, { status })).body.status).toBe(status);
    const etag = (await admin.api.get(made.url)).headers.get('etag') ?? '';
    expect((await admin.api.patch(made.url, { subject: 'Third' }, { headers: { 'If-Match': etag } })).status).toBe(200);
    expect((await admin.api.patch(made.url, { subject: 'Fourth' }, { headers: { 'If-Match': etag } })).status).toBe(
      412,
    );
  });

  it('are made with a subject, a template, or nothing, whatever else a body says', async () => {
    const { admin, url } = await space();
    const bare = await admin.api.post<ChangeRequest>(`${url}/change-requests`, {
      agentTaskId: 'task',
      status: 'merged',
      number: 99,
      id: 'mine',
      anything: { at: ['all'] },
    });
    expect([bare.status, bare.headers.get('location')]).toEqual([
      201,
      expect.stringContaining(`${url}/change-requests/${bare.body.id}`),
    ]);
    expect(bare.body).toMatchObject({ number: 1, status: 'draft', subject: '' });
    expect(bare.body).not.toHaveProperty('revisionMergedAncestor');
    expect(bare.body).not.toHaveProperty('revisionMerged');
    const filled = await admin.api.post<ChangeRequest>(`${url}/change-requests`, {
      subject: 'Log',
      template: { id: 'changelog' },
    });
    expect(filled.body).toMatchObject({ number: 2, subject: 'Log', revisionInitial: bare.body.revision });
    expect(filled.body.revision).not.toBe(filled.body.revisionInitial);
    const cr = `${url}/change-requests/2`;
    for (const [limit, shown] of [
      [undefined, true],
      [0, false],
      [1, true],
    ] as const) {
      const { changes, more } = (
        await admin.api.get<{ changes: object[]; more?: number }>(`${cr}/changes`, { query: { limit } })
      ).body;
      expect([changes.length > 0, changes.length <= (limit ?? 10), limit === undefined || (more ?? 0) > 0]).toEqual([
        shown,
        true,
        true,
      ]);
    }
    for (const limit of [-1, 1001, 'x'])
      expect((await admin.api.get(`${cr}/changes`, { query: { limit } })).status).toBe(400);
    expect((await admin.api.post(`${url}/change-requests`, { template: { id: 'nothing' } })).status).toBe(400);
    expect((await request(admin, url)).number).toBe(3);
  });

  it('have descriptions of a bounded size, and lists whose pages are bounded too', async () => {
    const { admin, url } = await space();
    const described = (length: number) => ({ object: 'document', data: { filling: 'x'.repeat(length) }, nodes: [] });
    const made = await admin.api.post<{ id: string; urls: { location: string } }>(`${url}/change-requests`, {
      subject: 'Long',
    });
    const patch = (length: number) =>
      admin.api.patch<{ error?: { details?: { path: string }[] } }>(`${url}/change-requests/${made.body.id}`, {
        status: 'open',
        description: described(length),
      });
    const refused = await patch(100_000);
    expect([refused.status, refused.body.error?.details?.[0]?.path]).toEqual([400, 'description']);
    expect((await patch(99_000)).status).toBe(200);
    await app.current.database.execute(
      `INSERT INTO change_request (id, space_id, number, status, subject, description, created_by, revision_id, base_revision_id, base_sequence, initial_revision_id, created_at, updated_at)
       SELECT 'B' || lpad(n::text, 19, '0'), space_id, number + n, status, subject, description, created_by, revision_id, base_revision_id, base_sequence, initial_revision_id, created_at, updated_at
         FROM change_request, generate_series(1, 59) n WHERE id = $1`,
      [made.body.id],
    );
    const seen: string[][] = [];
    for (let page: string | undefined = ''; page !== undefined;) {
      const { body }: { body: { items: { id: string }[]; count: number; next?: { page: string } } } =
        await admin.api.get(`${url}/change-requests`, { query: { limit: 1000, ...(page !== '' && { page }) } });
      expect(body.count).toBe(60);
      seen.push(body.items.map(({ id }) => id));
      page = body.next?.page;
    }
    expect([seen.length, seen.flat().length, new Set(seen.flat()).size]).toEqual([2, 60, 60]);
  });

  it('can be put aside and taken up again, and take nothing meanwhile', async () => {
    const { admin, url } = await space();
    const cr = await request(admin, url);
    await write(admin, cr.url, insert('A'));
    await write(admin, url, insert('Meanwhile'));
    expect((await admin.api.patch<ChangeRequest>(cr.url, { status: 'archived' })).body).toMatchObject({
      status: 'archived',
      outdated: true,
    });
    expect([
      (await pull(admin, cr.url)).status,
      (await admin.api.post(`${cr.url}/content`, { changes: [insert('B')] })).status,
    ]).toEqual([409, 409]);
    expect(await tree(admin, cr.url)).toEqual([['a']]);
    expect((await admin.api.patch<ChangeRequest>(cr.url, { status: 'open' })).body).toMatchObject({
      status: 'open',
      revisionInitial: cr.revisionInitial,
    });
    expect((await pull(admin, cr.url)).body.result).toBe('update');
    const updated = (await admin.api.get<ChangeRequest>(cr.url)).body;
    expect(updated).toMatchObject({ outdated: false, revisionInitial: cr.revisionInitial });
    expect(updated.revisionMergedAncestor).toBe((await admin.api.get<{ revision: string }>(url)).body.revision);
    await admin.api.patch(cr.url, { status: 'archived' });
    const merged = await merge(admin, cr.url);
    expect((await admin.api.get(cr.url)).body).toMatchObject({
      status: 'merged',
      revisionMerged: merged.body.revision,
      revisionMergedAncestor: updated.revisionMergedAncestor,
      outdated: false,
    });
    for (const status of ['draft', 'open', 'archived'])
      expect((await admin.api.patch(cr.url, { status })).status).toBe(409);
    expect((await admin.api.patch(cr.url, { subject: 'Still to be named' })).body).toMatchObject({
      status: 'merged',
      subject: 'Still to be named',
    });
  });

  it('are listed by status, creator, contributor, requested reviewer and cluster, in the space and in the organization', async () => {
    const { org, admin, url, id } = await space();
    const editor = await org.member('edit');
    const [one, two, three] = [
      await request(admin, url, 'One'),
      await request(editor, url, 'Two'),
      await request(admin, url, 'Three'),
    ];
    for (const each of [one, two, three]) await admin.api.patch(each.url, { status: 'open' });
    const draft = await request(admin, url, 'Draft');
    await write(editor, one.url, insert('By the editor'));
    await app.current.database.execute(
      'INSERT INTO requested_reviewer (space_id, change_request_id, user_id, requested_by, revision_id, created_at) VALUES ($1, $2, $3, $4, $5, now())',
      [id, three.id, editor.id, admin.id, three.revision],
    );
    await app.current.database.execute(
      `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, created_at, updated_at) VALUES ('cluster', $1, 'Cluster', 'circle', '', now(), now())`,
      [org.id],
    );
    expect(
      (await editor.api.patch<ChangeRequest>(two.url, { conversationsIssuesCluster: 'cluster' })).body,
    ).toMatchObject({ conversationsIssuesCluster: 'cluster' });
    for (const place of [url, `/orgs/${org.id}`]) {
      const list = async (query: Record<string, string | number>) =>
        (await admin.api.get<List<ChangeRequest>>(`${place}/change-requests`, { query })).body;
      expect((await list({})).items.map((item) => item.subject)).toEqual(['Three', 'Two', 'One']);
      expect((await list({ status: 'draft' })).items.map((item) => item.id)).toEqual([draft.id]);
      expect((await list({ status: 'merged' })).count).toBe(0);
      expect((await list({ creator: editor.id })).items.map((item) => item.id)).toEqual([two.id]);
      expect((await list({ contributor: editor.id })).items.map((item) => item.id)).toEqual([one.id]);
      expect((await list({ requestedReviewer: editor.id })).items.map((item) => item.id)).toEqual([three.id]);
      expect((await list({ conversationsIssuesCluster: 'cluster' })).items.map((item) => item.id)).toEqual([two.id]);
      const first = await list({ limit: 2 });
      expect(first).toMatchObject({ count: 3, items: [{ id: three.id }, { id: two.id }] });
      const second = await list({ limit: 2, page: first.next?.page ?? '' });
      expect(second.items.map((item) => item.id)).toEqual([one.id]);
      expect(second.next).toBeUndefined();
    }
  });

  it('are closed to those who lack the right, and invisible to others', async () => {
    const { org, admin, url } = await space();
    const made = await request(admin, url);
    const reader = await org.member('read');
    expect((await reader.api.get(made.url)).status).toBe(200);
    expect((await reader.api.post(`${url}/change-requests`, { subject: 'No' })).status).toBe(403);
    expect((await reader.api.patch(made.url, { subject: 'No' })).status).toBe(403);
    expect((await reader.api.post(`${made.url}/update`)).status).toBe(403);
    expect((await reader.api.post(`${made.url}/content`, { changes: [insert('No')] })).status).toBe(403);
    const editor = await org.member('edit');
    expect((await editor.api.post(`${made.url}/merge`)).status).toBe(403);
    const stranger = await space();
    for (const path of ['', '/content', '/content/pages', '/changes', '/conflicts']) {
      expect((await stranger.admin.api.get(`${made.url}${path}`)).status).toBe(404);
      expect((await stranger.admin.api.get(`${stranger.url}/change-requests/${made.id}${path}`)).status).toBe(404);
    }
    expect((await stranger.admin.api.post(`${stranger.url}/change-requests/${made.id}/merge`)).status).toBe(404);
    expect((await stranger.admin.api.get(`/orgs/${org.id}/change-requests`)).status).toBe(404);
  });

  it('3b-35 have numbers of their own under 200 parallel creates', async () => {
    const { admin, url } = await space();
    const made = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        admin.api.post<ChangeRequest>(`${url}/change-requests`, { subject: String(at) }),
      ),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(made.map(({ body }) => body.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, at) => at + 1),
    );
  });
});

describe('the content of a change request', () => {
  it('is primary with its own changes on top, and does not touch primary', async () => {
    const { admin, url } = await space();
    const [a, b] = await write(admin, url, insert('A', 'Old'), insert('B', 'Bee'), insert('C', 'Sea'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'New'), { operation: 'delete_page', page: b }, insert('D', 'Dee', { at: 0 }));
    expect(await tree(admin, cr.url)).toEqual([['d'], ['a'], ['c']]);
    expect(await tree(admin, url)).toEqual([['a'], ['b'], ['c']]);
    expect([await markdown(admin, cr.url, a), await markdown(admin, url, a)]).toEqual(['# A\n\nNew\n', '# A\n\nOld\n']);
    expect((await admin.api.get(`${cr.url}/content/page/${b ?? ''}`)).status).toBe(404);
    await write(admin, url, edit(a, 'Moved on'), insert('E'));
    expect(await tree(admin, cr.url)).toEqual([['d'], ['a'], ['c']]);
    const shown = await admin.api.get<ChangeRequest>(cr.url);
    expect(shown.body.outdated).toBe(true);
    const revision = await admin.api.get<{ id: string; parents: string[]; pages: object[] }>(`${cr.url}/content`);
    expect(revision.body).toMatchObject({ id: shown.body.revision, parents: [cr.revision] });
    expect(
      (await admin.api.get<{ pages: object[] }>(`${url}/revisions/${shown.body.revision}/pages`)).body.pages,
    ).toHaveLength(3);
    const changes = await admin.api.get<{ changes: { type: string; page: { title: string } }[]; more?: number }>(
      `${cr.url}/changes`,
    );
    expect(changes.body.changes.map(({ type, page }) => [type, page.title])).toEqual([
      ['page_created', 'D'],
      ['page_edited', 'A'],
      ['page_deleted', 'B'],
    ]);
    expect(
      (await admin.api.get<{ changes: object[]; more?: number }>(`${cr.url}/changes`, { query: { limit: 1 } })).body,
    ).toMatchObject({ more: 2 });
    await write(admin, cr.url, { operation: 'revert_page', page: a }, { operation: 'revert_page', page: b });
    expect(await markdown(admin, cr.url, a)).toBe('# A\n\nOld\n');
    expect(await markdown(admin, cr.url, b)).toBe('# B\n\nBee\n');
  });

  it('takes no writes once it is archived or merged', async () => {
    const { admin, url } = await space();
    const cr = await request(admin, url);
    await admin.api.patch(cr.url, { status: 'archived' });
    expect((await admin.api.post(`${cr.url}/content`, { changes: [insert('A')] })).status).toBe(409);
    await admin.api.patch(cr.url, { status: 'open' });
    const compat = await admin.api.post<ChangeRequest>(`${cr.url}/content`, { changes: [insert('A')] });
    expect(compat.body).toMatchObject({ object: 'change-request', id: cr.id });
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect((await admin.api.post(`${cr.url}/content`, { changes: [insert('B')] })).status).toBe(409);
    expect((await admin.api.patch(cr.url, { status: 'open' })).status).toBe(409);
    expect((await pull(admin, cr.url)).status).toBe(409);
  });
});

describe('merging', () => {
  it('brings changes to primary as one revision, once', async () => {
    const { admin, url, id } = await space();
    const [a] = await write(admin, url, insert('A', 'Old'), insert('B', 'Bee'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'New', { title: 'A2' }), insert('C', 'Sea', { into: a }));
    await write(admin, url, insert('Meanwhile'));
    const primary = (await admin.api.get<{ revision: string }>(`/spaces/${id}`)).body.revision;
    const head = (await admin.api.get<ChangeRequest>(cr.url)).body.revision;
    const answer = await merge(admin, cr.url);
    expect(answer.body).toEqual({ revision: expect.any(String), result: 'merge' });
    expect(await tree(admin, url)).toEqual([['a2', [['a2/c']]], ['b'], ['meanwhile']]);
    expect(await markdown(admin, url, a)).toBe('# A2\n\nNew\n');
    const revision = await admin.api.get(`${url}/content`);
    expect(revision.body).toMatchObject({
      id: answer.body.revision,
      type: 'merge',
      parents: [primary, head],
      mergedFrom: { id: cr.id, status: 'merged' },
    });
    expect((await admin.api.get(cr.url)).body).toMatchObject({
      status: 'merged',
      revisionMerged: answer.body.revision,
      outdated: false,
    });
    expect((await merge(admin, cr.url)).body).toEqual(answer.body);
    const changes = await admin.api.get<{ mergedFrom: object; changes: { type: string }[] }>(
      `${url}/revisions/${answer.body.revision}/changes`,
    );
    expect(changes.body).toMatchObject({
      mergedFrom: { id: cr.id },
      changes: [{ type: 'page_edited' }, { type: 'page_created' }],
    });
  });

  it('merges different blocks and attributes of one page', async () => {
    const { admin, url } = await space();
    const [a] = await write(admin, url, insert('A', 'One\n\nTwo\n\nThree'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'One\n\nTwo\n\nThree, changed\n\nFour', { description: 'Described' }));
    await write(admin, url, edit(a, 'Zero\n\nOne, too\n\nTwo\n\nThree', { emoji: '1f680' }));
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect(await markdown(admin, url, a)).toBe('# A\n\nZero\n\nOne, too\n\nTwo\n\nThree, changed\n\nFour\n');
    expect((await admin.api.get(`${url}/content/page/${a ?? ''}`)).body).toMatchObject({
      description: 'Described',
      emoji: '1f680',
    });
  });

  it('lists many conflicts page by page', async () => {
    const { admin, url } = await space();
    const lines = (word: string) => Array.from({ length: 40 }, (_, index) => `${word} ${index}`).join('\n\n');
    const pages = await write(admin, url, insert('A', lines('Old')), insert('B', lines('Old')));
    const cr = await request(admin, url);
    await write(admin, cr.url, ...pages.map((page) => edit(page, lines('Mine'))));
    await write(admin, url, ...pages.map((page) => edit(page, lines('Yours'))));
    interface Listed {
      primary: string;
      conflicts: Conflict[];
      count: number;
      next?: { page: string };
    }
    const list = async (query: Record<string, string | number>) =>
      (await admin.api.get<Listed>(`${cr.url}/conflicts`, { query })).body;
    const all = await list({ limit: 1000 });
    expect([all.count, all.conflicts.length, all.next, new Set(all.conflicts.map(({ id }) => id)).size]).toEqual([
      80,
      80,
      undefined,
      80,
    ]);
    expect(all.conflicts.map(({ page }) => page)).toEqual(
      [...pages].sort().flatMap((page) => Array.from({ length: 40 }, () => page)),
    );
    const first = await list({});
    const rest = await list({ page: first.next?.page ?? '', limit: 50 });
    expect([first.conflicts.length, first.count, rest.count, rest.next]).toEqual([50, 80, 80, undefined]);
    expect([...first.conflicts, ...rest.conflicts]).toEqual(all.conflicts);
    expect(await list({ limit: 0 })).toEqual({ primary: all.primary, conflicts: [], count: 80 });
    const other = await request(admin, url);
    expect((await admin.api.get(`${other.url}/conflicts`, { query: { page: first.next?.page ?? '' } })).status).toBe(
      400,
    );
  });

  it('changes nothing while there is a conflict, lists it, and goes on once it is settled', async () => {
    const { admin, url, id } = await space();
    const [a] = await write(admin, url, insert('A', 'One\n\nTwo'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'One of the request\n\nTwo', { title: 'Mine' }));
    await write(admin, url, edit(a, 'One of primary\n\nTwo', { title: 'Yours' }));
    const head = (await admin.api.get<ChangeRequest>(cr.url)).body.revision;
    expect((await merge(admin, cr.url)).body).toEqual({ revision: head, result: 'conflicts' });
    expect((await pull(admin, cr.url)).body).toEqual({ revision: head, result: 'conflicts' });
    expect(await markdown(admin, url, a)).toBe('# Yours\n\nOne of primary\n\nTwo\n');
    const { primary, conflicts } = (
      await admin.api.get<{ primary: string; conflicts: Conflict[] }>(`${cr.url}/conflicts`)
    ).body;
    expect(conflicts.map(({ kind, page, attribute, block }) => [kind, page, attribute, typeof block])).toEqual([
      ['attribute', a, 'title', 'undefined'],
      ['block', a, undefined, 'string'],
    ]);
    const [title, block] = conflicts;
    const sides = { base: 'A', primary: 'Yours', changed: 'Mine' };
    expect(title).toMatchObject({ ...sides, words: sides, text: 'Page “Mine”: both sides changed title' });
    expect(block?.text).toBe('Page “Mine”: both sides changed the same block');
    expect(block).not.toHaveProperty('words');
    expect(JSON.stringify(block?.changed)).toContain('One of the request');

    expect((await pull(admin, cr.url, { resolutions: [{ conflict: title?.id, keep: 'changed' }] })).status).toBe(400);
    expect(
      (await pull(admin, cr.url, { primary, resolutions: [{ conflict: 'nothing', keep: 'changed' }] })).status,
    ).toBe(400);
    expect((await pull(admin, cr.url, { primary, resolutions: [{ conflict: title?.id }] })).status).toBe(400);
    expect(
      (await pull(admin, cr.url, { primary, resolutions: [{ conflict: title?.id, keep: 'changed' }] })).body.result,
    ).toBe('conflicts');
    await write(admin, url, insert('Elsewhere'));
    const document = {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'One of both', marks: [] }] }],
        },
      ],
    };
    const settled = await pull(admin, cr.url, {
      primary,
      resolutions: [
        { conflict: title?.id, keep: 'changed' },
        { conflict: block?.id, document },
      ],
    });
    expect(settled.body.result).toBe('update');
    expect(await markdown(admin, cr.url, a)).toBe('# Mine\n\nOne of both\n\nTwo\n');
    const now = (await admin.api.get<{ revision: string }>(`/spaces/${id}`)).body.revision;
    expect((await admin.api.get(cr.url)).body).toMatchObject({
      outdated: false,
      revisionMergedAncestor: now,
      revision: settled.body.revision,
    });
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect(await markdown(admin, url, a)).toBe('# Mine\n\nOne of both\n\nTwo\n');
  });

  it('lets own text continue the block that it stands for', async () => {
    const { admin, url } = await space();
    const [a] = await write(admin, url, insert('A', 'One\n\nTwo'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'One of the request\n\nTwo', { title: 'Mine' }));
    await write(admin, url, edit(a, 'One of primary\n\nTwo', { title: 'Yours' }));
    const listed = async () =>
      (await admin.api.get<{ primary: string; conflicts: Conflict[] }>(`${cr.url}/conflicts`)).body;
    const {
      primary,
      conflicts: [title, block],
    } = await listed();
    const paragraph = (text: string, more: object = {}) => ({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      ...more,
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    });
    const own = (...nodes: object[]) => ({ document: { object: 'document', data: {}, nodes } });
    const refused = async (resolutions: object[]) =>
      (await admin.api.post<{ error: { details: object[] } }>(`${cr.url}/update`, { primary, resolutions })).body.error
        .details;
    expect(await refused([{ conflict: title?.id, ...own(paragraph('Text')) }])).toMatchObject([
      { path: 'resolutions.0.document', message: expect.stringContaining('attribute') },
    ]);
    expect(
      await refused([
        { conflict: title?.id, keep: 'primary' },
        { conflict: title?.id, keep: 'changed' },
      ]),
    ).toMatchObject([{ path: 'resolutions.1.conflict' }]);
    expect(await refused([{ conflict: block?.id, keep: 'primary', ...own(paragraph('Text')) }])).toMatchObject([
      { path: 'resolutions.0' },
    ]);

    // The key of another block of the page stays that block's.
    const { document } = (
      await admin.api.get<{ document: { nodes: { key: string }[] } }>(`${cr.url}/content/page/${a ?? ''}`, {
        query: { format: 'document' },
      })
    ).body;
    const settled = await pull(admin, cr.url, {
      primary,
      default: 'changed',
      resolutions: [
        {
          conflict: block?.id,
          ...own(
            paragraph('Quite another text', { key: document.nodes[1]?.key }),
            paragraph('One of the request, and of primary'),
          ),
        },
      ],
    });
    expect(settled.body.result).toBe('update');
    expect(await markdown(admin, cr.url, a)).toBe(
      '# Mine\n\nQuite another text\n\nOne of the request, and of primary\n\nTwo\n',
    );
    const after = (
      await admin.api.get<typeof document & { document: typeof document }>(`${cr.url}/content/page/${a ?? ''}`, {
        query: { format: 'document' },
      })
    ).body.document.nodes.map(({ key }) => key);
    expect([after.length, new Set(after).size, after[1], after[2]]).toEqual([
      3,
      3,
      block?.block,
      document.nodes[1]?.key,
    ]);

    // What primary makes of the block then stands against the own text, not against nothing.
    await write(admin, url, edit(a, 'One of primary, again\n\nTwo', { title: 'Yours' }));
    const again = (await listed()).conflicts;
    expect(again).toMatchObject([{ kind: 'block', block: block?.block }]);
    expect(JSON.stringify(again[0]?.changed)).toContain('One of the request, and of primary');
    expect((await admin.api.post(`${cr.url}/update`, { primary: 'nope', default: 'changed' })).body).toMatchObject({
      error: { code: 400, details: [{ path: 'primary' }] },
    });
  });

  it('asks once about a page that one side deleted, and its pages go the same way', async () => {
    const { admin, url } = await space();
    const pages = async (at: string) =>
      (await admin.api.get<{ pages: PageBody[] }>(`${at}/content/pages`)).body.pages.map((page) => [
        page.title,
        ...page.pages.map(({ title }) => title),
      ]);
    for (const deletedBy of ['primary', 'request'] as const) {
      for (const keep of ['primary', 'changed'] as const) {
        const [a] = await write(admin, url, insert(`A ${deletedBy} ${keep}`, 'Text'));
        const cr = await request(admin, url);
        const [deletes, grows] = deletedBy === 'primary' ? [url, cr.url] : [cr.url, url];
        await write(admin, grows, edit(a, 'Other text'), insert('Below', 'More', { into: a }));
        await write(admin, deletes, { operation: 'delete_page', page: a });
        const { primary, conflicts } = (
          await admin.api.get<{ primary: string; conflicts: Conflict[] }>(`${cr.url}/conflicts`)
        ).body;
        expect(conflicts).toMatchObject([
          {
            kind: 'deleted',
            page: a,
            [deletedBy === 'primary' ? 'changed' : 'primary']: { pages: [{ title: 'Below' }] },
            [deletedBy === 'primary' ? 'primary' : 'changed']: null,
          },
        ]);
        expect(
          (await pull(admin, cr.url, { primary, resolutions: [{ conflict: conflicts[0]?.id, keep }] })).body.result,
        ).toBe('update');
        expect((await merge(admin, cr.url)).body.result).toBe('merge');
        const stays = (keep === 'primary') !== (deletedBy === 'primary');
        expect((await pages(url)).filter(([title]) => title === `A ${deletedBy} ${keep}`)).toEqual(
          stays ? [[`A ${deletedBy} ${keep}`, 'Below']] : [],
        );
      }
    }
  });

  it('deletes a page that the other side has only put in another order, without a question', async () => {
    const { admin, url } = await space();
    for (const deletedBy of ['primary', 'request'] as const) {
      const [, a] = await write(admin, url, insert('First', 'Text'), insert('A', 'Text'));
      const cr = await request(admin, url);
      const [deletes, sorts] = deletedBy === 'primary' ? [url, cr.url] : [cr.url, url];
      await write(admin, sorts, { operation: 'update_page', page: a, into: null, at: 0 });
      await write(admin, deletes, { operation: 'delete_page', page: a });
      expect((await merge(admin, cr.url)).body.result).toBe('merge');
      const { pages } = (await admin.api.get<{ pages: PageBody[] }>(`${url}/content/pages`)).body;
      expect(pages.filter(({ title }) => title === 'A')).toEqual([]);
    }
  });

  it('refuses resolutions when the conflicts have changed since they were compared', async () => {
    const { admin, url } = await space();
    const [a] = await write(admin, url, insert('A', 'One'));
    const cr = await request(admin, url);
    await write(admin, cr.url, edit(a, 'One of the request'));
    await write(admin, url, edit(a, 'One of primary'));
    const { primary } = (await admin.api.get<{ primary: string }>(`${cr.url}/conflicts`)).body;
    await write(admin, url, edit(a, 'One of primary, again'));
    expect((await pull(admin, cr.url, { primary, default: 'changed' })).status).toBe(409);
    const again = (await admin.api.get<{ primary: string }>(`${cr.url}/conflicts`)).body;
    expect((await pull(admin, cr.url, { primary: again.primary, default: 'changed' })).body.result).toBe('update');
    expect(await markdown(admin, cr.url, a)).toBe('# A\n\nOne of the request\n');
  });

  it('sees deleted pages, pages under deleted ones, and moves that make a circle', async () => {
    const { admin, url } = await space();
    const [a, b, c, d] = await write(
      admin,
      url,
      insert('A', 'x'),
      insert('B', 'x'),
      insert('C', 'x'),
      insert('D', 'x'),
    );
    const kinds = async (cr: string) =>
      (await admin.api.get<{ conflicts: Conflict[] }>(`${cr}/conflicts`)).body.conflicts.map(
        ({ kind, page, text, words }) => [kind, page, text, words],
      );
    const [deletes, edits, moves, fills] = [
      await request(admin, url),
      await request(admin, url),
      await request(admin, url),
      await request(admin, url),
    ];
    await write(admin, deletes.url, { operation: 'delete_page', page: a });
    await write(admin, edits.url, edit(b, 'changed'));
    await write(admin, moves.url, { operation: 'update_page', page: c, into: d });
    await write(admin, fills.url, insert('Under B', '', { into: b }));
    await write(
      admin,
      url,
      insert('Under A', '', { into: a }),
      { operation: 'delete_page', page: b },
      { operation: 'update_page', page: d, into: c },
    );
    expect(await kinds(deletes.url)).toEqual([
      [
        'children',
        a,
        'Page “A”: one side deleted it, the other put pages under it',
        { base: 'Stays: “A”', primary: 'Stays: “Under A”', changed: 'Deleted' },
      ],
    ]);
    expect(await kinds(edits.url)).toEqual([
      [
        'deleted',
        b,
        'Page “B”: one side deleted it, the other changed it',
        { base: 'Stays: “B”', primary: 'Deleted', changed: 'Stays: “B”' },
      ],
    ]);
    expect(await kinds(moves.url)).toEqual([
      [
        'cycle',
        c,
        'Page “C”: the moves of both sides would put it under itself',
        {
          base: '“C” at the top; “D” at the top',
          primary: '“C” at the top; “D” under “C”',
          changed: 'under “D”',
        },
      ],
    ]);
    expect(await kinds(fills.url)).toEqual([
      [
        'children',
        b,
        'Page “B”: one side deleted it, the other put pages under it',
        { base: 'Stays: “B”', primary: 'Deleted', changed: 'Stays: “Under B”' },
      ],
    ]);
    for (const cr of [deletes, edits, moves, fills]) {
      const { primary } = (await admin.api.get<{ primary: string }>(`${cr.url}/conflicts`)).body;
      expect((await pull(admin, cr.url, { primary, default: 'changed' })).body.result).toBe('update');
    }
    expect(await tree(admin, deletes.url)).toEqual([['c', [['c/d']]]]);
    expect(await tree(admin, edits.url)).toEqual([['a', [['a/under-a']]], ['b'], ['c', [['c/d']]]]);
    expect(await tree(admin, moves.url)).toEqual([
      ['a', [['a/under-a']]],
      ['d', [['d/c']]],
    ]);
    expect(await tree(admin, fills.url)).toEqual([
      ['a', [['a/under-a']]],
      ['b', [['b/under-b']]],
      ['c', [['c/d']]],
    ]);
  });

  it('gives the page of the change request a suffix where slugs collide', async () => {
    const { admin, url } = await space();
    const cr = await request(admin, url);
    await write(admin, cr.url, insert('News', 'of the request'));
    await write(admin, url, insert('News', 'of primary'));
    expect((await pull(admin, cr.url)).body.result).toBe('update');
    expect(await tree(admin, cr.url)).toEqual([['news'], ['news-1']]);
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect(await tree(admin, url)).toEqual([['news'], ['news-1']]);
  });

  it('shows what stands against each other in a reusable content', async () => {
    const { admin, url } = await space();
    await write(admin, url, {
      operation: 'insert_reusable_content',
      title: 'Hours',
      document: { markdown: 'Nine to five' },
    });
    const { reusableContents } = (await admin.api.get<{ reusableContents: { id: string }[] }>(`${url}/content`)).body;
    const reusableContent = reusableContents[0]?.id;
    const cr = await request(admin, url);
    await write(admin, cr.url, { operation: 'update_reusable_content', reusableContent, title: 'Opening hours' });
    await write(admin, url, { operation: 'update_reusable_content', reusableContent, title: 'When we are there' });
    const { conflicts, primary } = (
      await admin.api.get<{ primary: string; conflicts: Conflict[] }>(`${cr.url}/conflicts`)
    ).body;
    expect(conflicts).toMatchObject([
      {
        kind: 'attribute',
        reusableContent,
        attribute: 'title',
        base: 'Hours',
        primary: 'When we are there',
        changed: 'Opening hours',
      },
    ]);
    await pull(admin, cr.url, { primary, default: 'changed' });
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect((await admin.api.get(`${url}/content/reusable-contents/${reusableContent ?? ''}`)).body).toMatchObject({
      title: 'Opening hours',
    });
  });

  it('merges files, reusable contents and variables by the same rules', async () => {
    const { admin, url } = await space();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await write(
      admin,
      url,
      { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: base64('a') }] },
      { operation: 'set_variables', variables: { x: 'one', y: 'one' } },
    );
    const file = (await admin.api.get<List<{ id: string }>>(`${url}/content/files`)).body.items[0]?.id;
    const cr = await request(admin, url);
    await write(
      admin,
      cr.url,
      { operation: 'update_file', file, contentType: 'text/plain', base64: base64('request') },
      { operation: 'set_variables', variables: { x: 'two', z: 'new' } },
    );
    await write(
      admin,
      url,
      { operation: 'delete_files', files: [file] },
      { operation: 'set_variables', variables: { x: 'three', y: 'two' } },
    );
    const { conflicts, primary } = (
      await admin.api.get<{ primary: string; conflicts: (Conflict & { file?: string; variable?: string })[] }>(
        `${cr.url}/conflicts`,
      )
    ).body;
    expect(conflicts.map(({ kind, file: about, variable, text }) => [kind, about ?? variable, text])).toEqual(
      expect.arrayContaining([
        ['deleted', file, 'File “a.txt”: one side deleted it, the other changed it'],
        ['attribute', 'x', 'Variable x: both sides changed value'],
      ]),
    );
    await pull(admin, cr.url, { primary, default: 'changed' });
    expect((await merge(admin, cr.url)).body.result).toBe('merge');
    expect((await admin.api.get(`${url}/content`)).body).toMatchObject({
      variables: { x: 'two', y: 'two', z: 'new' },
      files: [{ id: file, size: 7 }],
    });
  });

  it('3b-33 loses nothing and keeps one chain of revisions when many requests are merged at once', async () => {
    const { admin, url } = await space();
    const pages = await write(admin, url, ...Array.from({ length: 8 }, (_, at) => insert(`P${at}`, 'Old')));
    const requests = [];
    for (const page of pages) {
      const cr = await request(admin, url);
      await write(admin, cr.url, edit(page, 'New'), insert(`Q${cr.number}`));
      requests.push(cr);
    }
    const answers = await Promise.all([...requests, ...requests].map((cr) => merge(admin, cr.url)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.result}`))).toEqual(new Set(['200 merge']));
    expect(new Set(answers.map(({ body }) => body.revision)).size).toBe(requests.length);
    for (const page of pages) expect(await markdown(admin, url, page)).toMatch(/New/);
    expect((await admin.api.get<{ pages: object[] }>(`${url}/content/pages`)).body.pages).toHaveLength(16);
    let revision = (await admin.api.get<{ id: string; parents: string[]; type: string }>(`${url}/content`)).body;
    for (let at = 0; at < requests.length; at++) {
      expect(revision.type).toBe('merge');
      revision = (await admin.api.get<typeof revision>(`${url}/revisions/${revision.parents[0] ?? ''}`)).body;
    }
    expect(revision.type).toBe('edits');
  });
});
