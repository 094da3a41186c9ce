import { crc32, gzipSync } from 'node:zlib';

/** What a test archive holds at a path; `type` is tar's flag of something that is no file. */
export type ArchiveEntry = string | Uint8Array | { readonly type: '1' | '2' | '3' | '5'; readonly to?: string };

const BLOCK = 512;

/** A tar archive in the ustar format, with long names as GNU writes them. */
export function tarOf(entries: readonly (readonly [string, ArchiveEntry])[]): Buffer {
  const blocks = entries.flatMap(([name, entry]) => {
    const isFile = typeof entry === 'string' || entry instanceof Uint8Array;
    const bytes = isFile ? Buffer.from(entry) : Buffer.alloc(0);
    const long =
      Buffer.byteLength(name) > 100
        ? [header('././@LongLink', 'L', Buffer.byteLength(name) + 1, ''), padded(Buffer.from(`${name}\0`))]
        : [];
    return [
      ...long,
      header(name, isFile ? '0' : entry.type, bytes.length, isFile ? '' : (entry.to ?? '')),
      padded(bytes),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export function tarGzOf(files: Readonly<Record<string, ArchiveEntry>>): Buffer {
  return gzipSync(tarOf(Object.entries(files)));
}

function header(name: string, flag: string, size: number, link: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(flag, 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

/** A zip archive whose files are not compressed; names in `links` are symbolic links. */
export function zipOf(files: Readonly<Record<string, string>>, links: readonly string[] = []): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(0x0800, 0);
    facts.writeUInt32LE(crc32(bytes), 8);
    facts.writeUInt32LE(bytes.length, 12);
    facts.writeUInt32LE(bytes.length, 16);
    facts.writeUInt16LE(path.length, 20);
    const local = Buffer.concat([Buffer.from('PK\x03\x04\x14\0', 'latin1'), facts, Buffer.alloc(2), path, bytes]);
    const rest = Buffer.alloc(16);
    rest.writeUInt32LE(links.includes(name) ? 0o120777 * 2 ** 16 : 0o100644 * 2 ** 16, 8);
    rest.writeUInt32LE(at, 12);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03\x14\0', 'latin1'), facts, rest, path]));
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
