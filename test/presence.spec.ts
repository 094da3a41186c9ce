import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Announcements } from '../src/kernel/platform/announcements.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { recordExchange } from './contract/hooks.js';
import { EventStreamReader } from './event-stream-reader.js';
import { until } from './notification-desk.js';
import { buildSpace, type Space } from './published-site.js';

interface Shown {
  readonly client: string;
  readonly user: { readonly id: string; readonly email?: string };
  readonly changeRequest?: { readonly id: string; readonly number: number };
  readonly page?: string;
  readonly writing: boolean;
  readonly block?: string;
}
type Told = { readonly object: 'presence'; readonly people: readonly Shown[] } | { readonly revision: string };
type Stream = EventStreamReader<Told>;

let second: TestApp;
let workspace: Workspace;
const streams: Stream[] = [];

// Before the database goes with the first server.
afterAll(() => second.close());
const app = useApp();
beforeAll(async () => {
  second = await TestApp.start({}, app.current.databaseUrl);
  workspace = await buildOrganization(app.current);
});
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

async function follow(person: Person, space: Space, query = '', { url }: { url: string } = app.current) {
  const stream = await EventStreamReader.open<Told>(
    `${url}/v1/spaces/${space.id}/presence/stream${query}`,
    person.api.token,
  );
  streams.push(stream);
  return stream;
}

/** The people that a stream has told of last, by their windows. */
const peopleOf = ({ told }: Stream): Readonly<Record<string, Omit<Shown, 'client'>>> => {
  const last = told.filter(({ event }) => event === 'presence').at(-1)?.data;
  const people = last && 'people' in last ? last.people : [];
  return Object.fromEntries(people.map(({ client, ...rest }) => [client, rest]));
};
const revisionOf = ({ told }: Stream): string | undefined => {
  const last = told.filter(({ event }) => event === 'revision').at(-1)?.data;
  return last && 'revision' in last ? last.revision : undefined;
};

