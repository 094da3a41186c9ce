import { deflateSync, crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { flatPng, isPlainPng } from '../src/formats/pdf/layout/png.js';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

const WIDTH = 13;
const HEIGHT = 11;
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const PALETTE: readonly Pixel[] = [
  [255, 0, 0, 255],
  [0, 255, 0, 128],
  [0, 0, 255, 0],
  [10, 20, 30, 255],
];

/** Some picture, whose pixels a type of PNG can hold exactly. */
const KINDS: readonly {
  readonly name: string;
  readonly type: number;
  readonly depth: number;
  readonly pixel: (x: number, y: number) => Pixel;
  readonly samples: (pixel: Pixel) => number[];
}[] = [
  { name: 'grey', type: 0, depth: 8, pixel: (x, y) => grey(x * 19 + y, 255), samples: ([red]) => [red] },
  {
    name: 'grey of 16 bits',
    type: 0,
    depth: 16,
    pixel: (x, y) => grey(x * 19 + y, 255),
    samples: ([red]) => [red * 257],
  },
  {
    name: 'black and white',
    type: 0,
    depth: 1,
    pixel: (x, y) => grey((x + y) % 2 === 0 ? 255 : 0, 255),
    samples: ([red]) => [red / 255],
  },
  {
    name: 'colours',
    type: 2,
    depth: 8,
    pixel: (x, y) => [x * 19, y * 23, 7, 255],
    samples: ([red, green, blue]) => [red, green, blue],
  },
  {
    name: 'a palette of two bits',
    type: 3,
    depth: 2,
    pixel: (x, y) => PALETTE[(x + y) % 4] ?? grey(0, 0),
    samples: (pixel) => [PALETTE.indexOf(pixel)],
  },
  {
    name: 'grey with transparency',
    type: 4,
    depth: 8,
    pixel: (x, y) => grey(x * 19, y * 23),
    samples: ([red, , , alpha]) => [red, alpha],
  },
  {
    name: 'colours with transparency',
    type: 6,
    depth: 8,
    pixel: (x, y) => [x * 19, y * 23, 200, x * 19],
    samples: (pixel) => [...pixel],
  },
  {
    name: 'colours with transparency of 16 bits',
    type: 6,
    depth: 16,
    pixel: (x, y) => [x * 19, y * 23, 200, y * 23],
    samples: (pixel) => pixel.map((value) => value * 257),
  },
];

function grey(value: number, alpha: number): Pixel {
  return [value, value, value, alpha];
}

function chunk(name: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(name, 4, 'latin1');
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}

/** The rows of one pass, each with another filter. */
function rowsOf(
  { pixel, samples, depth }: (typeof KINDS)[number],
  [left, top, stepX, stepY]: readonly [number, number, number, number],
): Buffer[] {
  const rows: Buffer[] = [];
  let before: Buffer | undefined;
  for (let y = top; y < HEIGHT; y += stepY) {
    const values: number[] = [];
    for (let x = left; x < WIDTH; x += stepX) values.push(...samples(pixel(x, y)));
    if (values.length === 0) break;
    const bits = values.map((value) => value.toString(2).padStart(depth, '0')).join('');
    const row = Buffer.from(
      (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
    );
    const step = Math.max(1, (samples([0, 0, 0, 0]).length * depth) >> 3);
    rows.push(filtered(rows.length % 5, row, before ?? Buffer.alloc(row.length), step));
    before = row;
  }
  return rows;
}

function filtered(filter: number, row: Buffer, before: Buffer, step: number): Buffer {
  return Buffer.from([
    filter,
    ...row.map((value, index) => {
      const [left, up, corner] = [row[index - step] ?? 0, before[index] ?? 0, before[index - step] ?? 0];
      const nearest = [left, up, corner].reduce(
        (best, each) => (Math.abs(left + up - corner - each) < Math.abs(left + up - corner - best) ? each : best),
        left,
      );
      return (value - ([0, left, up, (left + up) >> 1, nearest][filter] ?? 0)) & 255;
    }),
  ]);
}

function encoded(kind: (typeof KINDS)[number], isInterlaced: boolean): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([kind.depth, kind.type, 0, 0, isInterlaced ? 1 : 0], 8);
  const rows = (isInterlaced ? PASSES : [[0, 0, 1, 1] as const]).flatMap((pass) => rowsOf(kind, pass));
  const palette =
    kind.type === 3
      ? [
          chunk('PLTE', Buffer.from(PALETTE.flatMap((pixel) => pixel.slice(0, 3)))),
          chunk('tRNS', Buffer.from(PALETTE.map(([, , , alpha]) => alpha))),
        ]
      : [];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...palette,
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The bytes of a PNG that has colours in 8 bits and no filters. */
function decoded(png: Buffer): number[][] {
  const pixels = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  return Array.from({ length: HEIGHT }, (_, y) => [
    ...pixels.subarray(y * (3 * WIDTH + 1) + 1, (y + 1) * (3 * WIDTH + 1)),
  ]);
}

describe('pictures for PDFs', () => {
  it.each(
    KINDS.flatMap((kind) =>
      [false, true].map(
        (isInterlaced) => [`${kind.name}${isInterlaced ? ', interlaced' : ''}`, kind, isInterlaced] as const,
      ),
    ),
  )('are put on white: %s', async (_, kind, isInterlaced) => {
    const png = encoded(kind, isInterlaced);
    expect(isPlainPng(png)).toBe(!isInterlaced && kind.type < 3);
    const flat = await flatPng(png, WIDTH * HEIGHT, () => Promise.resolve());
    const expected = Array.from({ length: HEIGHT }, (_row, y) =>
      Array.from({ length: WIDTH }, (_column, x) => {
        const [red, green, blue, alpha] = kind.pixel(x, y);
        return [red, green, blue].map((value) => 255 - alpha + Math.floor((value * alpha) / 255));
      }).flat(),
    );
    expect(decoded(Buffer.from(flat))).toEqual(expected);
    expect(isPlainPng(Buffer.from(flat))).toBe(true);
    expect(await flatPng(png, WIDTH * HEIGHT - 1, () => Promise.resolve())).toMatch(/too large/);
  });
});
