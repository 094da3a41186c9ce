import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Analyses } from './analyses.js';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { SearchModule } from '../../authoring/search/search.module.js';
import { ClusterCoverageController } from './cluster-coverage.controller.js';
import { ClusterCoverages } from './cluster-coverage.service.js';
import { ClusterDrafts } from './cluster-drafts.service.js';
import { DecisionsController } from './decisions.controller.js';
import { Decisions } from './decisions.service.js';
import { DraftingModel } from './drafting-model.js';
import { Clusters } from './clusters.service.js';
import { ConversationsController } from './conversations.controller.js';
import { Conversations } from './conversations.service.js';
import { DeriveWorker } from './derive-worker.js';
import { ConversationEngine } from './engine/engine.js';
import { Ingestion } from './ingestion.service.js';
import { IssuesController } from './issues.controller.js';
import { Issues } from './issues.service.js';
import { QuestionRecorder } from './question-recorder.js';
import { RebuildWorker } from './rebuild-worker.js';
import { SiteFindingsController } from './site-findings.controller.js';
import { SiteFindings } from './site-findings.service.js';
import { SiteQuestionsController } from './site-questions.controller.js';
import { SiteQuestions } from './site-questions.service.js';
import { ConversationsSettings } from './settings.service.js';
import { ConversationsMaintenanceJob } from './conversations-maintenance.job.js';
import { Conversation } from './conversation.entity.js';
import { ConversationAnalysis } from './conversation-analysis.entity.js';
import { ConversationIssue } from './conversation-issue.entity.js';
import { ConversationSettings } from './conversation-settings.entity.js';
import { ConversationSource } from './conversation-source.entity.js';
import { IssuesCluster } from './issues-cluster.entity.js';
import { IssuesDecision } from './issues-decision.entity.js';
import { IssuesHold } from './issues-hold.entity.js';
import { IssuesTheme } from './issues-theme.entity.js';
import { ThemesController } from './themes.controller.js';
import { Themes } from './themes.service.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { conversations } from './conversations.manifest.js';

/** Conversations with customers, their issues and clusters of issues. */
@Module({
  imports: [
    OrganizationsModule,
    ChangeRequestsModule,
    ContentModule,
    SearchModule,
    TypeOrmModule.forFeature([
      Conversation,
      ConversationAnalysis,
      ConversationIssue,
      ConversationSettings,
      ConversationSource,
      IssuesCluster,
      IssuesDecision,
      IssuesHold,
      IssuesTheme,
    ]),
  ],
  controllers: [
    ConversationsController,
    ClusterCoverageController,
    DecisionsController,
    IssuesController,
    SiteFindingsController,
    SiteQuestionsController,
    ThemesController,
  ],
  providers: [
    brings(conversations),
    Analyses,
    ClusterCoverages,
    ClusterDrafts,
    Clusters,
    Decisions,
    DraftingModel,
    ConversationEngine,
    Conversations,
    ConversationsSettings,
    DeriveWorker,
    Ingestion,
    Issues,
    QuestionRecorder,
    RebuildWorker,
    SiteFindings,
    SiteQuestions,
    Themes,
    ConversationsMaintenanceJob,
  ],
})
export class ConversationsModule {}
