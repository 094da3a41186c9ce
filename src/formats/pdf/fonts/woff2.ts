/*
 * This reader is kept instead of fontkit's own, which cannot vary the weight of fonts in WOFF 2.0 and so needs the static
 * packages of fonts. Both ways give the same outlines, byte by byte. With static fonts, the characters of the
 * documentation in all faces take 1.4 times as long to read and 65 MB instead of 30 MB of memory; 4,400 Chinese and
 * Korean characters in two weights take 0.95 times as long and 280 MB instead of 113 MB, since fontkit decodes all
 * glyphs of a slice into objects. The static packages take 147 MB on disk, the variable ones 11 MB.
 */

import { brotliDecompressSync } from 'node:zlib';

const KNOWN_TAGS = (
  'cmap,head,hhea,hmtx,maxp,name,OS/2,post,cvt ,fpgm,glyf,loca,prep,CFF ,VORG,EBDT,EBLC,gasp,hdmx,kern,LTSH,PCLT,VDMX,vhea,vmtx,BASE,GDEF,GPOS,GSUB,EBSC,JSTF,MATH,' +
  'CBDT,CBLC,COLR,CPAL,SVG ,sbix,acnt,avar,bdat,bloc,bsln,cvar,fdsc,feat,fmtx,fvar,gvar,hsty,just,lcar,mort,morx,opbd,prop,trak,Zapf,Silf,Glat,Gloc,Feat,Sill'
).split(',');

/** The tables that outlines and widths need; hinting and layout features are dropped. */
const KEPT = new Set(['OS/2', 'avar', 'cmap', 'fvar', 'gvar', 'head', 'hhea', 'hmtx', 'HVAR', 'maxp', 'name', 'post']);

interface Entry {
  readonly tag: string;
  readonly transform: number;
  readonly start: number;
  readonly length: number;
}

/** Reads bytes in sequence. */
class Reader {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  u8(): number {
    return this.bytes.readUInt8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.bytes.readUInt16BE(this.at - 2);
  }

  i16(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.bytes.readUInt32BE(this.at - 4);
  }

  take(length: number): Buffer {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** UIntBase128 of the format. */
  base128(): number {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = this.u8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 128) return value;
    }
    throw new Error('the font has a number that is too long');
  }

  /** 255UInt16 of the format. */
  short(): number {
    const first = this.u8();
    if (first === 253) return this.u16();
    if (first === 254) return this.u8() + 506;
    return first === 255 ? this.u8() + 253 : first;
  }
}

/**
 * Converts a font in WOFF 2.0 (https://www.w3.org/TR/WOFF2/) to TrueType, with the tables that outlines and widths
 * need. Throws if the input is not such a font.
 */
export function trueTypeOf(woff2: Buffer): Buffer {
  const reader = new Reader(woff2);
  if (reader.u32() !== 0x774f4632) throw new Error('the font is not WOFF 2.0');
  const flavor = reader.u32();
  reader.u32();
  const count = reader.u16();
  reader.take(6);
  const compressed = reader.u32();
  reader.take(24);
  const entries = directory(reader, count);
  const data = brotliDecompressSync(reader.take(compressed));
  const bytesOf = (tag: string): Buffer => {
    const entry = entries.find((each) => each.tag === tag);
    if (!entry) throw new Error(`the font has no table ${tag}`);
    return data.subarray(entry.start, entry.start + entry.length);
  };
  const tables = new Map<string, Buffer>();
  for (const { tag } of entries) if (KEPT.has(tag)) tables.set(tag, bytesOf(tag));
  const { glyf, loca, leftEdges } = outlines(bytesOf('glyf'));
  const head = Buffer.from(bytesOf('head'));
  head.writeInt16BE(1, 50);
  tables.set('glyf', glyf).set('loca', loca).set('head', head);
  if (entries.find(({ tag }) => tag === 'hmtx')?.transform === 1)
    tables.set('hmtx', metrics(bytesOf('hmtx'), bytesOf('hhea').readUInt16BE(34), leftEdges));
  return sfnt(flavor, tables);
}

