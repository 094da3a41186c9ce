import { describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Access } from '../src/kernel/access/access.service.js';
import { CommentReader } from '../src/authoring/comments/comment-reader.js';
import { Comments } from '../src/authoring/comments/comments.service.js';
import { poolOf } from '../src/kernel/common/database.js';
import { ContentPlaces } from '../src/authoring/content/content-places.js';
import { ExpiredSpacesJob } from '../src/workspace/spaces/expired-spaces.job.js';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import {
  answer,
  blocks,
  discussion,
  PLACES,
  post,
  write,
  type Discussion,
  type Failure,
  type List,
  type Post,
} from './discussion.js';

const app = useApp();

const start = (markdown?: string) => discussion(app.current, markdown);
const bodiesOf = ({ items }: List) => items.map(({ body }) => body.markdown?.trim());

describe.each(PLACES)('the comments of a %s', (place) => {
  const at = (world: Discussion) => world[place];

  it('are listed by status, page and authors, in both directions, page by page', async () => {
    const world = await start();
    const { admin, page } = world;
    const [ada, bob] = [await world.org.member('comment'), await world.org.member('comment')];
    const [one, two] = [await post(ada, at(world), 'One', { page }), await post(bob, at(world), 'Two')];
    const [three] = [await post(admin, at(world), 'Three', { page }), await post(ada, at(world), 'Four')];
    await admin.api.put(`${at(world)}/comments/${two.id}`, { resolved: true });
    await answer(bob, at(world), one.id, 'A reply is no comment');
    await post(ada, place === 'space' ? world.request : world.space, 'Somewhere else');
    const list = async (query: Record<string, string | number | string[]> = {}) => {
      const { status, body } = await bob.api.get<List>(`${at(world)}/comments`, { query });
      expect(status).toBe(200);
      return body;
    };
    const all = await list();
    expect([all.count, bodiesOf(all)]).toEqual([4, ['Four', 'Three', 'Two', 'One']]);
    expect(all.items[1]).toEqual({ ...three, permissions: { view: true, edit: false, reply: true, delete: false } });
    expect(all.items[3]).toMatchObject({ replies: 1, repliers: [{ count: 1, user: { id: bob.id } }] });
    expect(bodiesOf(await list({ order: 'asc' }))).toEqual(['One', 'Two', 'Three', 'Four']);
    expect(bodiesOf(await list({ status: 'open' }))).toEqual(['Four', 'Three', 'One']);
    expect(bodiesOf(await list({ status: 'resolved' }))).toEqual(['Two']);
    expect(bodiesOf(await list({ targetPage: page }))).toEqual(['Three', 'One']);
    expect((await list({ targetPage: newId() })).count).toBe(0);
    expect(bodiesOf(await list({ authors: ada.id }))).toEqual(['Four', 'One']);
    expect(bodiesOf(await list({ authors: [bob.id, admin.id], status: 'all' }))).toEqual(['Three', 'Two']);
    expect(
      bodiesOf(await list({ authors: [ada.id, admin.id], targetPage: page, status: 'open', order: 'asc' })),
    ).toEqual(['One', 'Three']);
    expect((await list({ format: 'document' })).items[0]?.body.document?.nodes).toMatchObject([{ type: 'paragraph' }]);
    for (const query of [{ status: 'closed' }, { order: 'up' }, { format: 'html' }, { limit: 1001 }])
      expect((await bob.api.get(`${at(world)}/comments`, { query })).status).toBe(400);

    const first = await list({ limit: 2 });
    await post(bob, at(world), 'Five');
    await admin.api.delete(`${at(world)}/comments/${three.id}`);
    const rest = await list({ limit: 2, page: first.next?.page ?? '' });
    expect([bodiesOf(first), bodiesOf(rest), rest.next]).toEqual([['Four', 'Three'], ['Two', 'One'], undefined]);
    expect(
      (await bob.api.get(`${at(world)}/comments`, { query: { limit: 2, page: first.next?.page ?? '', order: 'asc' } }))
        .status,
    ).toBe(400);
  });

  it('have replies in pages, and people who wrote them', async () => {
    const world = await start();
    const { admin } = world;
    const [ada, bob, silent] = [
      await world.org.member('comment'),
      await world.org.member('edit'),
      await world.org.member('admin'),
    ];
    const comment = await post(ada, at(world), 'Why?');
    for (const text of ['One', 'Two', 'Three']) await answer(bob, at(world), comment.id, text);
    const url = `${at(world)}/comments/${comment.id}/replies`;
    const first = (await admin.api.get<List>(url, { query: { limit: 2 } })).body;
    const second = (await admin.api.get<List>(url, { query: { limit: 2, page: first.next?.page ?? '' } })).body;
    expect([first.count, bodiesOf(first), bodiesOf(second), second.next]).toEqual([
      3,
      ['Three', 'Two'],
      ['One'],
      undefined,
    ]);
    expect(
      (await admin.api.get<List>(url, { query: { format: 'document' } })).body.items[0]?.body.document?.nodes,
    ).toMatchObject([{ type: 'paragraph' }]);
    expect((await admin.api.get(`${at(world)}/comments/${newId()}/replies`)).status).toBe(404);

    const who = async (person: Person, query = {}) =>
      (await person.api.get<List<{ object: string; id: string; role: string }>>(`${at(world)}/commenters`, { query }))
        .body;
    expect(await who(silent)).toMatchObject({
      count: 2,
      items: [
        { object: 'member', id: bob.id, role: 'edit' },
        { id: ada.id, role: 'comment', user: { email: ada.email } },
      ],
    });
    const page = await who(admin, { limit: 1 });
    expect((await who(admin, { limit: 1, page: page.next?.page })).items.map(({ id }) => id)).toEqual([ada.id]);
  });

  it('are fewer on a page where their bodies are large', async () => {
    const world = await start();
    await app.current.database.execute(
      `INSERT INTO comment (space_id, id, line, revision_id, body, posted_by, posted_at)
       SELECT $1, 'A' || lpad(n::text, 19, '0'), $2, 'none', json_build_object('object', 'document', 'data', json_build_object('filling', repeat('x', 90000)), 'nodes', '[]'::json), $3, now() + n * interval '1 second' FROM generate_series(1, 60) n`,
      [world.id, place === 'space' ? '' : world.requestId, world.admin.id],
    );
    for (const order of ['asc', 'desc']) {
      const seen: string[] = [];
      const pages: number[] = [];
      for (let page: string | undefined = ''; page !== undefined;) {
        const { body }: { body: List } = await world.admin.api.get<List>(`${at(world)}/comments`, {
          query: { limit: 1000, order, format: 'document', ...(page !== '' && { page }) },
        });
        expect(body.count).toBe(60);
        seen.push(...body.items.map(({ id }) => id));
        pages.push(body.items.length);
        page = body.next?.page;
      }
      expect([pages.length, seen.length, new Set(seen).size]).toEqual([2, 60, 60]);
      expect(seen).toEqual(order === 'asc' ? seen.toSorted() : seen.toSorted().reverse());
    }
  });

  it("show guests who speaks, but nobody's address, and let them mention nobody", async () => {
    const world = await start();
    const guest = await world.org.member('none');
    await world.admin.api.post(`${world.space}/permissions`, { role: 'comment', users: [guest.id] });
    const comment = await post(world.admin, at(world), 'Hello');
    const url = `${at(world)}/comments/${comment.id}`;
    await world.admin.api.put(url, { addedReactions: ['1f44d'], resolved: true });
    await answer(world.admin, at(world), comment.id, 'Anybody?');
    await answer(guest, at(world), comment.id, 'Yes');
    await post(guest, at(world), 'Mine');
    const seen = (await guest.api.get<List>(`${at(world)}/comments`)).body;
    expect(seen.items.map(({ postedBy }) => [postedBy.id, 'email' in postedBy])).toEqual([
      [guest.id, true],
      [world.admin.id, false],
    ]);
    expect(seen.items[1]?.postedBy.displayName).toBe(comment.postedBy.displayName);
    expect(JSON.stringify(seen)).not.toContain(world.admin.email);
    expect(JSON.stringify((await guest.api.get(`${url}/replies`)).body)).not.toContain(world.admin.email);
    expect(JSON.stringify((await world.admin.api.get(url)).body)).toContain(guest.email);
    expect((await guest.api.get<List>(`${at(world)}/commenters`)).body).toMatchObject({
      count: 1,
      items: [{ id: guest.id }],
    });
    const mention = (user: string) => ({
      document: {
        object: 'document',
        data: {},
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            nodes: [{ object: 'inline', type: 'mention', data: { ref: { kind: 'user', user } } }],
          },
        ],
      },
    });
    for (const user of [world.admin.id, newId()]) {
      const refused = await guest.api.post(`${at(world)}/comments`, { body: mention(user) });
      expect([refused.status, (refused.body as unknown as Failure).error.details?.[0]?.path]).toEqual([400, 'body']);
    }
    expect((await guest.api.post(`${at(world)}/comments`, { body: mention(guest.id) })).status).toBe(200);
  });

  it('count exactly where the space and the change request are read and listed', async () => {
    const world = await start();
    const { admin, org, space, request } = world;
    const counts = async () => {
      const read = async (path: string) => (await admin.api.get<{ comments: number }>(path)).body.comments;
      const listed = async (path: string) =>
        (await admin.api.get<List<{ comments: number }>>(path)).body.items.map((item) => item.comments);
      return {
        space: await read(space),
        spaces: await listed(`/orgs/${org.id}/spaces`),
        request: await read(request),
        requests: await listed(`${space}/change-requests?status=draft`),
        all: await listed(`/orgs/${org.id}/change-requests?status=draft`),
      };
    };
    const of = (count: number) => ({
      space: 0,
      spaces: [0],
      request: 0,
      requests: [0],
      all: [0],
      ...(place === 'space' ? { space: count, spaces: [count] } : { request: count, requests: [count], all: [count] }),
    });
    expect(await counts()).toEqual(of(0));
    const [one, two] = [await post(admin, at(world), 'One'), await post(admin, at(world), 'Two')];
    await answer(admin, at(world), one.id, 'Reply');
    expect(await counts()).toEqual(of(2));
    await admin.api.put(`${at(world)}/comments/${two.id}`, { resolved: true });
    expect(await counts()).toEqual(of(1));
    await admin.api.put(`${at(world)}/comments/${two.id}`, { resolved: false });
    await admin.api.delete(`${at(world)}/comments/${one.id}`);
    expect(await counts()).toEqual(of(1));
    expect(
      (await admin.api.get<List>(`${at(world)}/comments`, { query: { status: 'open', limit: 0 } })).body.count,
    ).toBe(1);
  });

  it('take as many queries for many as for one', async () => {
    const world = await start();
    const people = await Promise.all([1, 2, 3].map(() => world.org.member('comment')));
    const pool = poolOf(app.current.nest.get(DataSource));
    // The least of three: what is done in the background may fall into one of them.
    const queriesOf = async (format: string) => {
      const counts: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const asked = jest.spyOn(pool, 'query');
        await world.admin.api.get(`${at(world)}/comments`, { query: { format } });
        counts.push(asked.mock.calls.length);
        asked.mockRestore();
      }
      return Math.min(...counts);
    };
    const fill = async (markdown: string) => {
      const comment = await post(world.admin, at(world), markdown);
      for (const person of people) await answer(person, at(world), comment.id, 'Reply');
      for (const person of people)
        await person.api.put(`${at(world)}/comments/${comment.id}`, { addedReactions: ['1f44d', '1f680'] });
    };
    const link = `[guide](/pages/${world.page})`;
    await fill(link);
    const few = [await queriesOf('markdown'), await queriesOf('document')];
    for (let index = 0; index < 5; index++) await fill(`${link} ${index}`);
    expect([await queriesOf('markdown'), await queriesOf('document')]).toEqual(few);
    expect(few).toEqual(place === 'space' ? [3, 2] : [4, 3]);
  });

  it('survive races without a trace of halves', async () => {
    const world = await start();
    const people = await Promise.all(Array.from({ length: 6 }, () => world.org.member('edit')));
    const comment = await post(world.admin, at(world), 'Now');
    const url = `${at(world)}/comments/${comment.id}`;
    const reacted = await Promise.all(
      people.flatMap((person) => [1, 2].map(() => person.api.put(url, { addedReactions: ['1f44d'] }))),
    );
    expect(reacted.every(({ status }) => status === 200)).toBe(true);
    expect((await world.admin.api.get<Post>(url)).body.reactions).toMatchObject([
      { emoji: '1f44d', count: people.length },
    ]);
    const both = await Promise.all([
      ...people.map((person, index) => person.api.put(url, { resolved: index % 2 === 0 })),
      world.admin.api.put(url, { body: { markdown: 'Edited' } }),
    ]);
    expect(both.every(({ status }) => status === 200)).toBe(true);
    const after = (await world.admin.api.get<Post>(url)).body;
    expect(after).toMatchObject({ body: { markdown: 'Edited\n' }, editedAt: expect.any(String) });
    expect([after.status === 'resolved', after.resolvedBy !== undefined]).toEqual([
      after.resolvedAt !== undefined,
      after.resolvedAt !== undefined,
    ]);
    const end = await Promise.all([
      ...people.map((person) => person.api.post(`${url}/replies`, { body: { markdown: 'Wait' } })),
      world.admin.api.delete(url),
      ...people.map((person) => person.api.put(url, { addedReactions: ['1f680'] })),
    ]);
    expect(end.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
    const left = await app.current.database.query(
      'SELECT id FROM comment WHERE space_id = $1 UNION ALL SELECT comment_id FROM comment_reaction WHERE space_id = $1',
      [world.id],
    );
    expect(left).toEqual([]);
  });

  it('are written with the role that their author has then, not when the request came in', async () => {
    const world = await start();
    const { admin, id } = world;
    const member = await world.org.member('comment');
    await admin.api.post(`${world.space}/permissions`, { role: 'create', users: [member.id] });
    const [theirs, own] = [await post(admin, at(world), 'Theirs'), await post(member, at(world), 'Own')];
    const [url, mine] = [`${at(world)}/comments/${theirs.id}`, `${at(world)}/comments/${own.id}`];
    const reply = await answer(member, at(world), theirs.id, 'Reply');
    const places = app.current.get(ContentPlaces);
    const find = places.at.bind(places);
    const late = jest.spyOn(places, 'at').mockImplementation(async (...args) => {
      await app.current.database.execute(
        `UPDATE space_member_grant SET role = 'read' WHERE space_id = $1 AND user_id = $2`,
        [id, member.id],
      );
      return find(...args);
    });
    const attempts = [
      () => member.api.post(`${at(world)}/comments`, { body: { markdown: 'Late' } }),
      () => member.api.post(`${url}/replies`, { body: { markdown: 'Late' } }),
      () => member.api.put(mine, { body: { markdown: 'Late' } }),
      () => member.api.put(`${url}/replies/${reply.id}`, { addedReactions: ['1f44d'] }),
      () => member.api.put(url, { resolved: true }),
      () => member.api.delete(url),
      () => member.api.delete(`${url}/replies/${reply.id}`),
    ];
    for (const attempt of attempts) {
      await app.current.database.execute(
        `UPDATE space_member_grant SET role = 'create' WHERE space_id = $1 AND user_id = $2`,
        [id, member.id],
      );
      expect((await attempt()).status).toBe(403);
    }
    late.mockRestore();
    const { items } = (await admin.api.get<List>(`${at(world)}/comments`)).body;
    expect(
      items.map(({ body, status, replies, reactions }) => [body.markdown?.trim(), status, replies, reactions.length]),
    ).toEqual([
      ['Own', 'open', 0, 0],
      ['Theirs', 'open', 1, 0],
    ]);
  });

  it('record events with their changes', async () => {
    const world = await start();
    const comment = await post(world.admin, at(world), 'Now', { page: world.page });
    const reply = await answer(world.admin, at(world), comment.id, 'Then');
    const url = `${at(world)}/comments/${comment.id}`;
    await world.admin.api.put(url, { body: { markdown: 'Later' }, addedReactions: ['1f44d'], resolved: true });
    await world.admin.api.put(url, { body: { markdown: 'Later' }, addedReactions: ['1f44d'], resolved: true });
    await world.admin.api.put(url, { resolved: false });
    await world.admin.api.put(`${url}/replies/${reply.id}`, { body: { markdown: 'Never' } });
    await world.admin.api.delete(`${url}/replies/${reply.id}`);
    await world.admin.api.delete(url);
    const events = await app.current.database.query<{ type: string; target: string; payload: object }>(
      `SELECT type, target, payload FROM event WHERE space_id = $1 AND type LIKE 'comment%' ORDER BY at, id`,
      [world.id],
    );
    const within = place === 'request' ? { changeRequestId: world.requestId } : {};
    const told = [
      ['comment_created', comment.id, { ...within, pageId: world.page }],
      ['comment_reply_created', reply.id, { ...within, commentId: comment.id }],
      ['comment_updated', comment.id, { ...within, fields: ['body', 'reactions'] }],
      ['comment_resolved', comment.id, within],
      ['comment_reopened', comment.id, within],
      ['comment_reply_updated', reply.id, { ...within, commentId: comment.id, fields: ['body'] }],
      ['comment_reply_deleted', reply.id, { ...within, commentId: comment.id }],
      ['comment_deleted', comment.id, within],
    ];
    expect(events.map(({ type, target, payload }) => [type, target, payload])).toEqual(expect.arrayContaining(told));
    expect(events).toHaveLength(told.length);
  });
});

