import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { embedProviderOf, PLAYER_ORIGINS } from '../src/formats/html/embed-providers.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { Client } from './client.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

/** One address of loopback stands for the public internet, the next for what lies inside. */
const app = useApp({ OUTBOUND_ALLOW: '127.0.0.1' });
const listener = usePublicListener(app);

interface Embed {
  type: string;
  title: string;
  site: string;
  icon?: string;
  html?: string;
}

const TITLE = 'How the turbine of the example is mounted';
const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m5s';
const PLAYER = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=65';

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/described': (response) =>
    response.end(`<!doctype html><html><head><title>Other</title><meta property="og:title" content="${TITLE}">
      <meta property="og:site_name" content="Turbines &amp; Towers"><link rel="shortcut icon" href="/mark.png"></head><body>`),
  '/titled': (response) =>
    response
      .setHeader('Content-Type', 'text/html; charset=iso-8859-1')
      .end(Buffer.from('<title>Müller\n <b></title>', 'latin1')),
  '/long': (response) => {
    response.write(`<title>${'a'.repeat(5000)}</title><link rel=icon href="javascript:alert(1)"></head><body>`);
    const more = (): void => void (response.writable && response.write('<b>'.repeat(20_000), () => setImmediate(more)));
    more();
  },
  '/endless-tags': (response) => response.end(`${'<b><i x=1>'.repeat(20_000)}<p>`.repeat(1)),
  '/silent': (response) => response.destroy(),
  '/inside': (response) => response.writeHead(302, { Location: `http://127.0.0.2:${port}/described` }).end(),
  '/picture': (response) => response.setHeader('Content-Type', 'image/png').end('<title>No page</title>'),
};
const asked: string[] = [];
let server: Server;
let inside: Server;
let port: number;
let origin: string;

/** The answers of the services of the table; requests to them never leave the machine. */
const SERVICES: Readonly<Record<string, object>> = {
  [`https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(VIDEO)}`]: {
    title: TITLE,
    provider_name: 'YouTube',
    html: '<iframe src="https://evil.example/"></iframe>',
  },
  [`https://publish.twitter.com/oembed?format=json&url=${encodeURIComponent('https://x.com/a/status/1')}`]: {
    author_name: 'Ada',
    provider_name: 'Twitter',
    html: '<blockquote class="t"><p onclick="alert(1)">Words of Ada</p></blockquote><script src="https://evil.example/"></script>',
  },
};

