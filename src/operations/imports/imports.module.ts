import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { UploadsModule } from '../../workspace/uploads/uploads.module.js';
import { FolderExports } from './folders/folder-exports.js';
import { FolderPushes } from './folders/folder-pushes.js';
import { FolderRequests } from './folders/folder-requests.service.js';
import { FoldersController } from './folders/folders.controller.js';
import { PushedFolders } from './folders/pushed-folders.js';
import { GitRunRequests } from './git/git-run-requests.service.js';
import { GitExporter } from './git/git-exporter.service.js';
import { GitImporter } from './git/git-importer.service.js';
import { GitLocations } from './git/git-locations.service.js';
import { GitTransport } from './git/git-transport.js';
import { ActiveRuns } from './active-runs.service.js';
import { ImportRequests } from './import-requests.service.js';
import { ImportRuns } from './import-runs.service.js';
import { ImportsController } from './imports.controller.js';
import { RunArchives } from './run-archives.js';
import { RunExecutor } from './run-executor.js';
import { RunQueue } from './run-queue.service.js';
import { RunSources } from './run-sources.js';
import { RunWorker } from './run-worker.js';
import { SpaceImportsController } from './space-imports.controller.js';
import { StaleRunsJob } from './stale-runs.job.js';
import { ImportRun } from './import-run.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { imports } from './imports.manifest.js';

/** Imports and exports over HTTP, which run in the background: uploaded files, websites, archives and repositories. */
@Module({
  imports: [TypeOrmModule.forFeature([ImportRun]), ContentModule, ImportingModule, ChangeRequestsModule, UploadsModule],
  controllers: [ImportsController, SpaceImportsController, FoldersController],
  providers: [
    brings(imports),
    ActiveRuns,
    FolderExports,
    FolderPushes,
    FolderRequests,
    GitExporter,
    GitImporter,
    GitLocations,
    GitRunRequests,
    GitTransport,
    ImportRequests,
    ImportRuns,
    PushedFolders,
    RunArchives,
    RunExecutor,
    RunQueue,
    RunSources,
    RunWorker,
    StaleRunsJob,
  ],
  exports: [ActiveRuns, GitExporter, GitImporter, GitTransport, RunQueue],
})
export class ImportsModule {}
