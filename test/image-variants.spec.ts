import { deflateSync, crc32 } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { stillImage } from '../src/kernel/platform/images/image-container.js';
import { resizeImage } from '../src/kernel/platform/images/image-tasks.js';
import { Blobs } from '../src/kernel/platform/storage/blobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const WEBP = 'image/webp,image/*,*/*;q=0.8';
const AVIF = 'image/avif,image/webp,*/*';

/** An image of many colours: its left half is mostly red, its right half mostly blue. */
function drawn(width: number, height: number, format: 'png' | 'jpeg' | 'webp'): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let y = 0; y < height; y += 4)
    for (let x = 0; x < width; x += 4) {
      const noise = (x * 73 + y * 151 + ((x * y) % 97)) % 60;
      context.fillStyle = x < width / 2 ? `rgb(220, ${noise}, ${noise})` : `rgb(${noise}, ${noise}, 220)`;
      context.fillRect(x, y, 4, 4);
    }
  return format === 'png' ? canvas.encodeSync('png') : canvas.encodeSync(format, 95);
}

/** A JPEG whose EXIF says that it is shown turned to the right. */
function turned(jpeg: Buffer): Buffer {
  const tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
  const exif = Buffer.from([0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 1, ...tag, 0, 0, 0, 0]);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}