beforeAll(async () => {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.headers.host}${request.url}`);
    const page = PAGES[request.url ?? ''];
    response.setHeader('Content-Type', 'text/html');
    if (page) page(response);
    else response.writeHead(404).end('<title>Nothing</title>');
  };
  server = createServer(handle);
  inside = createServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
  await new Promise<void>((done) => inside.listen(port, '127.0.0.2', done));
  const outbound = app.current.get(Outbound);
  const fetch = outbound.fetch.bind(outbound);
  jest.spyOn(outbound, 'fetch').mockImplementation(async (address, request) => {
    if (address.startsWith(origin)) return fetch(address, request);
    asked.push(address);
    const answer = SERVICES[address];
    const body = Buffer.from(JSON.stringify(answer ?? {}));
    return { url: address, status: answer ? 200 : 404, statusText: '', headers: {}, body };
  });
});
afterAll(() => {
  for (const each of [server, inside]) {
    each.closeAllConnections();
    each.close();
  }
});

describe('embeds', () => {
  it('are told by the service of an address, or by its page', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await buildSpace(workspace, 'Guide');
    await space.write({ operation: 'insert_page', title: TITLE, document: { markdown: `{% embed url="${VIDEO}" %}` } });
    const read = async (url: string) => {
      const [alone, inSpace] = [
        await api.get<Embed>('/urls/embed', { query: { url } }),
        await api.get<Embed>(`/spaces/${space.id}/embed`, { query: { url } }),
      ];
      expect([alone.status, inSpace.body]).toEqual([200, alone.body]);
      return alone.body;
    };
    const video = await read(VIDEO);
    expect(video).toMatchObject({
      type: 'rich',
      title: TITLE,
      site: 'YouTube',
      icon: 'https://www.youtube.com/favicon.ico',
    });
    expect(video.html).toMatch(/^<iframe [^>]*><\/iframe>$/);
    expect([video.html?.includes(`src="${PLAYER}"`), video.html?.includes(`title="${TITLE}"`)]).toEqual([true, true]);
    const post = await read('https://x.com/a/status/1');
    expect(post).toMatchObject({ type: 'rich', title: 'Ada', site: 'X' });
    expect(post.html).toBe('<div class="raw"><blockquote><p>Words of Ada</p></blockquote></div>');
    expect(await read(`${origin}/described`)).toEqual({
      type: 'link',
      title: TITLE,
      site: 'Turbines & Towers',
      icon: `${origin}/mark.png`,
    });
    expect(await read(`${origin}/titled`)).toMatchObject({ type: 'link', title: 'Müller <b>', site: '127.0.0.1' });
    // Each was asked once.
    expect(asked.filter((address) => /described|oembed/.test(address))).toHaveLength(3);
  });

  it('are links where a page is hostile, silent, or none', async () => {
    const { api } = (await buildOrganization(app.current)).admin;
    const of = (path: string) => api.get<Embed>('/urls/embed', { query: { url: `${origin}${path}` } });
    const long = await of('/long');
    expect([long.status, long.body.title, long.body.icon]).toEqual([200, 'a'.repeat(300), `${origin}/favicon.ico`]);
    for (const path of ['/endless-tags', '/silent', '/nothing', '/picture'])
      expect([path, (await of(path)).body]).toEqual([
        path,
        { type: 'link', title: `${origin}${path}`, site: '127.0.0.1', icon: `${origin}/favicon.ico` },
      ]);
  });

  it('ask no address inside, and nothing for callers without the right', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const { api } = workspace.admin;
    const of = (url: string | undefined) =>
      api.get<{ error: { details: { path: string }[] } }>('/urls/embed', { query: { url } });
    for (const url of [
      `http://127.0.0.2:${port}/described`,
      `${origin}/inside`,
      'http://[::1]/',
      'file:///etc/passwd',
      undefined,
    ]) {
      const { status, body } = await of(url);
      expect([url, status, body.error.details[0]?.path]).toEqual([url, 400, 'url']);
    }
    expect(asked.filter((address) => address.startsWith('127.0.0.2'))).toEqual([]);
    const before = asked.length;
    const url = `${origin}/described?again`;
    const at = { query: { url } };
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(`/spaces/${space.id}/embed`, at)).status).toBe(404);
    expect((await new Client(app.current.url, undefined).get('/urls/embed', at)).status).toBe(401);
    expect(asked).toHaveLength(before);
  });

  it('are open to readers of a site for what its pages embed, and for nothing else', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const own = `${origin}/described`;
    const hidden = `${origin}/titled`;
    await space.write(
      { operation: 'insert_page', title: TITLE, document: { markdown: `{% embed url="${own}" %}` } },
      {
        operation: 'insert_page',
        title: 'Hidden',
        condition: 'false',
        document: { markdown: `{% embed url="${hidden}" %}` },
      },
    );
    const site = await publish(workspace, [space]);
    const lookup = await new Client(app.current.url, undefined).post<{ apiToken: string }>('/urls/published', {
      url: `${listener.origin}${site.base}`,
    });
    const reader = new Client(app.current.url, lookup.body.apiToken);
    const read = (url: string, path = `/spaces/${space.id}/embed`) => reader.get<Embed>(path, { query: { url } });
    expect(await read(own)).toMatchObject({ status: 200, body: { title: TITLE } });
    expect((await read(hidden)).status).toBe(404);
    expect((await read(`${origin}/elsewhere`)).status).toBe(404);
    expect((await read(own, '/urls/embed')).status).toBe(403);
  });

  it('have players of their own services only', () => {
    const frames: readonly (readonly [string, string | undefined])[] = [
      [VIDEO, PLAYER],
      ['https://youtu.be/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://m.youtube.com/shorts/dQw4w9WgXcQ?x', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://vimeo.com/76979871/abcdef12', 'https://player.vimeo.com/video/76979871?dnt=1&h=abcdef12'],
      [`https://www.loom.com/share/${'a1'.repeat(16)}`, `https://www.loom.com/embed/${'a1'.repeat(16)}`],
      ['https://dai.ly/x8abcde', 'https://geo.dailymotion.com/player.html?video=x8abcde'],
      [
        'https://open.spotify.com/intl-de/track/11dFghVXANMlKmJXsNCbNl',
        'https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl',
      ],
      [
        'https://soundcloud.com/forss/flickermood',
        'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fforss%2Fflickermood',
      ],
      ['https://codepen.io/ada/pen/abcDEF', 'https://codepen.io/ada/embed/abcDEF?default-tab=result'],
      ['https://codesandbox.io/s/new-abc12', 'https://codesandbox.io/embed/new-abc12'],
      ['https://www.youtube.com/@channel', undefined],
      ['https://www.youtube.com/embed/../../x', undefined],
      ['https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ', undefined],
      ['https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ', undefined],
      ['https://soundcloud.com/forss', undefined],
      ['https://gist.github.com/ada/1', undefined],
      ['javascript:alert(1)', undefined],
    ];
    for (const [url, src] of frames) {
      const player = embedProviderOf(url)?.player;
      expect([url, player?.src]).toEqual([url, src]);
      if (player) expect(PLAYER_ORIGINS).toContain(player.origin);
    }
    expect(embedProviderOf(`https://www.figma.com/design/${'a'.repeat(22)}/Name?x=1`)?.player?.src).toBe(
      `https://www.figma.com/embed?embed_host=bindery&url=${encodeURIComponent(`https://www.figma.com/design/${'a'.repeat(22)}/Name?x=1`)}`,
    );
  });

  it('are links with a button on published pages, which may load the player and nothing else', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write(
      { operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } },
      {
        operation: 'insert_page',
        title: 'Video',
        document: { markdown: `{% embed url="${VIDEO}" %}\nMounting\n{% endembed %}` },
      },
      {
        operation: 'insert_page',
        title: 'Page',
        document: { markdown: `{% embed url="${origin}/described" %}\n\ndata-player="https://player.vimeo.com/` },
      },
    );
    const site = await publish(workspace, [space]);
    const before = asked.length;
    const { headers, body } = await listener.see(`${site.base}/video`);
    const policy = String(headers['content-security-policy']);
    expect(/frame-src ([^;]+)/.exec(policy)?.[1]).toBe('https://www.youtube-nocookie.com');
    expect(body).toContain(`data-player="${PLAYER}"`);
    expect(body).toMatch(
      /<button [^>]*hidden[^>]*>.*?<span>Load from YouTube<\/span><\/button><a [^>]*href="https:\/\/www\.youtube\.com\/watch/s,
    );
    expect(body).not.toContain('<iframe');
    expect(asked).toHaveLength(before);
    const other = await listener.see(`${site.base}/page`);
    expect(other.body).not.toContain('player-start');
    expect(String(other.headers['content-security-policy'])).not.toContain('frame-src');
  });
});
