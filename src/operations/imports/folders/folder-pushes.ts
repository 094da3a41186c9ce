import { Injectable } from '@nestjs/common';
import { ChangeRequests } from '../../../authoring/change-requests/change-requests.service.js';
import { Merges } from '../../../authoring/change-requests/merges.service.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import type { ImportOrder, ImportResult, ImportSource } from '../../../authoring/interchange/import-order.js';
import { Importer } from '../../../authoring/interchange/importer.service.js';
import { Access } from '../../../kernel/access/access.service.js';
import { allows } from '../../../kernel/access/permissions.js';
import { runAs } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { creatorOf, orderOf, resultOf, type ActiveRun } from '../active-run.js';
import { ActiveRuns } from '../active-runs.service.js';
import type { PushOrder } from './folder-orders.js';
import { PushedFolders } from './pushed-folders.js';

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** The primary content has changed since the base of a push. */
class Moved extends Error {}

/** Brings what was changed in folders into spaces: only that, whatever others have changed since. */
@Injectable()
export class FolderPushes {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly merges: Merges,
    private readonly importer: Importer,
    private readonly runs: ActiveRuns,
    private readonly folders: PushedFolders,
  ) {}

  push(run: ActiveRun, order: PushOrder): Promise<unknown> {
    return runAs(creatorOf(run), run.organizationId, () =>
      this.folders.with(run, order, (source) => this.pushFolder(run, order, source)),
    );
  }

  private async pushFolder(run: ActiveRun, order: PushOrder, source: ImportSource): Promise<unknown> {
    if (order.into !== undefined) return this.intoRequest(run, order, source);
    const asEdit = order.review ? undefined : await this.rightToWrite(run);
    if (asEdit === undefined) return this.propose(run, order, source, false);
    // A run that was cut off goes on with the change request that it has made.
    if (run.changeRequestId !== null) return this.propose(run, order, source, true);
    try {
      return await this.write(run, order, source, asEdit);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      return this.propose(run, order, source, true);
    }
  }

  /**
   * The permission by which the creator of a run writes to the primary content: that of editors, which a space that is locked for
   * live edits refuses, or that to replace it. Undefined for neither.
   */
  private async rightToWrite(run: ActiveRun): Promise<'space:edit' | 'space:replaceContent' | undefined> {
    const space = await this.access.requireSpace(creatorOf(run), run.spaceId, 'space:propose');
    if (space.editMode === 'live' && allows('space:edit', space)) return 'space:edit';
    return allows('space:replaceContent', space.role) ? 'space:replaceContent' : undefined;
  }

  /** Writes the folder, if the primary content is still what it was changed from. */
  private async write(
    run: ActiveRun,
    order: PushOrder,
    source: ImportSource,
    right: 'space:edit' | 'space:replaceContent',
  ): Promise<ImportResult> {
    if ((await this.lines.primary(run.spaceId)).revisionId !== order.base) throw new Moved();
    const { target, ...rest } = importOf(run, order, source);
    return this.importer.importFolder({
      ...rest,
      ...(target && { target: { ...target, ...(right === 'space:edit' && { needs: right }) } }),
      commit: (work) =>
        run.commit(
          async () => {
            if ((await this.lines.lockPrimary(run.spaceId)).revisionId !== order.base) throw new Moved();
            return work();
          },
          (result) => resultOf(result, NO_ADDRESSES),
        ),
    });
  }

  /** Writes the folder into the change request that it was pulled from. */
  private intoRequest(run: ActiveRun, order: PushOrder, source: ImportSource): Promise<ImportResult> {
    return this.importer.importFolder({
      ...importOf(run, order, source),
      commit: (work) =>
        run.commit(
          async () => {
            const { revisionId } = await this.lines.lockRequest(run.spaceId, order.into ?? '');
            if (revisionId !== order.base)
              throw new DomainError('conflict', 'The change request has changed since it was pulled: pull again');
            return work();
          },
          (result) => resultOf(result, NO_ADDRESSES),
        ),
    });
  }

  /**
   * Makes a change request of what was changed, on the revision that it was changed from. It is merged if that is asked for, and
   * left to people where there are conflicts, or where it is not asked for.
   */
  private async propose(run: ActiveRun, order: PushOrder, source: ImportSource, isMerged: boolean): Promise<unknown> {
    const caller = creatorOf(run);
    const { spaceId } = run;
    const id = run.changeRequestId ?? (await this.makeRequest(run, order));
    const result = await this.importer.importFolder({
      ...importOf({ ...run, changeRequestId: id }, order, source),
      commit: (work) => this.database.transaction(work),
    });
    return run.commit(
      async () => {
        const { revisionId } = await this.lines.lockRequest(spaceId, id);
        if (revisionId === order.base) {
          await this.requests.update(caller, spaceId, id, { status: 'archived' });
          await this.runs.into(run, null);
          return { ...result, revision: order.base, changed: false };
        }
        const merged = isMerged
          ? await this.merges.merge(caller, spaceId, id, { evenAgainstRules: true, permission: 'space:edit' })
          : undefined;
        if (merged?.result === 'merge') return { ...result, revision: merged.revision, changed: true };
        await this.requests.update(caller, spaceId, id, { status: 'open' });
        return { ...result, revision: revisionId, changed: true };
      },
      (ended) => resultOf(ended, NO_ADDRESSES),
    );
  }

  /** The run names the change request as soon as it is there, so that one that is cut off makes no second one. */
  private makeRequest(run: ActiveRun, { base, subject }: PushOrder): Promise<string> {
    return this.database.transaction(async () => {
      const { id, sequence } = await this.lines.revision(run.spaceId, base);
      const made = await this.requests.create(creatorOf(run), run.spaceId, { subject }, { id, sequence });
      await this.runs.into(run, made.id);
      return made.id;
    });
  }
}

/** The import into a change request, or into the primary line, that a push consists of. */
function importOf(run: ActiveRun, { subject }: PushOrder, source: ImportSource): ImportOrder {
  const { target, ...rest } = orderOf(run, 'replace');
  return {
    ...rest,
    source,
    message: subject,
    ...(target && { target: { ...target, ...(run.changeRequestId !== null && { needs: 'space:propose' as const }) } }),
  };
}
