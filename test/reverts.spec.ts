import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { discussion, write, type Discussion, type Failure } from './discussion.js';

const app = useApp();

interface Reverted {
  id: string;
  number: number;
  status: string;
  subject: string;
  description?: object;
  createdBy: { id: string };
}

const rewrite = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

const revert = (person: Person, request: string) => person.api.post<Reverted & Failure>(`${request}/revert`);

const merge = async (person: Person, request: string): Promise<string> =>
  (await person.api.post<{ result: string }>(`${request}/merge`)).body.result;

async function read(person: Person, place: string, page: string): Promise<[number, string | undefined]> {
  const { status, body } = await person.api.get<{ markdown?: string }>(`${place}/content/page/${page}`, {
    query: { format: 'markdown' },
  });
  return [status, body.markdown];
}

const titles = async ({ admin, space }: Discussion): Promise<string[]> =>
  (await admin.api.get<{ pages: { title: string }[] }>(`${space}/content/pages`)).body.pages.map(({ title }) => title);

describe('reverts of change requests', () => {
  it('make a draft that gives back what was changed, made and deleted', async () => {
    const made = await discussion(app.current);
    const { admin, org, space, request, page } = made;
    const [doomed = ''] = await write(admin, space, {
      operation: 'insert_page',
      title: 'Doomed',
      document: { markdown: 'Text' },
    });
    expect((await admin.api.post(`${request}/update`)).status).toBe(200);
    await write(
      admin,
      request,
      { ...rewrite(page, 'First of all\n\nSecond'), title: 'Manual' },
      { operation: 'insert_page', title: 'New' },
      { operation: 'delete_page', page: doomed },
      { operation: 'set_variables', variables: { product: 'Bindery' } },
    );
    expect(await merge(admin, request)).toBe('merge');
    expect(await titles(made)).toEqual(['Manual', 'New']);
    const editor = await org.member('edit');
    const { status, body, headers } = await revert(editor, request);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ status: 'draft', subject: 'Revert #1: Proposal', number: 2 }),
    ]);
    expect(body.createdBy.id).toBe(editor.id);
    expect(headers.get('location')).toContain(body.id);
    expect(JSON.stringify(body.description)).toContain('Takes back change request #1.');
    expect(await titles(made)).toEqual(['Manual', 'New']);
    expect(await merge(admin, `${space}/change-requests/${body.id}`)).toBe('merge');
    expect(await titles(made)).toEqual(['Guide', 'Doomed']);
    expect(await read(admin, space, page)).toEqual([200, '# Guide\n\nFirst\n\nSecond\n']);
    expect(await read(admin, space, doomed)).toEqual([200, '# Doomed\n\nText\n']);
    const again = await revert(editor, request);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'Nothing that the change request changed is left to take back',
    ]);
  });

  it('leave what others have changed since, block by block', async () => {
    const made = await discussion(app.current, 'One\n\nTwo\n\nThree');
    const { admin, space, request, page } = made;
    await write(admin, request, rewrite(page, 'One more\n\nTwo more\n\nThree'), {
      operation: 'insert_page',
      title: 'New',
    });
    const { body: changed } = await admin.api.get<{ changes: { type: string; page: { id: string } }[] }>(
      `${request}/changes`,
    );
    const fresh = changed.changes.find(({ type }) => type === 'page_created')?.page.id ?? '';
    expect(await merge(admin, request)).toBe('merge');
    await write(
      admin,
      space,
      rewrite(page, 'One more\n\nTwo more and more\n\nThree and a half'),
      rewrite(fresh, 'Somebody works here'),
    );
    const { status, body } = await revert(admin, request);
    expect(status).toBe(201);
    const draft = `${space}/change-requests/${body.id}`;
    expect(await read(admin, draft, page)).toEqual([200, '# Guide\n\nOne\n\nTwo more and more\n\nThree and a half\n']);
    expect(await read(admin, draft, fresh)).toEqual([200, '# New\n\nSomebody works here\n']);
    expect(JSON.stringify(body.description)).toContain('stays as it is: 2 places.');
    expect(await merge(admin, draft)).toBe('merge');
    expect(await read(admin, space, page)).toEqual([200, '# Guide\n\nOne\n\nTwo more and more\n\nThree and a half\n']);
  });

  it('take merged requests only, from those who may propose', async () => {
    const made = await discussion(app.current);
    const { admin, org, space, request, page } = made;
    await write(admin, request, rewrite(page, 'Other'));
    expect((await revert(admin, request)).status).toBe(409);
    expect(await merge(admin, request)).toBe('merge');
    expect((await revert(await org.member('comment'), request)).status).toBe(403);
    expect((await revert(await org.member('none'), request)).status).toBe(404);
    expect((await revert((await buildOrganization(app.current)).admin, request)).status).toBe(404);
    expect((await revert(admin, `${space}/change-requests/77`)).status).toBe(404);
    const { body } = await admin.api.get<{ count: number }>(`${space}/change-requests`, { query: { status: 'draft' } });
    expect(body.count).toBe(0);
    const both = await Promise.all([revert(admin, request), revert(admin, `${space}/change-requests/1`)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(({ body: { number } }) => number)).size).toBe(2);
  });
});

