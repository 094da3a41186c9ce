import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { packFiles } from '../../../authoring/interchange/archives/pack.js';
import { within } from '../../../authoring/interchange/domain/folder-neighbours.js';
import type { SourceFile } from '../../../authoring/interchange/domain/plan-model.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { ExistingRepository } from '../../../authoring/interchange/neighbour-folders.service.js';
import { RepositoryFiles } from '../../../authoring/interchange/repository-files.js';
import { Blobs } from '../../../kernel/platform/storage/blobs.js';
import { Uploads } from '../../../workspace/uploads/uploads.service.js';
import type { ActiveRun } from '../active-run.js';
import { RunSources } from '../run-sources.js';
import type { ExportOrder } from './folder-orders.js';

const NAME = 'space.zip';

/** Writes spaces as archives of Markdown. */
@Injectable()
export class FolderExports {
  constructor(
    private readonly uploads: Uploads,
    private readonly sources: RunSources,
    private readonly files: RepositoryFiles,
    private readonly blobs: Blobs,
    private readonly repositories: SpaceRepositories,
  ) {}

  /** Writes the content of the primary line, or of a change request; what means the same in the folder that was sent along stays as it is written there. */
  async export(run: ActiveRun, { files }: ExportOrder): Promise<void> {
    const sent = await this.uploads.uploaded(run.createdBy, run.organizationId, files);
    await this.sources.withFolder(sent, async ({ files: previous }, folder) => {
      const { changeRequestId } = run;
      const directory = (await this.repositories.find(run.spaceId))?.directory ?? '';
      const written = await this.files.write(run.spaceId, join(folder, 'written'), existing(previous, directory), {
        party: run.organizationId,
        checkpoint: run.checkpoint,
        ...(changeRequestId !== null && { changeRequest: changeRequestId }),
      });
      const { hash, size } = await this.blobs.store(packFiles(below(directory, written.files)), { name: NAME });
      await run.commit(
        async () => undefined,
        () => ({
          revision: written.revision,
          changed: false,
          pages: [],
          problems: written.problems.map(({ page, message }) => ({ file: page, line: 1, level: 'warning', message })),
          archive: { name: NAME, hash, size },
        }),
      );
    });
  }
}

/** A folder that was sent along, as an export meets it at the place that the space has in its repository. */
function existing(sent: ReadonlyMap<string, SourceFile>, directory: string): ExistingRepository {
  const files = new Map([...sent].map(([path, file]) => [joinPath(directory, path), file]));
  return {
    directory,
    files: async (folder) => new Map([...below(folder, files)].map(([path, file]) => [path, () => file.read()])),
    text: async (path) => (await files.get(path)?.read())?.toString('utf8'),
  };
}

/** The files of a folder, by their path in it. */
function below(folder: string, files: ReadonlyMap<string, SourceFile>): Map<string, SourceFile> {
  return new Map(
    [...files].flatMap(([path, file]) => {
      const inside = within(folder, path);
      return inside ? [[inside, file]] : [];
    }),
  );
}
