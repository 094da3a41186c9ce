import { afterEach, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { NOTIFICATION_KINDS } from '../src/operations/notifications/domain/kinds.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson, type Person, type Workspace } from './build.js';
import { answer, post, write, type Failure, type List } from './discussion.js';

const app = useApp();
afterEach(() => app.current.setTime(undefined));

export interface Shown {
  id: string;
  kind: string;
  read: boolean;
  at: string;
  actor?: { id: string; email?: string };
  organization: { id: string; title: string };
  space: { id: string; title: string };
  changeRequest?: { id: string; number: number; subject: string };
  page?: { id: string; title: string };
  comment?: string;
  reply?: string;
  excerpt?: string;
  review?: string;
  importRun?: string;
  translation?: string;
  outcome?: string;
  urls: { app: string };
}
type Notified = List<Shown> & { unread: number };

const sql = (text: string, values: unknown[] = []) => app.current.database.execute(text, values);

/** Does all that is due in the background, and what waits for a few seconds. */
async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await app.current.get(OutboxRelay).drain();
    await sql(
      `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name LIKE 'notifications.%' AND state < 'active'`,
    );
    await app.current.get(Jobs).drain();
  }
}

async function inbox(person: Person, query: Record<string, string | number | boolean | string[]> = {}) {
  const { status, body } = await person.api.get<Notified>('/user/notifications', { query });
  expect([status, body]).toEqual([200, body]);
  return body;
}
const kinds = async (person: Person) => (await inbox(person)).items.map(({ kind }) => kind);

/** A space with a page and a change request of an author. */
async function desk(role: 'edit' | 'review' = 'edit') {
  const org = await buildOrganization(app.current);
  const author = await org.member(role);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title: 'Docs', empty: true });
  await org.admin.api.patch(`/spaces/${body.id}`, { editMode: 'live' });
  const space = `/spaces/${body.id}`;
  const [page = ''] = await write(org.admin, space, {
    operation: 'insert_page',
    title: 'Guide',
    document: { markdown: 'First\n\nSecond' },
  });
  const made = await author.api.post<{ id: string; number: number }>(`${space}/change-requests`, {
    subject: 'Proposal',
  });
  await settle();
  return { org, author, id: body.id, space, page, request: `${space}/change-requests/${made.body.id}`, number: made.body.number };
}

