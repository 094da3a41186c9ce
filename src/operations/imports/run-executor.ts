import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ImportResult, ImportTarget } from '../../authoring/interchange/import-order.js';
import { Importer } from '../../authoring/interchange/importer.service.js';
import { orderOf, resultOf, type ActiveRun } from './active-run.js';
import { FolderExports } from './folders/folder-exports.js';
import { FolderPushes } from './folders/folder-pushes.js';
import { GitExporter } from './git/git-exporter.service.js';
import { GitImporter } from './git/git-importer.service.js';
import { GIT_SYNC_RUNS, type GitSyncRuns } from './imports.points.js';
import { RunSources, type PreparedSource } from './run-sources.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Uploads } from '../../workspace/uploads/uploads.service.js';

/** Carries out imports and exports, each by the kind of its source. */
@Injectable()
export class RunExecutor implements OnModuleInit {
  private syncs: GitSyncRuns;

  constructor(
    private readonly uploads: Uploads,
    private readonly sources: RunSources,
    private readonly importer: Importer,
    private readonly gitImporter: GitImporter,
    private readonly gitExporter: GitExporter,
    private readonly pushes: FolderPushes,
    private readonly folderExports: FolderExports,
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.syncs = this.modules.get(this.registry.contributionTo(GIT_SYNC_RUNS), { strict: false });
  }

  /** Does all that a run asks for, up to what completes it. */
  execute(run: ActiveRun): Promise<unknown> {
    const { source } = run;
    switch (source.type) {
      case 'file':
      case 'archive':
        return this.importFiles(run, source.files, source.type === 'archive');
      case 'website':
        return this.sources.withWebsite(run, source.url, (prepared) => this.import(run, prepared, 'add'));
      case 'git':
        return this.gitImporter.import(run, source);
      case 'git-export':
        return this.gitExporter.export(run, source);
      case 'push':
        return this.pushes.push(run, source);
      case 'archive-export':
        return this.folderExports.export(run, source);
      case 'git-sync':
        return this.syncs.execute(run, source);
    }
  }

  private async importFiles(run: ActiveRun, keys: readonly string[], isArchive: boolean): Promise<ImportResult> {
    const files = await this.uploads.uploaded(run.createdBy, run.organizationId, keys);
    return this.sources.withFiles(run, files, isArchive, (prepared) =>
      this.import(run, prepared, isArchive ? 'replace' : 'add'),
    );
  }

  private import(run: ActiveRun, source: PreparedSource, mode: ImportTarget['mode']): Promise<ImportResult> {
    return this.importer.importFolder({
      ...orderOf(run, mode),
      source,
      commit: (work) => run.commit(work, (result) => resultOf(result, source.addresses)),
    });
  }
}
