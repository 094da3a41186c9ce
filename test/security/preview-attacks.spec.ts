import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VisitorTokens } from '../../src/publishing/published-sites/visitor-tokens.js';
import { useApp } from '../app.js';
import { buildPerson, type Person } from '../build.js';
import { build, open, opened, previewOf, propose, tokenOf, type World } from '../preview-world.js';
import { publish, usePublicListener, type Seen } from '../published-site.js';

/*
 * Previews of change requests show what is not published: whose token leads in, where, and how long.
 */

const app = useApp();
const listener = usePublicListener(app);
const see: typeof listener.see = (...request) => listener.see(...request);

let world: World;
let editor: Person;
beforeEach(async () => {
  world = await build(app.current);
  editor = await world.workspace.member('edit');
});
afterEach(() => app.current.setTime(undefined));

const asBrowser = { accept: 'text/html' };

/** Expects an answer that says nothing of a preview, nor whether there is one. */
function expectNothing({ status, headers, body }: Seen): void {
  expect([status, headers['cache-control'], headers['set-cookie']]).toEqual([404, 'no-store', undefined]);
  expect(body).toContain('There is no preview here');
  expect(body).not.toMatch(/marble|granite|Guide|Of &|changes\//);
}

describe('3b-16 a preview', () => {
  it('leads nobody in without its token, or with one that was changed', async () => {
    const { request, site } = world;
    const { base, url } = await opened(listener, request, editor);
    const token = tokenOf(url);
    const [head = '', claims = '', signature = ''] = token.split('.');
    const widened = Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), sub: 'somebody' }),
    ).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const wrong of ['', 'x', `${head}.${widened}.${signature}`, `${unsigned}.${claims}.`, token.slice(0, -2)]) {
      expectNothing(await see(`${base}?token=${wrong}`, asBrowser));
      expectNothing(await see(base, { ...asBrowser, cookie: `bindery-preview=${wrong}` }));
    }
    for (const path of [
      base,
      `${base}/fresh`,
      '/~preview',
      '/~preview/',
      `/~preview/${request.id}`,
      `/~preview/${request.id}/x`,
    ])
      expectNothing(await see(path, asBrowser));
    expect((await see(`${site.base}?token=${token}`, asBrowser)).body).toContain('granite');
  });

  it('takes no token of another use, and is no token for any other use', async () => {
    const { request, site, workspace } = world;
    const { base, url } = await opened(listener, request, editor);
    const token = tokenOf(url);
    const member = await editor.api.get<{ url: string }>(`${site.path}/publishing/preview`);
    const ofMember = new URL(member.body.url).searchParams.get('jwt_token') ?? '';
    expectNothing(await see(`${base}?token=${ofMember}`, asBrowser));
    const tokens = app.current.get(VisitorTokens);
    const reader = await tokens.sign('reader', { sub: editor.id }, tokens.after(60));
    expectNothing(await see(`${base}?token=${reader}`, asBrowser));
    // As a token of a visitor or a member it proves nothing.
    await workspace.admin.api.patch(site.path, { visibility: 'visitor-auth' });
    expect((await see(`${site.base}?jwt_token=${token}`, asBrowser)).status).toBe(401);
    expect((await fetch(`${app.current.url}/v1/user`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
  });

  it('is not replayed on another change request, site or space', async () => {
    const { request, workspace, guide, more, site } = world;
    const other = await propose(workspace, guide, 'Another');
    const second = await publish(workspace, [guide], 'public', 'Second');
    const { base, cookie, url } = await opened(listener, request, editor, { site: site.id });
    const token = tokenOf(url);
    for (const path of [
      `/~preview/${other.id}/${site.id}`,
      `/~preview/${request.id}/${second.id}`,
      `/~preview/${request.id}/${guide.id}`,
      `/~preview/${request.id}/${more.id}`,
      `/~preview/${other.id}/${second.id}`,
    ]) {
      expectNothing(await see(`${path}?token=${token}`, asBrowser));
      expectNothing(await see(path, { ...asBrowser, cookie }));
    }
    expect((await see(base, { cookie })).status).toBe(200);
  });

  it('of somebody else is for the rights of its maker, and of nobody of another organization', async () => {
    const { request, site } = world;
    const stranger = await buildPerson(app.current);
    expect((await previewOf(request, stranger)).status).toBe(404);
    const guest = await world.workspace.member('none');
    expect((await previewOf(request, guest)).status).toBe(404);
    const granted = await world.workspace.admin.api.post(`/spaces/${world.guide.id}/permissions`, {
      users: [guest.id],
      role: 'read',
    });
    expect(granted.status).toBeLessThan(300);
    // A guest sees the space and no site: the preview is of the space alone.
    const { body } = await previewOf(request, guest);
    expect([new URL(body.url).pathname, body.sites]).toEqual([`/~preview/${request.id}/${world.guide.id}`, []]);
    expect((await previewOf(request, guest, { site: site.id })).status).toBe(400);
    const { get } = await opened(listener, request, guest);
    expect((await get('')).body).toContain('marble');
    expect((await get('/more')).status).toBe(404);
  });

  it.each(['merged', 'archived'] as const)('ends at once when its change request is %s, and says so', async (end) => {
    const { request, workspace } = world;
    const { get, url } = await opened(listener, request, editor);
    const etag = String((await get('')).headers['etag']);
    const { api } = workspace.admin;
    const { status } =
      end === 'merged'
        ? await api.post(`${request.path}/merge`)
        : await api.patch(request.path, { status: 'archived' });
    expect(status).toBe(200);
    for (const path of ['', '/fresh', '/llms.txt', '/welcome.md']) {
      const ended = await get(path, { 'If-None-Match': etag });
      expect([path, ended.status, ended.headers['cache-control']]).toEqual([path, 404, 'no-store']);
      expect(ended.body).toContain(`Change request #${request.number} was ${end}.`);
      expect(ended.body).toContain(`/~/changes/${request.number}"`);
      expect(ended.body).not.toContain('marble');
    }
    expect((await open(listener, url)).seen.status).toBe(404);
    expect((await previewOf(request, editor)).status).toBe(409);
    if (end === 'archived') {
      await api.patch(request.path, { status: 'open' });
      expect((await get('')).status).toBe(200);
    }
  });

  it('ends at once with the rights of its maker, their account, and the space', async () => {
    const { request, workspace, guide, site } = world;
    const { api } = workspace.admin;
    const browsers = [editor, await workspace.member('edit'), await workspace.member('edit')] as const;
    const [removed, disabled, other] = await Promise.all(browsers.map((person) => opened(listener, request, person)));
    if (!removed || !disabled || !other) throw new Error('they were opened');
    for (const { get } of [removed, disabled, other]) expect((await get('')).status).toBe(200);
    expect((await api.delete(`/orgs/${workspace.id}/members/${browsers[0].id}`)).status).toBe(204);
    expectNothing(await removed.get('', asBrowser));
    expectNothing((await open(listener, removed.url)).seen);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [browsers[1].id]);
    expectNothing(await disabled.get('', asBrowser));
    expect((await other.get('')).status).toBe(200);
    expect((await api.delete(`/spaces/${guide.id}`)).status).toBeLessThan(300);
    expectNothing(await other.get('', asBrowser));
    expect((await see(site.base)).body).not.toContain('granite');
  });

  it('ends with its site, and with its hour', async () => {
    const { request, workspace, site } = world;
    const first = await opened(listener, request, editor);
    const expires = Date.parse((await previewOf(request, editor)).body.expiresAt);
    app.current.setTime(new Date(expires - 5_000));
    expect((await first.get('')).status).toBe(200);
    app.current.setTime(new Date(expires + 5_000));
    expectNothing(await first.get('', asBrowser));
    app.current.setTime(undefined);
    const second = await opened(listener, request, editor);
    expect((await workspace.admin.api.delete(site.path)).status).toBe(204);
    expectNothing(await second.get('', asBrowser));
  });

  it('never mixes with what is published, nor with another change request, in any cache', async () => {
    const { request, workspace, guide, site } = world;
    // The second one has the revision of the published content.
    const fresh = await propose(workspace, guide, 'Nothing yet');
    const [changed, unchanged] = [await opened(listener, request, editor), await opened(listener, fresh, editor)];
    const read = async (): Promise<string[]> =>
      Promise.all([see(site.base), changed.get(''), unchanged.get('')]).then((seen) =>
        seen.map(({ body }) => `${/granite|marble/.exec(body)?.[0] ?? ''} ${body.includes('preview-bar')}`),
      );
    for (let round = 0; round < 3; round++)
      expect(await read()).toEqual(['granite false', 'marble true', 'granite true']);
    const list = async (): Promise<string[]> =>
      Promise.all([see(`${site.base}/llms.txt`), changed.get('/llms.txt'), unchanged.get('/llms.txt')]).then((seen) =>
        seen.map(({ body }) =>
          [...new Set([...body.matchAll(/Obsolete|Fresh|~preview\/\w+/g)].map(([name]) => name))].sort().join(' '),
        ),
      );
    for (let round = 0; round < 2; round++)
      expect(await list()).toEqual(['Obsolete', `Fresh ~preview/${request.id}`, `Obsolete ~preview/${fresh.id}`]);
    expect((await see(site.base)).headers['cache-control']).toBe('public, no-cache');
  });

  it('redirects within itself only', async () => {
    const { request } = world;
    const { base, url } = await opened(listener, request, editor);
    const token = tokenOf(url);
    for (const path of ['//evil.example/x', '/..%2f..%2fevil', '/%2f%2fevil.example', '/\\evil.example'])
      expect((await see(`${base}${path}?token=${token}`)).location ?? base).toMatch(new RegExp(`^${base}`));
  });
});
