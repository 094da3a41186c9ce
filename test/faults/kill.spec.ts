import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chanceOf } from './chance.js';
import { findImpossible, findLostFiles, LedgerCheck } from './kill-checks.js';
import { Caller, Ledger, WritingClient } from './kill-clients.js';
import { findBrokenImports, type Import, runImport, writeFolder } from './kill-import.js';
import { KilledServer } from './kill-server.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'kill-token-kill-token-kill-token-kill-token';
const LIVE_CLIENTS = 2;
const MERGING_CLIENTS = 3;
/** Acknowledged batches of a round at most, before the kill. */
const MOST_ANSWERS = 40;
const ROUND_PATIENCE_MS = 30_000;
const NEVER_MS = 3_600_000;

/** Waits until clients have so many answers, however slow the machine is. */
async function reached(ledger: Ledger, batches: number, merges: number): Promise<void> {
  const deadline = Date.now() + ROUND_PATIENCE_MS;
  while (Date.now() < deadline && (ledger.acknowledged < batches || ledger.merges < merges)) await pause(5);
}

describe(`3b-37 kill -9 at any moment (ROUNDS=${ROUNDS} SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  const ledgers: Ledger[] = [];
  const imports: Import[] = [];
  let folder: string;
  let organizationId: string;
  /** How long an import takes that nobody kills. */
  let importMs: number;
  let server: KilledServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-kill-'));
    await chmod(folder, 0o755);
    await writeFolder(join(folder, 'source'));
    server = new KilledServer(join(folder, 'data'), TOKEN);
    await server.start();
    const caller = new Caller(server.url, TOKEN);
    const { items } = await caller.call<{ items: { id: string }[] }>('GET', '/orgs');
    organizationId = items[0]?.id ?? '';
    importMs = await importFor(NEVER_MS);
    expect(imports).toEqual([{ title: 'Import 0', space: expect.stringMatching(/^[0-9A-Za-z]{20}$/) }]);
    expect(await findBrokenImports(caller, organizationId, imports)).toEqual([]);
  }, 120_000);

  afterAll(async () => {
    await server.clear();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  function importFor(milliseconds: number): Promise<number> {
    const wanted: Import = { title: `Import ${imports.length}` };
    imports.push(wanted);
    return runImport(server.dataDir, join(folder, 'source'), organizationId, wanted, milliseconds);
  }

  async function newSpace(caller: Caller, editMode: 'live' | 'locked'): Promise<string> {
    return (
      await caller.call<{ id: string }>('POST', `/orgs/${organizationId}/spaces`, {
        title: 'Under fire',
        empty: true,
        editMode,
      })
    ).id;
  }

  /** Lets clients write until the kill, and gives what they were told. */
  async function rampage(round: number): Promise<Ledger> {
    const ledger = new Ledger();
    const caller = new Caller(server.url, TOKEN, ledger.surprises);
    const [live, locked] = [await newSpace(caller, 'live'), await newSpace(caller, 'locked')];
    const client = (index: number) =>
      new WritingClient(`r${round}c${index}`, caller, ledger, chanceOf(SEED + round * 100 + index));
    const work = [
      ...Array.from({ length: LIVE_CLIENTS }, (_, index) => client(index).writeLive(live)),
      ...Array.from({ length: MERGING_CLIENTS }, (_, index) => client(LIVE_CLIENTS + index).mergeRequests(locked)),
    ];
    const done = Promise.all([
      ...work,
      client(work.length).administer(organizationId),
      importFor((0.4 + chance() * 0.8) * importMs),
    ]);
    await reached(ledger, Math.floor(chance() * MOST_ANSWERS), round === 0 ? 1 : 0);
    await pause(chance() * 150);
    if (chance() < 0.3) {
      await server.killDatabase();
      await pause(chance() * 100);
    }
    await server.kill();
    await done;
    return ledger;
  }

  async function faultsOf(checked: readonly Ledger[]): Promise<string[]> {
    const client = new pg.Client({ connectionString: await server.databaseUrl() });
    await client.connect();
    try {
      const faults = [
        ...(await findImpossible(client)),
        ...(await findLostFiles(client, join(folder, 'data', 'files'))),
      ];
      const caller = new Caller(server.url, TOKEN);
      faults.push(...(await findBrokenImports(caller, organizationId, imports.slice(-checked.length))));
      const check = new LedgerCheck(caller, client);
      for (const ledger of checked) faults.push(...(await check.find(ledger)));
      return faults;
    } finally {
      await client.end();
    }
  }

  it(
    'loses nothing that was acknowledged and leaves nothing half done',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const ledger = await rampage(round);
        ledgers.push(ledger);
        await server.start();
        expect({ round, faults: await faultsOf(ledgers.slice(-2)) }).toEqual({ round, faults: [] });
      }
      expect({ faults: await faultsOf(ledgers) }).toEqual({ faults: [] });
      const batches = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
      const merges = ledgers.reduce((sum, ledger) => sum + ledger.merges, 0);
      const unknown = ledgers
        .flatMap(({ lines }) => lines)
        .flatMap((line) => line.batches)
        .filter((batch) => batch.revision === undefined).length;
      process.stdout.write(
        `kill -9: ${ROUNDS} rounds, seed ${SEED}: ${batches} acknowledged batches, ${merges} merges, ${unknown} batches cut off, ${imports.filter(({ space }) => space !== undefined).length} of ${imports.length} imports completed, nothing lost\n`,
      );
      expect(batches).toBeGreaterThan(ROUNDS);
      expect(merges).toBeGreaterThan(0);
      await server.stop();
    },
    120_000 + ROUNDS * 60_000,
  );
});
