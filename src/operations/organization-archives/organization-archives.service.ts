import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { COPY_STATEMENTS } from '../../authoring/content/content.points.js';
import { connectTo, type DatabaseConnection } from '../../kernel/common/connection.js';
import { databaseRouteOf } from '../../kernel/common/database.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { VERSION } from '../../version.js';
import type { ArchiveEnd } from './archive-format.js';
import type { ArchiveSink } from './archive-sink.js';
import type { ArchiveSource } from './archive-source.js';
import { exportOrganization, type ArchiveProgress } from './export-organization.js';
import {
  importOrganization,
  type OrganizationImportOptions,
  type OrganizationImportReport,
} from './import-organization.js';

/** Writes whole organizations as archives, and imports them. Each takes a connection of its own, whose statements may last. */
@Injectable()
export class OrganizationArchives {
  constructor(
    private readonly source: DataSource,
    private readonly storage: FileStorage,
    private readonly blobs: Blobs,
    private readonly secrets: Secrets,
    private readonly registry: Registry,
    private readonly outbox: Outbox,
  ) {}

  /** Throws `notFound` for an organization that does not exist. */
  export(organizationId: string, sink: ArchiveSink, progress?: ArchiveProgress): Promise<ArchiveEnd> {
    const { storage } = this;
    return this.connected((client) =>
      exportOrganization({ client, storage, release: VERSION }, organizationId, sink, progress),
    );
  }

  /** An event tells of the import. Throws `ArchiveFault` with the place of a fault in the archive. */
  import(
    archive: ArchiveSource,
    options: OrganizationImportOptions,
    progress?: ArchiveProgress,
  ): Promise<OrganizationImportReport> {
    const { blobs, secrets } = this;
    const finish = async (client: DatabaseConnection, report: OrganizationImportReport): Promise<void> => {
      const { organizationId } = report;
      await this.outbox.recordOn(client, { type: 'organization_imported', organizationId, target: organizationId });
      await options.finish?.(client, report);
    };
    const derive = this.registry.contributionsTo(COPY_STATEMENTS);
    const invariants = this.registry.contributionsTo(INVARIANTS);
    return this.connected((client) =>
      importOrganization(archive, { client, blobs, secrets, derive, invariants }, { ...options, finish }, progress),
    );
  }

  private async connected<T>(work: (client: DatabaseConnection) => Promise<T>): Promise<T> {
    const client = await connectTo(databaseRouteOf(this.source), 'bindery organization');
    try {
      return await work(client);
    } finally {
      // A statement that was not read to its end would keep the connection open.
      client.abandon();
    }
  }
}
