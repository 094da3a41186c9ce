import { inflateSync } from 'node:zlib';
import { LongWork } from '../../../kernel/common/context.js';

/** Limits of the inflated size of the objects of a packfile, in bytes. */
export interface PackLimits {
  readonly objectBytes: number;
  readonly totalBytes: number;
  readonly objects: number;
}

const OFS_DELTA = 6;
const REF_DELTA = 7;
const OID_BYTES = 20;
const HEADER_BYTES = 12;

/** Node's result for `info: true`; the types of this version declare only the buffer. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Rejects with `RangeError` if the objects of a packfile would exceed the limits, before anything inflates them: a few bytes
 * of a pack can expand to gigabytes, by compression or by copies in a delta. Format: git's `pack-format` documentation,
 * version 2.
 */
export async function checkPack(pack: Buffer, limits: PackLimits): Promise<void> {
  const work = new LongWork();
  if (pack.length < HEADER_BYTES + OID_BYTES || pack.toString('latin1', 0, 4) !== 'PACK')
    throw new RangeError('is not a packfile');
  const count = pack.readUInt32BE(8);
  if (count > limits.objects) throw new RangeError(`has ${count} objects, more than ${limits.objects}`);
  let total = 0;
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    await work.step();
    const header = readHeader(pack, at);
    refuseLarger(header.size, limits.objectBytes);
    const { buffer, engine } = inflateSync(pack.subarray(header.end), {
      info: true,
      maxOutputLength: Math.max(header.size, 1),
    }) as unknown as Inflated;
    const size = header.delta ? deltaResultSize(buffer) : header.size;
    refuseLarger(size, limits.objectBytes);
    total += size;
    if (total > limits.totalBytes) throw new RangeError(`holds more than ${limits.totalBytes} bytes`);
    at = header.end + engine.bytesWritten;
  }
}

function refuseLarger(size: number, limit: number): void {
  if (size > limit) throw new RangeError(`holds a file of ${size} bytes, more than ${limit}`);
}

/** Type and size before an object, and the start of its compressed bytes. */
function readHeader(pack: Buffer, start: number): { size: number; delta: boolean; end: number } {
  const first = pack.readUInt8(start);
  const type = (first >> 4) & 7;
  let size = first & 15;
  let at = start + 1;
  for (let factor = 16, byte = first; byte & 0x80; factor *= 128) {
    byte = pack.readUInt8(at++);
    size += (byte & 0x7f) * factor;
  }
  if (type === OFS_DELTA) while (pack.readUInt8(at++) & 0x80);
  if (type === REF_DELTA) at += OID_BYTES;
  return { size, delta: type === OFS_DELTA || type === REF_DELTA, end: at };
}

/** The second of the two sizes at the head of a delta: the size of the resulting object. */
function deltaResultSize(delta: Buffer): number {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1, byte = 0x80; byte & 0x80; factor *= 128) {
      byte = delta.readUInt8(at++);
      value += (byte & 0x7f) * factor;
    }
    return value;
  };
  next();
  return next();
}
