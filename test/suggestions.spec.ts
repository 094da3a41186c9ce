import { describe, expect, it } from '@jest/globals';
import { Database } from '../src/kernel/common/database.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { blocks, discussion, post, write, type Discussion, type Failure, type Post } from './discussion.js';

const app = useApp();

interface Suggested extends Post {
  suggestion?: { markdown: string; before: string; status: string; appliedBy?: { id: string }; appliedAt?: string };
}

async function suggest(made: Discussion, node: string | undefined, markdown: string, by: Person = made.admin) {
  return post(by, made.request, 'Better so', { page: made.page, node, suggestion: { markdown } }) as Promise<Suggested>;
}

const apply = (person: Person, { request }: Discussion, comment: string) =>
  person.api.post<Suggested & Failure>(`${request}/comments/${comment}/suggestion/apply`);

const read = async ({ admin, request, page }: Discussion): Promise<string> =>
  (await admin.api.get<{ markdown: string }>(`${request}/content/page/${page}`, { query: { format: 'markdown' } })).body
    .markdown;

const keys = async ({ admin, request, page }: Discussion): Promise<string[]> =>
  (await blocks(admin, request, page)).map(({ key }) => key);

async function refusal(made: Discussion, more: object, place = made.request): Promise<unknown> {
  const { status, body } = await made.admin.api.post<Failure>(`${place}/comments`, {
    body: { markdown: 'Better so' },
    page: made.page,
    ...more,
  });
  return [status, body.error.details?.[0]?.path];
}

