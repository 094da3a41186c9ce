import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { PublicListener } from '../../kernel/platform/public-listener.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import { GitRunRequests } from './git/git-run-requests.service.js';
import { GitExporter } from './git/git-exporter.service.js';
import { GitImporter } from './git/git-importer.service.js';
import { GitLocations } from './git/git-locations.service.js';
import { GitTransport } from './git/git-transport.js';
import { ActiveRuns } from './active-runs.service.js';
import { ImportRequests } from './import-requests.service.js';
import { ImportRuns } from './import-runs.service.js';
import { ImportsController } from './imports.controller.js';
import { RunExecutor } from './run-executor.js';
import { RunQueue } from './run-queue.service.js';
import { RunSources } from './run-sources.js';
import { RunWorker } from './run-worker.js';
import { SpaceImportsController } from './space-imports.controller.js';
import { StaleRunsJob } from './stale-runs.job.js';
import { uploadEndpoint } from './upload-endpoint.js';
import { Uploads } from './uploads.service.js';
import { ImportRun } from './import-run.entity.js';
import { Upload } from './upload.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { imports } from './imports.manifest.js';

/** Imports and exports over HTTP, which run in the background: uploads, websites, archives and repositories. */
@Module({
  imports: [TypeOrmModule.forFeature([ImportRun, Upload]), ContentModule, ImportingModule, ChangeRequestsModule],
  controllers: [ImportsController, SpaceImportsController],
  providers: [
    brings(imports),
    ActiveRuns,
    GitExporter,
    GitImporter,
    GitLocations,
    GitRunRequests,
    GitTransport,
    ImportRequests,
    ImportRuns,
    RunExecutor,
    RunQueue,
    RunSources,
    RunWorker,
    StaleRunsJob,
    Uploads,
  ],
})
export class ImportsModule implements OnModuleInit {
  constructor(
    private readonly uploads: Uploads,
    private readonly listener: PublicListener,
    private readonly files: FileEndpoint,
  ) {}

  onModuleInit(): void {
    this.listener.mount(uploadEndpoint(this.uploads));
    this.files.register((id) => this.uploads.font(id));
  }
}
