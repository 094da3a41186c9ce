import { continueClusters, type KnownCluster } from '../domain/cluster-continuity.js';
import { divideByDecisions } from '../domain/decided-clusters.js';
import { votedClusters } from '../domain/voted-clusters.js';
import { matrix, rowOf, type Matrix } from '../domain/dense.js';
import { deriveIssues, type ConversationText, type DerivedIssue } from '../domain/issues.js';
import { labelsOf } from '../domain/labels.js';
import { usualLanguageOf } from '../domain/detect-language.js';
import { blanked } from '../domain/redaction/masks.js';
import { learned, placedBy } from '../domain/representation.js';
import { topicTreeOf, type TopicTree } from '../domain/topic-tree.js';
import { termsOf, type Terms } from '../domain/terms.js';
import type { WordVectors } from '../domain/word-vectors.js';
import { wordsOf } from '../domain/words.js';
import { decodeModel, encodeModel } from './model.js';
import { DIMENSIONS, type SentenceModel } from '../../../kernel/platform/sentence-vectors/sentence-model.js';

export interface IssueText {
  readonly id: string;
  /** `DerivedIssue.text`. */
  readonly text: string;
}

export interface RebuiltCluster {
  /** Undefined for a new one. */
  readonly id: string | undefined;
  /** A phrase in the language of its issues, at most 80 characters. */
  readonly title: string;
  /** The name of an icon of Font Awesome, such as `credit-card`. */
  readonly icon: string;
  /** The sentences nearest to its centre, at most 500 characters. */
  readonly summary: string;
  readonly issueIds: readonly string[];
}

export interface RebuiltTheme {
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly title: string;
  readonly icon: string;
  readonly summary: string;
  /** The places of its clusters among all. */
  readonly clusters: readonly number[];
}

/** Sentence vectors from a service for the texts of a task, in order. */
export interface GivenSentences {
  readonly dimensions: number;
  readonly data: Float32Array;
}

/** The tasks of the thread. */
export type Task =
  | { readonly name: 'derive'; readonly conversations: readonly ConversationText[] }
  | {
      readonly name: 'assign';
      readonly model: Uint8Array;
      readonly texts: readonly string[];
      readonly given?: GivenSentences;
    }
  | {
      readonly name: 'rebuild';
      readonly issues: readonly IssueText[];
      readonly known: readonly KnownCluster[];
      readonly knownThemes: readonly KnownCluster[];
      readonly given?: GivenSentences & { readonly name: string };
      readonly isBuiltIn: boolean;
    };

export interface Rebuilt {
  readonly clusters: readonly RebuiltCluster[];
  readonly themes: readonly RebuiltTheme[];
  readonly model: Uint8Array;
}

const NO_LABEL = { title: '', icon: 'comments', summary: '' } as const;

/** The resources of tasks beside their input. */
export interface Tools {
  readonly wordVectors: WordVectors | undefined;
  readonly sentenceModel: SentenceModel;
}

export function derived(conversations: readonly ConversationText[]): DerivedIssue[][] {
  return conversations.map((conversation) => deriveIssues(conversation));
}

/** The id of the nearest cluster of each text, by the model of a rebuild; undefined if none is near. */
export async function assigned(
  { model: bytes, texts, given }: Extract<Task, { name: 'assign' }>,
  tools: Tools,
): Promise<(string | undefined)[]> {
  const model = decodeModel(bytes);
  const bare = texts.map(blanked);
  const terms = bare.map((text) => termsOf(text, model.language));
  const sentences = given
    ? asMatrix(given)
    : model.source === 'built-in'
      ? await builtIn(bare, terms, tools)
      : undefined;
  const isComparable = sentences?.columns === model.representation.sentences?.mean.length;
  const rows = placedBy(
    model.representation,
    { terms, ...(sentences && isComparable && { sentences }) },
    tools.wordVectors,
  );
  return [...votedClusters(rows, model.members, model.clusters)].map((cluster) => model.ids[cluster] ?? undefined);
}

