import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom, shuffled } from '../src/insight/conversations/domain/random.js';
import type { DialogueSet, Turn } from './dialogues/dialogues.js';

/* Readers of the public sets that conversations are measured with; a set whose files are missing is left out: `missingFiles` names them. */

export interface LabelledSet {
  readonly name: string;
  readonly texts: readonly string[];
  readonly labels: readonly string[];
}

/** Rows of a CSV file of a text, which may be quoted, and a label. */
export function readCsv(file: string): [string, string][] {
  const rows: [string, string][] = [];
  for (const [, quoted, plain = '', label = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*)),([^\r\n]+)\r?\n?/g,
  ))
    rows.push([(quoted?.replaceAll('""', '"') ?? plain).trim(), label.trim()]);
  return rows.slice(1);
}

export function setOf(name: string, rows: readonly (readonly [string, string])[]): LabelledSet {
  return { name, texts: rows.map(([text]) => text), labels: rows.map(([, label]) => label) };
}

/** A random part of a set, drawn with a seed. */
export function partOf({ name, texts, labels }: LabelledSet, size: number): LabelledSet {
  const order = [...shuffled(texts.length, randomFrom(1))].slice(0, size);
  return setOf(
    `${name}, ${size} issues`,
    order.map((index) => [texts[index] ?? '', labels[index] ?? '']),
  );
}

/** Questions of a part that nothing in the engine was chosen with, as many as in the part beside it. */
const HELD_OUT = 3_000;
/** The files of all sets, in a folder. */
const FILES = [
  'banking77/test.csv',
  'banking77/train.csv',
  'clinc150/data_full.json',
  'dstc11-development/dstc-development.jsonl',
  ...['airline', 'software'].flatMap((domain) => ['dev', 'test'].map((part) => `multidogo/${domain}-${part}.tsv`)),
];

/** The files that a folder lacks. */
export function missingFiles(folder: string): string[] {
  return FILES.filter((file) => !existsSync(join(folder, file)));
}

/** Sets of single questions. */
export function questionSets(folder: string): LabelledSet[] {
  const [banking, heldOut, clinc, insurance] = [
    join(folder, 'banking77', 'test.csv'),
    join(folder, 'banking77', 'train.csv'),
    join(folder, 'clinc150', 'data_full.json'),
    join(folder, 'dstc11-development', 'dstc-development.jsonl'),
  ];
  return [
    ...(existsSync(banking) ? [setOf('Banking77', readCsv(banking))] : []),
    ...(existsSync(heldOut) ? [partOf(setOf('Banking77 train (held out)', readCsv(heldOut)), HELD_OUT)] : []),
    ...(existsSync(clinc)
      ? [setOf('CLINC150', (JSON.parse(readFileSync(clinc, 'utf8')) as { test: [string, string][] }).test)]
      : []),
    ...(existsSync(insurance)
      ? [
          setOf(
            'DSTC11 insurance',
            readFileSync(insurance, 'utf8')
              .split('\n')
              .filter((line) => line.trim() !== '')
              .map((line) => JSON.parse(line) as { utterance: string; intent: string })
              .map(({ utterance, intent }) => [utterance, intent] as const),
          ),
        ]
      : []),
  ];
}

const WITHOUT_REQUEST = new Set([
  'contentonly',
  'confirmation',
  'rejection',
  'thankyou',
  'openinggreeting',
  'closinggreeting',
]);
const UNKNOWN = 'outofdomain';

/** Dialogues of MultiDoGO, a set for each domain. Its agents are silent: only their places are known. */
export function multiDogoSets(folder: string): DialogueSet[] {
  const files = existsSync(join(folder, 'multidogo')) ? readdirSync(join(folder, 'multidogo')) : [];
  const domains = [...new Set(files.flatMap((file) => /^(\w+)-(?:dev|test)\.tsv$/.exec(file)?.[1] ?? []))].sort();
  return domains.map((domain) => ({
    name: `MultiDoGO ${domain}`,
    dialogues: ['dev', 'test'].flatMap((part) => readTurns(join(folder, 'multidogo', `${domain}-${part}.tsv`))),
  }));
}

interface LabelledTurn extends Turn {
  readonly isContent: boolean;
}

function readTurns(file: string): Turn[][] {
  const conversations = new Map<string, { readonly turns: LabelledTurn[]; last: number }>();
  if (!existsSync(file)) return [];
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/).slice(1)) {
    const [id, number, , text, , label] = line.split('\t');
    if (id === undefined || text === undefined || label === undefined || !/^\d+$/.test(number ?? '')) continue;
    const conversation = conversations.get(id) ?? { turns: [], last: -1 };
    conversations.set(id, conversation);
    if (Number(number) > conversation.last + 1)
      conversation.turns.push({ role: 'agent', text: '', intents: [], isJudged: true, isContent: false });
    conversation.last = Number(number);
    const labels = label.split('<div>').filter((each) => !WITHOUT_REQUEST.has(each));
    conversation.turns.push({
      role: 'customer',
      text,
      intents: labels,
      isJudged: !labels.includes(UNKNOWN),
      isContent: label.includes('contentonly'),
    });
  }
  return [...conversations.values()].map(({ turns }) => withUnknownRequest(turns));
}

/** Annotators gave an opening that asks and tells at once the label of its content if no turn has an intent: it counts as a request of an unknown intent. */
function withUnknownRequest(turns: readonly LabelledTurn[]): Turn[] {
  if (turns.some(({ intents }) => intents.length > 0)) return [...turns];
  const opening = turns.find(({ isContent }) => isContent);
  return turns.map((turn) => (turn === opening ? { ...turn, intents: [UNKNOWN], isJudged: false } : turn));
}
