import { Module } from '@nestjs/common';
import { Analyses } from './analyses.js';
import { Clusters } from './clusters.service.js';
import { ConversationsController } from './conversations.controller.js';
import { Conversations } from './conversations.service.js';
import { DeriveWorker } from './derive-worker.js';
import { ConversationEngine } from './engine/engine.js';
import { Ingestion } from './ingestion.service.js';
import { IssuesController } from './issues.controller.js';
import { Issues } from './issues.service.js';
import { RebuildWorker } from './rebuild-worker.js';
import { ConversationsSettings } from './settings.service.js';
import { Tending } from './tending.js';

/** What customers say: conversations, the issues in them and the clusters that these form. */
@Module({
  controllers: [ConversationsController, IssuesController],
  providers: [Analyses, Clusters, ConversationEngine, Conversations, ConversationsSettings, DeriveWorker, Ingestion, Issues, RebuildWorker, Tending],
})
export class ConversationsModule {}