function directory(reader: Reader, count: number): Entry[] {
  let start = 0;
  return Array.from({ length: count }, () => {
    const flags = reader.u8();
    const tag = (flags & 63) === 63 ? reader.take(4).toString('latin1') : (KNOWN_TAGS[flags & 63] ?? '');
    const transform = flags >> 6;
    const original = reader.base128();
    const isOutline = tag === 'glyf' || tag === 'loca';
    if (isOutline && transform !== 0) throw new Error('the outlines of the font are not transformed');
    const length = isOutline || transform !== 0 ? reader.base128() : original;
    start += length;
    return { tag, transform, start: start - length, length };
  });
}

/** Tables `glyf` and `loca` of the transformed outlines (5.1 of the specification), and the left edge of each glyph. */
function outlines(table: Buffer): { glyf: Buffer; loca: Buffer; leftEdges: number[] } {
  const header = new Reader(table);
  header.take(4);
  const count = header.u16();
  header.u16();
  const sizes = Array.from({ length: 7 }, () => header.u32());
  const [contours, points, flags, coordinates, composites, boxes] = sizes.map((size) => new Reader(header.take(size)));
  if (!contours || !points || !flags || !coordinates || !composites || !boxes)
    throw new Error('the outlines of the font are incomplete');
  const hasBox = boxes.take(4 * Math.floor((count + 31) / 32));
  const glyphs: Buffer[] = [];
  const loca = Buffer.alloc(4 * (count + 1));
  const leftEdges: number[] = [];
  let offset = 0;
  for (let index = 0; index < count; index++) {
    const contourCount = contours.i16();
    const box = ((hasBox[index >> 3] ?? 0) >> (7 - (index & 7))) & 1 ? boxes.take(8) : undefined;
    const glyph =
      contourCount === 0
        ? Buffer.alloc(0)
        : contourCount < 0
          ? compositeGlyph(composites, coordinates, box)
          : simpleGlyph(contourCount, points, flags, coordinates, box);
    leftEdges.push(glyph.length === 0 ? 0 : glyph.readInt16BE(2));
    glyphs.push(glyph);
    offset += glyph.length;
    loca.writeUInt32BE(offset, 4 * (index + 1));
  }
  return { glyf: Buffer.concat(glyphs), loca, leftEdges };
}

function simpleGlyph(
  contourCount: number,
  counts: Reader,
  flags: Reader,
  coordinates: Reader,
  box: Buffer | undefined,
): Buffer {
  const ends: number[] = [];
  let total = 0;
  for (let index = 0; index < contourCount; index++) ends.push((total += counts.short()) - 1);
  const points = Array.from({ length: total }, () => triplet(flags.u8(), coordinates));
  coordinates.short();
  return encodeSimple(ends, points, box);
}

/** A point as its difference from the previous one. */
export interface OutlinePoint {
  readonly dx: number;
  readonly dy: number;
  readonly isOnCurve: boolean;
}

/** 5.2 of the specification. */
function triplet(flag: number, data: Reader): OutlinePoint {
  const isOnCurve = flag < 128;
  const kind = flag & 127;
  const signed = (value: number, bit: number): number => ((kind & bit) === 0 ? -value : value);
  if (kind < 10) return { dx: 0, dy: signed(((kind & 14) << 7) + data.u8(), 1), isOnCurve };
  if (kind < 20) return { dx: signed((((kind - 10) & 14) << 7) + data.u8(), 1), dy: 0, isOnCurve };
  if (kind < 84) {
    const byte = data.u8();
    return {
      dx: signed(1 + ((kind - 20) & 48) + (byte >> 4), 1),
      dy: signed(1 + (((kind - 20) & 12) << 2) + (byte & 15), 2),
      isOnCurve,
    };
  }
  if (kind < 120) {
    const rest = kind - 84;
    return {
      dx: signed(1 + (Math.floor(rest / 12) << 8) + data.u8(), 1),
      dy: signed(1 + (((rest % 12) >> 2) << 8) + data.u8(), 2),
      isOnCurve,
    };
  }
  if (kind < 124) {
    const [first, middle, last] = data.take(3);
    return {
      dx: signed(((first ?? 0) << 4) + ((middle ?? 0) >> 4), 1),
      dy: signed((((middle ?? 0) & 15) << 8) + (last ?? 0), 2),
      isOnCurve,
    };
  }
  return { dx: signed(data.u16(), 1), dy: signed(data.u16(), 2), isOnCurve };
}

