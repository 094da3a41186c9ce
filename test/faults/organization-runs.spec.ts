import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chanceOf } from './chance.js';
import { Caller } from './kill-clients.js';
import { KilledServer } from './kill-server.js';

/*
 * Exports and imports of an organization over HTTP, whose server is killed at a random moment: the next server finishes
 * them, and they are done once.
 */

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'kill-token-kill-token-kill-token-kill-token';
const PATIENCE_MS = 90_000;

/** The lease of the killed server is over after a minute, the next attempt begins some seconds later: here both at once. */
const RUNS = `name IN ('organizationArchives.export', 'organizationArchives.import')`;
const END_LEASES = `UPDATE jobs.job SET started_on = now() - interval '3 hours', expire_in = interval '1 second' WHERE ${RUNS} AND state = 'active'`;
const END_WAITING = `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE ${RUNS} AND state < 'active'`;
/** A person begins twenty imports in a day at most. */
const FORGET_BUDGET = `UPDATE organization_run SET created_at = created_at - interval '2 days'`;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly organization?: string;
  readonly download?: string;
  readonly rows?: number;
  readonly files?: number;
}
interface Listed {
  readonly items: readonly { readonly id: string; readonly title: string }[];
}

describe(`kill -9 while organizations are exported and imported (ROUNDS=${ROUNDS} SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let folder: string;
  let server: KilledServer;
  let organization: string;
  const caller = (): Caller => new Caller(server.url, TOKEN);
  const organizations = async (): Promise<string[]> =>
    (await caller().call<Listed>('GET', '/orgs?limit=1000')).items.map(({ id }) => id);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-kill-organizations-'));
    await chmod(folder, 0o755);
    server = new KilledServer(join(folder, 'data'), TOKEN, { DEMO: 'true' });
    await server.start();
    organization = (await organizations())[0] ?? '';
  }, 180_000);
  afterAll(async () => {
    await server.stop();
    await server.clear();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  async function inDatabase(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: await server.databaseUrl() });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }

  async function ended(path: string): Promise<Run> {
    const waiting = setInterval(() => void inDatabase(END_WAITING).catch(() => undefined), 1000);
    try {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const run = await caller().call<Run>('GET', path);
        if (!['pending', 'in-progress'].includes(run.status) || Date.now() > deadline) return run;
        await pause(100);
      }
    } finally {
      clearInterval(waiting);
    }
  }

  /** Kills the server within `milliseconds`, starts the next one, and tells how the run ended and whether it was cut off. */
  async function killed(path: string, milliseconds: number): Promise<{ run: Run; isCut: boolean }> {
    await pause(chance() * milliseconds);
    await server.kill();
    await server.start();
    const isCut = (await caller().call<Run>('GET', path)).status !== 'completed';
    await inDatabase(END_LEASES);
    return { run: await ended(path), isCut };
  }

  async function beginImport(archive: Uint8Array<ArrayBuffer>): Promise<string> {
    const response = await fetch(`${server.url}/organization-imports`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/gzip' },
      body: archive,
    });
    expect(response.status).toBe(201);
    return `/organization-imports/${((await response.json()) as Run).id}`;
  }

  /** The spaces of an organization by title, with all that readers see of each. */
  async function contentOf(id: string): Promise<object> {
    const { items } = await caller().call<Listed>('GET', `/orgs/${id}/spaces?limit=1000`);
    const spaces = items.map(async ({ id: space, title }) => {
      const { pages } = await caller().call<{ pages: unknown }>('GET', `/spaces/${space}/content/pages`);
      const requests = await caller().call<Listed>('GET', `/spaces/${space}/change-requests?limit=1000`);
      const revisions = await caller().call<Listed>('GET', `/spaces/${space}/revisions?limit=1000`);
      return [
        title,
        { pages: outlineOf(pages), requests: requests.items.length, revisions: revisions.items.length },
      ] as const;
    });
    return Object.fromEntries(await Promise.all(spaces));
  }

  it(
    'the next server finishes both, once',
    async () => {
      const took = { export: 2000, import: 4000 };
      let cut = 0;
      const path = `/orgs/${organization}/export`;
      const wanted = await contentOf(organization);
      for (let round = 0; round < ROUNDS; round++) {
        let began = performance.now();
        await caller().call('POST', path);
        const written = await killed(path, took.export);
        took.export = Math.min(took.export, performance.now() - began);
        expect(written.run).toMatchObject({ status: 'completed' });
        const answer = await fetch(written.run.download ?? '');
        expect(answer.status).toBe(200);
        const archive = new Uint8Array(await answer.arrayBuffer());

        const before = await organizations();
        const imported = await beginImport(archive);
        began = performance.now();
        const read = await killed(imported, took.import);
        took.import = Math.min(took.import, performance.now() - began);
        expect({ round, status: read.run.status, error: read.run.error }).toEqual({ round, status: 'completed' });
        const fresh = (await organizations()).filter((id) => !before.includes(id));
        expect(fresh).toEqual([read.run.organization]);
        expect(await contentOf(fresh[0] ?? '')).toEqual(wanted);
        cut += Number(written.isCut) + Number(read.isCut);
        await inDatabase(FORGET_BUDGET);
      }
      process.stdout.write(`kill -9 of moves: ${ROUNDS} rounds, seed ${SEED}, ${cut} of ${2 * ROUNDS} runs cut off\n`);
    },
    120_000 + ROUNDS * 180_000,
  );
});

/** Titles and kinds of pages, without what is another in another organization. */
function outlineOf(pages: unknown): unknown {
  if (!Array.isArray(pages)) return [];
  return pages.map(({ title, type, slug, pages: below }: Record<string, unknown>) => [
    title,
    type,
    slug,
    outlineOf(below),
  ]);
}
