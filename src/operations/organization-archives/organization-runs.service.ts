import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { ByteSource } from '../../kernel/platform/storage/spool.js';
import { OrganizationRun } from './organization-run.entity.js';

const DAY = 24 * 3600_000;
/** Milliseconds for which the archive of an export can be fetched. */
const ARCHIVE_MILLISECONDS = DAY;
/** Its address lasts up to an hour more than a day. */
const SERVED_MILLISECONDS = ARCHIVE_MILLISECONDS + 2 * 3600_000;
/** Imports that a person begins in a day at most, and exports of an organization. */
const MOST_RUNS = 20;
const ARCHIVE_TYPE = 'application/gzip';

/** Exports and imports of organizations that are asked for over HTTP: begun, and looked at. */
@Injectable()
export class OrganizationRuns implements OnModuleInit {
  /** People whose archives this process is receiving. */
  private readonly receiving = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly blobs: Blobs,
    private readonly endpoint: FileEndpoint,
    private readonly urls: FileUrls,
    @Inject(CONFIG) private readonly config: Pick<Config, 'organizationImportMaxBytes'>,
  ) {}

  onModuleInit(): void {
    this.endpoint.register((id) => this.archive(id));
  }

  /** Begins an export; one that is under way already is given instead. Throws `tooManyRequests`. */
  beginExport({ userId }: Caller, organizationId: string): Promise<OrganizationRun> {
    return this.database.transaction(async () => {
      await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      const newest = await this.newest(organizationId);
      if (newest && newest.completedAt === null) return newest;
      await this.requireBudget('organization_id', organizationId, 'export');
      const run = await this.add({ kind: 'export', organizationId, createdBy: userId });
      await this.outbox.record({ type: 'organization_export_started', organizationId, target: organizationId });
      return run;
    });
  }

  /** The newest export of an organization; throws `notFound` where there is none. */
  async lastExport(organizationId: string): Promise<OrganizationRun> {
    const run = await this.newest(organizationId);
    if (!run) throw notFound('Export');
    return run;
  }

  /**
   * Takes an archive, and begins to import it as an organization of which the caller is an administrator. Throws
   * `tooLarge`, `invalid` for nothing, `conflict` while another import of the caller is under way, and `tooManyRequests`.
   */
  async beginImport({ userId }: Caller, archive: ByteSource): Promise<OrganizationRun> {
    await this.requireTurn(userId);
    const { hash, size } = await this.receive(userId, archive);
    if (size === 0) throw new DomainError('invalid', 'The body must be an archive of an organization');
    return this.database.transaction(async () => {
      await this.database.execute('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      await this.requireTurn(userId);
      return this.add({
        kind: 'import',
        organizationId: null,
        createdBy: userId,
        sourceHash: Buffer.from(hash, 'hex'),
      });
    });
  }

  /** An import that the caller has begun; throws `notFound` for any other. */
  async getImport({ userId }: Caller, id: string): Promise<OrganizationRun> {
    const run = await this.database.of(OrganizationRun).findOneBy({ id, kind: 'import', createdBy: userId });
    if (!run) throw notFound('Import');
    return run;
  }

  /** The signed address of what an export has written; undefined for nothing, or for what has expired. */
  address({ id, result, completedAt }: OrganizationRun): string | undefined {
    const age = this.clock.now().getTime() - (completedAt?.getTime() ?? 0);
    return result?.archive && age < ARCHIVE_MILLISECONDS ? this.urls.sign({ id, ...result.archive }) : undefined;
  }

  private async add(
    facts: Pick<OrganizationRun, 'kind' | 'organizationId' | 'createdBy'> & Partial<OrganizationRun>,
  ): Promise<OrganizationRun> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.of(OrganizationRun).insert({ ...facts, id, createdAt: now });
    await this.jobs.enqueue(`organizationArchives.${facts.kind}`, { run: id });
    return this.database.of(OrganizationRun).findOneByOrFail({ id });
  }

  /** Stores an archive, before any transaction, which a slow caller would hold open; one at a time of each person. */
  private async receive(userId: string, archive: ByteSource): Promise<{ hash: string; size: number }> {
    if (this.receiving.has(userId)) throw underWay();
    this.receiving.add(userId);
    try {
      return await this.blobs.store(archive, {
        name: 'organization.tar.gz',
        maxBytes: this.config.organizationImportMaxBytes,
      });
    } finally {
      this.receiving.delete(userId);
    }
  }

  private newest(organizationId: string): Promise<OrganizationRun | null> {
    return this.database
      .of(OrganizationRun)
      .findOne({ where: { organizationId, kind: 'export' }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Refuses a second import at once, and one more than a day's. */
  private async requireTurn(userId: string): Promise<void> {
    const other = await this.database.one(
      `SELECT FROM organization_run WHERE created_by = $1 AND kind = 'import' AND completed_at IS NULL LIMIT 1`,
      [userId],
    );
    if (other) throw underWay();
    await this.requireBudget('created_by', userId, 'import');
  }

  private async requireBudget(
    column: 'created_by' | 'organization_id',
    id: string,
    kind: OrganizationRun['kind'],
  ): Promise<void> {
    const since = new Date(this.clock.now().getTime() - DAY);
    const [earliest, ...later] = await this.database.query<{ at: Date }>(
      `SELECT created_at AS at FROM organization_run WHERE ${column} = $1 AND kind = $3 AND created_at > $2 ORDER BY created_at LIMIT ${MOST_RUNS}`,
      [id, since, kind],
    );
    if (earliest && later.length + 1 >= MOST_RUNS)
      throw new DomainError('tooManyRequests', `No more than ${MOST_RUNS} ${kind}s are begun in a day`, [], {
        'Retry-After': String(Math.ceil((earliest.at.getTime() - since.getTime()) / 1000)),
      });
  }

  private async archive(id: string): Promise<ServedFile | undefined> {
    const row = await this.database.one<{ archive: { name: string; hash: string; size: number } }>(
      `SELECT result -> 'archive' AS archive FROM organization_run WHERE id = $1 AND result ? 'archive' AND completed_at > $2`,
      [id, new Date(this.clock.now().getTime() - SERVED_MILLISECONDS)],
    );
    return row && { ...row.archive, contentType: ARCHIVE_TYPE, visibility: 'signed' };
  }
}

const underWay = (): DomainError =>
  new DomainError('conflict', 'Another import of yours is under way: wait for its end');
