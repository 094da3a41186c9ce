import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface Review {
  id: string;
  revision: string;
  status: string;
  outdated: boolean;
  reviewer: { id: string };
  requestedBy?: { id: string };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Requested {
  user: { id: string };
  requestedBy: { id: string };
  kind: string;
  revision: string;
}
interface Made {
  id: string;
  revision: string;
  status: string;
}

/** A space with a change request of an editor, and somebody who may review. */
async function proposal() {
  const org = await buildOrganization(app.current);
  const { admin } = org;
  const { body: space } = await admin.api.post<Made>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  const [author, reviewer] = [await org.member('edit'), await org.member('review')];
  const url = `/spaces/${space.id}`;
  const { body } = await author.api.post<Made>(`${url}/change-requests`, { subject: 'Proposal' });
  const cr = `${url}/change-requests/${body.id}`;
  await write(author, cr, 'Proposed');
  return { org, admin, author, reviewer, spaceId: space.id, id: body.id, url, cr };
}

async function write(person: Person, at: string, title: string): Promise<void> {
  expect(
    (
      await person.api.post(`${at}/content`, {
        changes: [{ operation: 'insert_page', title, document: { markdown: title } }],
      })
    ).status,
  ).toBe(200);
}

const submit = (person: Person, cr: string, status: string) => person.api.post<Review>(`${cr}/reviews`, { status });
const listed = async (person: Person, cr: string, query = {}) =>
  (await person.api.get<List<Review>>(`${cr}/reviews`, { query })).body;
const events = (target: string, type: string) =>
  app.current.database.query<{ payload: object }>(
    'SELECT payload FROM event WHERE target = $1 AND type = $2 ORDER BY at, id',
    [target, type],
  );

describe('reviews', () => {
  it('are submitted, listed and read, and say which revision they are of', async () => {
    const { admin, reviewer, cr, id } = await proposal();
    const { revision } = (await admin.api.get<Made>(cr)).body;
    const made = await submit(reviewer, cr, 'changes-requested');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'change-request-review',
      revision,
      status: 'changes-requested',
      outdated: false,
      reviewer: { id: reviewer.id },
    });
    expect(made.body).not.toHaveProperty('requestedBy');
    expect(made.headers.get('location')).toContain(`${cr}/reviews/${made.body.id}`);
    const second = await submit(admin, `${cr.slice(0, cr.lastIndexOf('/'))}/1`, 'approved');
    expect((await listed(reviewer, cr)).items.map((each) => each.id)).toEqual([second.body.id, made.body.id]);
    const first = await listed(reviewer, cr, { limit: 1 });
    expect(first).toMatchObject({ count: 2, items: [{ id: second.body.id }] });
    expect((await listed(reviewer, cr, { limit: 1, page: first.next?.page })).items).toEqual([made.body]);
    expect((await admin.api.get(`${cr}/reviews/${made.body.id}`)).body).toEqual(made.body);
    expect((await admin.api.get(`${cr}/reviews/${newId()}`)).status).toBe(404);
    expect((await events(id, 'change_request_reviewed')).map(({ payload }) => payload)).toEqual([
      { number: 1, reviewId: made.body.id, status: 'changes-requested' },
      { number: 1, reviewId: second.body.id, status: 'approved' },
    ]);
  });

  it('say why in a comment, which is discussed with the change request', async () => {
    const { admin, author, reviewer, cr } = await proposal();
    const made = await reviewer.api.post<Review & { comment: { id: string } }>(`${cr}/reviews`, {
      status: 'changes-requested',
      comment: { markdown: 'Too **short**' },
    });
    expect(made.body.comment).toMatchObject({
      object: 'comment',
      postedBy: { id: reviewer.id },
      body: { markdown: 'Too **short**\n' },
      status: 'open',
      target: { changeRequest: cr.split('/').at(-1), review: made.body.id },
    });
    const { comment } = made.body;
    expect(
      (await author.api.post(`${cr}/comments/${comment.id}/replies`, { body: { markdown: 'Longer now' } })).status,
    ).toBe(200);
    expect((await admin.api.get(cr)).body).toMatchObject({ comments: 1 });
    await submit(admin, cr, 'approved');
    const [second, first] = (await listed(admin, cr, { format: 'document' })).items;
    expect(first).toMatchObject({
      id: made.body.id,
      comment: { id: comment.id, replies: 1, body: { document: { object: 'document' } } },
    });
    expect(second).not.toHaveProperty('comment');
    expect((await admin.api.get(`${cr}/reviews/${made.body.id}`)).body).toMatchObject({
      comment: { id: comment.id, body: { markdown: 'Too **short**\n' } },
    });
    const { body } = await admin.api.get<List<{ user: { id: string }; actionType: string; count: number }>>(
      `${cr}/contributors`,
    );
    expect(body.items.map(({ user, actionType, count }) => [user.id, actionType, count])).toEqual([
      [author.id, 'comment', 1],
      [reviewer.id, 'comment', 1],
      [author.id, 'edit', 1],
    ]);
    const contributed = (
      await admin.api.get<List<Made>>(`${cr.slice(0, cr.lastIndexOf('/'))}`, {
        query: { contributor: reviewer.id, status: 'draft' },
      })
    ).body;
    expect(contributed.count).toBe(1);
    expect((await admin.api.delete(`${cr}/comments/${comment.id}`)).status).toBe(204);
    expect((await admin.api.get(`${cr}/reviews/${made.body.id}`)).body).not.toHaveProperty('comment');
    const wrong = await reviewer.api.post(`${cr}/reviews`, {
      status: 'approved',
      comment: { document: { object: 'nonsense' } },
    });
    expect(wrong.body).toMatchObject({
      error: { code: 400, details: [{ path: expect.stringMatching(/^comment\.document/) }] },
    });
    expect((await listed(admin, cr)).count).toBe(2);
  });

  it('are fewer on a page where their comments are large', async () => {
    const { reviewer, cr, id, spaceId } = await proposal();
    await app.current.database.execute(
      `WITH filled AS (
         INSERT INTO change_request_review (id, space_id, change_request_id, reviewer_id, status, revision_id, sequence, created_at)
         SELECT 'A' || lpad(n::text, 19, '0'), $1, $2, $3, 'approved', 'none', 1, now() + n * interval '1 second' FROM generate_series(1, 60) n RETURNING id, created_at)
       INSERT INTO comment (space_id, id, line, review_id, revision_id, body, posted_by, posted_at)
       SELECT $1, 'C' || substr(id, 2), $2, id, 'none', json_build_object('object', 'document', 'data', json_build_object('filling', repeat('x', 90000)), 'nodes', '[]'::json), $3, created_at FROM filled`,
      [spaceId, id, reviewer.id],
    );
    const first = await listed(reviewer, cr, { limit: 1000, format: 'document' });
    const rest = await listed(reviewer, cr, { limit: 1000, format: 'document', page: first.next?.page ?? '' });
    expect([first.count, first.items.length < 60, rest.next]).toEqual([60, true, undefined]);
    expect(new Set([...first.items, ...rest.items].map((review) => review.id)).size).toBe(60);
  });

  it('are outdated by new content of the change request, and not by what primary has already', async () => {
    const { admin, author, reviewer, url, cr } = await proposal();
    await submit(reviewer, cr, 'approved');
    await write(admin, url, 'Meanwhile');
    expect((await author.api.post(`${cr}/update`)).body).toMatchObject({ result: 'update' });
    expect((await listed(admin, cr)).items).toMatchObject([{ outdated: false }]);
    await write(author, cr, 'More');
    expect((await listed(admin, cr)).items).toMatchObject([{ outdated: true }]);
    const again = await submit(reviewer, cr, 'approved');
    expect((await listed(admin, cr, { outdated: false })).items).toMatchObject([
      { id: again.body.id, outdated: false },
    ]);
    expect(await listed(admin, cr, { outdated: true })).toMatchObject({ count: 1, items: [{ outdated: true }] });
    expect((await listed(admin, cr)).count).toBe(2);
    expect((await admin.api.get(`${cr}/reviews`, { query: { outdated: 'perhaps' } })).status).toBe(400);
  });

  it('are outdated by an update in which somebody settled a conflict', async () => {
    const { admin, author, reviewer, url, cr } = await proposal();
    const { pages } = (await admin.api.get<{ pages: { id: string }[] }>(`${cr}/content/pages`)).body;
    await admin.api.post(`${cr}/merge`);
    const { body } = await author.api.post<Made>(`${url}/change-requests`, { subject: 'Second' });
    const second = `${url}/change-requests/${body.id}`;
    for (const [person, at, title] of [
      [author, second, 'Mine'],
      [admin, url, 'Yours'],
    ] as const)
      await person.api.post(`${at}/content`, { changes: [{ operation: 'update_page', page: pages[0]?.id, title }] });
    await submit(reviewer, second, 'approved');
    const { primary } = (await author.api.get<{ primary: string }>(`${second}/conflicts`)).body;
    expect((await author.api.post(`${second}/update`, { primary, default: 'changed' })).body).toMatchObject({
      result: 'update',
    });
    expect((await listed(admin, second)).items).toMatchObject([{ outdated: true }]);
  });

  it('are nothing for authors, for those without the role, and for what is archived or merged', async () => {
    const { org, admin, author, reviewer, spaceId, cr } = await proposal();
    expect((await submit(author, cr, 'approved')).status).toBe(403);
    await app.current.database.execute(
      `UPDATE member SET role = 'create' WHERE organization_id = $1 AND user_id = $2`,
      [org.id, author.id],
    );
    expect((await submit(author, cr, 'approved')).body).toMatchObject({
      error: { code: 403, message: 'Authors cannot review their own change requests' },
    });
    expect((await submit(await org.member('edit'), cr, 'approved')).status).toBe(403);
    for (const body of [{}, { status: 'changes_requested' }])
      expect((await reviewer.api.post(`${cr}/reviews`, body)).status).toBe(400);
    await admin.api.patch(cr, { status: 'archived' });
    expect((await submit(reviewer, cr, 'approved')).status).toBe(409);
    await admin.api.patch(cr, { status: 'draft' });
    expect((await submit(reviewer, cr, 'approved')).status).toBe(201);
    await admin.api.post(`${cr}/merge`);
    expect((await submit(reviewer, cr, 'approved')).status).toBe(409);
    expect((await listed(reviewer, cr)).items).toMatchObject([{ status: 'approved', outdated: false }]);
    const stranger = await proposal();
    const foreign = (await submit(stranger.reviewer, stranger.cr, 'approved')).body.id;
    for (const path of [
      `${cr}/reviews`,
      `${cr}/reviews/${foreign}`,
      `/spaces/${stranger.spaceId}/change-requests/${cr.split('/').at(-1) ?? ''}/reviews`,
    ])
      expect((await stranger.admin.api.get(path)).status).toBe(404);
    expect((await admin.api.get(`/spaces/${spaceId}/change-requests/${stranger.id}/reviews`)).status).toBe(404);
    expect((await admin.api.get(`${cr}/reviews/${foreign}`)).status).toBe(404);
  });
});