describe('suggestions', () => {
  it('are shown with what they replace, and taken over in one revision that outdates approvals', async () => {
    const made = await discussion(app.current);
    const { admin, org, request, page } = made;
    const [author, reviewer] = [await org.member('edit'), await org.member('review')];
    const [first, second] = await keys(made);
    const comment = await suggest(made, first, 'The **very** first\n\nand one more', reviewer);
    expect(comment.suggestion).toEqual({
      markdown: 'The **very** first\n\nand one more\n',
      before: 'First\n',
      status: 'open',
    });
    await reviewer.api.post(`${request}/reviews`, { status: 'approved' });
    const taken = await apply(author, made, comment.id);
    expect([taken.status, taken.body.status, taken.body.resolvedBy?.id]).toEqual([200, 'resolved', author.id]);
    expect(taken.body.suggestion).toMatchObject({ status: 'applied', appliedBy: { id: author.id } });
    expect(await read(made)).toBe('# Guide\n\nThe **very** first\n\nand one more\n\nSecond\n');
    expect(await keys(made)).toEqual(expect.arrayContaining([first, second]));
    const { body } = await admin.api.get<{ items: { outdated: boolean }[] }>(`${request}/reviews`);
    expect(body.items).toEqual([expect.objectContaining({ outdated: true })]);
    const { body: revision } = await admin.api.get<{ revision: string }>(request);
    const [row] = await app.current.nest
      .get(Database)
      .query<{ author: string }>('SELECT author_id AS author FROM revision WHERE id = $1', [revision.revision]);
    expect(row?.author).toBe(author.id);
    expect((await apply(author, made, comment.id)).status).toBe(409);
    expect((await blocks(admin, request, page)).length).toBe(3);
  });

  it('are outdated by another text of their block, and by nothing else', async () => {
    const made = await discussion(app.current);
    const [first, second] = await keys(made);
    const comment = await suggest(made, first, 'The very first');
    const status = async () =>
      (await made.admin.api.get<Suggested>(`${made.request}/comments/${comment.id}`)).body.suggestion?.status;
    const rewrite = (markdown: string) =>
      write(made.admin, made.request, { operation: 'update_page', page: made.page, document: { markdown } });
    await rewrite('First\n\nSecond of all');
    expect([await status(), (await keys(made))[1]]).toEqual(['open', second]);
    await rewrite('First of all\n\nSecond of all');
    expect(await status()).toBe('outdated');
    const refused = await apply(made.admin, made, comment.id);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The block has changed since the suggestion was made',
    ]);
    await rewrite('First\n\nSecond of all');
    expect(await status()).toBe('open');
    await write(made.admin, made.request, { operation: 'delete_page', page: made.page });
    expect(await status()).toBe('outdated');
    expect((await apply(made.admin, made, comment.id)).status).toBe(409);
  });

  it('reach blocks inside of blocks, and take blocks away', async () => {
    const made = await discussion(app.current, '* One\n* Two\n\n{% hint style="info" %}\nInside\n{% endhint %}');
    const [list, hint] = (await blocks(made.admin, made.request, made.page)) as unknown as {
      nodes: { key: string }[];
    }[];
    const item = await suggest(made, list?.nodes[1]?.key, '* Two and a half\n* Three');
    expect(item.suggestion).toMatchObject({ before: '* Two\n', markdown: '* Two and a half\n* Three\n' });
    const inner = await suggest(made, hint?.nodes[0]?.key, 'Inside **out**');
    expect((await apply(made.admin, made, item.id)).status).toBe(200);
    expect((await apply(made.admin, made, inner.id)).status).toBe(200);
    const [after] = await keys(made);
    expect(await read(made)).toContain('* One\n* Two and a half\n* Three\n');
    expect(await read(made)).toContain('Inside **out**');
    const gone = await suggest(made, after, '');
    expect(gone.suggestion?.markdown).toBe('');
    expect((await apply(made.admin, made, gone.id)).status).toBe(200);
    expect(await read(made)).not.toContain('One');
  });

  it('are applied once by two callers at once, and only while the request is open to writes', async () => {
    const made = await discussion(app.current);
    const [first, second] = await keys(made);
    const [one, two] = [await suggest(made, first, 'The very first'), await suggest(made, second, 'The second')];
    const answers = await Promise.all([1, 2, 3].map(() => apply(made.admin, made, one.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await made.admin.api.post(`${made.request}/merge`)).status).toBe(200);
    expect((await apply(made.admin, made, two.id)).status).toBe(409);
  });

  it('obey the version of the comment, not that of the change request', async () => {
    const made = await discussion(app.current);
    const [first] = await keys(made);
    const comment = await suggest(made, first, 'The very first');
    const path = `${made.request}/comments/${comment.id}`;
    const { headers } = await made.admin.api.get(path);
    const etag = headers.get('etag') ?? '';
    const send = (match: string) =>
      made.admin.api.post(`${path}/suggestion/apply`, undefined, { headers: { 'If-Match': match } });
    expect((await send('"77.abc"')).status).toBe(412);
    expect((await send(etag)).status).toBe(200);
  });

  it('refuse what cannot stand there', async () => {
    const made = await discussion(app.current, 'First\n\n| a | b |\n| --- | --- |\n| c | d |');
    const [first, table] = await keys(made);
    const suggestion = { markdown: 'Other' };
    expect(await refusal(made, { suggestion })).toEqual([400, 'node']);
    expect(await refusal(made, { suggestion, node: 'nowhere' })).toEqual([400, 'node']);
    expect(await refusal(made, { suggestion, node: first }, made.space)).toEqual([400, 'suggestion']);
    expect(await refusal(made, { suggestion, node: first, side: 'before' })).toEqual([400, 'suggestion']);
    expect(await refusal(made, { suggestion: { markdown: 5 }, node: first })).toEqual([400, 'suggestion.markdown']);
    expect(await refusal(made, { suggestion: {}, node: first })).toEqual([400, 'suggestion.markdown']);
    const { org } = made;
    const foreign = await discussion(app.current);
    expect(await refusal(made, { suggestion, page: foreign.page, node: (await keys(foreign))[0] })).toEqual([
      400,
      'page',
    ]);
    const plain = await post(made.admin, made.request, 'Nothing to suggest');
    expect((await apply(made.admin, made, plain.id)).status).toBe(404);
    expect((await apply(made.admin, made, 'AAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    const comment = await suggest(made, table, 'No table');
    expect((await apply(foreign.admin, made, comment.id)).status).toBe(404);
    expect((await apply(made.admin, foreign, comment.id)).status).toBe(404);
    expect((await apply(await org.member('comment'), made, comment.id)).status).toBe(403);
    expect((await apply((await buildOrganization(app.current)).admin, made, comment.id)).status).toBe(404);
  });
});

describe('sides of comments', () => {
  it('name blocks of the content that a change request is compared with', async () => {
    const made = await discussion(app.current);
    const { admin, request, page } = made;
    const [first, second] = await keys(made);
    await write(admin, request, { operation: 'update_page', page, document: { markdown: 'Second\n\n> Third' } });
    const third = (await keys(made))[1];
    expect(await refusal(made, { node: first })).toEqual([400, 'node']);
    expect(await refusal(made, { node: first, side: 'after' })).toEqual([400, 'node']);
    expect(await refusal(made, { node: third, side: 'before' })).toEqual([400, 'node']);
    expect(await refusal(made, { side: 'before' })).toEqual([400, 'side']);
    expect(await refusal(made, { node: second, side: 'before' }, made.space)).toEqual([400, 'side']);
    expect(await refusal(made, { node: second, side: 'middle' })).toEqual([400, 'side']);
    const comment = await post(admin, request, 'Why?', { page, node: first, side: 'before' });
    expect(comment.target).toMatchObject({ node: { id: first }, side: 'before', page: { id: page } });
    expect((await post(admin, request, 'Good', { page, node: third, side: 'after' })).target).toMatchObject({
      side: 'after',
    });
    expect((await post(admin, request, 'Good', { page, node: third })).target).not.toHaveProperty('side');
    await write(admin, request, { operation: 'delete_page', page });
    expect((await post(admin, request, 'Why?', { page, node: first, side: 'before' })).target).toMatchObject({
      side: 'before',
    });
  });
});

describe('mentions', () => {
  it('are facts of the events of comments, for people who can see the space', async () => {
    const made = await discussion(app.current);
    const { admin, org, id, request } = made;
    const [seeing, guest] = [await org.member('read'), await org.member('none')];
    const named = (user: string) => `[Somebody](${app.current.url}/v1/users/${user} "mention")`;
    const comment = await post(admin, request, `${named(seeing.id)} and ${named(guest.id)}`);
    const path = `${request}/comments/${comment.id}`;
    await admin.api.put(path, { body: { markdown: `${named(seeing.id)} and ${named(admin.id)}` } });
    await admin.api.post(`${path}/replies`, { body: { markdown: `See ${named(seeing.id)}` } });
    await post(admin, request, 'Nobody');
    const events = await app.current.nest
      .get(Database)
      .query<{ type: string; mentioned: string[] | null }>(
        `SELECT type, payload -> 'mentionedUserIds' AS mentioned FROM event WHERE space_id = $1 AND type LIKE 'comment%' ORDER BY at, id`,
        [id],
      );
    expect(events).toEqual([
      { type: 'comment_created', mentioned: [seeing.id] },
      { type: 'comment_updated', mentioned: [admin.id] },
      { type: 'comment_reply_created', mentioned: [seeing.id] },
      { type: 'comment_created', mentioned: null },
    ]);
  });
});
