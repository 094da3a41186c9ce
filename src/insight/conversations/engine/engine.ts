import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { KnownCluster } from '../domain/cluster-continuity.js';
import type { ConversationText, DerivedIssue } from '../domain/issues.js';
import { EngineThread } from './engine-thread.js';
import { headOf, withIds } from './model.js';
import { EngineServices, type EngineServiceSettings, type Matter, type Wording } from './services.js';
import type { IssueText, Rebuilt, RebuiltCluster, RebuiltTheme } from './tasks.js';

export type { KnownCluster } from '../domain/cluster-continuity.js';
export type { ConversationText, DerivedIssue } from '../domain/issues.js';
export type { IssueText, RebuiltCluster, RebuiltTheme } from './tasks.js';

/** Maximum number of issues of a cluster that a language model receives. */
const EXAMPLES = 12;

/** The result of a rebuild over all issues. Issues without similar ones are in no cluster. */
export interface Rebuild {
  readonly clusters: readonly RebuiltCluster[];
  /** Clusters that are about related matters. */
  readonly themes: readonly RebuiltTheme[];
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
   * Clusters all issues again; clusters and themes keep their ids if most of their issues stay together, and pinned ones
   * always.
   */
  async rebuild(
    issues: readonly IssueText[],
    known: readonly KnownCluster[],
    knownThemes: readonly KnownCluster[] = [],
  ): Promise<Rebuild> {
    const vectors = await this.services.vectorsOf(issues.map(({ text }) => text));
    const given = vectors && { ...vectors, name: this.services.vectorsName ?? '' };
    const { clusters, themes, model } = await this.thread.run<Rebuilt>({
      name: 'rebuild',
      issues,
      known,
      knownThemes,
      ...(given && { given }),
      isBuiltIn: this.config.sentenceModel,
    });
    const texts = new Map(issues.map(({ id, text }) => [id, text]));
    const matterOf = (worded: Wording, issueIds: readonly string[]): Matter => ({
      kind: 'cluster',
      title: worded.title,
      summary: worded.summary,
      texts: [worded.title, worded.summary, ...issueIds.slice(0, EXAMPLES).flatMap((id) => texts.get(id) ?? [])],
    });
    const wordings = await this.services.worded([
      ...clusters.map((cluster) => matterOf(cluster, cluster.issueIds)),
      ...themes.map((theme) => matterOf(theme, examplesOf(theme, clusters))),
    ]);
    return {
      clusters: clusters.map((cluster, index) => withWording(cluster, wordings[index])),
      themes: themes.map((theme, index) => withWording(theme, wordings[clusters.length + index])),
      modelWith: (newIds) => withIds(model, newIds),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}

/** Issues of all clusters of a theme, in turns. */
function examplesOf({ clusters: own }: RebuiltTheme, clusters: readonly RebuiltCluster[]): string[] {
  return Array.from({ length: EXAMPLES }, (_, at) =>
    own.flatMap((cluster) => clusters[cluster]?.issueIds[at] ?? []),
  ).flat();
}

function withWording<Worded extends Wording>(worded: Worded, wording: Wording | undefined): Worded {
  return wording ? { ...worded, title: wording.title, summary: wording.summary } : worded;
}
