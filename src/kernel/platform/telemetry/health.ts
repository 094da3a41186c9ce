import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../common/database.js';
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

  private async databaseProblem(): Promise<string | undefined> {
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
      await this.database.query('SELECT 1');
      return undefined;
    }
    const rows = await this.database.query<{ name: string }>('SELECT name FROM migration');
    const done = new Set(rows.map((row) => row.name));
    this.migrated = this.source.migrations.every((migration) => done.has(migration.name ?? migration.constructor.name));
    return this.migrated ? undefined : 'migrating';
  }
}
