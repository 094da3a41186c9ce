import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../common/database.js';
import { phaseOf } from '../migrations/migration-file.js';
import { StorageProbe } from '../storage/storage-probe.js';

const PATIENCE_MILLISECONDS = 2000;

/** Tells whether this server can answer requests. */
@Injectable()
export class Health implements BeforeApplicationShutdown {
  private readonly obstacles = new Set<string>();
  private migrated = false;

  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
    private readonly storage: StorageProbe,
  ) {}

  /** Makes the server not ready for a reason (`migrating`); returns a function that ends this. */
  hold(reason: string): () => void {
    this.obstacles.add(reason);
    return () => this.obstacles.delete(reason);
  }

  beforeApplicationShutdown(): void {
    this.hold('stopping');
  }

  /**
   * The reasons why the server is not ready; empty if it is. Database and file storage are probed only if there is no
   * other reason.
   */
  async problems(): Promise<string[]> {
    if (this.obstacles.size > 0) return [...this.obstacles];
    const problems = await Promise.all([this.databaseProblem(), this.storage.problem()]);
    return problems.filter((problem) => problem !== undefined);
  }

  /** The servers that answer requests which only read, for operators; undefined without replicas. */
  get reads(): string | undefined {
    const { replicas } = this.database;
    if (!replicas) return undefined;
    if (replicas.standIn) return 'replicas alone: the primary cannot be reached';
    const { states } = replicas;
    const usable = states.filter(({ isUsable, isPrimary }) => isUsable && !isPrimary).length;
    return `${usable} of ${states.length} hosts of DATABASE_READ_URL`;
  }

  /** A server whose replicas go on answering is ready: a balancer that left it out would end what still works. */
  private async databaseProblem(): Promise<string | undefined> {
    const goesOn = (): boolean => this.migrated && this.database.replicas?.standIn === true;
    // Balancers do not wait for long: a primary that is known to be away is not asked.
    if (goesOn()) return undefined;
    const problem = await this.primaryProblem();
    return goesOn() ? undefined : problem;
  }

  private async primaryProblem(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('the database does not answer'), PATIENCE_MILLISECONDS);
    });
    try {
      return await Promise.race([this.askDatabase(), late]);
    } catch {
      return 'the database cannot be reached';
    } finally {
      clearTimeout(timer);
    }
  }

  private async askDatabase(): Promise<string | undefined> {
    if (this.migrated) {
      await this.database.transaction(() => this.database.query('SELECT 1'));
      return undefined;
    }
    const rows = await this.database.query<{ name: string }>('SELECT name FROM migration');
    const done = new Set(rows.map((row) => row.name));
    // Contracting migrations come later, while servers run.
    const needed = this.source.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .filter((name) => phaseOf(name) === 'expand');
    this.migrated = needed.every((name) => done.has(name));
    return this.migrated ? undefined : 'migrating';
  }
}
