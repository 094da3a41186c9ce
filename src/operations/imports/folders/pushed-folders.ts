import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { within } from '../../../authoring/interchange/domain/folder-neighbours.js';
import type { SourceFile } from '../../../authoring/interchange/domain/plan-model.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { Exporter } from '../../../authoring/interchange/exporter.service.js';
import type { GitBlob, GitObjects } from '../../../authoring/interchange/git/git-objects.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { ImportSource } from '../../../authoring/interchange/import-order.js';
import { READ_CONFIG } from '../../../authoring/interchange/source-tasks.js';
import { SpaceContents } from '../../../authoring/interchange/space-content.js';
import { invalid } from '../../../kernel/common/errors.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { Uploads } from '../../../workspace/uploads/uploads.service.js';
import type { ActiveRun } from '../active-run.js';
import { RunSources } from '../run-sources.js';
import type { PushOrder } from './folder-orders.js';

const CONFIG = '.gitbook.yaml';

/** Provides pushed folders while a run works, each file with its place, so that a later pull has it there again. */
@Injectable()
export class PushedFolders {
  constructor(
    private readonly uploads: Uploads,
    private readonly sources: RunSources,
    private readonly contents: SpaceContents,
    private readonly exporter: Exporter,
    private readonly repositories: SpaceRepositories,
    private readonly workers: WorkerPool,
  ) {}

  async with<T>(run: ActiveRun, order: PushOrder, work: (source: ImportSource) => Promise<T>): Promise<T> {
    const sent = await this.uploads.uploaded(run.createdBy, run.organizationId, order.files);
    return this.sources.withFolder(sent, async ({ files, problems }) => {
      const [refused] = problems;
      // A file that is left out would look like one that was deleted.
      if (refused) throw invalid('body', `${refused.file}: ${refused.message}`);
      return work({ files, problems, git: { objects: await this.objects(run, order, files) } });
    });
  }

  /**
   * The objects of the files that were there already, as they were, and new ones for other files. A space with a repository gets
   * no new ones: where its content lies is settled there.
   */
  private async objects(
    { spaceId, organizationId: party }: ActiveRun,
    { base, into }: PushOrder,
    files: ReadonlyMap<string, SourceFile>,
  ): Promise<GitObjects> {
    const content = await (into === undefined
      ? this.contents.outlineAt(spaceId, base)
      : this.contents.outline(spaceId, into));
    const config = (await files.get(CONFIG)?.read())?.toString('utf8') ?? '';
    const { root } = await this.workers.run(READ_CONFIG, config, { party });
    const repository = await this.repositories.find(spaceId);
    const places = await this.exporter.placesOf(content, joinPath(repository?.directory ?? '', root));
    const objects = new Map<string, GitBlob>();
    for (const [path, file] of files) {
      const inside = within(root, path);
      const known = inside !== undefined && places.has(inside);
      const blob = known ? places.get(inside) : repository ? undefined : { oid: await objectId(file), path };
      if (blob) objects.set(path, blob);
    }
    return objects;
  }
}

/** The id that git gives to a file with these bytes. */
async function objectId(file: SourceFile): Promise<string> {
  const bytes = await file.read();
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
