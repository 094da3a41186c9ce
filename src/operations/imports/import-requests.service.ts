import { Injectable } from '@nestjs/common';
import { Access, requireWhole, type OrganizationAccess, type SpaceAccess } from '../../kernel/access/access.service.js';
import { requirePermission } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { invalid } from '../../kernel/common/errors.js';
import { ContentStore, NOTHING_HIDDEN } from '../../authoring/content/content-store.js';
import { isActive } from '../../authoring/content/domain/request-status.js';
import { ContentLines, primaryPoint, requestPoint } from '../../authoring/content/content-lines.js';
import type { ByteSource } from '../../kernel/platform/storage/spool.js';
import { archiveType } from './archive-types.js';
import type { ImportRunRow, RunSource, StartImport } from './imports.schema.js';
import { RunQueue } from './run-queue.service.js';
import { Uploads } from '../../workspace/uploads/uploads.service.js';

/** Takes the orders to import files, archives and websites; runs in the background carry them out. */
@Injectable()
export class ImportRequests {
  constructor(
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly uploads: Uploads,
    private readonly queue: RunQueue,
  ) {}

  /**
   * Begins an import of uploaded files or a website. Where none is named, a run makes a change request of its own for what it
   * writes into a space that is locked for live edits. Throws `invalid` for a target or files that are not the caller's.
   */
  async start(
    caller: Caller,
    organization: OrganizationAccess,
    { source: { type, url, files }, target }: StartImport,
  ): Promise<ImportRunRow> {
    const space = await this.access.space(caller, target.space);
    if (!space || space.organizationId !== organization.id || space.deletedAt !== null)
      throw invalid('target.space', 'is not a space of this organization');
    requirePermission(caller, 'space:edit', space);
    requireWhole(space);
    if (type === 'website' && url === undefined) throw invalid('source.url', 'is needed for a website');
    if (type === 'file' && files === undefined) throw invalid('source.files', 'is needed for files');
    const source: RunSource = type === 'website' ? { type, url: url ?? '' } : { type, files: files ?? [] };
    if (source.type === 'file') await this.uploads.uploaded(caller.userId, organization.id, source.files);
    const request =
      target.changeRequest === undefined ? undefined : await this.openRequest(space.id, target.changeRequest);
    const point = request
      ? requestPoint(request, NOTHING_HIDDEN)
      : primaryPoint(await this.lines.primary(space.id), NOTHING_HIDDEN);
    if (target.page !== undefined && !(await this.store.get(point, 'page', target.page)))
      throw invalid('target.page', 'is not a page of the space');
    return this.queue.begin(caller, space, source, {
      ...(request && { changeRequestId: request.id }),
      ...(target.page !== undefined && { pageId: target.page }),
    });
  }

  /** Stores an archive and begins an import after which the space says what the archive says. Throws `tooLarge`, `unsupportedMediaType`, and `invalid` for no bytes at all. */
  async startArchive(
    caller: Caller,
    space: SpaceAccess,
    contentType: string | undefined,
    bytes: ByteSource,
  ): Promise<ImportRunRow> {
    const { name, type } = archiveType(contentType);
    // Before any transaction, which a slow caller would hold open.
    const key = await this.uploads.store(caller.userId, space.organizationId, name, type, bytes);
    return this.queue.begin(caller, space, { type: 'archive', files: [key] });
  }

  private async openRequest(spaceId: string, idOrNumber: string) {
    const request = await this.lines.request(spaceId, idOrNumber);
    if (!isActive(request.status))
      throw invalid('target.changeRequest', `is ${request.status}: its content cannot change`);
    return request;
  }
}
