import { Injectable } from '@nestjs/common';
import { RequestRewrites } from '../../../authoring/change-requests/request-rewrites.js';
import { RequestUpdates } from '../../../authoring/change-requests/request-updates.service.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { Database } from '../../../kernel/common/database.js';
import { creatorOf } from '../../imports/active-run.js';
import { GitImporter } from '../../imports/git/git-importer.service.js';
import type { RunResult } from '../../imports/imports.schema.js';
import { orderFactsOf } from '../git-sync-sides.js';
import { Moved } from '../moved.js';
import { PullRequestBlends } from './pull-request-blends.js';
import type { BranchWork } from './pull-work.js';

/** The outcome of writing a commit into a change request. */
interface Written {
  readonly oid: string;
  readonly result: RunResult;
  /** The revision that says what the commit says. */
  readonly revision: string;
  /** People have changed the change request, and their changes stand in it as well. */
  readonly isEdited: boolean;
}

interface WriteOptions {
  /** The commit at which the ref has left the branch, where what the branch has got since is to be in the change request too. */
  readonly left?: () => Promise<string | undefined>;
  /** Ends it, in the same transaction. */
  readonly finish: (written: Written) => Promise<void>;
}

/** Writes commits into the change requests of pull requests. */
@Injectable()
export class PullRequestWrites {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly updates: RequestUpdates,
    private readonly rewrites: RequestRewrites,
    private readonly importer: GitImporter,
    private readonly blends: PullRequestBlends,
  ) {}

  /** Writes a ref of the repository into a change request, and ends in the same transaction; what people have changed there stays. */
  async write(
    work: BranchWork,
    id: string,
    ref: string,
    since: string | undefined,
    { left, finish }: WriteOptions,
  ): Promise<void> {
    const { run, order, agreed } = work;
    const caller = creatorOf(run);
    const { spaceId } = run;
    let oid = '';
    await this.importer.import(
      {
        ...run,
        changeRequestId: id,
        commit: (importAll, resultOf) =>
          this.database.transaction(async () => {
            const primary = (await this.lines.lockPrimary(spaceId)).revisionId;
            if (primary !== agreed.revision) throw new Moved();
            let revision = '';
            const result = await this.rewrites.write(spaceId, id, since, async () => {
              await this.updates.update(caller, spaceId, id, { primary, default: 'changed' });
              const written = await importAll();
              revision = (await this.lines.request(spaceId, id)).revisionId;
              return written;
            });
            const isEdited = (await this.lines.request(spaceId, id)).revisionId !== revision;
            await finish({ oid, result: resultOf(result), revision, isEdited });
            return result;
          }),
      },
      { type: 'git', ...orderFactsOf(run, order), ref },
      {
        onCheckout: async (checkout) => {
          ({ oid } = checkout.commit);
          const parted = await left?.();
          return parted === undefined ? undefined : this.blends.blend(work, parted, checkout);
        },
      },
    );
  }
}
