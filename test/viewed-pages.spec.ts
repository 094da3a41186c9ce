import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { discussion, write, type Failure } from './discussion.js';

const app = useApp();

interface Change {
  type: string;
  page?: { id: string };
  viewed?: boolean;
}

async function changes(person: Person, request: string): Promise<Change[]> {
  return (await person.api.get<{ changes: Change[] }>(`${request}/changes`)).body.changes;
}

const viewedOf = async (person: Person, request: string, page: string): Promise<(boolean | undefined)[]> =>
  (await changes(person, request)).filter((change) => change.page?.id === page).map(({ viewed }) => viewed);

const mark = (person: Person, request: string, page: string, body: object = { viewed: true }) =>
  person.api.put<Failure>(`${request}/changes/${page}/viewed`, body);

const rewrite = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

async function proposed() {
  const made = await discussion(app.current);
  await write(made.admin, made.request, rewrite(made.page, 'First\n\nSecond of all'));
  return { ...made, reviewer: await made.org.member('review') };
}

describe('marks of viewed pages', () => {
  it('are those of one person, and can be taken back', async () => {
    const { admin, reviewer, request, page } = await proposed();
    expect(await viewedOf(reviewer, request, page)).toEqual([false]);
    expect((await mark(reviewer, request, page)).status).toBe(204);
    expect((await mark(reviewer, request, page)).status).toBe(204);
    expect(await viewedOf(reviewer, request, page)).toEqual([true]);
    expect(await viewedOf(admin, request, page)).toEqual([false]);
    expect((await mark(reviewer, request, page, { viewed: false })).status).toBe(204);
    expect(await viewedOf(reviewer, request, page)).toEqual([false]);
    await write(admin, request, {
      operation: 'insert_files',
      files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }],
    });
    expect((await changes(reviewer, request)).filter(({ page: changed }) => !changed)).toEqual([
      expect.not.objectContaining({ viewed: expect.anything() }),
    ]);
  });

  it('end with other content of the page, and only with that', async () => {
    const { admin, reviewer, request, page } = await proposed();
    const [other = ''] = await write(admin, request, { operation: 'insert_page', title: 'Other' });
    await mark(reviewer, request, page);
    await mark(reviewer, request, other);
    await write(admin, request, rewrite(page, 'First of all\n\nSecond of all'));
    expect(await viewedOf(reviewer, request, page)).toEqual([false]);
    expect(await viewedOf(reviewer, request, other)).toEqual([true]);
    await write(admin, request, rewrite(page, 'First\n\nSecond of all'));
    await mark(reviewer, request, page);
    await write(admin, request, { operation: 'delete_page', page });
    expect(await viewedOf(reviewer, request, page)).toEqual([false]);
    await mark(reviewer, request, page);
    expect(await viewedOf(reviewer, request, page)).toEqual([true]);
  });

  it('hold for what was looked at, although somebody wrote meanwhile', async () => {
    const { admin, reviewer, request, page } = await proposed();
    const { body } = await admin.api.get<{ revision: string }>(request);
    await write(admin, request, rewrite(page, 'First of all\n\nSecond of all'));
    expect((await mark(reviewer, request, page, { viewed: true, revision: body.revision })).status).toBe(204);
    expect(await viewedOf(reviewer, request, page)).toEqual([false]);
    const { body: now } = await admin.api.get<{ revision: string }>(request);
    await mark(reviewer, request, page, { viewed: true, revision: now.revision });
    expect(await viewedOf(reviewer, request, page)).toEqual([true]);
  });

  it('are refused for anything that the request does not change', async () => {
    const { admin, org, reviewer, request, space, page } = await proposed();
    const [same = ''] = await write(admin, space, { operation: 'insert_page', title: 'Unchanged' });
    expect((await mark(reviewer, request, same)).status).toBe(404);
    expect((await mark(reviewer, request, 'AAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    const { body } = await admin.api.get<{ revision: string }>(space);
    for (const refused of [
      {},
      { viewed: 'yes' },
      { viewed: true, revision: 5 },
      { viewed: true, revision: body.revision },
    ])
      expect((await mark(reviewer, request, page, refused)).status).toBe(400);
    expect((await mark(await org.member('read'), request, page)).status).toBe(204);
    expect((await mark(await org.member('none'), request, page)).status).toBe(404);
    expect((await mark((await buildOrganization(app.current)).admin, request, page)).status).toBe(404);
  });
});
