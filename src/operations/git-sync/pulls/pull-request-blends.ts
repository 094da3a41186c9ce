import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { MERGE_LINES } from '../../../authoring/interchange/git/merge-lines-task.js';
import type { Checkout } from '../../../authoring/interchange/git/repository.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { Moved } from '../moved.js';
import type { BranchWork } from './pull-work.js';

/** The longest file that is merged by lines; another one is taken as the pull request has it. */
const MAX_MERGED = 4 * 1024 ** 2;

type Blended = Pick<Checkout, 'objects' | 'refused'>;

/** The same path in a pull request, on the branch, and where both have parted. */
interface Versions {
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
  readonly base: string | undefined;
}

/** Brings what the branch has got since a pull request has left it into the checkout of that. */
@Injectable()
export class PullRequestBlends {
  constructor(
    private readonly transport: GitTransport,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * `parted` is the commit at which both have parted. Lines that both have changed stay as the pull request has them, and the
   * file is reported.
   */
  async blend({ run, order, agreed }: BranchWork, parted: string, checkout: Checkout): Promise<Blended | undefined> {
    if (parted === agreed.oid) return undefined;
    const { withCheckout } = await import('../../../authoring/interchange/git/repository.js');
    const { url, ref } = order;
    const client = () => this.transport.client(url, gitAccessOf(run));
    return withCheckout({ url, ref }, client(), async (branch) => {
      if (branch.commit.oid !== agreed.oid) throw new Moved();
      return withCheckout({ url, ref: parted }, client(), (base) =>
        this.blendFiles(checkout, branch, base, run.organizationId),
      );
    });
  }

  private async blendFiles(theirs: Checkout, ours: Checkout, base: Checkout, party: string): Promise<Blended> {
    const objects = new Map(theirs.objects);
    const refused = [...theirs.refused];
    for (const path of new Set([...ours.objects.keys(), ...base.objects.keys()])) {
      const [is, here, was] = [theirs, ours, base].map((each) => each.objects.get(path)?.oid);
      if (here === was || here === is) continue;
      const target = join(theirs.folder, path);
      if (is === was || is === undefined) {
        const blob = ours.objects.get(path);
        if (blob) {
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, await readFile(join(ours.folder, path)));
          objects.set(path, blob);
        } else {
          await rm(target, { force: true });
          objects.delete(path);
        }
        if (is !== was) refused.push({ path, message: 'the branch has changed what the pull request deletes' });
        continue;
      }
      const merged = await this.merge(path, { theirs, ours, base }, { theirs: is, ours: here, base: was }, party);
      if (merged.text !== undefined) {
        await writeFile(target, merged.text);
        objects.delete(path);
      }
      if (merged.hasConflict) refused.push({ path, message: 'the branch has changed the same lines: merge it' });
    }
    return { objects, refused };
  }

  private async merge(
    path: string,
    folders: Readonly<Record<keyof Versions, Checkout>>,
    { ours, base }: Versions,
    party: string,
  ): Promise<{ readonly text?: string; readonly hasConflict: boolean }> {
    if (ours === undefined || base === undefined) return { hasConflict: true };
    const read = (from: Checkout): Promise<Buffer> => readFile(join(from.folder, path));
    const bytes = {
      base: await read(folders.base),
      ours: await read(folders.ours),
      theirs: await read(folders.theirs),
    };
    if (Object.values(bytes).some((each) => each.length > MAX_MERGED || each.includes(0))) return { hasConflict: true };
    const texts = {
      base: bytes.base.toString('utf8'),
      ours: bytes.ours.toString('utf8'),
      theirs: bytes.theirs.toString('utf8'),
    };
    return this.workers.run(MERGE_LINES, texts, { party });
  }
}
