import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from '../../kernel/platform/operator-error.js';
import type { BackupTarget, ObjectBody, TargetObject } from './backup-target.js';

const UNFINISHED = 'unfinished';
/** Backups are for their operator alone. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Backups in a folder. Files are synced to disk and get their names when they are whole. */
export class FolderTarget implements BackupTarget {
  readonly address: string;

  constructor(folder: string) {
    this.address = resolve(folder);
  }

  async put(name: string, body: ObjectBody): Promise<void> {
    const unfinished = join(this.address, UNFINISHED, randomUUID());
    await this.makeFolder(dirname(unfinished));
    try {
      const file = await open(unfinished, 'wx', FILE_MODE);
      try {
        const parts = body instanceof Uint8Array ? [body] : (body.stream as AsyncIterable<Uint8Array>);
        for await (const part of parts) await file.writeFile(part);
        await file.sync();
      } finally {
        await file.close();
      }
      const path = join(this.address, name);
      await this.makeFolder(dirname(path));
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async get(name: string): Promise<Readable | undefined> {
    const file = await open(join(this.address, name), 'r').catch(ifAbsent);
    return file?.createReadStream();
  }

  async has(name: string): Promise<boolean> {
    return (await stat(join(this.address, name)).catch(ifAbsent)) !== undefined;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.address, name), { force: true });
  }

  async *list(folder: string): AsyncIterable<TargetObject> {
    const entries = (await readdir(join(this.address, folder), { withFileTypes: true }).catch(ifAbsent)) ?? [];
    for (const entry of entries) {
      const name = `${folder}${entry.name}`;
      if (entry.isDirectory()) yield* this.list(`${name}/`);
      const found = entry.isFile() ? await stat(join(this.address, name)).catch(ifAbsent) : undefined;
      if (found) yield { name, size: found.size, modifiedAt: found.mtime };
    }
  }

  async removeUnfinished(): Promise<number> {
    const names = (await readdir(join(this.address, UNFINISHED)).catch(ifAbsent)) ?? [];
    for (const name of names) await this.remove(`${UNFINISHED}/${name}`);
    return names.length;
  }

  close(): void {}

  /** Syncs the entries of new folders as well. */
  private async makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    if (first === undefined) return;
    for (let each = folder; each.length >= first.length; each = dirname(each)) await syncFolder(dirname(each));
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ifAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
}
