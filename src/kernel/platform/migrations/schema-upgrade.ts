import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { databaseRouteOf } from '../../common/database.js';
import { Jobs } from '../jobs/jobs.js';
import { Registry } from '../manifest/registry.js';
import { Backfills } from './backfills.js';
import { canContract, contractAll } from './contractions.js';
import { contractionsOf, type SchemaOwner, schemaOwners } from './migration-history.js';
import { trySchemaLock, withSchemaConnection } from './schema-lock.js';

/** The part of an upgrade that is done beside servers: batches, and then the contracting migrations. */
@Injectable()
export class SchemaUpgrade implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('SchemaUpgrade');
  /** A server that stops leaves the rest to others at once. */
  private readonly stopping = new AbortController();
  /** Those with contracting migrations, whose files are read once. */
  private owners: readonly SchemaOwner[] | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly registry: Registry,
    private readonly backfills: Backfills,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('migrations.finish', (_, run) => this.finish(run.signal));
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Runs the batches that are left, and the contracting migrations for which no older server runs any more. */
  async finish(signal: AbortSignal): Promise<void> {
    const isOver = await this.backfills.finish(AbortSignal.any([signal, this.stopping.signal]));
    if (!isOver) return;
    const owners = (this.owners ??= schemaOwners(this.registry.manifests).filter(
      (owner) => contractionsOf([owner]).length > 0,
    ));
    if (owners.length === 0) return;
    const route = databaseRouteOf(this.source);
    if (!(await withSchemaConnection(route, (client) => canContract(client, owners)))) return;
    const ran = await trySchemaLock(route, (client) => contractAll(client, owners));
    for (const name of ran ?? []) this.logger.log(`Migrated the database: ${name}`);
  }
}
