import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FileEndpoint } from '../src/kernel/platform/storage/file-endpoint.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener, type Seen, type Site } from './published-site.js';

const LIMIT = 40;
const app = useApp({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: 'loopback' });
const listener = usePublicListener(app);

describe('readers of published sites', () => {
  let site: Site;
  let pages: string[];
  let minute = Math.floor(Date.now() / 60_000) * 60_000;
  const nextMinute = (): void => app.current.setTime(new Date((minute += 60_000)));
  const from = (ip: string) => ({ 'X-Forwarded-For': ip });
  const statuses = async (count: number, ask: (index: number) => Promise<Seen>): Promise<number[]> => {
    const found: number[] = [];
    for (let index = 0; index < count; index++) found.push((await ask(index)).status);
    return found;
  };

  beforeAll(async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    pages = await space.write({ operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.\n' } });
    site = await publish(workspace, [space]);
    nextMinute();
  });
  afterAll(() => app.current.setTime(undefined));

  it('meet it at names for which no certificate may be ordered, and never at those that are served', async () => {
    const ip = from('198.51.100.77');
    const ask = (domain: string) => listener.see(`/.well-known/bindery/tls-check?domain=${domain}`, ip);
    nextMinute();
    const served = await statuses(LIMIT + 5, () => ask('localhost'));
    const unknown = await statuses(LIMIT + 1, (index) => ask(`n${index}.example.com`));
    expect([new Set(served), new Set(unknown.slice(0, LIMIT)), unknown[LIMIT]]).toEqual([
      new Set([200]),
      new Set([404]),
      429,
    ]);
    expect((await ask('localhost')).status).toBe(200);
    nextMinute();
  });

  it('meet a limit by address at what no cache answers, and only there', async () => {
    const ip = from('198.51.100.1');
    const { body } = await listener.see(site.base, ip);
    const asked = [
      () => listener.see(`${site.base}/~search?q=hello`, ip),
      () => listener.see(`${site.base}/nowhere`, ip),
      () => listener.see('/no-such-site', ip),
      () => listener.see(`${site.base}/welcome.md`, ip),
      () =>
        listener.see(
          `${site.base}/~feedback`,
          { ...ip, 'Content-Type': 'application/x-www-form-urlencoded' },
          'POST',
          `page=${pages[0]}&rating=good`,
        ),
    ];
    // The page itself had to be made.
    const found = await statuses(
      LIMIT - 1,
      (index) => asked[index % asked.length]?.() ?? Promise.reject(new Error('nothing to ask')),
    );
    expect(found.slice(0, 5)).toEqual([200, 404, 404, 200, 303]);
    expect(found).not.toContain(429);
    for (const ask of asked) {
      const refused = await ask();
      expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.body)]).toEqual([
        429,
        '60',
        { error: { code: 429, message: `Too many requests: at most ${LIMIT} per minute` } },
      ]);
    }
    const page = await listener.see(`${site.base}/nowhere`, {
      ...ip,
      accept: 'text/html,application/xhtml+xml',
      'accept-language': 'de-DE,de;q=0.9',
    });
    expect([
      page.status,
      page.headers['retry-after'],
      page.headers['cache-control'],
      page.headers['content-type'],
    ]).toEqual([429, '60', 'no-store', 'text/html; charset=utf-8']);
    expect(page.body).toMatch(/<html lang="de-DE".*<h1>Zu viele Anfragen<\/h1>/);
    const style = /href="([^"]*~assets[^"]*)"/.exec(body)?.[1] ?? '';
    expect(await statuses(5, () => listener.see(site.base, ip))).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(5, () => listener.see(style, ip))).toEqual([200, 200, 200, 200, 200]);
    expect((await listener.see(`${site.base}/nowhere`, from('198.51.100.2'))).status).toBe(404);
    nextMinute();
    expect((await listener.see(`${site.base}/nowhere`, ip)).status).toBe(404);
  });

  it('may ask much less often for all pages at once', async () => {
    nextMinute();
    expect(await statuses(4, () => listener.see(`${site.base}/llms-full.txt`, from('198.51.100.3')))).toEqual([
      200, 200, 429, 429,
    ]);
    expect(await statuses(1, () => listener.see(`${site.base}/~gitbook/pdf`, from('198.51.100.3')))).toEqual([429]);
  });

  it('are no fault of the server when they break off; what breaks there is', async () => {
    const files = jest.spyOn(app.current.get(FileEndpoint), 'handle');
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const brokenOff = async (after: (response: ServerResponse) => Promise<void>): Promise<void> => {
      const sent = request(`${listener.origin}/~files/x/y`);
      sent.on('error', () => undefined);
      const ended = new Promise<void>((resolve) => {
        files.mockImplementationOnce(async (_, response) => {
          const closed = once(response, 'close');
          sent.destroy();
          await closed;
          setImmediate(resolve);
          await after(response);
          return true;
        });
      });
      sent.end();
      await ended;
      await new Promise((resolve) => setImmediate(resolve));
    };
    try {
      await brokenOff((response) => pipeline(Readable.from(['bytes']), response));
      expect(logged).not.toHaveBeenCalled();
      await brokenOff(() => Promise.reject(new Error('the disk is gone')));
      expect(String(logged.mock.calls)).toContain('the disk is gone');
    } finally {
      logged.mockRestore();
      files.mockRestore();
    }
  });

  it('cannot take another address by a header of their own', async () => {
    nextMinute();
    const found = await statuses(LIMIT + 1, (index) =>
      listener.see(`${site.base}/nowhere`, from(`203.0.113.${index}, 198.51.100.4`)),
    );
    expect([found[0], found.at(-1)]).toEqual([404, 429]);
  });
});
