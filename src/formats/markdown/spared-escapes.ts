import type { Nodes } from 'mdast';
import { toString } from 'mdast-util-to-string';

/** A place where a mark means nothing: as the serializer writes it, and as people do. */
interface Spared {
  readonly escaped: RegExp;
  readonly plain: RegExp;
  /** Tells whether it means nothing in a part of a line whose text is given. */
  readonly where?: (line: string) => boolean;
}

const SPARED: Readonly<Record<string, Spared>> = {
  // Inside of a word (https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run).
  _: { escaped: /(?<=[\p{L}\p{N}])(?:\\_)+(?=[\p{L}\p{N}])/gu, plain: /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu },
  // Between spaces.
  '*': { escaped: /(?<=\S )\\\*(?= )/g, plain: /(?<=\S )\*(?= )/g },
  // The only one in the line.
  '~': { escaped: /(?<!\\)\\~(?=\d)/g, plain: /(?<!\\)~(?=\d)/g, where: (line) => line.split('~').length === 2 },
  // After a word, where no definition has a label.
  '[': {
    escaped: /(?<=[\p{L}\p{N}])\\\[(?=[\p{L}\p{N}]+\])/gu,
    plain: /(?<=[\p{L}\p{N}])\[(?=[\p{L}\p{N}]+\])/gu,
  },
  // Without the semicolon of a character reference.
  '&': { escaped: /(?<!\\)\\&(?!#?\w+;)/g, plain: /(?<!\\)&(?=[#A-Za-z])(?!#?\w+;)/g },
};

/** The marks that may be left without a backslash. */
export const UNESCAPED_MARKS = Object.keys(SPARED).join('');

/** Counts in `counts` the marks of a text without a backslash; those with one count against them. */
export function writtenMarks(source: string, counts: Map<string, number>): void {
  for (const [mark, { escaped, plain }] of Object.entries(SPARED)) {
    if (!source.includes(mark)) continue;
    const count = (source.match(plain)?.length ?? 0) - (source.match(escaped)?.length ?? 0);
    counts.set(mark, (counts.get(mark) ?? 0) + count);
  }
}

/** The Markdown of a text of `parent` without the backslashes that a style leaves out. */
export function spareEscapes(markdown: string, unescaped: string, parent: Nodes | undefined): string {
  let spared = markdown;
  for (const mark of unescaped) {
    const { escaped, where } = SPARED[mark] ?? {};
    if (escaped && spared.includes('\\') && (!where || (isLine(parent) && where(textOf(parent)))))
      spared = spared.replace(escaped, (found) => found.replaceAll('\\', ''));
  }
  return spared;
}

/** The texts of parents, which are asked for by each of their children. */
const texts = new WeakMap<Nodes, string>();

function textOf(parent: Nodes): string {
  const known = texts.get(parent);
  if (known !== undefined) return known;
  const text = toString(parent);
  texts.set(parent, text);
  return text;
}

function isLine(node: Nodes | undefined): node is Nodes {
  return node?.type === 'paragraph' || node?.type === 'heading' || node?.type === 'tableCell';
}
