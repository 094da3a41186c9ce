import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { removeAbandonedFolders, withWorkFolder } from '../src/kernel/platform/storage/work-folders.js';

it('folders for work are removed with it, and those of processes that were killed by the next start', async () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const made: string[] = [];
  const used = await withWorkFolder(async (folder) => {
    await writeFile(join(folder, 'a.md'), 'A');
    const like = async (pid: number, started: (own: string) => string): Promise<string> => {
      const name = basename(folder).replace(
        new RegExp(`-${process.pid}-(\\d+)-`),
        (_, own: string) => `-${pid}-${started(own)}-`,
      );
      const path = join(tmpdir(), name);
      await mkdir(path, { recursive: true });
      made.push(path);
      return path;
    };
    const killed = await like(ended, (own) => own);
    const sameNumber = await like(process.pid, (own) => `${Number(own) - 1000}`);
    const running = await like(process.ppid, (own) => own);
    await removeAbandonedFolders();
    expect([killed, sameNumber, running, folder].map((path) => existsSync(path))).toEqual([false, false, true, true]);
    return folder;
  });
  expect(existsSync(used)).toBe(false);
  for (const path of made) await rm(path, { recursive: true, force: true });
});
