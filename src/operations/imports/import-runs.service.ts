import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess, type SpaceAccess } from '../../kernel/access/access.service.js';
import { allows, requirePermission, requireScope } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { isActive } from '../../authoring/content/domain/request-status.js';
import { ContentLines, primaryPoint, requestPoint } from '../../authoring/content/content-lines.js';
import { originOf } from '../../kernel/platform/audit-changes.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { ByteSource } from '../../kernel/platform/storage/spool.js';
import { archiveType } from './archive-types.js';
import type { ImportListQuery, ImportRunRow, RunSource, StartImport } from './imports.schema.js';
import { Uploads } from './uploads.service.js';

export const RUN_COLUMNS = `i.id, i.space_id AS "spaceId", i.status, i.source, i.change_request_id AS "changeRequestId", i.page_id AS "pageId",
  i.created_by AS "createdBy", i.error, i.result, i.created_at AS "createdAt", i.started_at AS "startedAt", i.completed_at AS "completedAt"`;

/** The columns without those that lists do not show. */
const LIST_COLUMNS = RUN_COLUMNS.replace('i.result,', `i.result - 'pages' - 'problems' AS result,`);

const KEPT_DAYS = 90;
/** Days after which an abandoned run counts as failed. */
const STUCK_DAYS = 1;

/** The target of a run, beside the space. */
export interface RunPlace {
  readonly changeRequestId?: string;
  readonly pageId?: string;
  /** The credentials for git: name and password. */
  readonly secret?: string;
}

/** Background imports and exports: requesting, viewing, cancelling. */
@Injectable()
export class ImportRuns {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly secrets: Secrets,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly uploads: Uploads,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Starts an import of uploaded files or a website. Without a named change request, a run creates one for its changes
   * to a space that is locked for live edits. Throws `invalid` for a target or files that are not the caller's.
   */
  async start(
    caller: Caller,
    organization: OrganizationAccess,
    { source: { type, url, files }, target }: StartImport,
  ): Promise<ImportRunRow> {
    const space = await this.access.space(caller, target.space);
    if (!space || space.organizationId !== organization.id || space.deletedAt !== null)
      throw invalid('target.space', 'is not a space of this organization');
    requirePermission(caller, 'space:edit', space.role);
    if (type === 'website' && url === undefined) throw invalid('source.url', 'is needed for a website');
    if (type === 'file' && files === undefined) throw invalid('source.files', 'is needed for files');
    const source: RunSource = type === 'website' ? { type, url: url ?? '' } : { type, files: files ?? [] };
    if (source.type === 'file') await this.uploads.uploaded(caller.userId, organization.id, source.files);
    const request =
      target.changeRequest === undefined ? undefined : await this.openRequest(space.id, target.changeRequest);
    const point = request ? requestPoint(request) : primaryPoint(await this.lines.primary(space.id));
    if (target.page !== undefined && !(await this.store.get(point, 'page', target.page)))
      throw invalid('target.page', 'is not a page of the space');
    return this.begin(caller, space, source, {
      ...(request && { changeRequestId: request.id }),
      ...(target.page !== undefined && { pageId: target.page }),
    });
  }

  /**
   * Stores an archive and starts an import that makes the space equal to the archive. Throws `tooLarge`,
   * `unsupportedMediaType`, and `invalid` for an empty body.
   */
  async startArchive(
    caller: Caller,
    space: SpaceAccess,
    contentType: string | undefined,
    bytes: ByteSource,
  ): Promise<ImportRunRow> {
    const { name, type } = archiveType(contentType);
    // Before any transaction, which a slow caller would hold open.
    const key = await this.uploads.store(caller.userId, space.organizationId, name, type, bytes);
    return this.begin(caller, space, { type: 'archive', files: [key] });
  }

  /** Starts a run that was checked already. */
  begin(caller: Caller, space: SpaceAccess, source: RunSource, place: RunPlace = {}): Promise<ImportRunRow> {
    return this.database.transaction(() => this.add(caller.userId, space, source, place));
  }