describe('a comment', () => {
  it('keeps its anchor when the block moves or is rewritten, and when the page goes', async () => {
    const world = await start('One two three four\n\nFive six seven');
    const { admin, space, page } = world;
    const [first] = await blocks(admin, space, page);
    const made = await post(admin, space, 'About this', { page, node: first?.key });
    const rewrite = (markdown: string) =>
      write(admin, space, { operation: 'update_page', page, document: { markdown } });
    const anchor = async () => {
      const { target } = (await admin.api.get<Post>(`${space}/comments/${made.id}`)).body;
      return (await blocks(admin, space, page)).findIndex(({ key }) => key === target.node?.id);
    };
    await rewrite('Five six seven\n\nOne two three four');
    expect(await anchor()).toBe(1);
    await rewrite('New\n\nFive six seven\n\nOne two three four and more');
    expect(await anchor()).toBe(2);
    await write(admin, space, { operation: 'delete_page', page });
    expect((await admin.api.get<Post>(`${space}/comments/${made.id}`)).body).toEqual(made);
    expect((await admin.api.get<List>(`${space}/comments`, { query: { targetPage: page } })).body.items).toEqual([
      made,
    ]);
  });

  it('stays with its change request after merge and archive, and can still be answered', async () => {
    const world = await start();
    const { admin, space, request } = world;
    const [page] = await write(admin, request, {
      operation: 'insert_page',
      title: 'Proposed',
      document: { markdown: 'New' },
    });
    const made = await post(admin, request, 'Good', { page });
    expect((await admin.api.post(`${request}/merge`)).body).toMatchObject({ result: 'merge' });
    expect((await admin.api.get(`${request}/comments/${made.id}`)).body).toEqual(made);
    expect((await admin.api.get<List>(`${space}/comments`)).body.count).toBe(0);
    expect((await answer(admin, request, made.id, 'Thanks')).object).toBe('comment-reply');
    const other = (await admin.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Other' })).body;
    const late = await post(admin, `${space}/change-requests/${other.id}`, 'No');
    await admin.api.patch(`${space}/change-requests/${other.id}`, { status: 'archived' });
    expect((await admin.api.get(`${space}/change-requests/${other.id}/comments/${late.id}`)).body).toEqual(late);
  });

  it('belongs to a review where one is posted with it, in the same transaction', async () => {
    const world = await start();
    const { admin, request } = world;
    const caller = { userId: admin.id, tokenId: '', organizationId: undefined, scopes: undefined };
    const access = await app.current.get(Access).space(caller, world.id);
    if (!access) throw new Error('the space is there');
    const place = await app.current.get(ContentPlaces).at(access, { changeRequestId: world.requestId });
    const [comments, reader, review] = [app.current.get(Comments), app.current.get(CommentReader), newId()];
    const undone = app.current.database.transaction(async () => {
      await comments.post(caller, place, { body: { markdown: 'Undone' } }, { review: newId() });
      throw new Error('on second thoughts');
    });
    await expect(undone).rejects.toThrow('on second thoughts');
    const id = await comments.post(caller, place, { body: { markdown: 'Approved, but see below' } }, { review });
    const shown = (await reader.ofReviews(caller, place, [newId(), review])).get(review);
    expect(shown).toMatchObject({
      id,
      body: { markdown: 'Approved, but see below\n' },
      target: { review, changeRequest: world.requestId },
    });
    expect((await admin.api.get<List>(`${request}/comments`)).body).toMatchObject({
      count: 1,
      items: [{ id, target: { review } }],
    });
  });

  it('goes to the trash, to another organization and out of the world with its space, and into no copy', async () => {
    const world = await start();
    const { admin, org, id, space } = world;
    const author = await org.member('comment');
    const made = await post(author, space, 'Keep me');
    await author.api.put(`${space}/comments/${made.id}`, { addedReactions: ['1f44d'] });
    await answer(author, space, made.id, 'Please');
    const copy = await admin.api.post<{ id: string; comments: number }>(`${space}/duplicate`);
    expect([copy.status, copy.body.comments]).toEqual([201, 0]);
    expect((await admin.api.get<List>(`/spaces/${copy.body.id}/comments`)).body.count).toBe(0);
    await admin.api.delete(space);
    for (const path of ['/comments', `/comments/${made.id}`, '/commenters'])
      expect((await admin.api.get(`${space}${path}`)).status).toBe(404);
    await admin.api.post(`${space}/restore`);
    expect((await admin.api.get<Post>(`${space}/comments/${made.id}`)).body).toMatchObject({
      replies: 1,
      reactions: [{ count: 1 }],
    });

    const other = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
      [other.id, admin.id],
    );
    expect((await admin.api.post(`${space}/transfer`, { organization: other.id })).status).toBe(200);
    expect((await admin.api.get<Post>(`${space}/comments/${made.id}`)).body).toMatchObject({
      postedBy: { id: author.id },
      replies: 1,
    });
    expect((await admin.api.get<List>(`${space}/commenters`)).body).toMatchObject({ count: 0, items: [] });
    expect((await author.api.get(`${space}/comments/${made.id}`)).status).toBe(404);

    await admin.api.delete(space);
    await app.current.database.execute(`UPDATE space SET deleted_at = now() - interval '30 days' WHERE id = $1`, [id]);
    await app.current.get(ExpiredSpacesJob).remove();
    const left = await app.current.database.query(
      'SELECT FROM comment WHERE space_id = $1 UNION ALL SELECT FROM comment_reaction WHERE space_id = $1 UNION ALL SELECT FROM space WHERE id = $1',
      [id],
    );
    expect(left).toHaveLength(0);
  });
});