describe('requested reviewers', () => {
  it('are asked, which opens a draft, and answer with a review', async () => {
    const { org, admin, author, reviewer, cr, id, url, spaceId } = await proposal();
    const reader = await org.member('read');
    const description = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };
    const asked = await author.api.post<{ users: Requested[] }>(`${cr}/requested-reviewers`, {
      users: [reviewer.id, reader.id],
      subject: 'Please look',
      description,
    });
    expect(asked.status).toBe(200);
    expect(asked.body.users).toMatchObject(
      [reviewer, reader].map((person) => ({
        object: 'change-request-requested-reviewer',
        kind: 'user',
        user: { id: person.id },
        requestedBy: { id: author.id },
      })),
    );
    expect((await admin.api.get<Made>(cr)).body).toMatchObject({
      status: 'open',
      subject: 'Please look',
      description,
      revision: asked.body.users[0]?.revision,
    });
    await admin.api.patch(cr, { subject: 'Kept' });
    const again = await admin.api.post<{ users: Requested[] }>(`${cr}/requested-reviewers`, { users: [reviewer.id] });
    expect(again.body.users).toEqual([asked.body.users[0]]);
    expect((await admin.api.get(cr)).body).toMatchObject({ status: 'open', subject: 'Kept' });
    const list = (await admin.api.get<List<Requested>>(`${cr}/requested-reviewers`)).body;
    const start = (await admin.api.get<List<Requested>>(`${cr}/requested-reviewers`, { query: { limit: 1 } })).body;
    expect(start.items).toEqual(list.items.slice(0, 1));
    expect(
      (
        await admin.api.get<List<Requested>>(`${cr}/requested-reviewers`, {
          query: { limit: 1, page: start.next?.page },
        })
      ).body.items,
    ).toEqual(list.items.slice(1));
    const stale = { headers: { 'If-Match': '"1.x"' } };
    expect(
      (await admin.api.post(`${cr}/requested-reviewers`, { users: [reviewer.id], subject: 'Too late' }, stale)).status,
    ).toBe(412);
    expect([list.count, list.items.map(({ user }) => user.id).sort()]).toEqual([2, [reviewer.id, reader.id].sort()]);
    const wanted = async (person: Person) =>
      (
        await admin.api.get<List<Made>>(`${url}/change-requests`, { query: { requestedReviewer: person.id } })
      ).body.items.map((each) => each.id);
    expect(await wanted(reviewer)).toEqual([id]);
    expect((await submit(reviewer, cr, 'approved')).body).toMatchObject({ requestedBy: { id: author.id } });
    expect([await wanted(reviewer), await wanted(reader)]).toEqual([[], [id]]);
    expect((await author.api.delete(`${cr}/requested-reviewers/${reader.id}`)).status).toBe(204);
    expect((await author.api.delete(`${cr}/requested-reviewers/${reader.id}`)).status).toBe(204);
    expect((await admin.api.get(`${cr}/requested-reviewers`)).body).toMatchObject({ count: 0, items: [] });
    expect((await events(id, 'change_request_review_requested')).map(({ payload }) => payload)).toEqual([
      { number: 1, userIds: expect.arrayContaining([reviewer.id, reader.id]) },
    ]);
    expect((await events(id, 'change_request_review_request_removed')).map(({ payload }) => payload)).toEqual([
      { number: 1, userIds: [reader.id] },
    ]);
    expect(
      (await author.api.delete(`/spaces/${spaceId}/change-requests/${newId()}/requested-reviewers/${reader.id}`))
        .status,
    ).toBe(404);
  });

  it('are people who can read the space, other than the author', async () => {
    const { org, admin, author, reviewer, cr } = await proposal();
    const stranger = (await proposal()).reviewer;
    const [disabled, guest, removed, blocked] = [
      await org.member('review'),
      await org.member('none'),
      await org.member('review'),
      await org.member('review'),
    ];
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [disabled.id]);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [blocked.id]);
    await admin.api.delete(`/orgs/${org.id}/members/${removed.id}`);
    for (const id of [stranger.id, disabled.id, guest.id, removed.id, blocked.id, newId(), author.id]) {
      const { body } = await author.api.post(`${cr}/requested-reviewers`, { users: [reviewer.id, id] });
      expect(body).toMatchObject({ error: { code: 400, details: [{ path: 'users.1' }] } });
    }
    for (const users of [[], undefined, [7], Array.from({ length: 51 }, () => reviewer.id)])
      expect((await author.api.post(`${cr}/requested-reviewers`, { users })).status).toBe(400);
    expect((await admin.api.get(`${cr}/requested-reviewers`)).body).toMatchObject({ count: 0 });
    expect((await admin.api.get(cr)).body).toMatchObject({ status: 'draft' });
    await admin.api.patch(cr, { status: 'archived' });
    expect((await author.api.post(`${cr}/requested-reviewers`, { users: [reviewer.id] })).status).toBe(409);
  });

  it('are forgotten with their membership, also when both happen at once', async () => {
    const { org, admin, author, cr } = await proposal();
    for (let round = 0; round < 5; round++) {
      const person = await org.member('review');
      const [asked, removed] = await Promise.all([
        author.api.post(`${cr}/requested-reviewers`, { users: [person.id] }),
        admin.api.delete(`/orgs/${org.id}/members/${person.id}`),
      ]);
      expect([[200, 400], 204]).toEqual([expect.arrayContaining([asked.status]), removed.status]);
      expect((await admin.api.get(`${cr}/requested-reviewers`)).body).toMatchObject({ count: 0 });
    }
  });
});

describe('the lists of a change request', () => {
  it('refuse what is no page of theirs', async () => {
    const { admin, cr } = await proposal();
    for (const list of ['reviews', 'requested-reviewers', 'contributors'])
      for (const query of [{ limit: 'x' }, { page: 'x' }])
        expect((await admin.api.get(`${cr}/${list}`, { query })).status).toBe(400);
  });
});

describe('contributors', () => {
  it('are those who changed the content, with how often and when', async () => {
    const { org, admin, author, cr } = await proposal();
    const helper = await org.member('edit');
    await write(author, cr, 'Second');
    await write(helper, cr, 'Third');
    const { body } = await admin.api.get<List<{ user: { id: string }; count: number; actionType: string }>>(
      `${cr}/contributors`,
    );
    expect(body.items.map(({ user, count, actionType }) => [user.id, count, actionType])).toEqual([
      [helper.id, 1, 'edit'],
      [author.id, 2, 'edit'],
    ]);
    expect((await admin.api.get(`${cr}/contributors`, { query: { limit: 1 } })).body).toMatchObject({
      count: 2,
      items: [{ user: { id: helper.id } }],
    });
  });
});