  /** Lists the runs of the spaces that the caller may edit, newest first. */
  list(caller: Caller, organizationId: string, query: ImportListQuery): Promise<Page<ImportRunRow>> {
    const space = query.space ?? null;
    return this.pages.list<ImportRunRow & Record<string, unknown>>(query, {
      scope: ['imports', caller.userId, organizationId, space],
      select: LIST_COLUMNS,
      from: `FROM import_run i JOIN space_access($1, ARRAY(SELECT id FROM space WHERE organization_id = $2 AND deleted_at IS NULL AND ($3::text IS NULL OR id = $3))) a
               ON a.space_id = i.space_id AND a.role >= 'edit' WHERE true`,
      values: [caller.userId, organizationId, space],
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /**
   * A run of a space that the caller may edit; throws `notFound`, and `forbidden` if the caller can only see the space.
   */
  async get(caller: Caller, organizationId: string, id: string): Promise<ImportRunRow> {
    const run = await this.database.one<ImportRunRow & Record<string, unknown>>(
      `SELECT ${RUN_COLUMNS} FROM import_run i WHERE i.id = $1`,
      [id],
    );
    const space = run && (await this.access.space(caller, run.spaceId));
    if (!run || !space || space.organizationId !== organizationId || space.deletedAt !== null)
      throw notFound('Import run');
    if (!allows('space:edit', space.role)) throw new DomainError('forbidden', 'Requires the permission space:edit');
    return run;
  }

  /** Stops a run: it writes nothing more. Throws `invalid` for one that has ended in another way. */
  async cancel(caller: Caller, organizationId: string, id: string): Promise<ImportRunRow> {
    requireScope(caller, 'space:edit');
    const run = await this.get(caller, organizationId, id);
    await this.database.transaction(async () => {
      const stopped = await this.database.execute(
        `UPDATE import_run SET status = 'cancelled', secret = NULL, completed_at = $2 WHERE id = $1 AND status IN ('pending', 'in-progress')`,
        [id, this.clock.now()],
      );
      if (stopped > 0)
        await this.outbox.record({ type: 'import_cancelled', organizationId, spaceId: run.spaceId, target: id });
    });
    const now = await this.get(caller, organizationId, id);
    if (now.status !== 'cancelled') throw new DomainError('invalid', `The import has ${now.status} already`);
    return now;
  }

  /** Ends abandoned runs, and deletes old ones. */
  async removeStale(): Promise<void> {
    const now = this.clock.now();
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 3600 * 1000);
    await this.database.transaction(async () => {
      const stuck = await this.database.query<{ id: string; spaceId: string; organizationId: string }>(
        `UPDATE import_run i SET status = 'failed', error = 'The server stopped before it was done', secret = NULL, completed_at = $2
           FROM space s WHERE s.id = i.space_id AND i.status IN ('pending', 'in-progress') AND i.created_at < $1
         RETURNING i.id, i.space_id AS "spaceId", s.organization_id AS "organizationId"`,
        [daysAgo(STUCK_DAYS), now],
      );
      for (const { id, ...place } of stuck) await this.outbox.record({ type: 'import_failed', ...place, target: id });
    });
    await this.database.execute('DELETE FROM import_run WHERE created_at < $1', [daysAgo(KEPT_DAYS)]);
    await this.uploads.removeStale();
  }

  private async openRequest(spaceId: string, idOrNumber: string) {
    const request = await this.lines.request(spaceId, idOrNumber);
    if (!isActive(request.status))
      throw invalid('target.changeRequest', `is ${request.status}: its content cannot change`);
    return request;
  }

  private async add(
    userId: string,
    space: SpaceAccess,
    source: RunSource,
    { changeRequestId, pageId, secret }: RunPlace,
  ): Promise<ImportRunRow> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const rows = await this.database.query<ImportRunRow & Record<string, unknown>>(
      `INSERT INTO import_run AS i (id, space_id, status, source, change_request_id, page_id, secret, created_by, created_at)
       VALUES ($1, $2, 'pending', $3, $4, $5, $6, $7, $8) RETURNING ${RUN_COLUMNS}`,
      [
        id,
        space.id,
        JSON.stringify(source),
        changeRequestId ?? null,
        pageId ?? null,
        secret === undefined ? null : this.secrets.encrypt(secret),
        userId,
        now,
      ],
    );
    await this.jobs.enqueue('imports.run', { run: id });
    await this.outbox.record({
      type: 'import_started',
      organizationId: space.organizationId,
      spaceId: space.id,
      target: id,
      payload: { source: source.type },
      ...('url' in source && { audit: { label: originOf(source.url) } }),
    });
    const [row] = rows;
    if (!row) throw new Error('the run was not recorded');
    return row;
  }
}
