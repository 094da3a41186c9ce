import { afterEach, describe, expect, it } from '@jest/globals';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { NOTIFICATIONS_CONSUMER } from '../src/operations/notifications/notification-fan-out.js';
import { useApp } from './app.js';
import { tarGzOf } from './archives.js';
import { buildOrganization, type Person } from './build.js';
import { Client } from './client.js';
import { answer, post, write, type Failure } from './discussion.js';
import { desk, inbox, kinds, settle } from './notification-desk.js';
import { inSession } from './session-client.js';
import { useEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
afterEach(() => app.current.setTime(undefined));

const sql = (text: string, values: unknown[] = []) => app.current.database.execute(text, values);

describe('a person', () => {
  it('is told of a review that is asked for, and its author of what comes of it', async () => {
    const { org, author, id, request, number } = await desk(app.current);
    const [reviewer, reader] = [await org.member('review'), await org.member('read')];
    const asked = await author.api.post(`${request}/requested-reviewers`, { users: [reviewer.id] });
    expect(asked.status).toBe(200);
    await settle(app.current);
    const [told] = (await inbox(reviewer)).items;
    expect(told).toMatchObject({
      object: 'notification',
      kind: 'review_requested',
      text: expect.stringMatching(new RegExp(`asks for a review of #${number} “Proposal”$`)),
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
    expect(review.status).toBe(201);
    await settle(app.current);
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
    await settle(app.current);
    expect([await kinds(author), await kinds(reviewer), await kinds(org.admin)]).toEqual([
      ['merged', 'reviewed'],
      ['merged', 'review_requested'],
      [],
    ]);
  });

  it('with the role review is told of an opened change request that asks nobody, once; else the next higher role is', async () => {
    const { org, author, request } = await desk(app.current);
    const [creator, reader] = [await org.member('create'), await org.member('comment')];
    await author.api.patch(request, { status: 'open' });
    await settle(app.current);
    expect(await Promise.all([creator, org.admin, reader, author].map(kinds))).toEqual([
      ['review_requested'],
      [],
      [],
      [],
    ]);
    const reviewer = await org.member('review');
    for (const status of ['draft', 'open', 'archived', 'open']) await author.api.patch(request, { status });
    await settle(app.current);
    expect(await Promise.all([creator, reviewer].map(kinds))).toEqual([['review_requested'], []]);

    const second = await desk(app.current);
    const other = await second.org.member('review');
    await second.author.api.patch(second.request, { status: 'open' });
    await settle(app.current);
    expect([await kinds(other), await kinds(second.org.admin)]).toEqual([['review_requested'], []]);

    // A custom role that adds the permission counts as the role review.
    const third = await desk(app.current);
    const [reads, comments] = [await third.org.member('read'), await third.org.member('comment')];
    const holds = async (person: Person, permission: string) => {
      const body = { title: 'Role', base: 'read', permissions: [permission] };
      const role = await third.org.admin.api.post<{ id: string }>(`/orgs/${third.org.id}/custom-roles`, body);
      const given = { customRole: role.body.id };
      expect((await third.org.admin.api.patch(`/orgs/${third.org.id}/members/${person.id}`, given)).status).toBe(200);
    };
    await holds(reads, 'space:review');
    await holds(comments, 'space:comment');
    await third.author.api.patch(third.request, { status: 'open' });
    await settle(app.current);
    expect(await Promise.all([reads, comments, third.org.admin].map(kinds))).toEqual([['review_requested'], [], []]);
  });

  it('is told of comments and replies in discussions that they take part in', async () => {
    const { org, author, request, space, page } = await desk(app.current);
    const [first, second] = [await org.member('comment'), await org.member('comment')];
    const comment = await post(first, request, 'Why so?', { page });
    await settle(app.current);
    expect((await inbox(author)).items).toMatchObject([
      { kind: 'commented', comment: comment.id, excerpt: 'Why so?', page: { id: page, title: 'Guide' } },
    ]);
    expect((await inbox(author)).items[0]?.urls.app).toMatch(
      new RegExp(`/~/changes/1/~/pages/${page}\\?comment=${comment.id}$`),
    );
    const reply = await answer(second, request, comment.id, 'Because.');
    await settle(app.current);
    expect((await inbox(first)).items).toMatchObject([
      { kind: 'replied', comment: comment.id, reply: reply.id, excerpt: 'Because.', actor: { id: second.id } },
    ]);
    expect(await kinds(author)).toEqual(['commented', 'commented']);
    await answer(author, request, comment.id, 'Well');
    await settle(app.current);
    expect([await kinds(first), await kinds(second), (await kinds(author)).length]).toEqual([
      ['replied', 'replied'],
      ['replied'],
      2,
    ]);

    // On the content of a space: whoever made it, and those who discuss the same page.
    await post(first, space, 'On the page', { page });
    await post(second, space, 'Here too', { page });
    await settle(app.current);
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
    const { org, author, request } = await desk(app.current);
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
    await settle(app.current);
    expect([await kinds(author), await kinds(other), await kinds(person)]).toEqual([['mentioned'], [], []]);
    const { displayName } = (await author.api.get<{ displayName: string }>('/user')).body;
    expect((await inbox(author)).items[0]?.excerpt).toMatch(new RegExp(`^@${displayName}@${displayName}@\\S`));
    for (let i = 0; i < 2; i++) {
      const changed = await other.api.put(`${request}/comments/${made.body.id}`, {
        body: body([author.id, person.id, ...(i ? [other.id] : [])]),
      });
      expect(changed.status).toBe(200);
    }
    await settle(app.current);
    expect([await kinds(author), await kinds(other), await kinds(person)]).toEqual([['mentioned'], [], ['mentioned']]);
  });

  it('reads the names of the people whom a comment mentions, and its paragraphs apart', async () => {
    const { author, request, org } = await desk(app.current);
    const other = await org.member('comment');
    await post(
      other,
      request,
      `[Ada](${app.current.url}/v1/users/${author.id} "mention") please look.\n\n- Twice\n- **Bold** words`,
    );
    await settle(app.current);
    expect((await inbox(author)).items.map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
      ['mentioned', '@Ada please look. Twice Bold words'],
    ]);
  });

  it('is told that their change request got into conflict with a merge, once for its base', async () => {
    const { org, author, request, space, page } = await desk(app.current);
    const edit = (person: Person, place: string, markdown: string) =>
      write(person, place, { operation: 'update_page', page, document: { markdown } });
    await edit(author, request, 'Mine\n\nSecond');
    const untouched = await author.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Other' });
    await write(author, `${space}/change-requests/${untouched.body.id}`, { operation: 'insert_page', title: 'New' });
    await edit(org.admin, space, 'First\n\nThird');
    await settle(app.current);
    expect(await kinds(author)).toEqual([]);
    await edit(org.admin, space, 'Theirs\n\nThird');
    await settle(app.current);
    expect((await inbox(author)).items).toMatchObject([
      { kind: 'conflict', actor: { id: org.admin.id }, changeRequest: { subject: 'Proposal' } },
    ]);
    await edit(org.admin, space, 'Theirs again\n\nThird');
    await settle(app.current);
    expect(await kinds(author)).toEqual(['conflict']);
    // With a new base it may get into conflict again.
    const { body } = await author.api.get<{ primary: string; items: { id: string }[] }>(`${request}/conflicts`);
    const settled = await author.api.post(`${request}/update`, { primary: body.primary, default: 'changed' });
    expect([settled.status, settled.body]).toEqual([200, settled.body]);
    await edit(org.admin, space, 'Once more\n\nThird');
    await settle(app.current);
    expect(await kinds(author)).toEqual(['conflict', 'conflict']);
    expect(await app.current.database.query('SELECT FROM conflict_check')).toEqual([]);
  });

  it('is not told of a conflict that they made themselves', async () => {
    const { org, author, request, space, page } = await desk(app.current, 'review');
    for (const [place, markdown] of [
      [request, 'Mine'],
      [space, 'Mine too'],
    ] as const)
      await write(author, place, { operation: 'update_page', page, document: { markdown } });
    await settle(app.current);
    expect([await kinds(author), await kinds(org.admin)]).toEqual([[], []]);
  });
});

describe('the service', () => {
  it('tells whoever began an import how it ended, unless they ended it themselves', async () => {
    const { org, id, author } = await desk(app.current, 'create');
    const send = (raw: Buffer) =>
      author.api.post<{ id: string }>(`/spaces/${id}/import`, undefined, {
        raw,
        headers: { 'Content-Type': 'application/gzip' },
      });
    const done = await send(tarGzOf({ 'README.md': '# Home' }));
    expect([done.status, done.body]).toEqual([201, done.body]);
    await settle(app.current);
    const failed = await send(Buffer.from('no archive'));
    await settle(app.current);
    const cancelled = await send(tarGzOf({ 'README.md': '# Home' }));
    await author.api.post(`/org/${org.id}/imports/${cancelled.body.id}/cancel`);
    await settle(app.current);
    expect((await inbox(author)).items).toMatchObject([
      {
        kind: 'import_ended',
        importRun: failed.body.id,
        outcome: 'failed',
        space: { id },
        excerpt: 'body: is neither a zip, a tar nor a tar.gz archive',
      },
      { kind: 'import_ended', importRun: done.body.id, outcome: 'completed' },
    ]);
    expect((await inbox(author)).items[1]).not.toHaveProperty('excerpt');
    expect(await kinds(org.admin)).toEqual([]);
  });

  it('tells whoever asked for a translation that it failed', async () => {
    useEngine(app.current, ['es']);
    const { org, id } = await desk(app.current);
    const made = await org.admin.api.post<{ id: string; result: { space: string } }>(`/orgs/${org.id}/translations`, {
      source: { space: id, language: 'en' },
      language: 'ja',
    });
    expect([made.status, made.body]).toEqual([201, made.body]);
    await settle(app.current);
    expect((await inbox(org.admin)).items).toMatchObject([
      {
        kind: 'translation_failed',
        translation: made.body.id,
        outcome: 'failed',
        space: { id: made.body.result.space },
      },
    ]);
  });
});

describe('the list', () => {
  it('is paged and filtered, and its notifications are marked as read and unread', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('comment');
    for (const text of ['One', 'Two', 'Three']) await post(other, request, text);
    await settle(app.current);
    const all = await inbox(author);
    expect([all.count, all.unread, all.items.map(({ excerpt }) => excerpt)]).toEqual([3, 3, ['Three', 'Two', 'One']]);
    const first = await inbox(author, { limit: 2 });
    expect(await inbox(author, { limit: 2, page: first.next?.page ?? '' })).toMatchObject({
      items: [all.items[2]],
      count: 3,
      unread: 3,
    });
    const mark = async (body: object) => expect((await author.api.put('/user/notifications', body)).status).toBe(204);
    await mark({ read: true, ids: [all.items[0]?.id, 'nothing'] });
    expect(await inbox(author, { unread: true })).toMatchObject({ count: 2, unread: 2, items: all.items.slice(1) });
    expect(await inbox(author, { unread: false })).toMatchObject({ count: 1, unread: 2 });
    await mark({ read: true });
    expect(await inbox(author, { limit: 0 })).toMatchObject({ count: 3, unread: 0, items: [] });
    await mark({ read: false, ids: [all.items[1]?.id] });
    expect(await inbox(author, { unread: true })).toMatchObject({ count: 1, unread: 1, items: [all.items[1]] });
    await author.api.post(`${request}/requested-reviewers`, { users: [org.admin.id] });
    await settle(app.current);
    expect(await inbox(org.admin, { kind: ['review_requested', 'merged'] })).toMatchObject({ count: 1 });
    expect(await inbox(org.admin, { kind: 'merged' })).toMatchObject({ count: 0, unread: 1 });
    const faults = await Promise.all([
      author.api.get<Failure>('/user/notifications', { query: { kind: 'gossip' } }),
      author.api.put<Failure>('/user/notifications', {}),
      author.api.put<Failure>('/user/notification-settings', { kinds: { merged: { mail: 'yes' } } }),
      author.api.put<Failure>('/user/notification-settings', { mail: 'hourly' }),
    ]);
    expect(faults.map(({ status, body }) => [status, body.error.details?.[0]?.path])).toEqual([
      [400, 'kind.0'],
      [400, 'read'],
      [400, 'kinds.merged.mail'],
      [400, 'mail'],
    ]);
  });

  it('shows nobody what is not theirs, and nobody what they see no longer', async () => {
    const { org, author, id, request } = await desk(app.current);
    const [stranger, other] = [await buildOrganization(app.current), await org.member('comment')];
    await post(other, request, 'Hello');
    await settle(app.current);
    const [told] = (await inbox(author)).items;
    expect(await inbox(stranger.admin)).toMatchObject({ items: [], count: 0, unread: 0 });
    expect((await stranger.admin.api.put('/user/notifications', { read: true, ids: [told?.id] })).status).toBe(204);
    expect((await inbox(author)).unread).toBe(1);
    for (const path of ['/user/notifications', '/user/notifications/stream', '/user/notification-settings'])
      expect((await new Client(app.current.url, undefined).get(path)).status).toBe(401);

    const patch = (body: object) => org.admin.api.patch(`/spaces/${id}`, body);
    await patch({ defaultLevel: null });
    expect(await inbox(author)).toMatchObject({ items: [], count: 0, unread: 0 });
    // What happens now is not told to them either.
    await post(org.admin, request, 'In private');
    await settle(app.current);
    await patch({ defaultLevel: 'inherit' });
    expect((await inbox(author)).items).toEqual([told]);
    expect((await org.admin.api.delete(`/spaces/${id}`)).status).toBe(204);
    expect((await inbox(author)).items).toEqual([]);
    expect((await org.admin.api.post(`/spaces/${id}/restore`)).status).toBe(200);
    expect((await inbox(author)).items).toHaveLength(1);
    expect((await org.admin.api.delete(`/orgs/${org.id}/members/${author.id}`)).status).toBe(204);
    expect(await app.current.database.query('SELECT FROM notification WHERE user_id = $1', [author.id])).toEqual([]);
  });

  it('is that of one organization for a token that acts in one, with settings of its own', async () => {
    const [here, there] = [await desk(app.current), await buildOrganization(app.current)];
    const { author } = here;
    await sql(`INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'edit', now())`, [
      there.id,
      author.id,
    ]);
    const { secret } = await app.current.get(Tokens).issue(author.id, { name: 'there', organizationId: there.id });
    const limited = { ...author, api: new Client(app.current.url, secret) };
    await post(here.org.admin, here.request, 'Hello');
    await settle(app.current);
    expect([(await inbox(author)).unread, await inbox(limited)]).toMatchObject([1, { items: [], count: 0, unread: 0 }]);
    expect((await limited.api.put('/user/notifications', { read: true })).status).toBe(204);
    expect((await inbox(author)).unread).toBe(1);
    await author.api.put('/user/notification-settings', { mail: 'weekly', kinds: { merged: { app: false } } });
    await limited.api.put('/user/notification-settings', { mail: 'never' });
    const settings = async ({ api }: { api: Client }) =>
      (await api.get<{ mail: string; kinds: Record<string, object> }>('/user/notification-settings')).body;
    const [everywhere, own] = [await settings(author), await settings(limited)];
    expect([everywhere.mail, own.mail, everywhere.kinds['merged'], own.kinds['merged']]).toEqual([
      'weekly',
      'never',
      { app: false, mail: true },
      { app: false, mail: true },
    ]);
  });

  it('is opened by a temporary token, which opens nothing else and ends with the one that it was made with', async () => {
    const { org, author, request } = await desk(app.current);
    await post(org.admin, request, 'Hello');
    await settle(app.current);
    const temporary = async (api: Client) => {
      const made = await api.post<{ token: string }>('/user/notifications/token');
      expect(made.status).toBe(200);
      return new Client(app.current.url, made.body.token);
    };
    const api = await temporary(author.api);
    expect(await inbox({ ...author, api })).toEqual(await inbox(author));
    expect((await api.put('/user/notifications', { read: true })).status).toBe(204);
    expect((await inbox(author)).unread).toBe(0);
    expect((await api.put('/user/notification-settings', { mail: 'never' })).status).toBe(200);
    const refused = [
      await api.get<Failure>('/user'),
      await api.get<Failure>(`/orgs/${org.id}`),
      await api.get<Failure>('/user/tokens'),
      await api.post<Failure>('/user/notifications/token'),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([
      [403, 'The token lacks the scope user:read'],
      [403, 'The token lacks the scope organization:read'],
      [403, 'The token lacks the scope user:read'],
      [403, 'The token lacks the scope user:read'],
    ]);

    const tokens = app.current.get(Tokens);
    const reading = await tokens.issue(author.id, { name: 'reads', scopes: ['user:read'] });
    const reads = await temporary(new Client(app.current.url, reading.secret));
    expect((await reads.get('/user/notifications')).status).toBe(200);
    expect((await reads.put('/user/notifications', { read: true })).status).toBe(403);
    expect((await author.api.delete(`/user/tokens/${reading.row.id}`)).status).toBe(204);
    const browser = await inSession(app.current, author.id);
    const shown = await temporary(browser);
    expect((await shown.get('/user/notifications')).status).toBe(200);
    expect((await browser.delete('/auth/session')).status).toBe(204);
    const [head, claims = '', signature] = api.token?.split('.') ?? [];
    const other = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), sid: reading.row.id };
    const forged = [head, Buffer.from(JSON.stringify(other)).toString('base64url'), signature].join('.');
    const statuses = async () =>
      Promise.all(
        [reads, shown, new Client(app.current.url, forged), api].map(
          async (client) => (await client.get('/user/notifications')).status,
        ),
      );
    expect(await statuses()).toEqual([401, 401, 401, 200]);
    app.current.setTime(new Date(Date.now() + 3_601_000));
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('has each event once, however often that is delivered, and keeps what was read for 90 days', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('comment');
    for (const text of ['One', 'Two']) await post(other, request, text);
    await settle(app.current);
    const before = await inbox(author);
    await sql(
      `INSERT INTO event_claim (consumer, event_id, due_at) SELECT $1, id, now() FROM event WHERE organization_id = $2`,
      [NOTIFICATIONS_CONSUMER, org.id],
    );
    await settle(app.current);
    expect(await inbox(author)).toEqual(before);
    expect(await kinds(org.admin)).toEqual([]);
    await author.api.put('/user/notifications', { read: true, ids: [before.items[0]?.id] });
    const later = async (days: number) => {
      app.current.setTime(new Date(Date.now() + days * 24 * 3600 * 1000));
      await sql(`UPDATE schedule_tick SET ticked_at = 'epoch' WHERE name = 'notifications.remove-stale'`);
      await sql(
        `INSERT INTO jobs.job (name, data) VALUES ('notifications.remove-stale', '{"job": "notifications.remove-stale", "payload": {}}')`,
      );
      await settle(app.current);
      return (await inbox(author)).count;
    };
    expect([await later(89), await later(91), await later(366)]).toEqual([2, 1, 0]);
  });

  it('leaves out kinds that are switched off, and nobody is told who has no account any more', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('review');
    const off = { commented: { app: false }, reviewed: { app: false } };
    const answered = await author.api.put<{ mailable: boolean }>('/user/notification-settings', { kinds: off });
    expect(answered).toMatchObject({ status: 200, body: { mail: 'immediately', mailable: false, kinds: off } });
    await post(other, request, 'Hello');
    await other.api.post(`${request}/reviews`, { status: 'approved' });
    await org.admin.api.post(`${request}/merge`);
    await settle(app.current);
    expect([await kinds(author), await kinds(other)]).toEqual([['merged'], ['merged']]);
    await author.api.put('/user/notification-settings', { kinds: { commented: { app: true } } });
    await sql('UPDATE account SET disabled = true WHERE id = $1', [other.id]);
    const thread = await post(author, request, 'Still there?');
    await answer(await org.member('comment'), request, thread.id, 'No');
    await settle(app.current);
    expect(await kinds(author)).toEqual(['replied', 'merged']);
    expect(
      await app.current.database.query('SELECT kind FROM notification WHERE user_id = $1', [other.id]),
    ).toHaveLength(1);
  });
});
