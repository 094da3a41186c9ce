import { Injectable } from '@nestjs/common';
import { SpaceRepositories } from '../../authoring/interchange/git/space-repositories.service.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import type { ActiveRun } from '../imports/active-run.js';
import { gitCredentialsOf } from '../imports/git/git-orders.js';
import { GitTransport } from '../imports/git/git-transport.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import type { GitOrderFacts } from '../imports/imports.schema.js';
import type { GitInstallation } from './git-installation.entity.js';
import { GitSyncStates } from './git-sync-states.js';

/** The two sides as a round finds them. */
export interface SyncSides {
  readonly installation: GitInstallation;
  /** The last commit of the branch; undefined where it does not exist. */
  readonly head: string | undefined;
  /** The head of the primary line. */
  readonly revision: string;
  /** The commit and the revision that said the same last. */
  readonly agreed: { readonly oid: string; readonly revision: string } | undefined;
}

/** Looks at both sides. */
@Injectable()
export class GitSyncSides {
  constructor(
    private readonly transport: GitTransport,
    private readonly lines: ContentLines,
    private readonly repositories: SpaceRepositories,
    private readonly states: GitSyncStates,
  ) {}

  async find(run: ActiveRun, order: GitSyncOrder): Promise<SyncSides> {
    const installation = await this.states.get(order.installation);
    const { revisionId: revision } = await this.lines.primary(run.spaceId);
    const known = await this.repositories.find(run.spaceId);
    const { url, ref, directory } = order;
    const isSame = known?.remote === url && known.ref === ref && known.directory === directory;
    const { remoteHead } = await import('../../authoring/interchange/git/remote-head.js');
    return {
      installation,
      head: await remoteHead(url, ref, this.transport.client(gitCredentialsOf(run))),
      revision,
      agreed: isSame ? { oid: known.oid, revision: known.revisionId } : undefined,
    };
  }
}

/** The facts of an order for the import and the export that it consists of. */
export function orderFactsOf({ createdAt }: ActiveRun, { url, ref, directory }: GitSyncOrder): GitOrderFacts {
  return { url, ref, directory, timestamp: createdAt.toISOString(), force: true };
}
