import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { Client } from './client.js';
import {
  answer,
  blocks,
  discussion,
  PLACES,
  post,
  write,
  type Discussion,
  type Failure,
  type Post,
} from './discussion.js';

const app = useApp();

const start = (markdown?: string) => discussion(app.current, markdown);
const leaf = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });
const documentOf = (...nodes: object[]) => ({ object: 'document', data: { schemaVersion: 8 }, nodes });
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes });
const faultsOf = (body: unknown) => (body as Failure).error.details?.map(({ path }) => path);

describe.each(PLACES)('comments on the %s', (place) => {
  const at = (world: Discussion) => world[place];

  it('are posted as Markdown, as a document or empty, and read in both forms', async () => {
    const world = await start();
    const { admin, page } = world;
    const { api } = admin;
    const made = await api.post<Post>(`${at(world)}/comments`, {
      body: { markdown: `Is **this** right? See [the guide](/pages/${page}).` },
    });
    expect(made.status).toBe(200);
    const { id } = made.body;
    expect(made.body).toMatchObject({
      object: 'comment',
      status: 'open',
      postedBy: { id: admin.id, email: admin.email },
      reactions: [],
      replies: 0,
      repliers: [],
      body: { markdown: 'Is **this** right? See [the guide](guide.md).\n' },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    expect(made.body.target).toEqual({
      space: world.id,
      revision: expect.any(String),
      ...(place === 'request' && { changeRequest: world.requestId }),
    });
    expect(made.body.urls.location).toBe(`${app.current.url}/v1${at(world)}/comments/${id}`);
    expect((await api.get(`${at(world)}/comments/${id}`)).body).toEqual(made.body);
    const asDocument = await api.get<Post>(`${at(world)}/comments/${id}`, { query: { format: 'document' } });
    const [block] = asDocument.body.body.document?.nodes ?? [];
    expect(block).toMatchObject({ type: 'paragraph', key: expect.any(String) });
    expect(JSON.stringify(block)).toContain(JSON.stringify({ kind: 'page', page }));
    expect((await api.get(`${at(world)}/comments/${id}`, { query: { format: 'html' } })).status).toBe(400);

    const mention = {
      object: 'inline',
      type: 'mention',
      isVoid: true,
      data: { ref: { kind: 'user', user: admin.id } },
    };
    const given = await api.post<Post>(
      `${at(world)}/comments`,
      { body: { document: documentOf(paragraph(leaf('Ask '), mention, leaf(''))) } },
      { query: { format: 'document' } },
    );
    expect(given.body.body.document?.nodes).toMatchObject([
      { type: 'paragraph', nodes: [leaf('Ask '), mention, leaf('')] },
    ]);
    const text = (await api.get<Post>(`${at(world)}/comments/${given.body.id}`)).body.body.markdown ?? '';
    const again = await api.post<Post>(
      `${at(world)}/comments`,
      { body: { markdown: text } },
      { query: { format: 'document' } },
    );
    expect(again.body.body.document?.nodes).toMatchObject([{ type: 'paragraph', nodes: [leaf('Ask '), mention] }]);

    const byAddress = `[Ada](${app.current.url}/v1/users/${admin.id} "mention") and [Ada](${app.current.url}/v1/users/nobody)`;
    const named = await api.post<Post>(
      `${at(world)}/comments`,
      { body: { markdown: byAddress } },
      { query: { format: 'document' } },
    );
    expect(named.body.body.document?.nodes[0]?.nodes?.[0]).toMatchObject({
      type: 'mention',
      data: { ref: { kind: 'user', user: admin.id }, text: 'Ada' },
    });
    expect(JSON.stringify(named.body.body.document)).toContain('"kind":"url"');

    const empty = await api.post<Post>(`${at(world)}/comments`, { body: {} });
    expect(empty.body.body).toEqual({ markdown: '' });
    expect(
      (await api.get<Post>(`${at(world)}/comments/${empty.body.id}`, { query: { format: 'document' } })).body.body,
    ).toEqual({ document: documentOf() });
  });

  it('name what is wrong with a body', async () => {
    const world = await start();
    const refused = async (body: unknown) => {
      const failed = await world.admin.api.post(`${at(world)}/comments`, { body });
      expect(failed.status).toBe(400);
      return faultsOf(failed.body);
    };
    expect(await refused(undefined)).toEqual(['body']);
    expect(await refused('text')).toEqual(['body']);
    expect(await refused({ markdown: 7 })).toEqual(['body.markdown']);
    expect(await refused({ markdown: 'x'.repeat(20_001) })).toEqual(['body.markdown']);
    expect(await refused({ document: documentOf(paragraph(), { object: 'block', type: 'nonsense' }) })).toEqual([
      'body.document.nodes.1',
    ]);
    expect(await refused({ document: documentOf(paragraph({ object: 'text', leaves: 'x' })) })).toEqual([
      'body.document.nodes.0.nodes.0.leaves',
    ]);
    expect(await refused({ document: documentOf(paragraph(leaf('x'.repeat(100_000)))) })).toEqual(['body.document']);
    expect(await refused({ markdown: '* x\n'.repeat(4_000) })).toEqual(['body.markdown']);
    expect(await refused({ markdown: 'Words', document: documentOf(paragraph(leaf('Others'))) })).toEqual(['body']);
    expect(await refused({ mardown: 'Words' })).toEqual(['body.mardown']);
    expect(await refused({ 'mark down': 'Words' })).toEqual(['body']);
  });

  it('mention members of the organization, and nobody else', async () => {
    const world = await start();
    const { admin, org } = world;
    const stranger = (await start()).admin;
    const [member, leaver] = [await org.member('read'), await org.member('read')];
    const mention = (user: string) => ({
      document: documentOf(
        paragraph({ object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'user', user } } }),
      ),
    });
    const { id } = await post(admin, at(world), 'Words');
    const ways = [
      (body: object) => admin.api.post(`${at(world)}/comments`, { body }),
      (body: object) => admin.api.post(`${at(world)}/comments/${id}/replies`, { body }),
      (body: object) => admin.api.put(`${at(world)}/comments/${id}`, { body }),
    ];
    for (const way of ways) {
      for (const user of [stranger.id, newId(), 'made-up']) {
        const failed = await way(mention(user));
        expect([failed.status, faultsOf(failed.body)]).toEqual([400, ['body']]);
      }
      for (const user of [member.id, admin.id, leaver.id]) expect((await way(mention(user))).status).toBe(200);
    }
    expect((await ways[0]?.({ markdown: `[Eve](${app.current.url}/v1/users/${stranger.id} "mention")` }))?.status).toBe(
      400,
    );
    expect((await admin.api.delete(`/orgs/${org.id}/members/${leaver.id}`)).status).toBe(204);
    const again = mention(leaver.id).document;
    expect(
      (await ways[2]?.({ document: { ...again, nodes: [...again.nodes, paragraph(leaf('More'))] } }))?.status,
    ).toBe(200);
    expect((await ways[1]?.(mention(leaver.id)))?.status).toBe(400);
  });

  it('speak of a page, a block or a cell that is there', async () => {
    const world = await start('Words\n\n> Quoted\n\n| Name | Size |\n| --- | --- |\n| Cup | 3 |');
    const { admin, page } = world;
    const [words, quote, table] = await blocks(admin, at(world), page);
    const record = Object.keys(table?.data['records'] ?? {})[0] ?? '';
    const definition = Object.keys(table?.data['definition'] ?? {})[0] ?? '';
    const inner = (quote?.nodes as { key: string }[] | undefined)?.[0]?.key;
    expect((await post(admin, at(world), 'On the page', { page })).target).toMatchObject({ page: { id: page } });
    expect((await post(admin, at(world), 'On words', { page, node: words?.key })).target).toMatchObject({
      page: { id: page },
      node: { id: words?.key },
    });
    expect((await post(admin, at(world), 'Deep', { page, node: inner })).target.node).toEqual({ id: inner });
    const cell = await post(admin, at(world), 'In a cell', {
      page,
      node: table?.key,
      tableCell: { record, definition },
    });
    expect(cell.target).toMatchObject({
      page: { id: page },
      node: { id: table?.key },
      tableCell: { record, definition },
    });
    expect((await admin.api.get(`${at(world)}/comments/${cell.id}`)).body).toEqual(cell);

    const refused = async (more: object) => {
      const failed = await admin.api.post(`${at(world)}/comments`, { body: { markdown: 'x' }, ...more });
      expect(failed.status).toBe(400);
      return faultsOf(failed.body);
    };
    expect(await refused({ page: newId() })).toEqual(['page']);
    expect(await refused({ page: (await start()).page })).toEqual(['page']);
    expect(await refused({ node: words?.key })).toEqual(['page']);
    expect(await refused({ page, node: 'unknown' })).toEqual(['node']);
    expect(await refused({ page, tableCell: { record, definition } })).toEqual(['tableCell']);
    expect(await refused({ page, node: words?.key, tableCell: { record, definition } })).toEqual(['tableCell']);
    expect(await refused({ page, node: table?.key, tableCell: { record: 'toString', definition } })).toEqual([
      'tableCell.record',
    ]);
    expect(await refused({ page, node: table?.key, tableCell: { record, definition: 'nothing' } })).toEqual([
      'tableCell.definition',
    ]);
    expect(await refused({ page, node: table?.key, tableCell: { record } })).toEqual(['tableCell.definition']);
    expect(await refused({ page: '' })).toEqual(['page']);
  });

  it('are edited by their authors, and say when', async () => {
    const world = await start();
    const commenter = await world.org.member('comment');
    const made = await post(commenter, at(world), 'First words');
    const url = `${at(world)}/comments/${made.id}`;
    app.current.setTime(new Date(Date.now() + 60_000));
    try {
      const same = await commenter.api.put<Post>(url, { body: { markdown: 'First words' } });
      expect([same.status, same.body]).toEqual([200, made]);
      const edited = await commenter.api.put<Post>(url, { body: { markdown: 'Better words' } });
      expect(edited.body).toMatchObject({
        id: made.id,
        postedAt: made.postedAt,
        status: 'open',
        body: { markdown: 'Better words\n' },
      });
      expect(Date.parse(edited.body.editedAt ?? '')).toBeGreaterThan(Date.parse(made.postedAt) + 50_000);
      expect((await commenter.api.get(url)).body).toEqual(edited.body);
      expect((await world.admin.api.put(url, { body: { markdown: 'Mine' } })).status).toBe(403);
      expect(faultsOf((await commenter.api.put(url, { body: { document: { object: 'nothing' } } })).body)).toContain(
        'body.document.object',
      );
      const etag = (await commenter.api.get(url)).headers.get('etag') ?? '';
      expect(
        (await commenter.api.put(url, { body: { markdown: 'Third' } }, { headers: { 'If-Match': etag } })).status,
      ).toBe(200);
      expect(
        (await commenter.api.put(url, { body: { markdown: 'Fourth' } }, { headers: { 'If-Match': etag } })).status,
      ).toBe(412);
      expect((await commenter.api.delete(url, { headers: { 'If-Match': etag } })).status).toBe(412);
      expect((await commenter.api.put<Post>(url, {})).body.body).toEqual({ markdown: 'Third\n' });
    } finally {
      app.current.setTime(undefined);
    }
  });

  it('are resolved and reopened by their authors and by those who edit', async () => {
    const world = await start();
    const [author, other, editor] = [
      await world.org.member('comment'),
      await world.org.member('comment'),
      await world.org.member('edit'),
    ];
    const made = await post(author, at(world), 'Unclear');
    const url = `${at(world)}/comments/${made.id}`;
    expect((await other.api.put(url, { resolved: true })).status).toBe(403);
    const resolved = await editor.api.put<Post>(url, { resolved: true });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: editor.id },
      resolvedAt: expect.any(String),
    });
    expect(resolved.body.editedAt).toBeUndefined();
    expect((await author.api.put(url, { resolved: true })).body).toEqual({
      ...resolved.body,
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    const reopened = await author.api.put<Post>(url, { resolved: false });
    expect(reopened.body).toEqual(made);
    expect((await author.api.put<Post>(url, { resolved: true })).body).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: author.id },
    });
    expect((await author.api.put(url, { resolved: 'yes' })).status).toBe(400);
  });

  it('are reacted to, each emoji once by everybody', async () => {
    const world = await start();
    const [ada, bob] = [await world.org.member('comment'), await world.org.member('comment')];
    const made = await post(world.admin, at(world), 'Done');
    const url = `${at(world)}/comments/${made.id}`;
    await ada.api.put(url, { addedReactions: ['1f44d'] });
    await bob.api.put(url, { addedReactions: ['👍', '2764', '👍'] });
    const both = await ada.api.put<Post>(url, { addedReactions: ['1F44D'] });
    expect(both.status).toBe(200);
    const shape = (reactions: Post['reactions']) =>
      reactions.map(({ emoji, count, users }) => [emoji, count, users.map(({ user }) => user.id)]);
    expect(shape(both.body.reactions)).toEqual([
      ['1f44d', 2, [ada.id, bob.id]],
      ['2764-fe0f', 1, [bob.id]],
    ]);
    expect((await bob.api.get<Post>(url)).body.reactions).toEqual(both.body.reactions);
    expect(Date.parse(both.body.reactions[0]?.users[0]?.reactedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(made.postedAt),
    );
    const less = await bob.api.put<Post>(url, {
      addedReactions: ['1f600'],
      removedReactions: ['1f44d', '1f600', '1f680'],
    });
    expect(shape(less.body.reactions)).toEqual([
      ['1f44d', 1, [ada.id]],
      ['2764-fe0f', 1, [bob.id]],
    ]);
    expect(less.body).toMatchObject({ status: 'open' });
    expect(less.body.editedAt).toBeUndefined();
    expect(faultsOf((await bob.api.put(url, { addedReactions: ['1f44d', 'nice'] })).body)).toEqual([
      'addedReactions.1',
    ]);
    expect(faultsOf((await bob.api.put(url, { removedReactions: ['🙂🙂'] })).body)).toEqual(['removedReactions.0']);
    expect(faultsOf((await bob.api.put(url, { addedReactions: '1f44d' })).body)).toEqual(['addedReactions']);
  });

  it('have replies, which are read, changed, reacted to and deleted', async () => {
    const world = await start();
    const { admin } = world;
    const [ada, bob] = [await world.org.member('comment'), await world.org.member('comment')];
    const comment = await post(admin, at(world), 'What do you think?');
    const first = await answer(ada, at(world), comment.id, 'Fine');
    const second = await answer(bob, at(world), comment.id, 'Not quite');
    const third = await answer(ada, at(world), comment.id, 'Why?');
    const url = `${at(world)}/comments/${comment.id}`;
    expect(first).toMatchObject({
      object: 'comment-reply',
      postedBy: { id: ada.id },
      body: { markdown: 'Fine\n' },
      reactions: [],
      permissions: { view: true, edit: true, reply: false, delete: true },
    });
    expect(first.urls.location).toBe(`${app.current.url}/v1${url}/replies/${first.id}`);
    expect((await bob.api.get<Post>(`${url}/replies/${first.id}`)).body).toEqual({
      ...first,
      permissions: { view: true, edit: false, reply: false, delete: false },
    });
    expect(
      (await ada.api.get<Post>(`${url}/replies/${first.id}`, { query: { format: 'document' } })).body.body.document
        ?.nodes,
    ).toMatchObject([{ type: 'paragraph' }]);
    const edited = await ada.api.put<Post>(`${url}/replies/${first.id}`, {
      body: { markdown: 'Fine with me' },
      addedReactions: ['1f680'],
    });
    expect(edited.body).toMatchObject({
      editedAt: expect.any(String),
      body: { markdown: 'Fine with me\n' },
      reactions: [{ emoji: '1f680', count: 1 }],
    });
    expect((await ada.api.get(`${url}/replies/${first.id}`)).body).toEqual(edited.body);
    const taken = await ada.api.put<Post>(`${url}/replies/${first.id}`, { removedReactions: ['1f680'] });
    expect(taken.body).toMatchObject({ reactions: [] });
    await ada.api.put(`${url}/replies/${first.id}`, { addedReactions: ['1f680'] });
    expect((await bob.api.put(`${url}/replies/${first.id}`, { body: { markdown: 'Mine' } })).status).toBe(403);
    const whole = (await admin.api.get<Post>(url)).body;
    expect(whole).toMatchObject({
      replies: 3,
      repliers: [
        { count: 2, user: { id: ada.id } },
        { count: 1, user: { id: bob.id }, updatedAt: second.postedAt },
      ],
    });
    expect(whole.repliers[0]?.updatedAt).toBe([third.postedAt, edited.body.editedAt ?? ''].sort().at(-1));

    expect((await bob.api.delete(`${url}/replies/${first.id}`)).status).toBe(403);
    expect((await ada.api.delete(`${url}/replies/${first.id}`)).status).toBe(204);
    expect((await ada.api.get(`${url}/replies/${first.id}`)).status).toBe(404);
    expect((await ada.api.delete(`${url}/replies/${first.id}`)).status).toBe(204);
    expect((await admin.api.delete(`${url}/replies/${second.id}`)).status).toBe(204);
    expect((await admin.api.get<Post>(url)).body).toMatchObject({
      replies: 1,
      repliers: [{ count: 1, user: { id: ada.id } }],
    });
    for (const path of [`/replies/${comment.id}`, `/replies/${newId()}`])
      expect((await ada.api.get(`${url}${path}`)).status).toBe(404);
    expect((await ada.api.get(`${at(world)}/comments/${third.id}`)).status).toBe(404);
    expect((await ada.api.get(`${at(world)}/comments/${third.id}/replies`)).status).toBe(404);
    expect((await ada.api.post(`${at(world)}/comments/${third.id}/replies`, { body: { markdown: 'x' } })).status).toBe(
      404,
    );
    expect((await ada.api.delete(`${at(world)}/comments/${newId()}/replies/${third.id}`)).status).toBe(404);
    expect((await ada.api.delete(`${url}/replies/${newId()}`)).status).toBe(204);
  });

  it('are deleted with their replies by their authors and by those who administer the space', async () => {
    const world = await start();
    const [author, editor, creator] = [
      await world.org.member('comment'),
      await world.org.member('edit'),
      await world.org.member('create'),
    ];
    const [one, two] = [await post(author, at(world), 'One'), await post(author, at(world), 'Two')];
    const reply = await answer(editor, at(world), one.id, 'So');
    await author.api.put(`${at(world)}/comments/${one.id}/replies/${reply.id}`, { addedReactions: ['1f44d'] });
    expect((await editor.api.delete(`${at(world)}/comments/${one.id}`)).status).toBe(403);
    expect((await author.api.delete(`${at(world)}/comments/${one.id}`)).status).toBe(204);
    expect((await author.api.get(`${at(world)}/comments/${one.id}`)).status).toBe(404);
    expect((await author.api.get(`${at(world)}/comments/${one.id}/replies/${reply.id}`)).status).toBe(404);
    expect((await creator.api.delete(`${at(world)}/comments/${two.id}`)).status).toBe(204);
    expect((await creator.api.delete(`${at(world)}/comments/${two.id}`)).status).toBe(204);
    const left = await app.current.database.query(
      'SELECT FROM comment WHERE space_id = $1 UNION ALL SELECT FROM comment_reaction WHERE space_id = $1',
      [world.id],
    );
    expect(left).toHaveLength(0);
    for (const method of ['get', 'put', 'delete'] as const) {
      const { status } = await (method === 'put'
        ? author.api.put(`${at(world)}/comments/${one.id}`, {})
        : author.api[method](`${at(world)}/comments/${one.id}`));
      expect([method, status]).toEqual([method, method === 'delete' ? 204 : 404]);
    }
  });

  it('say in their permissions what the server then allows', async () => {
    const world = await start();
    const people = {
      read: await world.org.member('read'),
      comment: await world.org.member('comment'),
      edit: await world.org.member('edit'),
      create: await world.org.member('create'),
    };
    const byOther = await post(world.admin, at(world), 'By somebody else');
    for (const [role, person] of Object.entries(people)) {
      const own = role === 'read' ? [] : [await post(person, at(world), 'Own')];
      for (const { id } of [byOther, ...own]) {
        const url = `${at(world)}/comments/${id}`;
        const { permissions } = (await person.api.get<Post>(url)).body;
        const allowed = {
          view: true,
          edit: (await person.api.put(url, { body: { markdown: `By ${role}` } })).status === 200,
          reply: (await person.api.post(`${url}/replies`, { body: { markdown: 'Reply' } })).status === 200,
          delete: (await person.api.delete(url)).status === 204,
        };
        expect([role, id, permissions]).toEqual([role, id, allowed]);
      }
    }
  });

  it('take no requests that are malformed, outdated or without the scope', async () => {
    const world = await start();
    const { admin } = world;
    const comment = await post(admin, at(world), 'One');
    const reply = await answer(admin, at(world), comment.id, 'Two');
    const [url, replyUrl] = [
      `${at(world)}/comments/${comment.id}`,
      `${at(world)}/comments/${comment.id}/replies/${reply.id}`,
    ];
    const { secret } = await app.current
      .get(Tokens)
      .issue(admin.id, { name: 'of the organization', scopes: ['organization:read'] });
    const limited = new Client(app.current.url, secret);
    for (const path of [`${at(world)}/commenters`, `${at(world)}/comments`, url, `${url}/replies`, replyUrl]) {
      expect([path, (await limited.get(path)).status]).toEqual([path, 403]);
      expect([path, (await admin.api.get(path, { query: { format: 'html', limit: -1 } })).status]).toEqual([path, 400]);
    }
    expect((await admin.api.post(`${url}/replies`, { body: { markdown: 7 } })).status).toBe(400);
    for (const path of [url, replyUrl]) {
      expect((await admin.api.put(path, { removedReactions: 'none' })).status).toBe(400);
      expect((await admin.api.delete(`${path}%00`)).status).toBe(400);
    }
    await admin.api.put(replyUrl, { body: { markdown: 'Three' } });
    const old = { headers: { 'If-Match': '"1.old"' } };
    expect((await admin.api.put(replyUrl, { body: { markdown: 'Four' } }, old)).status).toBe(412);
    expect((await admin.api.delete(replyUrl, old)).status).toBe(412);
    for (const [id, path] of [
      [comment.id, url],
      [reply.id, replyUrl],
    ] as const) {
      await app.current.database.execute(
        `INSERT INTO comment_reaction SELECT $1, $2, 'e' || n, $3, now() FROM generate_series(1, 100) n`,
        [world.id, id, admin.id],
      );
      expect(
        (await admin.api.put(path, { addedReactions: ['1f44d'], body: { markdown: 'With too many' } })).status,
      ).toBe(409);
      expect((await admin.api.get<Post>(path)).body.body).toEqual({ markdown: id === reply.id ? 'Three\n' : 'One\n' });
    }
  });

  it('are nothing to other organizations, nor to the other place', async () => {
    const world = await start();
    const stranger = await start();
    const comment = await post(world.admin, at(world), 'Ours');
    const reply = await answer(world.admin, at(world), comment.id, 'Indeed');
    const paths = [
      '/commenters',
      '/comments',
      `/comments/${comment.id}`,
      `/comments/${comment.id}/replies`,
      `/comments/${comment.id}/replies/${reply.id}`,
    ];
    for (const path of paths)
      expect([path, (await stranger.admin.api.get(`${at(world)}${path}`)).status]).toEqual([path, 404]);
    const elsewhere = [at(stranger), place === 'space' ? stranger.request : stranger.space];
    for (const [there, person] of [
      ...elsewhere.map((each) => [each, stranger.admin] as const),
      [place === 'space' ? world.request : world.space, world.admin] as const,
    ]) {
      expect((await person.api.get(`${there}/comments/${comment.id}`)).status).toBe(404);
      expect((await person.api.put(`${there}/comments/${comment.id}`, { resolved: true })).status).toBe(404);
      expect(
        (await person.api.post(`${there}/comments/${comment.id}/replies`, { body: { markdown: 'x' } })).status,
      ).toBe(404);
      expect((await person.api.delete(`${there}/comments/${comment.id}`)).status).toBe(204);
      expect((await person.api.delete(`${there}/comments/${comment.id}/replies/${reply.id}`)).status).toBe(404);
    }
    expect((await stranger.admin.api.post(`${at(world)}/comments`, { body: { markdown: 'x' } })).status).toBe(404);
    expect((await stranger.admin.api.delete(`${at(world)}/comments/${comment.id}`)).status).toBe(404);
    expect((await world.admin.api.delete(`${world.space}/change-requests/99/comments/${comment.id}`)).status).toBe(404);
    expect((await world.admin.api.get<Post>(`${at(world)}/comments/${comment.id}`)).body).toMatchObject({
      status: 'open',
      replies: 1,
    });
  });
});

describe('comments on a change request', () => {
  it('are reached by its number, and speak of pages that only it has', async () => {
    const world = await start();
    const { admin, space, request } = world;
    const [page] = await write(admin, request, {
      operation: 'insert_page',
      title: 'Proposed',
      document: { markdown: 'New' },
    });
    const [block] = await blocks(admin, request, page ?? '');
    const made = await post(admin, `${space}/change-requests/1`, 'About the new page', { page, node: block?.key });
    expect(made.target).toMatchObject({ changeRequest: world.requestId, page: { id: page }, node: { id: block?.key } });
    expect((await admin.api.get(`${request}/comments/${made.id}`)).body).toEqual(made);
    expect((await admin.api.get<{ revision: string }>(request)).body.revision).toBe(made.target.revision);
    expect((await admin.api.post(`${space}/comments`, { body: { markdown: 'x' }, page })).status).toBe(400);
  });
});
