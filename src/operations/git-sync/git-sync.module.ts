import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { LinksModule } from '../../authoring/links/links.module.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { SitesModule } from '../../publishing/sites/sites.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { ForgeListsController } from './forge-lists.controller.js';
import { ForgeLists } from './forge-lists.service.js';
import { ForgeCredentials } from './forges/forge-credentials.js';
import { Forges } from './forges/forges.service.js';
import { GitHubAppTokens } from './forges/github-app-tokens.js';
import { GitAccesses } from './git-accesses.js';
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
import { GitSyncSteps } from './git-sync-steps.js';
import { GitSyncStates } from './git-sync-states.js';
import { GitSyncWatch } from './git-sync-watch.js';
import { GitSyncer } from './git-syncer.service.js';
import { GitPullRequest } from './pulls/git-pull-request.entity.js';
import { GitRequestBranch } from './pulls/git-request-branch.entity.js';
import { PullRequestBlends } from './pulls/pull-request-blends.js';
import { PullRequestCommits } from './pulls/pull-request-commits.js';
import { PullRequestContents } from './pulls/pull-request-contents.js';
import { PullRequestNews } from './pulls/pull-request-news.js';
import { PullRequestReports } from './pulls/pull-request-reports.js';
import { PullRequestSpaces } from './pulls/pull-request-spaces.js';
import { PullRequestWrites } from './pulls/pull-request-writes.js';
import { PullRequestRows } from './pulls/pull-request-rows.js';
import { PullRequests } from './pulls/pull-requests.service.js';
import { RequestBranchPushes } from './pulls/request-branch-pushes.js';
import { RequestBranchRows } from './pulls/request-branch-rows.js';
import { RequestBranchesController } from './pulls/request-branches.controller.js';
import { RequestBranches } from './pulls/request-branches.service.js';
import { RequestPulls } from './pulls/request-pulls.js';
import { InstallationRights } from './installation-rights.js';
import { SiteBranches } from './sites/site-branches.js';
import { SiteChildren } from './sites/site-children.js';
import { SiteDescriptions } from './sites/site-descriptions.js';
import { SiteInstallationsController } from './sites/site-installations.controller.js';
import { SiteInstallations } from './sites/site-installations.service.js';
import { SiteLinks } from './sites/site-links.js';
import { SitePlans } from './sites/site-plans.js';
import { SiteStates } from './sites/site-states.js';
import { SiteSyncer } from './sites/site-syncer.service.js';
import { SiteWatch } from './sites/site-watch.js';
import { SpaceGitController } from './space-git.controller.js';

/** Spaces that are kept equal with branches of git repositories. */
@Module({
  imports: [
    TypeOrmModule.forFeature([GitDelivery, GitInstallation, GitPullRequest, GitRequestBranch]),
    ContentModule,
    ChangeRequestsModule,
    ImportingModule,
    ImportsModule,
    LinksModule,
    SitesModule,
    SpacesModule,
  ],
  controllers: [
    ForgeListsController,
    GitInstallationsController,
    RequestBranchesController,
    SiteInstallationsController,
    SpaceGitController,
  ],
  providers: [
    brings(gitSync),
    ForgeCredentials,
    ForgeLists,
    Forges,
    GitAccesses,
    GitCommitTexts,
    GitHooks,
    GitHubAppTokens,
    GitInstallations,
    GitSetups,
    GitSyncMerges,
    GitSyncPlans,
    GitSyncQueue,
    GitSyncSides,
    GitSyncStates,
    GitSyncSteps,
    GitSyncWatch,
    GitSyncer,
    InstallationRights,
    PullRequestBlends,
    PullRequestCommits,
    PullRequestContents,
    PullRequestNews,
    PullRequestReports,
    PullRequestRows,
    PullRequestSpaces,
    PullRequestWrites,
    PullRequests,
    RequestBranches,
    RequestBranchPushes,
    RequestBranchRows,
    RequestPulls,
    SiteBranches,
    SiteChildren,
    SiteDescriptions,
    SiteInstallations,
    SiteLinks,
    SitePlans,
    SiteStates,
    SiteSyncer,
    SiteWatch,
  ],
})
export class GitSyncModule {}