describe('presence in a space', () => {
  it('tells who is where on whichever server, until the window is closed', async () => {
    const space = await buildSpace(workspace, 'Together');
    const [page = ''] = await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } });
    const [ann, bob] = [await workspace.member('edit'), await workspace.member('comment')];
    const url = `/spaces/${space.id}`;
    const request = await ann.api.post<{ id: string; number: number }>(`${url}/change-requests`, { subject: 'Change' });
    const [here, there] = [
      await follow(ann, space, '?client=ann-1'),
      await follow(bob, space, '?client=bob-1', second),
    ];
    expect([here.response.statusCode, here.response.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const stated = await ann.api.put(`${url}/presence/ann-1`, { page, writing: true, block: 'aBcD012345' });
    expect(stated.status).toBe(204);
    await until(() => peopleOf(there)['ann-1'] !== undefined);
    expect(peopleOf(there)).toMatchObject({
      'ann-1': { user: { id: ann.id }, page, writing: true, block: 'aBcD012345' },
    });
    await bob.api.put(`${url}/presence/bob-1`, { changeRequest: String(request.body.number) });
    await until(() => peopleOf(here)['bob-1'] !== undefined);
    expect(peopleOf(here)['bob-1']).toEqual({
      user: expect.objectContaining({ id: bob.id }),
      changeRequest: { id: request.body.id, number: request.body.number },
      writing: false,
    });
    for (const { data } of here.told)
      recordExchange({
        method: 'GET',
        path: `/v1/spaces/${space.id}/presence/stream`,
        status: 200,
        headers: here.response.headers,
        body: `data: ${JSON.stringify(data)}\n\n`,
      });
    here.close();
    await until(() => peopleOf(there)['ann-1'] === undefined);
  }, 60_000);

  it('tells of revisions: of the space, or of a change request, at once where they are announced', async () => {
    const space = await buildSpace(workspace, 'Revisions');
    const [page = ''] = await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } });
    const { api } = workspace.admin;
    const url = `/spaces/${space.id}`;
    const request = await api.post<{ id: string; number: number }>(`${url}/change-requests`, { subject: 'Change' });
    const [live, changed] = [
      await follow(workspace.admin, space),
      await follow(workspace.admin, space, `?changeRequest=${request.body.number}`, second),
    ];
    await until(() => revisionOf(live) !== undefined && revisionOf(changed) !== undefined);
    const before = revisionOf(live);
    expect((await api.get<{ revision: string }>(url)).body.revision).toBe(before);
    const change = { operation: 'update_page', page, document: { markdown: 'Other text' } };
    await api.post(`${url}/change-requests/${request.body.id}/content`, { changes: [change] });
    await until(() => revisionOf(changed) !== before);
    expect((await api.get<{ revision: string }>(`${url}/change-requests/${request.body.id}`)).body.revision).toBe(
      revisionOf(changed),
    );
    expect(revisionOf(live)).toBe(before);
    await space.write({ operation: 'update_page', page, document: { markdown: 'Third text' } });
    await until(() => revisionOf(live) !== before);
    expect((await api.get(`${url}/presence/stream`, { query: { changeRequest: '77' } })).status).toBe(404);
  }, 60_000);

  it('shows no page that the reader does not see', async () => {
    const space = await buildSpace(workspace, 'Limited');
    const [open = '', limited = ''] = await space.write(
      { operation: 'insert_page', title: 'Open', document: { markdown: 'Text' } },
      { operation: 'insert_page', title: 'Limited', document: { markdown: 'Text' } },
    );
    const [inside, outside] = [await workspace.member('edit'), await workspace.member('edit')];
    const url = `/spaces/${space.id}`;
    const set = await workspace.admin.api.put(`${url}/permissions/pages/${limited}`, {
      users: [inside.id, workspace.admin.id],
    });
    expect(set.status).toBeLessThan(300);
    const [seeing, unseeing] = [await follow(inside, space), await follow(outside, space)];
    await inside.api.put(`${url}/presence/in`, { page: limited, block: 'aBcD012345', writing: true });
    await outside.api.put(`${url}/presence/out`, { page: open });
    await until(() => Object.keys(peopleOf(seeing)).length === 2 && Object.keys(peopleOf(unseeing)).length === 2);
    expect(peopleOf(seeing)['in']).toMatchObject({ page: limited, block: 'aBcD012345' });
    expect(peopleOf(unseeing)['in']).toEqual({ user: expect.objectContaining({ id: inside.id }), writing: true });
    expect(peopleOf(unseeing)['out']).toMatchObject({ page: open });
  }, 60_000);

  it('goes on without announcements, lasts as long as its stream, and ends by itself', async () => {
    const space = await buildSpace(workspace, 'Silent');
    const [ann, bob] = [await workspace.member('edit'), await workspace.member('edit')];
    const announcements = app.current.get(Announcements);
    const announce = announcements.announce.bind(announcements);
    announcements.announce = async () => undefined;
    try {
      const there = await follow(bob, space, '?client=bob-1', second);
      const here = await follow(ann, space, '?client=ann-1');
      await ann.api.put(`/spaces/${space.id}/presence/ann-1`, {});
      await ann.api.put(`/spaces/${space.id}/presence/ann-2`, {});
      await until(() => Object.keys(peopleOf(there)).length === 2);
      // The second window has no stream that keeps it open.
      const later = new Date(Date.now() + 20_000);
      app.current.setTime(later);
      second.setTime(later);
      await new Promise((resolve) => setTimeout(resolve, 11_000));
      const last = new Date(Date.now() + 35_000);
      app.current.setTime(last);
      second.setTime(last);
      await until(() => Object.keys(peopleOf(there)).join() === 'ann-1');
      // Who comes next removes the window that is closed.
      const rows = () =>
        app.current.database.one('SELECT count(*)::integer FROM presence WHERE client = $1', ['ann-2']);
      expect(await rows()).toEqual({ count: 1 });
      expect((await bob.api.put(`/spaces/${space.id}/presence/bob-1`, {})).status).toBe(204);
      expect(await rows()).toEqual({ count: 0 });
      expect(here.isOver).toBe(false);
    } finally {
      announcements.announce = announce;
      app.current.setTime(undefined);
      second.setTime(undefined);
    }
  }, 60_000);

  it('ends with the right to it', async () => {
    const space = await buildSpace(workspace, 'Private');
    const ann = await workspace.member('edit');
    const stream = await follow(ann, space, '', second);
    await until(() => revisionOf(stream) !== undefined);
    await workspace.admin.api.patch(`/spaces/${space.id}`, { defaultLevel: null });
    await until(() => stream.isOver);
    expect((await ann.api.get(`/spaces/${space.id}/presence/stream`)).status).toBe(404);
    const reader = await workspace.member('read');
    await workspace.admin.api.patch(`/spaces/${space.id}`, { defaultLevel: 'inherit' });
    expect((await reader.api.get(`/spaces/${space.id}/presence/stream`)).status).toBe(403);
    expect((await reader.api.put(`/spaces/${space.id}/presence/one`, {})).status).toBe(403);
    const stranger = (await buildOrganization(app.current)).admin;
    expect((await stranger.api.get(`/spaces/${space.id}/presence/stream`)).status).toBe(404);
    expect((await stranger.api.put(`/spaces/${space.id}/presence/one`, {})).status).toBe(404);
  }, 60_000);

  it('has twenty windows and streams of one person, and names of windows that are none of other things', async () => {
    const space = await buildSpace(workspace, 'Many');
    const ann = await workspace.member('edit');
    const url = `/spaces/${space.id}/presence`;
    const made = await Promise.all(Array.from({ length: 20 }, (_, at) => ann.api.put(`${url}/window-${at}`, {})));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([204]));
    const refused = await ann.api.put(`${url}/another`, {});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await ann.api.put(`${url}/window-3`, { writing: true })).status).toBe(204);
    expect((await ann.api.put(`${url}/a%20b`, {})).status).toBe(400);
    expect((await ann.api.put(`${url}/${'a'.repeat(65)}`, {})).status).toBe(400);
    expect((await ann.api.put(`${url}/one`, { changeRequest: 'unknown' })).status).toBe(404);
    const unknown = await ann.api.put<{ error: object }>(`${url}/one`, { page: 'unknown' });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      expect.objectContaining({ details: [{ path: 'page', message: 'is no page of the content' }] }),
    ]);
    expect((await ann.api.get(`${url}/stream`, { query: { client: 'a b' } })).status).toBe(400);
    const many = await Promise.all(Array.from({ length: 20 }, () => follow(ann, space)));
    expect(new Set(many.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
    expect((await follow(ann, space)).response.statusCode).toBe(429);
    many.forEach((stream) => stream.close());
  }, 60_000);
});
