import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { ContentModule } from '../content/content.module.js';
import { Exporter } from './exporter.service.js';
import { SpaceGit } from './git/space-git.entity.js';
import { SpaceRepositories } from './git/space-repositories.service.js';
import { ImportPreparer } from './import-preparer.js';
import { ImportRights } from './import-rights.js';
import { ImportWriter } from './import-writer.js';
import { Importer } from './importer.service.js';
import { interchange } from './interchange.manifest.js';
import { LinkedFolders } from './linked-folders.service.js';
import { NeighbourFolders } from './neighbour-folders.service.js';
import { PooledReads } from './pooled-reads.js';
import { RepositoryFiles } from './repository-files.js';
import { SpaceContents } from './space-content.js';
import { WebPageReads } from './web-page-reads.js';

/** Import of folders of Markdown into spaces, and export of spaces to folders. */
@Module({
  imports: [TypeOrmModule.forFeature([SpaceGit]), ContentModule],
  providers: [
    brings(interchange),
    Exporter,
    Importer,
    ImportPreparer,
    ImportRights,
    ImportWriter,
    LinkedFolders,
    NeighbourFolders,
    PooledReads,
    RepositoryFiles,
    SpaceContents,
    SpaceRepositories,
    WebPageReads,
  ],
  exports: [
    Exporter,
    Importer,
    LinkedFolders,
    NeighbourFolders,
    PooledReads,
    RepositoryFiles,
    SpaceContents,
    SpaceRepositories,
    WebPageReads,
  ],
})
export class ImportingModule {}
