import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { packFiles } from '../../../authoring/interchange/archives/pack.js';
import type { SourceFile } from '../../../authoring/interchange/domain/plan-model.js';
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
  ) {}

  /** Writes the content of the primary line, or of a change request; what means the same in the folder that was sent along stays as it is written there. */
  async export(run: ActiveRun, { files }: ExportOrder): Promise<void> {
    const sent = await this.uploads.uploaded(run.createdBy, run.organizationId, files);
    await this.sources.withFolder(sent, async ({ files: previous }, folder) => {
      const { changeRequestId } = run;
      const written = await this.files.write(run.spaceId, join(folder, 'written'), existing(previous), {
        party: run.organizationId,
        checkpoint: run.checkpoint,
        ...(changeRequestId !== null && { changeRequest: changeRequestId }),
      });
      const { hash, size } = await this.blobs.store(packFiles(written.files), { name: NAME });
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

/** A folder that was sent along, as an export meets it. */
function existing(files: ReadonlyMap<string, SourceFile>): ExistingRepository {
  return {
    directory: '',
    files: async (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      return new Map(
        [...files].flatMap(([path, file]) =>
          path.startsWith(prefix) ? [[path.slice(prefix.length), () => file.read()]] : [],
        ),
      );
    },
    text: async (path) => (await files.get(path)?.read())?.toString('utf8'),
  };
}
