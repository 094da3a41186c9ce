import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { GitCommitTexts } from './git-commit-texts.js';
import { GitDelivery } from './git-delivery.entity.js';
import { GitHooks } from './git-hooks.service.js';
import { GitInstallation } from './git-installation.entity.js';
import { GitInstallationsController } from './git-installations.controller.js';
import { GitInstallations } from './git-installations.service.js';
import { GitSetups } from './git-setups.js';
import { gitSync } from './git-sync.manifest.js';
import { GitSyncMerges } from './git-sync-merges.js';
import { GitSyncPlans } from './git-sync-plans.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { GitSyncSides } from './git-sync-sides.js';
import { GitSyncStates } from './git-sync-states.js';
import { GitSyncWatch } from './git-sync-watch.js';
import { GitSyncer } from './git-syncer.service.js';
import { SpaceGitController } from './space-git.controller.js';

/** Spaces that are kept equal with branches of git repositories. */
@Module({
  imports: [
    TypeOrmModule.forFeature([GitDelivery, GitInstallation]),
    ContentModule,
    ChangeRequestsModule,
    ImportingModule,
    ImportsModule,
    SpacesModule,
  ],
  controllers: [GitInstallationsController, SpaceGitController],
  providers: [
    brings(gitSync),
    GitCommitTexts,
    GitHooks,
    GitInstallations,
    GitSetups,
    GitSyncMerges,
    GitSyncPlans,
    GitSyncQueue,
    GitSyncSides,
    GitSyncStates,
    GitSyncWatch,
    GitSyncer,
  ],
})
export class GitSyncModule {}