describe('the trash of an organization', () => {
  it('lists what the caller can restore, and nothing of others', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const [editor, maker, guest] = [await org.member('edit'), await org.member('create'), await org.member('none')];
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three', 'Kept'])
      ids.push((await admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title })).body.id);
    for (const id of ids.slice(0, 3)) expect((await admin.api.delete(`/spaces/${id}`)).status).toBe(204);
    interface Trash {
      items: { id: string; object: string; deletedAt: string }[];
      count: number;
      next?: { page: string };
    }
    const trash = (person: Person, query: Record<string, string> = {}) =>
      person.api.get<Trash>(`/orgs/${org.id}/trash`, { query });
    const expected = ids.slice(0, 3).reverse();
    for (const person of [admin, maker]) {
      const { status, body } = await trash(person);
      expect([status, body.items.map(({ id }) => id), body.count]).toEqual([200, expected, 3]);
      expect(body.items[0]).toMatchObject({ object: 'space', deletedAt: expect.any(String) as unknown });
    }
    for (const person of [editor, guest]) expect((await trash(person)).body).toMatchObject({ items: [], count: 0 });
    const first = await trash(admin, { limit: '2' });
    expect(first.body.items.map(({ id }) => id)).toEqual(expected.slice(0, 2));
    const rest = await trash(admin, { limit: '2', page: first.body.next?.page ?? '' });
    expect(rest.body.items.map(({ id }) => id)).toEqual(expected.slice(2));
    const stranger = (await buildOrganization(app.current)).admin;
    expect((await trash(stranger)).status).toBe(404);
    expect((await admin.api.post(`/spaces/${ids[1] ?? ''}/restore`)).status).toBe(200);
    expect((await trash(admin)).body.items.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  });

  it('shows deleted spaces with their settings', async () => {
    const org = await buildOrganization(app.current);
    const { api } = org.admin;
    const made = async (path: string, body: object): Promise<{ id: string }> =>
      (await api.post<{ id: string }>(path, body)).body;
    const collection = await made(`/orgs/${org.id}/collections`, { title: 'Guides' });
    const { id } = await made(`/orgs/${org.id}/spaces`, { title: 'Old', language: 'fr', parent: collection.id });
    const settings = {
      mergeRules: {
        type: 'rules',
        rules: [
          { rule: 'require_specific_reviewers', users: [org.admin.id] },
          { rule: 'custom', expression: 'true', message: 'Never' },
        ],
      },
    };
    const icon = 'https://example.com/icon.png';
    expect((await api.patch(`/spaces/${id}`, { ...settings, icon })).status).toBe(200);
    expect((await api.delete(`/spaces/${id}`)).status).toBe(204);
    expect((await api.get(`/orgs/${org.id}/trash`)).body).toMatchObject({
      items: [{ id, language: 'fr', parent: collection.id, ...settings, urls: { icon } }],
    });
  });
});
