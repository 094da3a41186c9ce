import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { KnownCluster } from '../domain/cluster-continuity.js';
import type { ConversationText, DerivedIssue } from '../domain/issues.js';
import { EngineThread } from './engine-thread.js';
import { headOf, withIds } from './model.js';
import { EngineServices, type EngineServiceSettings, type Wording } from './services.js';
import type { IssueText, Rebuilt, RebuiltCluster } from './tasks.js';

export type { KnownCluster } from '../domain/cluster-continuity.js';
export type { ConversationText, DerivedIssue } from '../domain/issues.js';
export type { IssueText, RebuiltCluster } from './tasks.js';

/** Maximum number of issues of a cluster that a language model receives. */
const EXAMPLES = 12;

/** The result of a rebuild over all issues. Issues without similar ones are in no cluster. */
export interface Rebuild {
  readonly clusters: readonly RebuiltCluster[];
  /** Creates the model for `assign`, once the new clusters have ids: in the order of the clusters without one. */
  readonly modelWith: (newIds: readonly string[]) => Uint8Array;
}

/**
 * Derives issues and clusters of issues from conversations. It processes texts only and stores nothing; all of it runs
 * in a separate thread. Results are deterministic. Failures in the thread reject, without other effects.
 */
@Injectable()
export class ConversationEngine implements OnApplicationShutdown {
  private readonly thread = new EngineThread();
  private readonly services: EngineServices;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'sentenceModel'> & EngineServiceSettings,
    outbound: Outbound,
  ) {
    this.services = new EngineServices(config, outbound);
  }

  /** Derives the issues of each conversation, in the given order. */
  async derive(conversations: readonly ConversationText[]): Promise<readonly (readonly DerivedIssue[])[]> {
    if (conversations.length === 0) return [];
    const found = await this.thread.run<DerivedIssue[][]>({ name: 'derive', conversations });
    const wordings = await this.services.worded(
      found.flat().map(({ title, summary, text }) => ({ kind: 'issue', title, summary, texts: [text] })),
    );
    const next = wordings[Symbol.iterator]();
    return found.map((issues) => issues.map((issue) => withWording(issue, next.next().value)));
  }

  /**
   * Assigns a cluster to each new issue by the model of the last rebuild; undefined if none is near, or there is no
   * model.
   */
  async assign(model: Uint8Array | undefined, issues: readonly IssueText[]): Promise<readonly (string | undefined)[]> {
    if (model === undefined || issues.length === 0) return issues.map(() => undefined);
    const texts = issues.map(({ text }) => text);
    const given = headOf(model).source === this.services.vectorsName ? await this.services.vectorsOf(texts) : undefined;
    return this.thread.run<(string | undefined)[]>({ name: 'assign', model, texts, ...(given && { given }) });
  }

  /**
   * Clusters all issues again; clusters keep their ids if most of their issues stay together, and pinned ones always.
   */
  async rebuild(issues: readonly IssueText[], known: readonly KnownCluster[]): Promise<Rebuild> {
    const vectors = await this.services.vectorsOf(issues.map(({ text }) => text));
    const given = vectors && { ...vectors, name: this.services.vectorsName ?? '' };
    const { clusters, model } = await this.thread.run<Rebuilt>({
      name: 'rebuild',
      issues,
      known,
      ...(given && { given }),
      isBuiltIn: this.config.sentenceModel,
    });
    const texts = new Map(issues.map(({ id, text }) => [id, text]));
    const wordings = await this.services.worded(
      clusters.map(({ title, summary, issueIds }) => ({
        kind: 'cluster',
        title,
        summary,
        texts: [title, summary, ...issueIds.slice(0, EXAMPLES).flatMap((id) => texts.get(id) ?? [])],
      })),
    );
    return {
      clusters: clusters.map((cluster, index) => withWording(cluster, wordings[index])),
      modelWith: (newIds) => withIds(model, newIds),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}

function withWording<Worded extends Wording>(worded: Worded, wording: Wording | undefined): Worded {
  return wording ? { ...worded, title: wording.title, summary: wording.summary } : worded;
}
