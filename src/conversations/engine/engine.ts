import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { KnownCluster } from '../domain/carry-over.js';
import type { ConversationText, DerivedIssue } from '../domain/issues.js';
import { EngineThread } from './engine-thread.js';
import { withIds } from './model.js';
import type { IssueText, Rebuilt, RebuiltCluster } from './tasks.js';

export type { KnownCluster } from '../domain/carry-over.js';
export type { ConversationText, DerivedIssue } from '../domain/issues.js';
export type { IssueText, RebuiltCluster } from './tasks.js';

/** What a rebuild makes of all issues. Issues that are like no other are in no cluster. */
export interface Rebuild {
  readonly clusters: readonly RebuiltCluster[];
  /** The model for `assign`, once the new clusters have ids: these in the order of the clusters without one. */
  readonly modelWith: (newIds: readonly string[]) => Uint8Array;
}

/**
 * What conversations are about: issues, and clusters of issues. It knows texts only and keeps nothing; all of it runs in a thread of its own. The same input
 * gives the same answer. What fails in the thread rejects, and nothing else is harmed.
 */
@Injectable()
export class ConversationEngine implements OnApplicationShutdown {
  private readonly thread = new EngineThread();

  /** The issues of each conversation, in the order given. */
  async derive(conversations: readonly ConversationText[]): Promise<readonly (readonly DerivedIssue[])[]> {
    return conversations.length === 0 ? [] : this.thread.run<DerivedIssue[][]>({ name: 'derive', conversations });
  }

  /** The cluster of each new issue by the model of the last rebuild; undefined where none is near, or there is no model. */
  async assign(model: Uint8Array | undefined, issues: readonly IssueText[]): Promise<readonly (string | undefined)[]> {
    if (model === undefined || issues.length === 0) return issues.map(() => undefined);
    const texts = issues.map(({ text }) => text);
    return this.thread.run<(string | undefined)[]>({ name: 'assign', model, texts });
  }

  /** Clusters all issues anew; clusters go on with their ids where most of their issues stay together, and pinned ones always. */
  async rebuild(issues: readonly IssueText[], known: readonly KnownCluster[]): Promise<Rebuild> {
    const { clusters, model } = await this.thread.run<Rebuilt>({ name: 'rebuild', issues, known, isBuiltIn: true });
    return { clusters, modelWith: (newIds) => withIds(model, newIds) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}
