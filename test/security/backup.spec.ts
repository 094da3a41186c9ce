import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { randomCharacters } from '../../src/kernel/common/ids.js';
import { hashDocument } from '../../src/formats/document/hash.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { chanceOf } from '../faults/chance.js';
import { findImpossible, LedgerCheck } from '../faults/kill-checks.js';
import { Caller, Ledger, WritingClient } from '../faults/kill-clients.js';

const run = promisify(execFile);
const WRITERS = 4;
/** Acknowledged batches before the backup begins, and while it is taken. */
const BATCHES = 20;

const app = useApp();

/** Why the backup cannot be tried: the programs of PostgreSQL are missing, or older than the server. */
async function obstacle(): Promise<string | undefined> {
  const version = await run('pg_dump', ['--version']).then(
    ({ stdout }) => Number(/\d+/.exec(stdout)?.[0]),
    () => undefined,
  );
  if (version === undefined) return 'pg_dump is not installed';
  const server = Math.floor(
    Number(
      (await app.current.database.one<{ version: string }>(`SELECT current_setting('server_version_num') AS version`))
        ?.version,
    ) / 10_000,
  );
  return version < server ? `pg_dump ${version} cannot read PostgreSQL ${server}` : undefined;
}

/** Lets clients write and merge until so many batches are acknowledged and `meanwhile` is done. */
async function write(
  token: string,
  space: string,
  ledger: Ledger,
  batches: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const stop = new AbortController();
  const caller = new Caller(`${app.current.url}/v1`, token, ledger.surprises, stop.signal);
  const writing = Array.from({ length: WRITERS }, (_, at) =>
    new WritingClient(`b${ledgers++}c${at}`, caller, ledger, chanceOf(at)).mergeRequests(space),
  );
  try {
    while (ledger.acknowledged < batches)
      await Promise.race([
        pause(10),
        Promise.all(writing).then(() => expect(ledger.surprises).toBe('writers that go on')),
      ]);
    await meanwhile();
  } finally {
    stop.abort();
    await Promise.all(writing);
  }
}
let ledgers = 0;

/** An empty database beside the others. */
async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<unknown>; client: pg.Client }> {
  const name = `restored_${randomCharacters(12).toLowerCase()}`;
  const server = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await server.connect();
  await server.query(`CREATE DATABASE ${name} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`);
  const address = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  address.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: address.toString() });
  await client.connect();
  const drop = async () => {
    await client.end();
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  };
  return { url: address.toString(), drop, client };
}

describe('3b-40 a backup taken while people write', () => {
  it('holds all that was acknowledged before it, nothing half done, and every document as it was hashed', async () => {
    const missing = await obstacle();
    if (missing !== undefined) {
      expect(process.env['REQUIRE_PG_DUMP']).toBeUndefined();
      process.stdout.write(`not tried: ${missing}\n`);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'bindery-backup-'));
    const restored = await emptyDatabase();
    try {
      const { id, admin } = await buildOrganization(app.current);
      const token = admin.api.token ?? '';
      const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Backup', empty: true })).body
        .id;
      const before = new Ledger();
      await write(token, space, before, BATCHES);
      await write(token, space, new Ledger(), 1, () =>
        run('pg_dump', ['--format=custom', `--file=${join(folder, 'dump')}`, app.current.databaseUrl]),
      );
      await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restored.url}`, join(folder, 'dump')]);
      const second = await TestApp.start({}, restored.url);
      try {
        expect(await findImpossible(restored.client)).toEqual([]);
        expect(await new LedgerCheck(new Caller(`${second.url}/v1`, token), restored.client).find(before)).toEqual([]);
        const { rows } = await restored.client.query<{ hash: string; body: object }>(
          `SELECT encode(hash, 'hex') AS hash, body FROM document`,
        );
        expect(rows.length).toBeGreaterThan(BATCHES);
        expect(rows.filter(({ hash, body }) => hashDocument(body) !== hash)).toEqual([]);
      } finally {
        await second.close();
      }
    } finally {
      await restored.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
