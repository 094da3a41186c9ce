import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, crc32, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SignJWT } from 'jose';
import { cardMarkup } from '../src/formats/cards/card-markup.js';
import type { Card } from '../src/formats/cards/card.js';
import { flatPng } from '../src/formats/pdf/layout/png.js';
import { TaskLimitExceeded, WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { open } from './preview-world.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const app = useApp({ OUTBOUND_ALLOW: '127.0.0.1' });
const listener = usePublicListener(app);

const SIZE = { width: 1200, height: 630 };
const SECONDS = 60_000;

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function fetched(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Fetched> {
  const answer = await fetch(address, { method, headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The colour of the pixel at a place of a card, which is checked to be a PNG of the size of cards. */
async function pixelsOf(png: Buffer): Promise<(x: number, y: number) => string> {
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([SIZE.width, SIZE.height]);
  const flat = await flatPng(png, SIZE.width * SIZE.height, () => Promise.resolve());
  if (typeof flat === 'string') throw new Error(flat);
  const pixels = inflateSync(flat.subarray(41, 41 + flat.readUInt32BE(33)));
  return (x, y) => {
    const at = y * (3 * SIZE.width + 1) + 1 + 3 * x;
    return `#${pixels.subarray(at, at + 3).toString('hex')}`;
  };
}

function plainPng(width: number, height: number, rgb: readonly number[]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => rgb).flat()]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#00ff00"/>${content}</svg>`;

const metaOf = (body: string, property: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(body)?.[1];

let workspace: Workspace;
let guide: Space;
let site: Site;
let ids: string[];
let pictures: Server;
let elsewhere: string;

const page = (title: string, more: object = {}): object => ({
  operation: 'insert_page',
  title,
  document: { markdown: 'Words.\n' },
  ...more,
});
const cardOf = (of: Site, id = ''): string => `${listener.origin}${of.base}/~gitbook/ogimage/${id}`;
const customize = async (settings: object): Promise<void> => {
  const answer = await site.api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, ...settings });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  workspace = await buildOrganization(app.current);
  guide = await buildSpace(workspace, 'Guide', 'en');
  ids = await guide.write(
    page('Welcome', { description: 'Where to begin' }),
    page('Farewell & more'),
    page('Hidden', { hidden: true }),
    page('Not for robots', { noRobotsIndex: true }),
    page('For testers', { condition: 'visitor.claims.isBetaUser == true' }),
    { operation: 'insert_page', type: 'group', title: 'Group' },
  );
  site = await publish(workspace, [guide]);
  pictures = createServer(({ url }, response) => {
    if (url === '/logo.png') response.end(plainPng(64, 64, [255, 0, 0]));
    else if (url === '/logo.svg') response.end(svg(''));
    else if (url === '/words.svg') response.end(svg('<text>Acme</text>'));
    else if (url === '/huge.png') response.end(plainPng(1, 1, [255, 0, 0]).fill(0x7f, 16, 24));
    else if (url === '/broken.png') response.end(plainPng(64, 64, [255, 0, 0]).subarray(0, 50));
    else if (url === '/long.png') response.end(Buffer.alloc(600 * 1024, plainPng(64, 64, [255, 0, 0])));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => pictures.close(resolve)));

describe('the card of a page', () => {
  it(
    'is named by the page, with its size and words, and is a picture of that size',
    async () => {
      const { body } = await listener.see(`${site.base}/farewell-more`);
      const address = metaOf(body, 'og:image') ?? '';
      expect(address).toMatch(new RegExp(`^${cardOf(site, ids[1])}\\?v=[\\w-]{10}$`));
      expect(
        ['og:image:width', 'og:image:height', 'og:image:alt', 'twitter:card'].map((name) => metaOf(body, name)),
      ).toEqual(['1200', '630', 'Farewell &#x26; more | Handbook of everything', 'summary_large_image']);
      expect(body).toContain(`"image":"${address}"`);
      const card = await fetched(address);
      expect([card.status, card.headers.get('content-type'), card.headers.get('cache-control')]).toEqual([
        200,
        'image/png',
        'public, max-age=300',
      ]);
      const at = await pixelsOf(card.bytes);
      expect(at(600, 629)).toBe(DEFAULT_CUSTOMIZATION.styling.primaryColor.light.toLowerCase());
      const other = await fetched(cardOf(site, ids[0]));
      await pixelsOf(other.bytes);
      expect(other.bytes.equals(card.bytes)).toBe(false);
    },
    SECONDS,
  );

  it(
    'is painted once, and not sent again to those who have it',
    async () => {
      const run = jest.spyOn(app.current.get(WorkerPool), 'run');
      const first = await fetched(cardOf(site, ids[0]));
      const calls = run.mock.calls.length;
      const again = await fetched(cardOf(site, ids[0]));
      expect(run.mock.calls.length).toBe(calls);
      run.mockRestore();
      expect(again.bytes.equals(first.bytes)).toBe(true);
      const etag = first.headers.get('etag') ?? '';
      expect((await fetched(cardOf(site, ids[0]), { 'if-none-match': etag })).status).toBe(304);
      const head = await fetched(cardOf(site, ids[0]), {}, 'HEAD');
      expect([head.status, head.bytes.length, head.headers.get('etag')]).toEqual([200, 0, etag]);
    },
    SECONDS,
  );

  it(
    'has another address once its words or the colours of the site are others',
    async () => {
      const addressOf = async (): Promise<string> =>
        metaOf((await listener.see(`${site.base}/farewell-more`)).body, 'og:image') ?? '';
      const before = await addressOf();
      const old = await fetched(before);
      await guide.write({ operation: 'update_page', page: ids[1], description: 'The end' });
      const described = await addressOf();
      expect(described).not.toBe(before);
      expect((await fetched(described)).bytes.equals(old.bytes)).toBe(false);
      const colour = { light: '#aa0055', dark: '#aa0055' };
      await customize({ styling: { ...DEFAULT_CUSTOMIZATION.styling, primaryColor: colour } });
      const coloured = await addressOf();
      expect(coloured).not.toBe(described);
      expect((await pixelsOf((await fetched(coloured)).bytes))(600, 629)).toBe('#aa0055');
      await customize({});
    },
    SECONDS,
  );

  it('gives way to the picture that a site or a page has set', async () => {
    await customize({ socialPreview: { url: 'https://example.com/all.png' } });
    const { body } = await listener.see(`${site.base}/farewell-more`);
    expect(metaOf(body, 'og:image')).toBe('https://example.com/all.png');
    expect([metaOf(body, 'og:image:width'), metaOf(body, 'og:image:alt')]).toEqual([undefined, expect.any(String)]);
    await customize({});
    const [covered] = await guide.write(
      page('Covered', { cover: { ref: { kind: 'url', url: 'https://example.com/cover.png' } } }),
    );
    const seen = await listener.see(`${site.base}/covered`);
    expect(metaOf(seen.body, 'og:image')).toBe('https://example.com/cover.png');
    await guide.write({ operation: 'delete_page', page: covered });
  });

  it(
    'is there for pages that are shown, and for nothing else',
    async () => {
      for (const id of [ids[2], ids[3]]) expect((await fetched(cardOf(site, id))).status).toBe(200);
      for (const id of [ids[4], ids[5], 'nowhere', '', `${ids[0]}/x`, `${ids[0]}%00`, 'x'.repeat(300)])
        expect([id, (await fetched(cardOf(site, id))).status]).toEqual([id, 404]);
    },
    SECONDS,
  );
});

describe('cards of sites that not everybody may read', () => {
  it(
    'are for those with a token only',
    async () => {
      const closed = await publish(workspace, [guide], 'visitor-auth');
      const { privateKey } = (await closed.api.get<{ privateKey: string }>(`${closed.path}/publishing/auth`)).body;
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(Buffer.from(privateKey));
      const cookie = `gitbook-visitor-token=${token}`;
      const card = await fetched(cardOf(closed, ids[0]), { cookie });
      expect([card.status, card.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
      await pixelsOf(card.bytes);
      expect((await fetched(cardOf(closed, ids[0]))).headers.get('content-type')).not.toBe('image/png');
      expect((await fetched(cardOf(closed, ids[4]), { cookie })).status).toBe(404);
    },
    SECONDS,
  );

  it(
    'are for those with a share link only',
    async () => {
      const closed = await publish(workspace, [guide], 'share-link');
      const link = await closed.api.post<{ urls: { published: string } }>(`${closed.path}/share-links`, { name: 'A' });
      const shared = new URL(link.body.urls.published).pathname.replace(/\/$/, '');
      const entered = await fetched(`${listener.origin}${shared}/~gitbook/ogimage/${ids[0]}`);
      const cookie = (entered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
      expect(cookie).not.toBe('');
      expect((await fetched(cardOf(closed, ids[0]), { cookie })).headers.get('content-type')).toBe('image/png');
      expect((await fetched(cardOf(closed, ids[0]))).status).toBe(404);
    },
    SECONDS,
  );

  it('are not there in previews', async () => {
    const request = await site.api.post<{ id: string }>(`/spaces/${guide.id}/change-requests`, { subject: 'Nothing' });
    const path = `/spaces/${guide.id}/change-requests/${request.body.id}/preview`;
    const { base, cookie } = await open(listener, (await site.api.get<{ url: string }>(path)).body.url);
    const { body } = await listener.see(`${base}/farewell-more`, { cookie });
    expect(body).toContain('Farewell');
    expect(metaOf(body, 'og:image')).toBeUndefined();
    expect((await listener.see(`${base}/~gitbook/ogimage/${ids[1]}`, { cookie })).status).toBe(404);
  });
});

describe('the brand on a card', () => {
  /** The colour in the middle of where logos and icons are. */
  const brand = async (settings: object): Promise<string> => {
    await customize(settings);
    const card = await fetched(cardOf(site, ids[0]));
    expect(card.status).toBe(200);
    return (await pixelsOf(card.bytes))(100, 110);
  };
  const both = (address: string): { light: string; dark: string } => ({ light: address, dark: address });
  const logo = (address: string): object => ({ header: { ...DEFAULT_CUSTOMIZATION.header, logo: both(address) } });

  it(
    'is the logo or icon of the site, from elsewhere and from its own files',
    async () => {
      expect(await brand(logo(`${elsewhere}/logo.png`))).toBe('#ff0000');
      expect(await brand(logo(`${elsewhere}/logo.svg`))).toBe('#00ff00');
      expect(await brand({ favicon: { icon: both(`${elsewhere}/logo.png`) } })).toBe('#ff0000');
      const base64 = plainPng(32, 32, [0, 0, 255]).toString('base64');
      await guide.write({
        operation: 'insert_files',
        files: [{ name: 'logo.png', contentType: 'image/png', base64 }],
      });
      const { items } = (await site.api.get<{ items: { id: string }[] }>(`/spaces/${guide.id}/content/files`)).body;
      const file = items[0]?.id ?? '';
      expect(file).not.toBe('');
      expect(await brand(logo(`${listener.origin}/~files/${file}/logo.png`))).toBe('#0000ff');
    },
    SECONDS,
  );

  it(
    'is a letter where the logo cannot be shown',
    async () => {
      const plain = await brand({});
      for (const path of ['/words.svg', '/huge.png', '/long.png', '/nowhere.png'])
        expect([path, await brand(logo(elsewhere + path))]).toEqual([path, plain]);
      expect(await brand(logo('http://10.0.0.1/logo.png'))).toBe(plain);
      expect(await brand(logo(`${listener.origin}/~files/nowhere/logo.png`))).toBe(plain);
      expect(['#ff0000', '#00ff00']).not.toContain(await brand(logo(`${elsewhere}/broken.png`)));
      await brand({ favicon: { emoji: '1f4d6' } });
      await customize({});
    },
    SECONDS,
  );

  it(
    'is left out where a picture takes too long',
    async () => {
      const workers = app.current.get(WorkerPool);
      const run = workers.run.bind(workers);
      const spy = jest.spyOn(workers, 'run').mockImplementation((task, input, options) => {
        if (task.name === 'paintCard' && (input as Card).logo) return Promise.reject(new TaskLimitExceeded('is slow'));
        return run(task, input, options);
      });
      await guide.write({ operation: 'update_page', page: ids[0], description: 'Painted anew' });
      expect(await brand(logo(`${elsewhere}/logo.png`))).not.toBe('#ff0000');
      spy.mockRestore();
      await customize({});
    },
    SECONDS,
  );
});

describe('the words on a card', () => {
  const colors = {
    ground: '#ffffff',
    tint: '#eeeeff',
    text: '#111111',
    muted: '#222222',
    accent: '#333333',
    onAccent: '#444444',
    label: '#555555',
  };
  const card = (words: Partial<Card>): string =>
    cardMarkup({ title: '', description: '', trail: '', site: 'Docs', colors, ...words });
  /** The number of lines in a colour. */
  const lines = (markup: string, color: string): number => markup.split(`fill="${color}"/>`).length - 1;

  it('are broken into lines and end with an ellipsis where there is no room', () => {
    expect(lines(card({ title: 'Short' }), colors.text)).toBe(2);
    const long = card({ title: 'word '.repeat(100), description: 'word '.repeat(1000), trail: 'x'.repeat(1000) });
    expect([colors.text, colors.muted, colors.label].map((color) => lines(long, color))).toEqual([4, 2, 1]);
    expect(long.length).toBeLessThan(400_000);
    expect(lines(card({ title: 'W'.repeat(100_000) }), colors.text)).toBe(4);
  });

  it('are shown in the scripts of the fonts, and left out in others', () => {
    for (const title of ['Überschrift', 'Заголовок', 'Τίτλος', '导航与设置', 'はじめに', '시작하기', 'Up 🚀 100 %'])
      expect([title, lines(card({ title }), colors.text)]).toEqual([title, 2]);
    for (const title of ['دليل البدء', 'כותרת', 'शीर्षक', 'หัวข้อ', 'A ب'])
      expect([title, lines(card({ title, description: 'Words' }), colors.text)]).toEqual([title, 1]);
    expect(lines(card({ title: 'Title', description: 'وصف' }), colors.muted)).toBe(0);
    expect(lines(card({ title: 'Title', site: 'مستندات' }), colors.text)).toBe(1);
  });

  it('cannot add anything to the picture', () => {
    const markup = card({ title: '"/><script>&', description: '</svg>', trail: '<image href="x"/>', site: '"<>' });
    expect(markup).not.toMatch(/<script|<image|<\/svg>./);
    expect(markup.match(/<\/?\w+/g)?.filter((tag) => !/svg|defs|linearGradient|stop|rect|path/.test(tag))).toEqual([]);
  });
});
