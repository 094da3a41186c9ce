const BLOCK = 512;
/** The largest size in eleven octal digits; larger ones are written in base 256. */
const MOST_OCTAL = 8 ** 11 - 1;
const MODE = '0000644\0';
const NOBODY = '0000000\0';
const TIME = '00000000000\0';

/** Bytes behind an entry, which fill its last block. */
export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** The header of a file in a tar archive (POSIX ustar); `path` has at most 100 bytes. */
export function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(path) > 100) throw new RangeError(`the path ${path} is too long`);
  header.write(path, 0);
  header.write(MODE, 100, 'latin1');
  header.write(NOBODY, 108, 'latin1');
  header.write(NOBODY, 116, 'latin1');
  writeSize(header, size);
  header.write(TIME, 136, 'latin1');
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Two empty blocks, which end an archive. */
tarHeader.end = Buffer.alloc(2 * BLOCK);

function writeSize(header: Buffer, size: number): void {
  if (size <= MOST_OCTAL) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    return;
  }
  header[124] = 0x80;
  header.writeBigUInt64BE(BigInt(size), 128);
}
