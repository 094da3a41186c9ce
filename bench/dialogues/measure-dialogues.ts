import { detectLanguage } from '../../src/insight/conversations/domain/detect-language.js';
import { withoutPersonal } from '../../src/insight/conversations/domain/redaction/redact.js';
import { summed, type WordVectors } from '../../src/insight/conversations/domain/word-vectors.js';
import { wordsOf } from '../../src/insight/conversations/domain/words.js';
import type { ConversationEngine } from '../../src/insight/conversations/engine/engine.js';
import { scoresOf, type Scores } from '../clustering-scores.js';
import { kMeans } from '../k-means.js';
import { majorityOf, type RatedLabel } from '../rated-labels.js';
import type { DialogueSet, Turn } from './dialogues.js';

export interface DialogueScores extends Scores {
  readonly issues: number;
  /** Issues that come from a turn without a request. */
  readonly withoutRequest: number;
  /** Requests that no issue comes from. */
  readonly missed: number;
  readonly requests: number;
  /** Intents of at least `LEAST_ISSUES` issues. */
  readonly intents: number;
  /** The adjusted Rand index of k-means over word vectors, with the true number given; only for English. */
  readonly ariOfKMeans: number | undefined;
  readonly rated: readonly RatedLabel[];
}

interface FoundIssue {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly turn: Turn | undefined;
}

/** A rarer intent is not expected to be found. */
const LEAST_ISSUES = 5;

/** Derives the issues of dialogues and clusters them; issues of requests with a known intent are compared with these. */
export async function measureDialogues(
  engine: ConversationEngine,
  { dialogues }: DialogueSet,
  vectors: WordVectors | undefined,
): Promise<DialogueScores> {
  const derived = await engine.derive(
    dialogues.map((turns) => ({ messages: turns.map(({ role, text }) => ({ role, text: withoutPersonal(text) })) })),
  );
  const issues = derived.flatMap((own, dialogue) =>
    own.map(({ title, text }, at): FoundIssue => ({
      id: `${dialogue}-${at}`,
      title,
      text,
      turn: sourceOf(title, dialogues[dialogue] ?? []),
    })),
  );
  const { clusters } = await engine.rebuild(issues, []);
  const numberOf = new Map(clusters.flatMap(({ issueIds }, number) => issueIds.map((id) => [id, number] as const)));
  const judged = issues
    .map((issue, index) => ({ ...issue, number: numberOf.get(issue.id) ?? clusters.length + index }))
    .filter(({ turn }) => turn && turn.isJudged && turn.intents.length > 0);
  const labels = judged.map(({ turn }) => turn?.intents[0] ?? '');
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const intents = [...counts.values()].filter((count) => count >= LEAST_ISSUES).length;
  const taken = new Set(issues.map(({ turn }) => turn));
  const requests = firstRequests(dialogues);
  return {
    ...scoresOf(compact(judged.map(({ number }) => number)), labels),
    clusters: clusters.length,
    issues: issues.length,
    withoutRequest: issues.filter(({ turn }) => !turn || turn.intents.length === 0).length,
    requests: requests.length,
    missed: requests.filter((turn) => !taken.has(turn)).length,
    intents,
    ariOfKMeans: vectors && ariOfKMeans(judged, labels, intents, vectors),
    rated: ratedLabels(clusters, judged),
  };
}

function ratedLabels(
  clusters: readonly { readonly title: string }[],
  judged: readonly { readonly number: number; readonly turn: Turn | undefined }[],
): RatedLabel[] {
  return clusters.flatMap(({ title }, cluster) => {
    const intent = majorityOf(
      judged.flatMap(({ number, turn }) => (number === cluster ? (turn?.intents[0] ?? []) : [])),
    );
    return intent === undefined ? [] : [{ label: title, intent }];
  });
}

/** The first turn of each intent of a dialogue. */
function firstRequests(dialogues: DialogueSet['dialogues']): Turn[] {
  return dialogues.flatMap((turns) => {
    const seen = new Set<string>();
    return turns.filter(({ intents: [intent], isJudged }) => {
      if (intent === undefined || !isJudged || seen.has(intent)) return false;
      seen.add(intent);
      return true;
    });
  });
}

/** The turn that has most of the words of a title. */
function sourceOf(title: string, turns: readonly Turn[]): Turn | undefined {
  const wanted = new Set(wordsOf(title));
  let [best, most] = [undefined as Turn | undefined, 0];
  for (const turn of turns) {
    if (turn.role !== 'customer') continue;
    const shared = new Set(wordsOf(turn.text).filter((word) => wanted.has(word))).size;
    if (shared > most) [best, most] = [turn, shared];
  }
  return best;
}

function ariOfKMeans(
  issues: readonly FoundIssue[],
  labels: readonly string[],
  intents: number,
  vectors: WordVectors,
): number | undefined {
  if (detectLanguage(issues.map(({ text }) => text).join('\n')) !== 'en') return undefined;
  return scoresOf(
    kMeans(
      summed(
        issues.map(({ text }) => wordsOf(text)),
        vectors,
      ),
      intents,
    ),
    labels,
  ).ari;
}

function compact(numbers: readonly number[]): number[] {
  const places = new Map<number, number>();
  return numbers.map((number) => {
    const place = places.get(number) ?? places.size;
    places.set(number, place);
    return place;
  });
}