/** A small PNG whose header states a size that it does not have. */
function pngStating(width: number, height: number, more: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    more,
    chunk('IDAT', deflateSync(Buffer.alloc(20_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Tells whether a pixel is more red than blue. */
async function isRed(bytes: Buffer, x: number, y: number): Promise<boolean> {
  const image = await loadImage(bytes);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const [red = 0, , blue = 0] = context.getImageData(x, y, 1, 1).data;
  return red > blue;
}

async function got(address: string, accept: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { headers: { accept, ...headers } });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, body };
}

const rows = () =>
  app.current.database.query<{ width: number; format: string; hash: string | null }>(
    `SELECT width, format, encode(hash, 'hex') AS hash FROM image_variant ORDER BY created_at, width, format`,
  );

describe('images of published pages', () => {
  const photo = drawn(1600, 900, 'jpeg');
  const dark = drawn(700, 400, 'png');
  let workspace: Workspace;
  let space: Space;
  let site: Site;
  let html: string;
  let ids: string[];

  const insert = async (name: string, contentType: string, bytes: Buffer): Promise<string> => {
    const [id = ''] = await fileIds(name, contentType, bytes);
    return id;
  };
  const fileIds = async (name: string, contentType: string, bytes: Buffer): Promise<string[]> => {
    const { status, body } = await workspace.admin.api.post<{ insertedFiles: { id: string }[] }>(
      `/spaces/${space.id}/content`,
      { changes: [{ operation: 'insert_files', files: [{ name, contentType, base64: bytes.toString('base64') }] }] },
    );
    expect(status).toBe(200);
    return body.insertedFiles.map(({ id }) => id);
  };
  const addressOf = async (id: string): Promise<string> =>
    (await workspace.admin.api.get<{ downloadURL: string }>(`/spaces/${space.id}/content/files/${id}`)).body
      .downloadURL;
  const image = (file: string, more: object = {}) => ({
    object: 'block',
    type: 'images',
    isVoid: false,
    data: {},
    nodes: [{ object: 'block', type: 'image', isVoid: true, data: { ref: { kind: 'file', file }, ...more } }],
  });

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    space = await buildSpace(workspace, 'Pictures');
    ids = [
      await insert('photo.jpg', 'image/jpeg', photo),
      await insert('dark.png', 'image/png', dark),
      await insert('small.png', 'image/png', drawn(40, 40, 'png')),
    ];
    const [first = '', second = '', third = ''] = ids;
    await space.write({
      operation: 'insert_page',
      title: 'Gallery',
      document: {
        document: {
          object: 'document',
          data: {},
          nodes: [
            image(first, { alt: 'One', refDark: { kind: 'file', file: second } }),
            image(second, { alt: 'Two', width: 300 }),
            image(third, { alt: 'Three' }),
          ],
        },
      },
    });
    site = await publish(workspace, [space]);
    html = (await listener.see(site.base)).body;
  });

  const tagOf = (alt: string, index = 0): string =>
    [...html.matchAll(new RegExp(`<img [^>]*alt="${alt}"[^>]*>`, 'g'))][index]?.[0].replaceAll('&#x26;', '&') ?? '';

  it('name their variants, none wider than the image, with size and room', () => {
    const tag = tagOf('One');
    const src = /src="([^"]+)"/.exec(tag)?.[1] ?? '';
    expect(src).toMatch(/\/~files\/.+\/photo\.jpg\?v=[0-9a-f]{16}$/);
    expect(/srcset="([^"]+)"/.exec(tag)?.[1]).toBe(
      [480, 960, 1600].map((width) => `${src}&width=${width} ${width}w`).join(', '),
    );
    expect(tag).toContain('sizes="(max-width: 768px) 100vw, 768px"');
    expect(tag).toContain('width="1600" height="900"');
    expect(tagOf('Two')).toContain('sizes="(max-width: 300px) 100vw, 300px" alt="Two" width="300" height="171"');
    expect(tagOf('Two')).toMatch(/width=480 480w, [^"]+width=700 700w"/);
    expect(tagOf('Three')).not.toContain('srcset');
  });

  it('are loaded late, but for the first one in the scheme of the site, and dark variants have their own', async () => {
    expect(tagOf('One')).toContain('fetchpriority="high" class="only-light"');
    expect(tagOf('One')).not.toContain('loading=');
    expect(tagOf('One', 1)).toMatch(/dark\.png\?.*width=700 700w.*loading="lazy" decoding="async" class="only-dark"/);
    for (const alt of ['Two', 'Three']) expect(tagOf(alt)).toContain('loading="lazy"');
    expect(html.match(/fetchpriority/g)).toHaveLength(1);
  });

  it('have the best format that a browser accepts, made once and cached', async () => {
    const address = `${listener.origin}${new URL(/src="([^"]+photo[^"]+)"/.exec(tagOf('One'))?.[1] ?? '').pathname}`;
    const asked = await Promise.all([1, 2, 3].map(() => got(`${address}?width=480`, WEBP)));
    for (const { status, type, headers, body } of asked) {
      expect([status, type, headers.get('vary'), headers.get('cache-control')]).toEqual([
        200,
        'image/webp',
        'Accept',
        'public, max-age=300, stale-if-error=86400',
      ]);
      expect(imageSize(body)).toMatchObject({ type: 'webp', width: 480, height: 270 });
    }
    const webp = asked[0]?.body ?? Buffer.alloc(0);
    expect(webp.length).toBeLessThan(photo.length / 3);
    expect([await isRed(webp, 20, 100), await isRed(webp, 460, 100)]).toEqual([true, false]);
    const avif = await got(`${address}?width=400`, AVIF);
    expect([avif.type, avif.headers.get('content-disposition')]).toEqual([
      'image/avif',
      expect.stringContaining('filename="photo.avif"'),
    ]);
    expect(imageSize(avif.body)).toMatchObject({ width: 480, height: 270 });
    expect((await rows()).map(({ width, format }) => [width, format])).toEqual([
      [480, 'webp'],
      [480, 'avif'],
    ]);
    const again = await got(`${address}?width=480`, WEBP, { 'if-none-match': asked[0]?.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const part = await got(`${address}?width=480`, WEBP, { range: 'bytes=0-3' });
    expect([part.status, part.body.toString()]).toEqual([206, 'RIFF']);
  });

  it('are never enlarged, and are served as they are where there is nothing better', async () => {
    const [first = '', second = ''] = ids;
    const photos = `${listener.origin}/~files/${first}/photo.jpg`;
    const whole = await got(`${photos}?width=1800`, WEBP);
    expect(imageSize(whole.body)).toMatchObject({ type: 'webp', width: 1600, height: 900 });
    for (const [address, accept] of [
      [`${photos}?width=480`, 'image/*,*/*'],
      [`${photos}?width=480`, 'image/webp;q=0, */*'],
      [`${photos}?width=4000`, WEBP],
      [photos, WEBP],
    ] as const)
      expect((await got(address, accept)).body.equals(photo)).toBe(true);
    for (const width of ['0', '-1', '4x', '', '100000'])
      expect([width, (await got(`${photos}?width=${width}`, WEBP)).status]).toEqual([width, 400]);
    // A drawing of few colours is smaller as PNG.
    expect((await got(`${listener.origin}/~files/${second}/dark.png?width=10`, WEBP)).body.equals(dark)).toBe(true);
  });

  it('keep their signature where only some may see them', async () => {
    const other = await buildSpace(workspace, 'Closed');
    const made = await workspace.admin.api.post<{ insertedFiles: { id: string; downloadURL: string }[] }>(
      `/spaces/${other.id}/content`,
      {
        changes: [
          {
            operation: 'insert_files',
            files: [{ name: 'p.jpg', contentType: 'image/jpeg', base64: photo.toString('base64') }],
          },
        ],
      },
    );
    const { id = '', downloadURL = '' } = made.body.insertedFiles[0] ?? {};
    await other.write({
      operation: 'insert_page',
      title: 'P',
      document: { document: { object: 'document', data: {}, nodes: [image(id)] } },
    });
    await publish(workspace, [other], 'visitor-auth', 'Members only');
    expect((await got(`${listener.origin}/~files/${id}/p.jpg?width=480`, WEBP)).status).toBe(404);
    expect((await got(`${downloadURL.replace(/signature=...../, 'signature=AAAAA')}&width=480`, WEBP)).status).toBe(
      403,
    );
    const seen = await got(`${downloadURL}&width=480`, WEBP);
    expect([seen.status, seen.type]).toEqual([200, 'image/webp']);
    expect(seen.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
  });

  it('are served as they are where they cannot be decoded, which is tried once', async () => {
    const broken: [name: string, type: string, bytes: Buffer][] = [
      ['cut.jpg', 'image/jpeg', photo.subarray(0, photo.length - 5000)],
      ['bomb.png', 'image/png', pngStating(60_000, 60_000)],
      ['empty.png', 'image/png', pngStating(700, 700)],
    ];
    for (const [name, type, bytes] of broken) {
      const before = (await rows()).length;
      const address = `${await addressOf(await insert(name, type, bytes))}&width=480`;
      for (let round = 0; round < 2; round++) {
        const seen = await got(address, WEBP);
        expect([name, seen.status, seen.type, seen.body.equals(bytes)]).toEqual([name, 200, type, true]);
      }
      expect((await rows()).slice(before)).toEqual([{ width: 480, format: 'webp', hash: null }]);
    }
  });

  it('go with their file', async () => {
    const [first = ''] = ids;
    const variants = (await rows()).flatMap(({ hash }) => hash ?? []);
    expect(variants.length).toBeGreaterThan(3);
    await app.current.database.execute(`DELETE FROM image_variant WHERE file_id <> $1`, [first]);
    const blobs = app.current.get(Blobs);
    await blobs.removeUnreferenced();
    expect((await rows()).length).toBeGreaterThan(0);
    await app.current.database.execute(
      `DELETE FROM blob WHERE hash = (SELECT source FROM image_variant WHERE file_id = $1 LIMIT 1)`,
      [first],
    );
    expect(await rows()).toEqual([]);
  });
});

describe('decoding of images', () => {
  const order = (bytes: Buffer, type: 'image/png' | 'image/jpeg' | 'image/webp', width = 100) =>
    resizeImage({ bytes: Uint8Array.from(bytes), type, width, format: 'webp' });

  it('turns images as their EXIF says', async () => {
    const made = Buffer.from((await order(turned(drawn(400, 200, 'jpeg')), 'image/jpeg')) ?? []);
    expect(imageSize(made)).toMatchObject({ width: 100, height: 200 });
    // Turned to the right, its left half is above.
    expect([await isRed(made, 50, 20), await isRed(made, 50, 180)]).toEqual([true, false]);
  });

  it('reads whole PNG, JPEG and WebP, with and without transparent pixels', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const made = await order(drawn(300, 150, format), `image/${format}`);
      expect([format, imageSize(made ?? new Uint8Array())]).toEqual([
        format,
        expect.objectContaining({ width: 100, height: 50 }),
      ]);
    }
    const canvas = createCanvas(200, 200);
    canvas.getContext('2d').fillRect(50, 50, 20, 20);
    expect(imageSize((await order(canvas.encodeSync('png'), 'image/png')) ?? new Uint8Array())).toMatchObject({
      width: 100,
      height: 100,
    });
  });

  it('refuses what is not whole, moves, or has scans without end', async () => {
    const [png, jpeg, webp] = [drawn(300, 150, 'png'), drawn(300, 150, 'jpeg'), drawn(300, 150, 'webp')];
    const changed = Buffer.from(png);
    changed[png.length - 40] = (changed[png.length - 40] ?? 0) ^ 1;
    expect(stillImage(changed, 'image/png')).toBeUndefined();
    expect(stillImage(pngStating(9, 9), 'image/png')).toEqual({ isTurned: false });
    expect(stillImage(pngStating(9, 9, chunk('acTL', Buffer.alloc(8))), 'image/png')).toBeUndefined();
    for (const [bytes, type] of [
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const) {
      expect(stillImage(bytes, type)).toEqual({ isTurned: false });
      for (const end of [0, 3, 20, Math.floor(bytes.length / 2), bytes.length - 3])
        expect([type, end, stillImage(bytes.subarray(0, end), type)]).toEqual([type, end, undefined]);
    }
    const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x55]);
    const scans = (count: number): Buffer =>
      Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: count }, () => scan), jpeg.subarray(-2)]);
    expect(stillImage(scans(20), 'image/jpeg')).toEqual({ isTurned: false });
    expect(stillImage(scans(100), 'image/jpeg')).toBeUndefined();
  });
});
