import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
// Some of these run where ROUNDS is given.
import { inWholeRuns } from '../whole.js';
import { Process } from './processes.js';

describe('nest start', () => {
  let folder: string;
  let database: ScratchDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-nest-'));
    await chmod(folder, 0o755);
    database = await scratchDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  inWholeRuns(
    'compiles the service and starts it',
    async () => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        SECRET_KEY: 'k'.repeat(40),
        PORT: '0',
        PUBLIC_PORT: '0',
        WORKERS: '1',
        DEMO: 'false',
        SHUTDOWN_DELAY: '0',
      };
      const nest = new Process(
        spawn(process.execPath, [resolve('node_modules/@nestjs/cli/bin/nest.js'), 'start', '--', '--json'], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      );
      const { api, pid } = await nest.announcement();
      expect((await fetch(new URL('/readyz', api))).status).toBe(200);
      process.kill(pid, 'SIGTERM');
      if (!nest.over) await once(nest.child, 'close');
      expect((await nest.ending).stderr).not.toMatch(/error/i);
    },
    240_000,
  );
});