/** Clusters of issues; their number follows from the issues, whose order does not matter. */
export async function rebuilt(
  { issues: given, known, knownThemes, given: vectors, isBuiltIn }: Extract<Task, { name: 'rebuild' }>,
  tools: Tools,
): Promise<Rebuilt> {
  const order = given.map((_, index) => index).sort((a, b) => compare(given[a]?.id ?? '', given[b]?.id ?? ''));
  const issues = order.flatMap((index) => given[index] ?? []);
  const texts = issues.map(({ text }) => text);
  const bare = texts.map(blanked);
  const language = usualLanguageOf(bare);
  const terms = bare.map((text) => termsOf(text, language));
  const sentences = vectors
    ? ordered(asMatrix(vectors), order)
    : isBuiltIn
      ? await builtIn(bare, terms, tools)
      : undefined;
  const source = vectors ? vectors.name : sentences ? 'built-in' : 'none';
  const { representation, rows } = learned({ terms, ...(sentences && { sentences }) }, tools.wordVectors);
  const tree = topicTreeOf(
    rows,
    bare.map((text) => [...new Set(wordsOf(text))].sort().join(' ')),
  );
  const divided = divideByDecisions(groupsOf(tree.topics, issues), known);
  const carried = [...continueClusters(divided.groups, divided.known), ...divided.decided];
  const position = new Map(issues.map(({ id }, index) => [id, index]));
  const members = carried.map(({ issueIds }) => issueIds.flatMap((id) => position.get(id) ?? []));
  const labelled = terms.map((own, index) => ({ text: texts[index] ?? '', stems: own.stems, language: own.language }));
  const labels = labelsOf(labelled, rows, members);
  const themes = themesOf(tree, members, issues, knownThemes);
  const themeLabels = labelsOf(
    labelled,
    rows,
    themes.map(({ clusters: own }) => own.flatMap((cluster) => members[cluster] ?? [])),
  );
  const clusters = new Int32Array(issues.length).fill(-1);
  members.forEach((own, cluster) => own.forEach((member) => (clusters[member] = cluster)));
  return {
    clusters: carried.map(({ id, issueIds }, cluster) => ({ id, issueIds, ...(labels[cluster] ?? NO_LABEL) })),
    themes: themes.map((theme, at) => ({ ...theme, ...(themeLabels[at] ?? NO_LABEL) })),
    model: encodeModel(
      carried.map(({ id }) => id ?? null),
      { source, language, representation, members: rows, clusters },
    ),
  };
}

/** The themes of clusters, each of that of most of its issues; those without issues are in none. */
function themesOf(
  { topics, themes }: TopicTree,
  members: readonly (readonly number[])[],
  issues: readonly IssueText[],
  known: readonly KnownCluster[],
): Pick<RebuiltTheme, 'id' | 'clusters'>[] {
  const clustersOf = new Map<number, number[]>();
  members.forEach((own, cluster) => {
    if (own.length === 0) return;
    const votes = new Map<number, number>();
    for (const member of own) {
      const theme = themes[topics[member] ?? 0] ?? 0;
      votes.set(theme, (votes.get(theme) ?? 0) + 1);
    }
    const [[theme] = [0]] = [...votes].sort(([a, m], [b, n]) => n - m || a - b);
    clustersOf.set(theme, [...(clustersOf.get(theme) ?? []), cluster]);
  });
  const groups = [...clustersOf.values()];
  const idsOf = (clusters: readonly number[]): string[] =>
    clusters.flatMap((cluster) => (members[cluster] ?? []).map((member) => issues[member]?.id ?? ''));
  const continued = new Map(continueClusters(groups.map(idsOf), known).map(({ id, issueIds }) => [issueIds[0], id]));
  return groups.map((clusters) => ({ id: continued.get(idsOf(clusters)[0]), clusters }));
}

function groupsOf(numbers: Uint32Array, issues: readonly IssueText[]): string[][] {
  const groups: string[][] = [];
  issues.forEach(({ id }, index) => (groups[numbers[index] ?? 0] ??= []).push(id));
  return groups;
}

/** The model is for English: other texts are not embedded. */
async function builtIn(texts: readonly string[], terms: readonly Terms[], { sentenceModel }: Tools): Promise<Matrix> {
  const vectors = await sentenceModel.vectorsOf(
    texts.map((text, index) => (terms[index]?.language === 'en' ? text : '')),
  );
  const rows = matrix(texts.length, DIMENSIONS);
  vectors.forEach((vector, row) => {
    if (vector?.length === DIMENSIONS) rowOf(rows, row).set(vector);
  });
  return rows;
}

function asMatrix({ dimensions, data }: GivenSentences): Matrix {
  return { rows: data.length / dimensions, columns: dimensions, data };
}

function ordered({ rows, columns, data }: Matrix, order: readonly number[]): Matrix {
  const sorted = new Float32Array(data.length);
  order.forEach((from, to) => sorted.set(data.subarray(from * columns, (from + 1) * columns), to * columns));
  return { rows, columns, data: sorted };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
