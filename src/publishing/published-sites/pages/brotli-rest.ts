import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, constants, createBrotliCompress } from 'node:zlib';

const decompressed: (bytes: Buffer) => Promise<Buffer> = promisify(brotliDecompress);

const WINDOW_BITS = 22;
const QUALITY = 6;
/** The length that 16 bits of a block's header give. */
const LONGEST_BLOCK = 65_536;
const ATTEMPTS = 3;

/**
 * The beginning of a brotli stream (RFC 7932, 9.1 and 9.2): the size of the window in four bits, and bytes as a block
 * that is not compressed. The header fills three bytes, so the stream goes on with a new byte.
 */
export function brotliBeginning(bytes: Buffer): Buffer {
  const header = Buffer.alloc(3);
  const window = ((WINDOW_BITS - 17) << 1) | 1;
  header.writeUIntLE(window | ((bytes.length - 1) << 7), 0, 3);
  header.writeUInt8(header.readUInt8(2) | 0x80, 2);
  return Buffer.concat([header, bytes]);
}

/**
 * Compresses the rest of a text off the event loop, so that it goes on behind `brotliBeginning` of any first bytes of
 * this length that end with the same two; undefined for beginnings that are too long.
 */
export async function brotliRest(first: Buffer, rest: Buffer): Promise<Buffer | undefined> {
  if (first.length < 2 || first.length > LONGEST_BLOCK || rest.length === 0) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const compressed = await compressedBehind(first, rest);
    // The compressor has hardly ever found a sequence of the random bytes in the rest.
    const whole = await decompressed(Buffer.concat([brotliBeginning(first), compressed])).catch(() => undefined);
    if (whole?.equals(Buffer.concat([first, rest]))) return compressed;
  }
  return undefined;
}

/** The output of a compressor for the rest behind random bytes, in which it finds nothing to repeat. */
async function compressedBehind(first: Buffer, rest: Buffer): Promise<Buffer> {
  const stream = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(stream, 'end');
  // How a byte is written depends on the two before it.
  stream.write(Buffer.concat([randomBytes(first.length - 2), first.subarray(-2)]));
  await new Promise<void>((resolve) => stream.flush(constants.BROTLI_OPERATION_FLUSH, resolve));
  await setImmediate();
  const before = chunks.length;
  stream.end(rest);
  await ended;
  return Buffer.concat(chunks.slice(before));
}
