import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import { allows, includesScope, permission, type PermissionKey } from '../../../kernel/access/permissions.js';
import type { Caller } from '../../../kernel/common/context.js';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import type { ByteSource } from '../../../kernel/platform/storage/spool.js';
import { Uploads } from '../../../workspace/uploads/uploads.service.js';
import { archiveType } from '../archive-types.js';
import type { ImportRunRow } from '../imports.schema.js';
import { RunQueue } from '../run-queue.service.js';
import type { ExportArchiveQuery, PushArchiveQuery } from './folders.schema.js';

/** An archive in the body of a request. */
export interface SentArchive {
  readonly contentType: string | undefined;
  readonly bytes: ByteSource;
}

/** Takes the orders to write spaces as folders, and to bring changes of folders back; runs in the background carry them out. */
@Injectable()
export class FolderRequests {
  constructor(
    private readonly lines: ContentLines,
    private readonly uploads: Uploads,
    private readonly queue: RunQueue,
  ) {}

  /** Begins an export. Throws `notFound` for a change request that is not there. */
  async export(
    caller: Caller,
    space: SpaceAccess,
    { changeRequest }: ExportArchiveQuery,
    sent: SentArchive | undefined,
  ): Promise<ImportRunRow> {
    const request = changeRequest === undefined ? undefined : await this.lines.request(space.id, changeRequest);
    const files = sent === undefined ? [] : [await this.store(caller, space, sent)];
    return this.queue.begin(
      caller,
      space,
      { type: 'archive-export', files },
      { ...(request && { changeRequestId: request.id }) },
    );
  }

  /**
   * Begins to bring in what was changed in a folder. Throws `invalid` for a base that is no revision of the content, and
   * `conflict` for a change request whose content cannot change.
   */
  async push(
    caller: Caller,
    space: SpaceAccess,
    { base, changeRequest, review = false, subject = 'Push' }: PushArchiveQuery,
    sent: SentArchive,
  ): Promise<ImportRunRow> {
    if (review && changeRequest !== undefined)
      throw invalid('review', 'cannot be asked for where a change request is named');
    const request = changeRequest === undefined ? undefined : await this.openRequest(space.id, changeRequest);
    const revision = await this.lines.findRevision(space.id, base);
    const isBase = request ? base === request.revisionId || revision?.line === request.id : revision?.line === '';
    if (!isBase) throw invalid('base', `is not a revision of the ${request ? 'change request' : 'primary content'}`);
    const key = await this.store(caller, space, sent);
    return this.queue.begin(
      caller,
      space,
      {
        type: 'push',
        files: [key],
        base,
        subject,
        // Runs have all rights of their creator: the scopes of the token count here.
        review: review || !mayWrite(caller, space),
        ...(request && { into: request.id }),
      },
      { ...(request && { changeRequestId: request.id }) },
    );
  }

  private async openRequest(spaceId: string, idOrNumber: string): Promise<RequestHead> {
    const request = await this.lines.request(spaceId, idOrNumber);
    if (!isActive(request.status))
      throw new DomainError('conflict', `The change request is ${request.status}: its content cannot change`);
    return request;
  }

  private store(caller: Caller, space: SpaceAccess, { contentType, bytes }: SentArchive): Promise<string> {
    const { name, type } = archiveType(contentType);
    // Before any transaction, which a slow caller would hold open.
    return this.uploads.store(caller.userId, space.organizationId, name, type, bytes);
  }
}

function mayWrite(caller: Caller, space: SpaceAccess): boolean {
  const needed: PermissionKey = space.editMode === 'live' ? 'space:edit' : 'space:replaceContent';
  return (
    allows(needed, space) && (caller.scopes === undefined || includesScope(caller.scopes, permission(needed).scope))
  );
}
