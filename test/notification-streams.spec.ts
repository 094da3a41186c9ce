import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Announcements } from '../src/kernel/platform/announcements.js';
import { Listeners } from '../src/kernel/platform/http/listeners.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { TestApp, useApp } from './app.js';
import type { Person } from './build.js';
import { recordExchange } from './contract/hooks.js';
import { Client } from './client.js';
import { post } from './discussion.js';
import { EventStreamReader } from './event-stream-reader.js';
import { desk, inbox, settle, until, type Shown } from './notification-desk.js';

let second: TestApp;
const streams: Stream[] = [];

// Before the database goes with the first server.
afterAll(() => second.close());
const app = useApp();
beforeAll(async () => {
  second = await TestApp.start({}, app.current.databaseUrl);
});
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

type Stream = EventStreamReader<Shown>;

async function openAs(token: string | undefined, url: string, lastEventId?: string): Promise<Stream> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const stream = await EventStreamReader.open<Shown>(`${url}/v1/user/notifications/stream`, token, headers);
  streams.push(stream);
  return stream;
}

const open = (person: Person, { url } = app.current as { url: string }, lastEventId?: string) =>
  openAs(person.api.token, url, lastEventId);

describe('the stream of notifications', () => {
  it('tells of what is new on whichever server it is open, and goes on behind the last event', async () => {
    const { org, author, request } = await desk(app.current);
    const other = await org.member('comment');
    await post(other, request, 'Before');
    await settle(app.current);
    const [here, there] = [await open(author), await open(author, second)];
    expect([here.response.statusCode, here.response.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    for (const text of ['One', 'The second one']) {
      await post(other, request, text);
      await settle(app.current);
    }
    await until(() => here.told.length === 2 && there.told.length === 2);
    const [two, one] = (await inbox(author)).items;
    expect(there.told.map(({ event, data }) => [event, data.excerpt])).toEqual([
      ['notification', 'One'],
      ['notification', 'The second one'],
    ]);
    // Addresses are those of the server that tells.
    expect(here.told.map(({ data }) => data)).toEqual([one, two]);
    const again = await open(author, second, there.told[0]?.id);
    await until(() => again.told.length === 1);
    // The client of the tests reads whole answers only.
    recordExchange({
      method: 'GET',
      path: '/v1/user/notifications/stream',
      status: 200,
      headers: again.response.headers,
      body: JSON.stringify(again.told),
    });
    expect(again.told.map(({ id, data }) => [id, data.excerpt])).toEqual([[there.told[1]?.id, 'The second one']]);
    for (const id of ['0', 'nonsense', '999999999999999']) {
      const stream = await open(author, app.current, id);
      await post(other, request, `After ${id}`);
      await settle(app.current);
      await until(() => stream.told.at(-1)?.data.excerpt === `After ${id}`);
      expect(stream.told.length).toBe(id === '0' ? 4 : 1);
    }
  }, 60_000);

  it('tells also where announcements are lost, and nothing that the reader cannot see or has switched off', async () => {
    const { org, author, request, id } = await desk(app.current);
    const other = await org.member('comment');
    const announcements = app.current.get(Announcements);
    const announce = announcements.announce.bind(announcements);
    announcements.announce = async () => undefined;
    try {
      const [stream, stranger] = [await open(author, second), await open(other, second)];
      await post(other, request, 'Unheard');
      await settle(app.current);
      await until(() => stream.told.length === 1);
      await author.api.put('/user/notification-settings', { kinds: { commented: { app: false } } });
      await post(other, request, 'Unwanted');
      await settle(app.current);
      await author.api.put('/user/notification-settings', { kinds: { commented: { app: true } } });
      await post(org.admin, request, 'Wanted');
      await org.admin.api.patch(`/spaces/${id}`, { defaultLevel: null });
      await post(org.admin, request, 'In private');
      await settle(app.current);
      await org.admin.api.patch(`/spaces/${id}`, { defaultLevel: 'inherit' });
      await post(org.admin, request, 'In public');
      await settle(app.current);
      await until(() => stream.told.length === 2);
      expect(stream.told.map(({ data }) => data.excerpt)).toEqual(['Unheard', 'In public']);
      expect(stranger.told).toEqual([]);
    } finally {
      announcements.announce = announce;
    }
  }, 60_000);

  it('ends with the hour of a temporary token', async () => {
    const { author } = await desk(app.current);
    const { body } = await author.api.post<{ token: string }>('/user/notifications/token');
    const stream = await openAs(body.token, second.url);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect([stream.response.statusCode, stream.isOver]).toEqual([200, false]);
    second.setTime(new Date(Date.now() + 3_600_000));
    await until(() => stream.isOver);
    second.setTime(undefined);
  }, 30_000);

  it('ends soon after its token, and with the server; one person has ten at most', async () => {
    const { author } = await desk(app.current);
    const { row, secret } = await app.current.get(Tokens).issue(author.id, { name: 'short' });
    const short = await openAs(secret, second.url);
    const { body } = await new Client(app.current.url, secret).post<{ token: string }>('/user/notifications/token');
    const delegate = await openAs(body.token, second.url);
    const kept = await open(author, second);
    expect((await author.api.delete(`/user/tokens/${row.id}`)).status).toBe(204);
    await until(() => short.isOver && delegate.isOver);
    expect(kept.isOver).toBe(false);
    const many = await Promise.all(Array.from({ length: 10 }, () => open(author)));
    expect(many.map(({ response }) => response.statusCode)).toEqual(Array.from({ length: 10 }, () => 200));
    const refused = await author.api.get('/user/notifications/stream');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    many.forEach((stream) => stream.close());
    await until(async () => (await open(author)).response.statusCode === 200);
    second.get(Listeners).announceEnd();
    await until(() => kept.isOver);
    const late = await open(author, second);
    await until(() => late.isOver);
    expect(late.response.statusCode).toBe(200);
    const third = await TestApp.start({}, app.current.databaseUrl);
    const last = await open(author, third);
    await third.close();
    await until(() => last.isOver);
  }, 60_000);
});
