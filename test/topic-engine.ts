import { divideByDecisions } from '../src/insight/conversations/domain/decided-clusters.js';
import {
  ConversationEngine,
  type ConversationText,
  type IssueText,
  type KnownCluster,
  type RebuiltCluster,
  type RebuiltTheme,
} from '../src/insight/conversations/engine/engine.js';
import type { TestApp } from './app.js';

const TOPICS = /\b(export|log|invoice|search)\b/i;

const topicOf = (text: string): string => TOPICS.exec(text)?.[1]?.toLowerCase() ?? 'other';

/**
 * Has a server find issues and clusters by four words, in no time: every longer message of a customer is an issue, and issues with the
 * same word are a cluster. What the engine itself makes of texts has tests of its own.
 */
export function clusterByTopics(app: TestApp): void {
  const engine = app.get(ConversationEngine);
  engine.derive = (conversations: readonly ConversationText[]) =>
    Promise.resolve(
      conversations.map(({ messages }) =>
        messages
          .filter(({ role, text }) => role === 'customer' && text.length > 15)
          .map(({ text }) => ({ title: text.slice(0, 60), summary: text.slice(0, 200), text, language: 'en' })),
      ),
    );
  engine.assign = (model, issues) => {
    const known = model === undefined ? {} : (JSON.parse(Buffer.from(model).toString()) as Record<string, string>);
    return Promise.resolve(issues.map(({ text }) => known[topicOf(text)]));
  };
  engine.rebuild = (issues, known, knownThemes = []) => {
    const clusters = carriedOver(issues, known);
    const modelWith = (newIds: readonly string[]): Uint8Array => {
      const open = [...newIds];
      return Buffer.from(
        JSON.stringify(Object.fromEntries(clusters.map(({ title, id }) => [title, id ?? open.shift()]))),
      );
    };
    return Promise.resolve({ clusters, themes: themesOf(clusters, knownThemes), modelWith });
  };
}

function carriedOver(issues: readonly IssueText[], known: readonly KnownCluster[]): RebuiltCluster[] {
  const groups = new Map<string, string[]>();
  for (const { id, text } of issues) groups.set(topicOf(text), [...(groups.get(topicOf(text)) ?? []), id]);
  const titleOf = new Map(issues.map(({ id, text }) => [id, topicOf(text)]));
  const { decided, groups: others, known: undecided } = divideByDecisions([...groups.values()], known);
  const free = new Set(undecided);
  const carried = others.map((issueIds) => {
    const shared = ({ issueIds: before }: KnownCluster): number => before.filter((id) => issueIds.includes(id)).length;
    const [same] = [...free].filter((each) => shared(each) > 0).sort((a, b) => shared(b) - shared(a));
    if (same) free.delete(same);
    return { id: same?.id, issueIds };
  });
  return [...carried, ...decided].map((cluster) => {
    const title = titleOf.get(cluster.issueIds[0] ?? '') ?? 'empty';
    return { ...cluster, title, icon: 'circle', summary: `About ${title}` };
  });
}

/** Two themes: clusters about documents, and all others. */
function themesOf(clusters: readonly RebuiltCluster[], known: readonly KnownCluster[]): RebuiltTheme[] {
  const isOfDocuments = ({ title }: RebuiltCluster): boolean => title === 'export' || title === 'search';
  const free = new Set(known);
  return [true, false].flatMap((wanted) => {
    const own = clusters.flatMap((cluster, at) => (isOfDocuments(cluster) === wanted ? [at] : []));
    const issues = new Set(own.flatMap((at) => clusters[at]?.issueIds ?? []));
    const same = [...free].find(({ issueIds }) => issueIds.some((id) => issues.has(id)));
    if (same) free.delete(same);
    const title = wanted ? 'documents' : 'others';
    return own.length === 0 ? [] : [{ id: same?.id, title, icon: 'circle', summary: `About ${title}`, clusters: own }];
  });
}
