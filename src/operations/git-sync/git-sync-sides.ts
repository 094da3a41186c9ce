import { Injectable } from '@nestjs/common';
import { SpaceRepositories } from '../../authoring/interchange/git/space-repositories.service.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import type { ActiveRun } from '../imports/active-run.js';
import { gitAccessOf } from '../imports/git/git-orders.js';
import { GitTransport } from '../imports/git/git-transport.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import type { GitOrderFacts } from '../imports/imports.schema.js';
import type { GitInstallation } from './git-installation.entity.js';
import { GitSyncStates } from './git-sync-states.js';

/** A commit and a revision that say the same. */
interface Agreement {
  readonly oid: string;
  readonly revision: string;
  /** The context (`contextHashOf`) of the import that made them so; null after an export. */
  readonly contextHash: string | null;
}

/** The two sides as a round finds them. */
export interface SyncSides {
  readonly installation: GitInstallation;
  /** The last commit of the branch; undefined where it does not exist. */
  readonly head: string | undefined;
  /** The head of the primary line. */
  readonly revision: string;
  /** The commit and the revision that said the same last. */
  readonly agreed: Agreement | undefined;
  /** That commit was pushed, and the run ended before this was noted with where everything is in it. */
  readonly isCutOff: boolean;
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
    const head = await remoteHead(url, ref, this.transport.client(url, gitAccessOf(run)));
    const { pushedOid, pushedRevision } = installation;
    const isCutOff = head !== undefined && head === pushedOid && pushedRevision !== null;
    const noted = isSame ? { oid: known.oid, revision: known.revisionId, contextHash: known.contextHash } : undefined;
    return {
      installation,
      head,
      revision,
      agreed: isCutOff ? { oid: head, revision: pushedRevision, contextHash: null } : noted,
      isCutOff,
    };
  }
}

/** The facts of an order for the import and the export that it consists of. */
export function orderFactsOf({ createdAt }: ActiveRun, { url, ref, directory }: GitSyncOrder): GitOrderFacts {
  return { url, ref, directory, timestamp: createdAt.toISOString(), force: true };
}
