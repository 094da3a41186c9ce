import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../operator-error.js';
import { PROCESSES } from '../processes.js';

const HASH = 'sha256';
const HASH_BYTES = 32;
/** Bytes in steps of which file systems give space to a file. */
const FILE_SYSTEM_BLOCK = 4096;
/** Share of the limit that is left when files were removed, so that this is seldom needed. */
const SHARE_LEFT = 7 / 8;

interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/**
 * A folder of files that may be lost at any time, shared by all processes that use it. A file is there as a whole or
 * not at all, even after the end of a process in the middle of writing; one that is damaged counts as absent. The files
 * that were written first are removed first.
 */
export class DiskCache {
  /** Bytes that were found at the last look, and have been written by this process since. */
  private found: number | undefined;
  private written = 0;

  constructor(
    private readonly folder: string,
    /** The bytes of all files, approximately. */
    private readonly limit: number,
    /** Milliseconds after which a file is removed. */
    private readonly lifetime: number,
  ) {}

  /** The bytes with a name of hexadecimal digits; undefined if there are none, or if they are not those that were written. */
  async get(name: string): Promise<Buffer | undefined> {
    const file = await readFile(this.pathOf(name)).catch(() => undefined);
    const bytes = file?.subarray(HASH_BYTES);
    return bytes && hashOf([bytes]).equals(file?.subarray(0, HASH_BYTES) ?? bytes) ? bytes : undefined;
  }

  /** Tells whether there are any. */
  async hasFiles(): Promise<boolean> {
    return (await this.files()).length > 0;
  }

  /** Writes bytes in the place of those with the same name; rejects where the folder cannot be written. */
  async put(name: string, bytes: readonly Buffer[]): Promise<void> {
    const path = this.pathOf(name);
    const unfinished = `${path}.${randomUUID()}`;
    const whole = Buffer.concat([hashOf(bytes), ...bytes]);
    try {
      await this.write(unfinished, whole);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    this.written += onDisk(whole.length);
    if (this.found === undefined || this.found + this.written * PROCESSES > this.limit) await this.trim();
  }

  /** Removes files that are too old, and those beyond the limit. */
  async trim(now = Date.now()): Promise<void> {
    const files = (await this.files()).sort((one, other) => other.writtenAt - one.writtenAt);
    const isFull = files.reduce((sum, { bytes }) => sum + bytes, 0) > this.limit;
    const most = isFull ? this.limit * SHARE_LEFT : this.limit;
    let kept = 0;
    for (const { path, bytes, writtenAt } of files) {
      if (now - writtenAt <= this.lifetime && kept + bytes <= most) kept += bytes;
      else await rm(path, { force: true });
    }
    this.found = kept;
    this.written = 0;
  }

  /** Makes the folder of a file where there is none yet. */
  private async write(path: string, bytes: Buffer): Promise<void> {
    const mode = { mode: 0o640 };
    await writeFile(path, bytes, mode).catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes, mode);
    });
  }

  private async files(): Promise<CachedFile[]> {
    const entries = await readdir(this.folder, { withFileTypes: true, recursive: true }).catch(() => []);
    const found: CachedFile[] = [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const facts = await stat(path).catch(() => undefined);
      if (facts) found.push({ path, bytes: onDisk(facts.size), writtenAt: facts.mtimeMs });
    }
    return found;
  }

  private pathOf(name: string): string {
    return join(this.folder, name.slice(0, 2), name.slice(2));
  }
}

function hashOf(parts: readonly Buffer[]): Buffer {
  const hash = createHash(HASH);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const onDisk = (bytes: number): number => Math.ceil(bytes / FILE_SYSTEM_BLOCK) * FILE_SYSTEM_BLOCK;
