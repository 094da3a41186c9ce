import { posix } from 'node:path';
import { LongWork } from '../../../kernel/common/context.js';

/** The file metadata that isomorphic-git needs; times and owners are not used here. */
interface Stat {
  readonly type: 'file' | 'dir';
  readonly size: number;
  readonly mode: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

type Encoding = string | { readonly encoding?: string } | undefined;

/**
 * The file system into which a repository is fetched: it is in memory, so that no name from a server (of a ref or an
 * object) is ever a path of this machine, and it ends with the import. `onWrite` sees every file before it is stored
 * and may reject it. Nothing here waits for anything, so reads and writes of many objects would be one turn of the event loop:
 * they yield to others.
 */
export class MemoryFs {
  private readonly work = new LongWork();
  private readonly files = new Map<string, Buffer>();
  /** The names in each folder. */
  private readonly folders = new Map<string, Set<string>>([['/', new Set()]]);
  readonly promises = {
    // isomorphic-git asks without a path, for each object anew, whether the functions give promises.
    readFile: async (path: string | undefined, options?: Encoding): Promise<Buffer | string> => {
      if (path === undefined) return '';
      await this.work.step();
      const bytes = this.files.get(normal(path)) ?? missing(path);
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding === undefined ? bytes : bytes.toString('utf8');
    },
    writeFile: async (path: string, data: Uint8Array | string): Promise<void> => {
      const bytes =
        typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const name = normal(path);
      const folder = this.folders.get(posix.dirname(name)) ?? missing(path);
      await this.work.step();
      await this.onWrite(name, bytes);
      this.files.set(name, bytes);
      folder.add(posix.basename(name));
    },
    unlink: async (path: string): Promise<void> => {
      if (!this.files.delete(normal(path))) missing(path);
      this.leave(normal(path));
    },
    readdir: async (path: string): Promise<string[]> => {
      return [...(this.folders.get(normal(path)) ?? missing(path))];
    },
    mkdir: async (path: string): Promise<void> => {
      const folder = normal(path);
      const parent = this.folders.get(posix.dirname(folder)) ?? missing(path);
      if (this.folders.has(folder)) return;
      this.folders.set(folder, new Set());
      parent.add(posix.basename(folder));
    },
    rmdir: async (path: string): Promise<void> => {
      if (!this.folders.delete(normal(path))) missing(path);
      this.leave(normal(path));
    },
    stat: async (path: string): Promise<Stat> => this.stat(path),
    lstat: async (path: string): Promise<Stat> => this.stat(path),
    readlink: async (path: string): Promise<never> => missing(path),
    symlink: async (path: string): Promise<never> => missing(path),
  };

  constructor(private readonly onWrite: (path: string, bytes: Buffer) => Promise<void> | void) {}

  private leave(name: string): void {
    this.folders.get(posix.dirname(name))?.delete(posix.basename(name));
  }

  private stat(path: string): Stat {
    const name = normal(path);
    const bytes = this.files.get(name);
    if (!bytes && !this.folders.has(name)) missing(path);
    return {
      type: bytes ? 'file' : 'dir',
      size: bytes?.length ?? 0,
      mode: bytes ? 0o644 : 0o755,
      ino: 0,
      mtimeMs: 0,
      ctimeMs: 0,
      isFile: () => bytes !== undefined,
      isDirectory: () => bytes === undefined,
      isSymbolicLink: () => false,
    };
  }
}

function normal(path: string): string {
  const name = posix.resolve('/', path);
  return name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name;
}

function missing(path: string): never {
  throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}
