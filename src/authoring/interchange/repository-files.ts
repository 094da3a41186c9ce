import { Injectable } from '@nestjs/common';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { SourceFile } from './domain/plan-model.js';
import { joinPath } from './domain/repository-paths.js';
import type { FoundTarget } from './domain/targets.js';
import type { RewrittenSite } from './domain/site-file/keep-site-file.js';
import { writeSiteFile } from './domain/site-file/write-site-file.js';
import { KEEP_SITE } from './export-tasks.js';
import { Exporter, type ExportedTree } from './exporter.service.js';
import { readFolder } from './markdown-folder.js';
import {
  CONFIG_FILE,
  NeighbourFolders,
  type ExistingRepository,
  type SpaceFolder,
} from './neighbour-folders.service.js';
import { MERGE_CONFIG } from './source-tasks.js';
import { orElse } from './text-writer.js';

export interface RepositoryExport extends Pick<ExportedTree, 'paths' | 'problems' | 'revision'> {
  /** The files of the documentation, by path in the repository. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** The folder that contains the documentation. */
  readonly root: string;
}

interface RepositoryExportOptions {
  /** The organization that the work counts for. */
  readonly party: string;
  /** A revision of the space; the head of its primary line without it. */
  readonly at?: string;
  /** A change request, instead of the primary line. */
  readonly changeRequest?: string;
  /** The folders of other spaces in the repository. */
  readonly beside?: readonly SpaceFolder[] | undefined;
  /** Awaited between files; throws to end the work. */
  readonly checkpoint?: () => Promise<void>;
}

/** Writes spaces as the files that repositories have after an export. */
@Injectable()
export class RepositoryFiles {
  constructor(
    private readonly exporter: Exporter,
    private readonly neighbours: NeighbourFolders,
    private readonly workers: WorkerPool,
  ) {}

  /** Writes the primary content of a space, or a revision of it, into an empty folder; what means the same in the repository is kept as written. */
  async write(
    spaceId: string,
    folder: string,
    repository: ExistingRepository,
    { party, at, changeRequest, beside = [], checkpoint }: RepositoryExportOptions,
  ): Promise<RepositoryExport> {
    const { directory } = repository;
    const { text: before, config, root, previous } = await this.neighbours.existing(repository, party);
    const others = beside.length === 0 ? undefined : await this.neighbours.written(root, repository, beside, party);
    const { problems, paths, targets, revision } = await this.exporter.exportTree(spaceId, folder, {
      party,
      under: root,
      previous,
      ...(others && { others }),
      ...(at !== undefined && { at }),
      ...(changeRequest !== undefined && { changeRequest }),
      ...(checkpoint && { checkpoint }),
    });
    const { files } = await readFolder(folder);
    const own = files.get(CONFIG_FILE);
    const dead = [...config.redirects].flatMap(([from, to]) => (isDead(targets.find('', to)) ? [from] : []));
    const merged = await this.workers.run(
      MERGE_CONFIG,
      { before, own: own && (await own.read()).toString('utf8'), dead },
      { party },
    );
    files.delete(CONFIG_FILE);
    const wanted = new Map([...files].map(([path, file]) => [joinPath(root, path), file]));
    if (merged !== undefined)
      wanted.set(joinPath(directory, CONFIG_FILE), { size: merged.length, read: async () => Buffer.from(merged) });
    return { files: wanted, root, problems, paths, revision };
  }

  /** The file of a site over the one that the repository has: what means the same is kept as written. */
  async siteFile(rewritten: RewrittenSite, party: string): Promise<string> {
    return this.workers.run(KEEP_SITE, rewritten, { party }).catch(orElse(writeSiteFile(rewritten.wanted)));
  }
}

function isDead({ ref, local }: FoundTarget): boolean {
  return ref === undefined && local;
}
