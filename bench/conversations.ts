import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWordVectors, type WordVectors } from '../src/insight/conversations/domain/word-vectors.js';
import { ConversationEngine, type ConversationText } from '../src/insight/conversations/engine/engine.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { scoresOf, type Scores } from './clustering-scores.js';
import { writtenDialogues, type DialogueSet } from './dialogues/dialogues.js';
import { round, rounded, writeBaseline, writeReport, type Figures } from './engines-report.js';
import { measureDialogues } from './dialogues/measure-dialogues.js';
import { missingFiles, multiDogoSets, partOf, questionSets, readCsv, type LabelledSet } from './labelled-sets.js';
import { majorityOf, rateLabels, type RatedLabel } from './rated-labels.js';
import { measureRedaction } from './redaction/redaction.js';

/*
 * npm run eval:conversations [-- <folder> --quick --report --baseline]
 *
 * Measures how well issues are clustered on labelled sets, whose labels the engine never sees: NMI, ARI and ACC in
 * percent, for single questions (all, 500 of them, and just before a rebuild, when the last fifth has been assigned one
 * by one) and for dialogues, whose issues are derived first; and the cost of 10,000 conversations in seconds and memory.
 * Beside them, how well personal data of generated dialogues in twelve languages is masked. `--report` writes the table
 * of bench/engines.md, beside the figures that `--baseline` has kept; `--quick` leaves out all but the clusters.
 */

const FLOORS: Readonly<Record<string, readonly number[]>> = { Banking77: [77, 47, 59], CLINC150: [86, 56, 64] };
const MANY = 10_000;
const SHOWN_LABELS = 12;
const options = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
/** Only the clusters of all issues, with the sentence model. */
const isQuick = options.has('--quick');
const folder = resolve(given ?? fileURLToPath(new URL('../../shared/data', import.meta.url)));
const VECTORS = new URL('../assets/word-vectors/glove-6b-100d.bin', import.meta.url);

function engineWith(sentenceModel: boolean): ConversationEngine {
  const settings = {
    sentenceModel,
    conversationsLlm: false,
    embeddingsUrl: undefined,
    embeddingsApiKey: undefined,
    embeddingsModel: undefined,
    llmUrl: undefined,
    llmApiKey: undefined,
    llmModel: undefined,
  };
  return new ConversationEngine(settings, new Outbound({ outboundAllow: [] }));
}

