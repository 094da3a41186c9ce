import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRoot } from '../../src/kernel/platform/embedded-postgres/account.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { toFile, toFolder, type ArchiveSink } from '../../src/operations/organization-archives/archive-sink.js';
import { OrganizationArchives } from '../../src/operations/organization-archives/organization-archives.service.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { buildSpace } from '../published-site.js';

/** Bytes of the disk, of the files of the organization together, and of one of them. */
const DISK = '2m';
const FILES = 4;
const FILE_BYTES = 1_000_000;

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('an export of an organization to a full disk', () => {
  const app = useApp();
  let folder: string;
  let disk: string;
  let isMounted = false;
  let workspace: Workspace;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-full-'));
    disk = join(folder, 'disk');
    await mkdir(disk);
    if (isRoot())
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'bindery-test', disk], { stdio: 'ignore' });
        isMounted = true;
      } catch {
        // Said by each test.
      }
    workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Files');
    for (let index = 0; index < FILES; index++)
      await space.write({
        operation: 'insert_files',
        files: [
          {
            name: `${index}.bin`,
            contentType: 'application/octet-stream',
            base64: randomBytes(FILE_BYTES).toString('base64'),
          },
        ],
      });
  });
  afterAll(async () => {
    if (isMounted) execFileSync('umount', ['-l', disk]);
    await rm(folder, { recursive: true, force: true });
  });

  const onDisk = (name: string, test: () => Promise<void>): void =>
    it(name, async () => {
      if (!isMounted) return console.warn('skipped: nobody lets this mount a small disk');
      await test();
    });

  const write = (sink: ArchiveSink) => app.current.get(OrganizationArchives).export(workspace.id, sink);

  onDisk('says so, and leaves neither the archive nor a part of it', async () => {
    const file = join(disk, 'organization.tar.gz');
    await expect(toFile(file, write)).rejects.toThrow(`${file} cannot be written: no space left on the device`);
    expect(await readdir(disk)).toEqual([]);
    const fresh = join(disk, 'archive');
    await expect(toFolder(fresh, write)).rejects.toThrow(`${fresh} cannot be written: no space left on the device`);
    expect(await readdir(disk)).toEqual([]);
  });

  onDisk('leaves a folder that was there before, empty as it was, and what others put into it', async () => {
    const empty = join(disk, 'empty');
    await mkdir(empty);
    await expect(toFolder(empty, write)).rejects.toThrow('no space left on the device');
    expect(await readdir(empty)).toEqual([]);
    const others = toFolder(empty, async (sink) => {
      await writeFile(join(empty, 'note'), 'of somebody else');
      await write(sink);
    });
    await expect(others).rejects.toThrow('no space left on the device');
    expect(await readdir(empty)).toEqual(['note']);
    await rm(empty, { recursive: true });
  });

  onDisk('in the background fails with the reason, and leaves no file', async () => {
    const files = join(disk, 'files');
    const other = await TestApp.start({ FILES_DIR: files }, app.current.databaseUrl);
    try {
      const { filesDir } = app.current.config;
      // All that it reads is there; what it writes has no room.
      for (const name of await readdir(join(filesDir, 'sha256'))) {
        await mkdir(join(files, 'sha256'), { recursive: true });
        execFileSync('ln', ['-s', join(filesDir, 'sha256', name), join(files, 'sha256', name)]);
      }
      const before = await namesIn(disk);
      const path = `/orgs/${workspace.id}/export`;
      expect((await workspace.admin.api.post(path)).status).toBe(201);
      await other.get(Jobs).drain();
      expect((await workspace.admin.api.get(path)).body).toMatchObject({
        status: 'failed',
        error: 'There is no storage space left',
      });
      expect(await namesIn(disk)).toEqual(before);
    } finally {
      await other.close();
      await rm(files, { recursive: true, force: true });
    }
    expect((await workspace.admin.api.post(`/orgs/${workspace.id}/export`)).status).toBe(201);
    await app.current.get(Jobs).drain();
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/export`)).body).toMatchObject({
      status: 'completed',
      files: FILES,
    });
  });
});
