import type { Nodes, Paragraph } from 'mdast';

/** The widths that are taken for one, in columns. */
const LEAST = 40;
const MOST = 200;
/** Breaks of lines that are too few to tell anything. */
const FEW = 3;
/** The share of the breaks that a width must explain. */
const SHARE = 2 / 3;

/**
 * Finds out the width at which the paragraphs of a source are wrapped: the least one by which most lines end where they
 * do, since the next word would not have fitted.
 */
export class WrappedLines {
  /** The number of breaks that each width explains, as differences to that of the width below. */
  private readonly steps = new Map<number, number>();
  private readonly whole: number[] = [];
  private breaks = 0;

  /** Adds a paragraph of the source with these lines. */
  add(paragraph: Paragraph, lines: readonly string[]): void {
    const { start, end } = paragraph.position ?? {};
    if (!start || !end || paragraph.children.some(({ type }) => type === 'break')) return;
    for (let line = start.line; line < end.line; line++) {
      const length = lines[line - 1]?.length ?? 0;
      const next = /[^\s>]\S*/.exec(lines[line] ?? '')?.[0].length ?? 0;
      this.step(length, 1);
      this.step(length + 1 + next, -1);
      this.breaks++;
    }
    const only = lines[start.line - 1] ?? '';
    if (start.line === end.line && /\S\s+\S/.test(only)) this.whole.push(only.length);
  }

  /** Undefined where paragraphs are not wrapped, or where their sentences say. */
  width(): number | undefined {
    let [explained, most, best] = [0, 0, 0];
    for (let width = 0; width <= MOST; width++) {
      explained += this.steps.get(width) ?? 0;
      if (width >= LEAST && explained > most) [most, best] = [explained, width];
    }
    const longer = this.whole.filter((length) => length > best).length;
    return this.breaks >= FEW && most >= SHARE * (this.breaks + longer) ? best : undefined;
  }

  private step(width: number, by: number): void {
    this.steps.set(width, (this.steps.get(width) ?? 0) + by);
  }
}

/**
 * Tells whether the spaces of a paragraph are no more than spaces, unlike those of elements, formulas, mentions, addresses and
 * titles.
 */
export function isWrappable(node: Nodes): boolean {
  if (node.type === 'html' || node.type === 'inlineMath') return false;
  if (node.type === 'link' && (node.title === 'mention' || hasSpace(node.url, node.title))) return false;
  if (node.type === 'image' && hasSpace(node.url, node.title, node.alt)) return false;
  return !('children' in node) || node.children.every(isWrappable);
}

function hasSpace(...texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => /\s/.test(text ?? ''));
}

const CODE = /`[^`]*`/g;
/** A blank of the text, which the end of a line would take in. */
const ENCODED_BLANK = '&#x20;';
/** The beginning of a line that goes on with the paragraph, and nothing else. */
const GOES_ON = /^(?!\[\^)(?=.*[\p{L}\p{N}])(?:[\p{L}("'[*_\\&]|\d+(?![.)\d]))/u;

/** The Markdown of a paragraph in lines of at most `width` columns, where its words allow it. */
export function wrapParagraph(markdown: string, width: number): string {
  return markdown
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  // The spaces of code are put back in the end.
  const words = line.replace(CODE, (code) => code.replaceAll(' ', '\0')).split(' ');
  let [result, column] = [words[0] ?? '', words[0]?.length ?? 0];
  words.slice(1).forEach((word, index) => {
    const before = words[index] ?? '';
    const fits = column + 1 + word.length <= width;
    const isBlank = before.endsWith(ENCODED_BLANK) || word.startsWith(ENCODED_BLANK);
    if (fits || before === '' || before.endsWith('\\') || isBlank || !GOES_ON.test(word)) {
      result += ` ${word}`;
      column += 1 + word.length;
    } else {
      result += `\n${word}`;
      column = word.length;
    }
  });
  return result.replaceAll('\0', ' ');
}