/** Cluster numbers by issue; an issue without a cluster is one of its own. */
function numbersOf(count: number, clusterOf: (index: number) => string | undefined): number[] {
  const numbers = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const key = clusterOf(index) ?? `alone ${index}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key) ?? 0;
  });
}

async function clustered(
  engine: ConversationEngine,
  { texts, labels }: LabelledSet,
): Promise<Scores & { readonly rated: readonly RatedLabel[] }> {
  const { clusters } = await engine.rebuild(
    texts.map((text, index) => ({ id: `i${index}`, text })),
    [],
  );
  const found = new Map<string, string>(
    clusters.flatMap(({ issueIds }, cluster) => issueIds.map((id) => [id, `c${cluster}`] as const)),
  );
  return {
    ...scoresOf(
      numbersOf(texts.length, (index) => found.get(`i${index}`)),
      labels,
    ),
    rated: clusters.flatMap(({ title, issueIds }) => {
      const intent = majorityOf(issueIds.map((id) => labels[Number(id.slice(1))] ?? ''));
      return intent === undefined ? [] : [{ label: title, intent }];
    }),
  };
}

/**
 * Clusters four fifths and assigns the rest as it arrives; returns the scores of all, and the number of unassigned
 * issues.
 */
async function online(
  engine: ConversationEngine,
  whole: LabelledSet,
): Promise<Scores & { readonly unassigned: number }> {
  const { texts, labels } = partOf(whole, whole.texts.length);
  const issues = texts.map((text, index) => ({ id: `i${index}`, text }));
  const known = Math.floor(issues.length * 0.8);
  const { clusters, modelWith } = await engine.rebuild(issues.slice(0, known), []);
  const found = new Map<string, string>(
    clusters.flatMap(({ issueIds }, cluster) => issueIds.map((id) => [id, `c${cluster}`] as const)),
  );
  const model = modelWith(clusters.map((_, cluster) => `c${cluster}`));
  const late = issues.slice(known);
  (await engine.assign(model, late)).forEach((cluster, index) => {
    if (cluster !== undefined) found.set(late[index]?.id ?? '', cluster);
  });
  const unassigned = late.filter(({ id }) => !found.has(id)).length;
  return {
    ...scoresOf(
      numbersOf(issues.length, (index) => found.get(`i${index}`)),
      labels,
    ),
    unassigned,
  };
}

function line(name: string, { clusters, nmi, ari, acc }: Scores, more = ''): string {
  return `${name.padEnd(34)} ${String(clusters).padStart(4)} clusters   NMI ${nmi.toFixed(1)}   ARI ${ari.toFixed(1)}   ACC ${acc.toFixed(1)}${more}`;
}

/**
 * Derives and clusters conversations of a greeting, a question and an answer; returns seconds, and the memory of the
 * thread.
 */
async function cost(engine: ConversationEngine, texts: readonly string[]): Promise<string> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
  const conversations = texts.slice(0, MANY).map((text): ConversationText => ({
    messages: [
      { role: 'customer', text: `Hi there! ${text} Thanks` },
      { role: 'agent', text: 'Thank you for asking, we look into it.' },
    ],
  }));
  const start = performance.now();
  const issues: { id: string; text: string }[] = [];
  for (let at = 0; at < conversations.length; at += 1_000) {
    const derived = await engine.derive(conversations.slice(at, at + 1_000));
    derived.forEach((own, index) =>
      own.forEach(({ text }, issue) => issues.push({ id: `i${at + index}-${issue}`, text })),
    );
  }
  const middle = performance.now();
  const { clusters, modelWith } = await engine.rebuild(issues, []);
  const end = performance.now();
  clearInterval(watch);
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
  return `${conversations.length} conversations, ${issues.length} issues, ${clusters.length} clusters: ${seconds(start, middle)} s to derive, ${seconds(middle, end)} s to cluster, ${((most - before) / 1e6).toFixed(0)} MB, model of ${(modelWith([]).length / 1e6).toFixed(1)} MB`;
}

/** Secrets that are masked, and masks that stand for one, in percent. */
function tellRedaction(): void {
  console.log('\nRedaction of 1,000 generated dialogues of each language: secrets masked, masks that stand for one');
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  for (const [code, { secrets, masked, masks, right }] of measureRedaction(1, 1000))
    console.log(`${code}   ${percent(masked, secrets)}   ${percent(right, masks)}   of ${secrets} and ${masks}`);
}

/** Labels beside the names of intents; some of them are shown. */
function tellLabels(
  rated: readonly RatedLabel[],
  vectors: WordVectors | undefined,
): Pick<Figures, 'labelOverlap' | 'labelNearness'> {
  const { labels, overlap, nearness } = rateLabels(rated, vectors);
  const shown = rated.slice(0, SHOWN_LABELS).map(({ label, intent }) => `${label} (${intent})`);
  console.log(
    `  ${labels} labels: word overlap ${round(overlap)} %, nearness ${nearness === undefined ? '-' : round(nearness)} %: ${shown.join(', ')}`,
  );
  return { labelOverlap: round(overlap), ...(nearness !== undefined && { labelNearness: round(nearness) }) };
}

/** Single questions: all of a set, and with `isWhole` also 500 of them, and before a rebuild. */
async function tellQuestions(
  engine: ConversationEngine,
  set: LabelledSet,
  isWhole: boolean,
  vectors: WordVectors | undefined,
): Promise<Figures> {
  const scores = await clustered(engine, set);
  const floor = isWhole ? (FLOORS[set.name] ?? []) : [];
  const isBelow = [scores.nmi, scores.ari, scores.acc].some((score, index) => score < (floor[index] ?? 0));
  if (isBelow) process.exitCode = 1;
  const intents = new Set(set.labels).size;
  const verdict = floor.length > 0 ? `   ${isBelow ? 'BELOW' : 'above'} the floor of ${floor.join('/')}` : '';
  console.log(line(set.name, scores, `   of ${intents}${verdict}`));
  if (isWhole) {
    console.log(line(`${set.name}, 500 issues`, await clustered(engine, partOf(set, 500))));
    const late = await online(engine, set);
    console.log(line(`${set.name}, before a rebuild`, late, `   ${late.unassigned} of the last fifth in none`));
  }
  return { set: set.name, kind: 'questions', intents, ...rounded(scores), ...tellLabels(scores.rated, vectors) };
}

async function tellDialogues(
  engine: ConversationEngine,
  set: DialogueSet,
  vectors: WordVectors | undefined,
): Promise<Figures> {
  const scores = await measureDialogues(engine, set, vectors);
  const { issues, withoutRequest, missed, requests, intents, ariOfKMeans } = scores;
  const percent = (part: number, whole: number): number => round((100 * part) / Math.max(1, whole));
  const figures: Figures = {
    set: set.name,
    kind: 'dialogues',
    intents,
    ...rounded(scores),
    ...(ariOfKMeans !== undefined && { ariOfKMeans: round(ariOfKMeans) }),
    withoutRequest: percent(withoutRequest, issues),
    missed: percent(missed, requests),
    ...(ariOfKMeans !== undefined && tellLabels(scores.rated, vectors)),
  };
  console.log(
    line(
      set.name,
      scores,
      `   of ${intents}, k-means ARI ${figures.ariOfKMeans ?? '-'}, ${issues} issues, ${figures.withoutRequest} % of them without a request, ${figures.missed} % of requests missed`,
    ),
  );
  return figures;
}

async function main(): Promise<void> {
  if (!isQuick) tellRedaction();
  const questions = questionSets(folder);
  const dialogues = [...multiDogoSets(folder), ...writtenDialogues()];
  const missing = missingFiles(folder);
  if (missing.length > 0) {
    process.exitCode = 2;
    console.error(`Missing in ${folder}: ${missing.join(', ')} (npm run eval:conversations -- <folder>)`);
  }
  const vectors = existsSync(VECTORS) ? readWordVectors(readFileSync(VECTORS)) : undefined;
  const all: Figures[] = [];
  for (const sentenceModel of isQuick ? [true] : [true, false]) {
    console.log(sentenceModel ? '\nWith the sentence model (the default)' : '\nWithout the sentence model');
    const engine = engineWith(sentenceModel);
    const own: Figures[] = [];
    console.log('Single questions');
    for (const set of questions) own.push(await tellQuestions(engine, set, sentenceModel && !isQuick, vectors));
    console.log('Dialogues');
    for (const set of dialogues) own.push(await tellDialogues(engine, set, vectors));
    if (sentenceModel) all.push(...own);
    await engine.onApplicationShutdown();
    const train = join(folder, 'banking77', 'train.csv');
    if (isQuick || !existsSync(train)) continue;
    // A new engine, without state of the previous one.
    const fresh = engineWith(sentenceModel);
    console.log(
      await cost(
        fresh,
        readCsv(train).map(([text]) => text),
      ),
    );
    await fresh.onApplicationShutdown();
  }
  if (!options.has('--baseline') && !options.has('--report')) return;
  if (missing.length > 0) {
    console.error('Figures of a part of the sets are not written.');
    return;
  }
  if (options.has('--baseline')) writeBaseline(all);
  if (options.has('--report')) writeReport(all);
}

await main();
