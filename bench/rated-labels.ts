import { dot, rowOf } from '../src/insight/conversations/domain/dense.js';
import { isStopWord, stemOf } from '../src/insight/conversations/domain/terms.js';
import { summed, type WordVectors } from '../src/insight/conversations/domain/word-vectors.js';
import { wordsOf } from '../src/insight/conversations/domain/words.js';

/** How near the labels of clusters are to the names of the intents that most of their issues have, in percent. */
export interface LabelScores {
  /** Labels that are rated. */
  readonly labels: number;
  /** The mean F1 of their stems. */
  readonly overlap: number;
  /** The mean cosine of their word vectors; only where vectors are at hand. */
  readonly nearness: number | undefined;
}

export interface RatedLabel {
  readonly label: string;
  readonly intent: string;
}

/** Names of intents that are written as one word. */
const WRITTEN_APART: Readonly<Record<string, string>> = {
  bookflight: 'book flight',
  changeorder: 'change order',
  changeseatassignment: 'change seat assignment',
  checkserverstatus: 'check server status',
  expensereport: 'expense report',
  getboardingpass: 'get boarding pass',
  getpromotions: 'get promotions',
  getseatinfo: 'get seat info',
  providereceipt: 'provide receipt',
  reportbrokensoftware: 'report broken software',
  softwareupdate: 'software update',
  startorder: 'start order',
  stoporder: 'stop order',
};

function wordsOfName(intent: string): string[] {
  const apart = WRITTEN_APART[intent] ?? intent.replace(/(?<=[a-z])(?=[A-Z])|[_.-]+/g, ' ');
  return wordsOf(apart);
}

export function rateLabels(rated: readonly RatedLabel[], vectors: WordVectors | undefined): LabelScores {
  const pairs = rated.map(({ label, intent }) => [wordsOf(label), wordsOfName(intent)] as const);
  const mean = (values: readonly number[]): number =>
    (100 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length);
  const nearness = (): number => {
    const [labels, names] = [0, 1].map((side) =>
      summed(
        pairs.map((pair) => pair[side as 0 | 1]),
        vectors as WordVectors,
      ),
    );
    return mean(pairs.map((_, at) => (labels && names ? dot(rowOf(labels, at), rowOf(names, at)) : 0)));
  };
  return {
    labels: rated.length,
    overlap: mean(pairs.map(([label, name]) => f1(stemsOf(label), stemsOf(name)))),
    nearness: vectors && nearness(),
  };
}

function stemsOf(words: readonly string[]): Set<string> {
  const telling = words.filter((word) => !isStopWord(word, 'en'));
  return new Set((telling.length > 0 ? telling : words).map((word) => stemOf(word, 'en')));
}

function f1(found: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  const shared = [...found].filter((stem) => wanted.has(stem)).length;
  return shared === 0 ? 0 : (2 * shared) / (found.size + wanted.size);
}

/** The most frequent label of the members of a cluster; undefined if none of them has one. */
export function majorityOf(labels: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