describe('a person', () => {
  it('is told of a review that is asked for, and its author of what comes of it', async () => {
    const { org, author, id, request, number } = await desk();
    const [reviewer, reader] = [await org.member('review'), await org.member('read')];
    const asked = await author.api.post(`${request}/requested-reviewers`, { users: [reviewer.id] });
    expect(asked.status).toBe(200);
    await settle();
    const [told] = (await inbox(reviewer)).items;
    expect(told).toMatchObject({
      object: 'notification',
      kind: 'review_requested',
      read: false,
      actor: { id: author.id, email: author.email },
      organization: { id: org.id, title: 'Test organization' },
      space: { id, title: 'Docs' },
      changeRequest: { id: request.split('/').at(-1), number, subject: 'Proposal' },
    });
    expect(told?.urls.app).toMatch(new RegExp(`/o/${org.id}/s/${id}/~/changes/${number}$`));
    // Nobody else, and not the one who asked.
    expect(await Promise.all([author, org.admin, reader].map(kinds))).toEqual([[], [], []]);

    const review = await reviewer.api.post<{ id: string }>(`${request}/reviews`, {
      status: 'changes-requested',
      comment: { markdown: 'Name the **port**.' },
    });
    expect(review.status).toBe(200);
    await settle();
    expect((await inbox(author)).items).toMatchObject([
      {
        kind: 'reviewed',
        actor: { id: reviewer.id },
        review: review.body.id,
        outcome: 'changes-requested',
        excerpt: 'Name the port.',
      },
    ]);
    expect((await org.admin.api.post(`${request}/merge`)).status).toBe(200);
    await settle();
    expect([await kinds(author), await kinds(reviewer), await kinds(org.admin)]).toEqual([
      ['merged', 'reviewed'],
      ['merged', 'review_requested'],
      [],
    ]);
  });

  it('with the role review is told of an opened change request that asks nobody, once; else the next higher role is', async () => {
    const { org, author, request } = await desk();
    const [creator, reader] = [await org.member('create'), await org.member('comment')];
    await author.api.patch(request, { status: 'open' });
    await settle();
    expect(await Promise.all([creator, org.admin, reader, author].map(kinds))).toEqual([
      ['review_requested'],
      [],
      [],
      [],
    ]);
    const reviewer = await org.member('review');
    for (const status of ['draft', 'open', 'archived', 'open']) await author.api.patch(request, { status });
    await settle();
    expect(await Promise.all([creator, reviewer].map(kinds))).toEqual([['review_requested'], []]);

    const second = await desk();
    const other = await second.org.member('review');
    await second.author.api.patch(second.request, { status: 'open' });
    await settle();
    expect([await kinds(other), await kinds(second.org.admin)]).toEqual([['review_requested'], []]);
  });

  it('is told of comments and replies in discussions that they take part in', async () => {
    const { org, author, request, space, page } = await desk();
    const [first, second] = [await org.member('comment'), await org.member('comment')];
    const comment = await post(first, request, 'Why so?', { page });
    await settle();
    expect((await inbox(author)).items).toMatchObject([
      { kind: 'commented', comment: comment.id, excerpt: 'Why so?', page: { id: page, title: 'Guide' } },
    ]);
    expect((await inbox(author)).items[0]?.urls.app).toMatch(
      new RegExp(`/~/changes/1/~/pages/${page}\\?comment=${comment.id}$`),
    );
    const reply = await answer(second, request, comment.id, 'Because.');
    await settle();
    expect((await inbox(first)).items).toMatchObject([
      { kind: 'replied', comment: comment.id, reply: reply.id, excerpt: 'Because.', actor: { id: second.id } },
    ]);
    expect(await kinds(author)).toEqual(['commented', 'commented']);
    await answer(author, request, comment.id, 'Well');
    await settle();
    expect([await kinds(first), await kinds(second), (await kinds(author)).length]).toEqual([
      ['replied', 'replied'],
      ['replied'],
      2,
    ]);

    // On the content of a space: whoever made it, and those who discuss the same page.
    await post(first, space, 'On the page', { page });
    await post(second, space, 'Here too', { page });
    await settle();
    expect([await kinds(org.admin), (await kinds(first))[0], (await kinds(second))[0]]).toEqual([
      ['commented', 'commented'],
      'commented',
      'replied',
    ]);
    // What is removed is told no longer.
    expect((await first.api.delete(`${request}/comments/${comment.id}`)).status).toBe(204);
    expect((await inbox(author)).items).toEqual([]);
  });

  it('is told of a mention and of nothing else of that comment, also when the comment is rewritten, and once', async () => {
    const { org, author, request } = await desk();
    const [person, other] = [await org.member('read'), await org.member('comment')];
    const body = (ids: string[]) => ({
      document: {
        object: 'document',
        data: {},
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            data: {},
            nodes: ids.map((user) => ({
              object: 'inline',
              type: 'mention',
              isVoid: true,
              data: { ref: { kind: 'user', user } },
              nodes: [],
            })),
          },
        ],
      },
    });
    const made = await other.api.post<{ id: string }>(`${request}/comments`, {
      body: body([author.id, author.id, other.id]),
    });
    expect([made.status, made.body]).toEqual([200, made.body]);
    await settle();
    expect([await kinds(author), await kinds(other), await kinds(person)]).toEqual([['mentioned'], [], []]);
    for (let i = 0; i < 2; i++) {
      const changed = await other.api.put(`${request}/comments/${made.body.id}`, {
        body: body([author.id, person.id, ...(i ? [other.id] : [])]),
      });
      expect(changed.status).toBe(200);
    }
    await settle();
    expect([await kinds(author), await kinds(other), await kinds(person)]).toEqual([['mentioned'], [], ['mentioned']]);
  });

  it('is told that their change request got into conflict with a merge, once for its base', async () => {
    const { org, author, request, space, page } = await desk();
    const edit = (person: Person, place: string, markdown: string) =>
      write(person, place, { operation: 'update_page', page, document: { markdown } });
    await edit(author, request, 'Mine\n\nSecond');
    const untouched = await author.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Other' });
    await write(author, `${space}/change-requests/${untouched.body.id}`, { operation: 'insert_page', title: 'New' });
    await edit(org.admin, space, 'First\n\nThird');
    await settle();
    expect(await kinds(author)).toEqual([]);
    await edit(org.admin, space, 'Theirs\n\nThird');
    await settle();
    expect((await inbox(author)).items).toMatchObject([
      { kind: 'conflict', actor: { id: org.admin.id }, changeRequest: { subject: 'Proposal' } },
    ]);
    await edit(org.admin, space, 'Theirs again\n\nThird');
    await settle();
    expect(await kinds(author)).toEqual(['conflict']);
    // With a new base it may get into conflict again.
    const { body } = await author.api.get<{ primary: string; items: { id: string }[] }>(`${request}/conflicts`);
    const settled = await author.api.post(`${request}/update`, { primary: body.primary, default: 'changed' });
    expect([settled.status, settled.body]).toEqual([200, settled.body]);
    await edit(org.admin, space, 'Once more\n\nThird');
    await settle();
    expect(await kinds(author)).toEqual(['conflict', 'conflict']);
    expect(await app.current.database.query('SELECT FROM conflict_check')).toEqual([]);
  });

  it('is not told of a conflict that they made themselves', async () => {
    const { org, author, request, space, page } = await desk('review');
    for (const [place, markdown] of [
      [request, 'Mine'],
      [space, 'Mine too'],
    ] as const)
      await write(author, place, { operation: 'update_page', page, document: { markdown } });
    await settle();
    expect([await kinds(author), await kinds(org.admin)]).toEqual([[], []]);
  });
});