/** An outline of the table `glyf`, without instructions; `ends` are the last points of the contours. */
export function encodeSimple(ends: readonly number[], points: readonly OutlinePoint[], box?: Buffer): Buffer {
  const glyph = Buffer.alloc(10 + 2 * ends.length + 2 + 5 * points.length);
  glyph.writeInt16BE(ends.length, 0);
  if (box) box.copy(glyph, 2);
  else writeBox(glyph, points);
  ends.forEach((end, index) => glyph.writeUInt16BE(end, 10 + 2 * index));
  let at = 10 + 2 * ends.length + 2;
  for (const { isOnCurve } of points) glyph[at++] = isOnCurve ? 1 : 0;
  for (const { dx } of points) at = glyph.writeInt16BE(dx, at);
  for (const { dy } of points) at = glyph.writeInt16BE(dy, at);
  return glyph;
}

function writeBox(glyph: Buffer, points: readonly OutlinePoint[]): void {
  let [x, y] = [0, 0];
  let [left, bottom, right, top] = [32767, 32767, -32768, -32768];
  for (const { dx, dy } of points) {
    x += dx;
    y += dy;
    [left, bottom, right, top] = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
  }
  [left, bottom, right, top].forEach((edge, index) => glyph.writeInt16BE(edge, 2 + 2 * index));
}

const HAS_WORDS = 0x1;
const HAS_SCALE = 0x8;
const HAS_MORE = 0x20;
const HAS_TWO_SCALES = 0x40;
const HAS_MATRIX = 0x80;
const HAS_INSTRUCTIONS = 0x100;

function compositeGlyph(composites: Reader, coordinates: Reader, box: Buffer | undefined): Buffer {
  if (!box) throw new Error('a composite glyph of the font has no box');
  const head = Buffer.alloc(10);
  head.writeInt16BE(-1, 0);
  box.copy(head, 2);
  const parts: Buffer[] = [head];
  let hasInstructions = false;
  for (let flags = HAS_MORE; flags & HAS_MORE;) {
    flags = composites.u16();
    hasInstructions ||= (flags & HAS_INSTRUCTIONS) !== 0;
    const length =
      2 +
      (flags & HAS_WORDS ? 4 : 2) +
      (flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0);
    const start = Buffer.alloc(2);
    start.writeUInt16BE(flags & ~HAS_INSTRUCTIONS);
    parts.push(start, composites.take(length));
  }
  if (hasInstructions) coordinates.short();
  return Buffer.concat(parts);
}

/** The table `hmtx` whose left side bearings are those of the outlines (5.4 of the specification). */
function metrics(table: Buffer, advances: number, leftEdges: readonly number[]): Buffer {
  const reader = new Reader(table);
  const flags = reader.u8();
  const widths = Array.from({ length: advances }, () => reader.u16());
  const bearings = (from: number, to: number, isLeftOut: boolean): number[] =>
    Array.from({ length: to - from }, (_, index) => (isLeftOut ? (leftEdges[from + index] ?? 0) : reader.i16()));
  const proportional = bearings(0, advances, (flags & 1) !== 0);
  const rest = bearings(advances, leftEdges.length, (flags & 2) !== 0);
  const whole = Buffer.alloc(4 * advances + 2 * rest.length);
  widths.forEach((width, index) => whole.writeUInt16BE(width, 4 * index));
  proportional.forEach((bearing, index) => whole.writeInt16BE(bearing, 4 * index + 2));
  rest.forEach((bearing, index) => whole.writeInt16BE(bearing, 4 * advances + 2 * index));
  return whole;
}

/** Builds a font file from tables. Its readers here ignore checksums, so they are left 0. */
export function sfnt(flavor: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  const head = Buffer.alloc(12 + 16 * sorted.length);
  head.writeUInt32BE(flavor, 0);
  [sorted.length, 16 * power, Math.log2(power), 16 * (sorted.length - power)].forEach((value, index) =>
    head.writeUInt16BE(value, 4 + 2 * index),
  );
  const parts: Buffer[] = [head];
  let offset = head.length;
  sorted.forEach(([tag, bytes], index) => {
    head.write(tag.padEnd(4), 12 + 16 * index, 'latin1');
    head.writeUInt32BE(offset, 12 + 16 * index + 8);
    head.writeUInt32BE(bytes.length, 12 + 16 * index + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(bytes, padding);
    offset += bytes.length + padding.length;
  });
  return Buffer.concat(parts);
}
