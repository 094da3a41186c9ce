import { Injectable } from '@nestjs/common';
import { isManagedPath } from '../../authoring/interchange/domain/repository-layout.js';
import type { RemoteBranch } from '../../authoring/interchange/git/remote-branch.js';
import { RepositoryFiles } from '../../authoring/interchange/repository-files.js';
import type { ActiveRun } from '../imports/active-run.js';
import { gitAccessOf } from '../imports/git/git-orders.js';
import { GitTransport } from '../imports/git/git-transport.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import type { SyncedFile } from '../imports/imports.schema.js';
import { withWorkFolder } from '../../kernel/platform/storage/work-folders.js';
import { beginsWithBranch } from './domain/first-side.js';

/** Most files that a plan lists. */
const MAX_PLANNED = 10_000;

/** Tells what a first synchronization would change, without changing anything. */
@Injectable()
export class GitSyncPlans {
  constructor(
    private readonly transport: GitTransport,
    private readonly files: RepositoryFiles,
  ) {}

  /** Tells what the side that loses would gain and lose, by files of the repository. */
  async plan(run: ActiveRun, order: GitSyncOrder, priority: 'git' | 'gitbook'): Promise<unknown> {
    const { RemoteBranch: Branch } = await import('../../authoring/interchange/git/remote-branch.js');
    const branch = await Branch.open(order.url, order.ref, this.transport.client(order.url, gitAccessOf(run)));
    return withWorkFolder(async (folder) => {
      const { files, root, revision } = await this.files.write(
        run.spaceId,
        folder,
        { directory: order.directory, files: (below) => branch.files(below), text: (path) => branch.text(path) },
        { party: run.organizationId, beside: run.beside, checkpoint: run.checkpoint },
      );
      const own = new Map(
        await Promise.all([...files].map(async ([path, file]) => [path, await file.read()] as const)),
      );
      const theirs = await managedFiles(branch, (path) => isManagedPath(path, order.directory, root));
      const isImport = beginsWithBranch(priority, branch.head);
      const [now, next] = isImport ? [own, theirs] : [theirs, own];
      const direction = isImport ? ('import' as const) : ('export' as const);
      return run.commit(
        async () => undefined,
        () => ({
          revision,
          changed: false,
          pages: [],
          problems: [],
          plan: { direction, files: differences(now, next) },
        }),
      );
    });
  }
}

type Bytes = ReadonlyMap<string, Buffer>;

async function managedFiles(branch: RemoteBranch, isManaged: (path: string) => boolean): Promise<Bytes> {
  const found = new Map<string, Buffer>();
  for (const [path, read] of await branch.files('')) if (isManaged(path)) found.set(path, await read());
  return found;
}

function differences(now: Bytes, next: Bytes): SyncedFile[] {
  const paths = [...new Set([...now.keys(), ...next.keys()])].sort();
  return paths
    .flatMap((path): SyncedFile[] => {
      const [before, after] = [now.get(path), next.get(path)];
      if (before === undefined) return [{ path, change: 'add' }];
      if (after === undefined) return [{ path, change: 'remove' }];
      return before.equals(after) ? [] : [{ path, change: 'change' }];
    })
    .slice(0, MAX_PLANNED);
}
