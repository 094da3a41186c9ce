import { Injectable } from '@nestjs/common';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { besideKnown, within, type KnownFolder, type Neighbour } from './domain/folder-neighbours.js';
import type { RepositoryConfig } from './domain/gitbook-yaml.js';
import { joinPath } from './domain/repository-paths.js';
import { Exporter } from './exporter.service.js';
import type { GitBlob } from './git/git-objects.js';
import { PreviousFolder, type PreviousFile } from './previous-folder.js';
import { seenFrom } from './rename-ids.js';
import { READ_CONFIG } from './source-tasks.js';
import { SpaceContents } from './space-content.js';
import type { OtherPages } from './text-writer.js';

export const CONFIG_FILE = '.gitbook.yaml';

/** A folder of a repository, and the space that is kept equal with it. */
export interface SpaceFolder {
  readonly space: string;
  /** From the root of the repository. */
  readonly directory: string;
}

/** A repository as it is before an export. */
export interface ExistingRepository {
  /** The folder of its configuration, '' for the root. */
  readonly directory: string;
  /** The plain files below a folder, by their path from there. */
  files(folder: string): Promise<ReadonlyMap<string, PreviousFile>>;
  text(path: string): Promise<string | undefined>;
}

/** The documentation of a folder of a repository, as it is before an export. */
export interface ExistingFolder {
  /** The text of its configuration, if it has one. */
  readonly text: string | undefined;
  readonly config: RepositoryConfig;
  /** The folder of its documentation, from the root of the repository. */
  readonly root: string;
  readonly previous: PreviousFolder;
}

/** Knows the folders of spaces in one repository, so that links from one to another become links between spaces, and come back. */
@Injectable()
export class NeighbourFolders {
  constructor(
    private readonly contents: SpaceContents,
    private readonly exporter: Exporter,
    private readonly workers: WorkerPool,
  ) {}

  /** A folder beside others whose pages are where the repository has them; undefined where there are none. */
  async known(directory: string, others: readonly SpaceFolder[] = []): Promise<Neighbour | undefined> {
    const folders: KnownFolder[] = [];
    for (const { space, directory: place } of others) {
      const { pages } = await this.contents.outline(space);
      const known = pages.flatMap(({ id, props }) => {
        const blob = props['git'] as GitBlob | undefined;
        const path = blob && within(place, blob.path);
        return path === undefined ? [] : [{ id, path }];
      });
      folders.push({ place, space, root: '', pages: known });
    }
    return folders.length === 0 ? undefined : besideKnown(directory, folders);
  }

  /** The places of the pages of other folders once they are exported as well, for an export into the folder `root`. */
  async written(
    root: string,
    repository: ExistingRepository,
    others: readonly SpaceFolder[],
    party: string,
  ): Promise<OtherPages> {
    const folders: KnownFolder[] = [];
    const paths = new Map<string, ReadonlyMap<string, string>>();
    for (const { space, directory } of others) {
      const other = await this.existing({ ...repository, directory }, party);
      const own = await this.exporter.pathsOf(space, { under: other.root, previous: other.previous, party });
      const pages = [...own].map(([id, path]) => ({ id, path }));
      folders.push({ place: directory, space, root: other.config.root, pages });
      paths.set(space, seenFrom(root, other.root, own));
    }
    return { paths, neighbour: besideKnown(root, folders) };
  }

  /** Reads how a folder of a repository is laid out. */
  async existing(repository: ExistingRepository, party: string): Promise<ExistingFolder> {
    const text = await repository.text(joinPath(repository.directory, CONFIG_FILE));
    const config = await this.workers.run(READ_CONFIG, text ?? '', { party });
    const root = joinPath(repository.directory, config.root);
    const previous = new PreviousFolder(await repository.files(root), config, this.workers, party);
    return { text, config, root, previous };
  }
}
