import { readFileSync, writeFileSync } from 'node:fs';
import type { Scores } from './clustering-scores.js';

/** The measures of one labelled set, in percent where they are no counts. */
export interface Figures {
  readonly set: string;
  readonly kind: 'questions' | 'dialogues';
  /** Intents of the set, and clusters found. */
  readonly intents: number;
  readonly clusters: number;
  readonly nmi: number;
  readonly ari: number;
  readonly acc: number;
  readonly ariOfKMeans?: number;
  readonly withoutRequest?: number;
  readonly missed?: number;
  /** How near labels are to the names of intents, by words and by word vectors. */
  readonly labelOverlap?: number;
  readonly labelNearness?: number;
}

const REPORT = new URL('engines.md', import.meta.url);
const BASELINE = new URL('conversations-baseline.json', import.meta.url);
const HEAD = [
  'Set',
  'Intents',
  'Found',
  'NMI',
  'ARI',
  'ACC',
  'ARI of k-means',
  'Without a request',
  'Missed',
  'Labels: words',
  'Labels: vectors',
];
const TITLES = { questions: 'Single questions', dialogues: 'Dialogues' } as const;
const [BEGIN, END] = ['<!-- conversations -->', '<!-- /conversations -->'];

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function rounded({ clusters, nmi, ari, acc }: Scores): Pick<Figures, 'clusters' | 'nmi' | 'ari' | 'acc'> {
  return { clusters, nmi: round(nmi), ari: round(ari), acc: round(acc) };
}

/** Keeps figures, for the report of a later version. */
export function writeBaseline(figures: readonly Figures[]): void {
  writeFileSync(BASELINE, `${JSON.stringify(figures, undefined, 2)}\n`);
}

/** Writes the tables of the report: each figure with that of the baseline in brackets. */
export function writeReport(figures: readonly Figures[]): void {
  const before = new Map(
    (JSON.parse(readFileSync(BASELINE, 'utf8')) as Figures[]).map((each) => [each.set, each] as const),
  );
  const sections = (['questions', 'dialogues'] as const).map((kind) =>
    [
      `### ${TITLES[kind]}`,
      '',
      rowOf(HEAD),
      rowOf(HEAD.map((_, at) => (at === 0 ? '---' : '---:'))),
      ...figures.filter((each) => each.kind === kind).map((each) => rowOf(cellsOf(each, before.get(each.set)))),
    ].join('\n'),
  );
  const text = readFileSync(REPORT, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`bench/engines.md has no place for the figures: ${BEGIN} … ${END}`);
  writeFileSync(REPORT, `${text.slice(0, start + BEGIN.length)}\n\n${sections.join('\n\n')}\n\n${text.slice(end)}`);
}

function cellsOf(now: Figures, before: Figures | undefined): string[] {
  const cell = (name: keyof Omit<Figures, 'set' | 'kind'>, unit = ''): string => {
    const [value, old] = [now[name], before?.[name]];
    if (value === undefined) return '';
    return `${value}${unit}${old === undefined ? '' : ` (${old}${unit})`}`;
  };
  return [
    now.set,
    String(now.intents),
    cell('clusters'),
    cell('nmi'),
    cell('ari'),
    cell('acc'),
    cell('ariOfKMeans'),
    cell('withoutRequest', ' %'),
    cell('missed', ' %'),
    cell('labelOverlap', ' %'),
    cell('labelNearness', ' %'),
  ];
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
