import { hostname } from 'node:os';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import pg from 'pg';
import { VERSION } from '../../../version.js';
import { Database } from '../../common/database.js';
import { newId } from '../../common/ids.js';
import { Jobs } from '../jobs/jobs.js';
import { Registry } from '../manifest/registry.js';
import { OperatorError } from '../operator-error.js';
import { Health } from '../telemetry/health.js';
import { phaseOf } from './migration-file.js';
import { contractionOf, contractionsOf, schemaOwners, type SchemaOwner } from './migration-history.js';
import { ServerProcess } from './server-process.entity.js';

/** Any two fixed numbers: no process begins while a contracting migration runs. */
export const CONTRACTION_LOCK = [0x62696e64, 6] as const;
const BEAT_MILLISECONDS = 20_000;
/** Seconds without a sign of life after which a process counts as gone. */
export const SILENT_SECONDS = 90;

const REGISTER = `INSERT INTO server_process (id, release, host, contractions, started_at, seen_at) VALUES ($1, $2, $3, $4, now(), now())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
const BEAT = `UPDATE server_process SET seen_at = now() WHERE id = $1 AND seen_at > now() - ${SILENT_SECONDS} * interval '1 second'`;
const PRESENT = 'SELECT to_regclass($1) IS NOT NULL AS found';
const REMOVE_SILENT = `DELETE FROM server_process WHERE seen_at < now() - interval '1 day'`;

/** Refuses a database with migrations that the code of this process does not know. */
export const refuseNewer = (names: readonly string[], module?: string): never => {
  const release = module === undefined ? 'release' : `release of the module ${module}`;
  throw new OperatorError(
    `The database is newer than this ${release}, which does not know its migration${names.length === 1 ? '' : 's'} ${names.join(', ')}: start the newer ${release}, or restore a backup from before it`,
  );
};

/** Tells other servers that this process works on the database, and with which contracting migrations it does. */
@Injectable()
export class ServerProcesses implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ServerProcesses');
  private readonly id = newId();
  private owners: readonly SchemaOwner[] = [];
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly health: Health,
    private readonly jobs: Jobs,
  ) {}

  /**
   * For servers and commands: registers this process until its end.
   * @throws OperatorError if a contracting migration that its code does not know has run.
   */
  async start(): Promise<void> {
    this.owners = schemaOwners(this.registry.manifests);
    await this.register();
    this.isRunning = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isRunning) return;
    this.isRunning = false;
    // They are the last to work here.
    await this.jobs.beforeApplicationShutdown();
    // Others wait for a while where this fails.
    await this.database
      .of(ServerProcess)
      .delete({ id: this.id })
      .catch(() => undefined);
  }

  @Interval('server-processes', BEAT_MILLISECONDS)
  async beat(): Promise<void> {
    if (!this.isRunning) return;
    try {
      // One that was silent for too long may find another schema.
      if ((await this.database.execute(BEAT, [this.id])) === 0) await this.register();
    } catch (error) {
      if (error instanceof OperatorError) this.health.hold('the database is newer');
      this.logger.error(`this process could not be registered: ${String(error)}`);
    }
  }

  private async register(): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [...CONTRACTION_LOCK]);
      await this.database.execute(REMOVE_SILENT);
      await this.database.execute(REGISTER, [this.id, VERSION, hostname(), contractionsOf(this.owners)]);
    });
    for (const { module, history } of this.owners) {
      const known = new Set(contractionsOf([{ module, history }]));
      const contracted = await this.contracted(history.table);
      const unknown = contracted.filter((name) => !known.has(contractionOf(history, name)));
      if (unknown.length > 0) refuseNewer(unknown, module);
    }
  }

  /** The contracting migrations that the database has. */
  private async contracted(table: string): Promise<string[]> {
    // A module whose folder is empty so far has none.
    const present = await this.database.one<{ found: boolean }>(PRESENT, [table]);
    if (present?.found !== true) return [];
    const rows = await this.database.unprepared<{ name: string }>(`SELECT name FROM ${pg.escapeIdentifier(table)}`);
    return rows.map(({ name }) => name).filter((name) => phaseOf(name) === 'contract');
  }
}
