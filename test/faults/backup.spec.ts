import { copyFile, mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pruneBackups } from '../../src/operations/backup/prune-backups.js';
import { listBackups, readManifest } from '../../src/operations/backup/stored-manifest.js';
import { chunksOf } from '../../src/operations/backup/stored-stream.js';
import { BackupDesk } from '../backup-desk.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { chanceOf } from './chance.js';
import { pause, Stage } from './processes.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const SECRET_KEY = 'a-key-for-tests-only-a-key-for-tests-only';
/** Each of them is a process that begins anew. */
const PATIENCE = 240_000;
const BACKUP_KEY = 'a passphrase of these tests';

describe(`a backup whose command is killed (SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let stage: Stage;
  let desk: BackupDesk;
  let database: ScratchDatabase;

  beforeAll(async () => {
    [stage, desk, database] = await Promise.all([Stage.open(), BackupDesk.open(), scratchDatabase()]);
    // Enough that a backup takes a second or two.
    await database.source.query(
      `INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, target_type, target_id, payload)
       SELECT 'A' || lpad(n::text, 19, '0'), 'organization', 'event', now(), 'space_created', 'api', 'user', 'user', 'space', 'space', jsonb_build_object('text', repeat(md5(random()::text), 8))
         FROM generate_series(1, 60000) n`,
    );
  });
  afterAll(async () => {
    await database.drop();
    await desk.close();
    await stage.close();
  });

  it(
    'is never there in part, and what is left of it goes with the next prune',
    async () => {
      const target = await desk.target();
      // A warning tells of an event loop that a busy machine has held.
      const env = { DATABASE_URL: database.url, SECRET_KEY, BACKUP_KEY, LOG_LEVEL: 'error' };
      const create = () => stage.run(['backup', 'create', target.address, '--json'], { env });
      const opened = () => desk.repository(target, { passphrase: BACKUP_KEY });
      const begun = async () => (await readdir(join(target.address, 'data')).catch(() => [])).length > 0;
      for (let round = 0; round < ROUNDS; round++) {
        const killed = create();
        // The first once it has begun to store rows, the others wherever they are.
        while (round === 0 && !killed.over && !(await begun())) await pause(10);
        await pause(chance() * (round === 0 ? 500 : 6000));
        await killed.kill('SIGKILL');
        const repository = await opened();
        for (const backup of await listBackups(repository)) {
          const { tables } = await readManifest(repository, backup);
          for (const { stream } of tables)
            for await (const id of chunksOf(repository, stream))
              expect(await target.has(`data/${id.slice(0, 2)}/${id}`)).toBe(true);
        }
      }
      const whole = await create().ending;
      expect([whole.code, whole.stderr]).toEqual([0, '']);
      // As after two minutes: nobody holds these leases any more.
      const past = new Date(Date.now() - 200_000);
      for (const name of await readdir(join(target.address, 'leases')))
        await utimes(join(target.address, 'leases', name), past, past);
      const repository = await opened();
      await pruneBackups(repository, { last: 1, daily: 0, weekly: 0 }, () => undefined);
      const needed = new Set<string>();
      const [last] = await listBackups(repository);
      const { tables, files } = await readManifest(repository, last ?? { name: '', at: new Date() });
      for (const stream of [files.stream, ...tables.map((table) => table.stream)])
        for await (const id of chunksOf(repository, stream)) needed.add(id);
      const stored: string[] = [];
      for await (const { name } of target.list('data/')) stored.push(name.slice('data/ab/'.length));
      expect(new Set(stored)).toEqual(needed);
      expect(await readdir(join(target.address, 'unfinished'))).toEqual([]);
      expect(await readdir(join(target.address, 'leases'))).toEqual([]);
    },
    PATIENCE,
  );
});

describe('the commands of backups', () => {
  let stage: Stage;
  let other: Stage;

  beforeAll(async () => {
    [stage, other] = await Promise.all([Stage.open(), Stage.open()]);
  });
  afterEach(async () => {
    await stage.close();
    await other.close();
  });

  it(
    'back up an embedded database that serves, verify it, and restore it elsewhere, where it waits to be activated',
    async () => {
      const env = { BACKUP_KEY };
      const target = join(stage.folder, 'target');
      const run = async (at: Stage, words: readonly string[]) => {
        const { code, stdout, stderr } = await at.finish(['backup', ...words, '--json'], { env });
        return { code, stderr, facts: code === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : undefined };
      };
      const { server, facts } = await stage.serve({ env });
      const token = facts.bootstrap?.token ?? '';
      const ask = async (api: string, path: string) =>
        (await (await fetch(`${api}${path}`, { headers: { Authorization: `Bearer ${token}` } })).json()) as Record<
          string,
          unknown
        >;
      const orgs = await ask(facts.api, '/orgs');
      const made = await run(stage, ['create', target]);
      expect(made.facts).toMatchObject({ lostFiles: [], release: facts['version' as keyof typeof facts] });
      expect((await run(stage, ['verify', target])).facts).toMatchObject({ faults: [], name: made.facts?.['name'] });
      await server.kill('SIGTERM');
      expect((await run(other, ['restore', target])).stderr).toMatch(
        /encrypted with the key [0-9a-f]{16}, which is not at hand/,
      );
      await mkdir(other.dataDir, { recursive: true });
      await copyFile(join(stage.dataDir, 'secret-key'), join(other.dataDir, 'secret-key'));
      expect((await run(other, ['restore', target])).facts).toMatchObject({ name: made.facts?.['name'] });
      const copy = await other.serve({ env });
      const ready = async () =>
        (await (await fetch(new URL('/readyz', copy.facts.api))).json()) as Record<string, unknown>;
      expect(copy.facts.bootstrap).toBeUndefined();
      expect(await ready()).toMatchObject({ status: 'ready', backgroundWork: expect.stringContaining('waits') });
      expect(copy.server.stdout).toContain('"backgroundWork":"waits: restored from');
      expect((await ask(copy.facts.api, '/orgs'))['items']).toHaveLength((orgs['items'] as unknown[]).length);
      expect((await run(other, ['activate'])).facts).toEqual({ activated: true });
      expect(await ready()).toEqual({ status: 'ready' });
      await copy.server.kill('SIGTERM');
    },
    PATIENCE,
  );
});
