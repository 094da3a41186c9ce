import type { Nodes, Table } from 'mdast';
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import { MAX_CELLS } from '../document/node-kinds.js';
import { unclosedHtml } from './unclosed-html.js';

/** The longest Markdown of one page, in characters. */
export const MAX_MARKDOWN = 1024 * 1024;
const MAX_LINES = 20_000;
/** Maximum number of tags of all blocks of HTML, including closing ones. */
const MAX_TAGS = 30_000;
/**
 * Maximum columns of the markers of quotes, lists and footnotes at the beginning of a line; that of a footnote counts
 * as one, however long its name.
 */
const MAX_MARK_COLUMNS = 200;
/**
 * Maximum columns before the lines of a page that has lists nested this deeply: each line is tested by every list
 * around it.
 */
const MAX_INDENTATION = 200_000;
const FAR_INSIDE = /^[ \t]{16,}(?:[-+*]|\d{1,9}[.)])[ \t]/m;
/** Maximum depth of the parsed tree. */
const MAX_TREE_DEPTH = 250;
/**
 * The longest run of a marker that is parsed; code and formulas are searched up to the end of their paragraph once for
 * each length.
 */
const MAX_RUN = { emphasis: 64, code: 12 } as const;

/** Limits of the cost of parsing a text. */
export interface ParseLimits {
  /** Total work, in the units of `COST`: about microseconds. */
  readonly work: number;
  /**
   * Events of the parser in one paragraph or cell; later lines are text from their first marker on: markers cost the
   * square of their number.
   */
  readonly events: number;
  /** Maximum number of bare addresses that become links: finding them costs the square of their number. */
  readonly addresses: number;
}
export const PAGE_PARSE_LIMITS: ParseLimits = { work: 1_000_000, events: 10_000, addresses: 2_000 };
/** Limits for comments, which are short, and parsed while others wait. */
export const COMMENT_PARSE_LIMITS: ParseLimits = { work: 120_000, events: 2_000, addresses: 500 };

const COST = {
  /** A block of a page, and the cost of its indentation in the lists and quotes around it, for each column. */
  block: 50,
  column: 6,
  /** A list item, quote or footnote; the parser copies all events of the page when one ends. */
  container: 40,
  event: 0.02,
  /**
   * An event of the block that a line without the markers of its quote or list continues: all of them are scanned for
   * each such line.
   */
  lazyEvent: 0.1,
  /** A mark in a line that may have a meaning. */
  mark: 10,
} as const;

/** Thrown by the parser for a page that exceeds the limits. */
export class TooMuchWork extends Error {}

/** Counts the cost of parsing one source, and stops the parser if it is too high. */
class Meter {
  constructor(private left: number) {}

  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0) throw new TooMuchWork('has more blocks and marks than it can have');
  }
}
/** The row below the head of a table. */
const DELIMITER_ROW = /^ *[|:-](?=[ |:]*-)[ |:-]*$/;

/** Quotes, lists, footnotes and the white space between them at the beginning of a line, as far as they matter. */
const MARKS = new RegExp(
  `^(?:[ \\t>]|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])|\\[\\^[^\\]\\s]{1,999}\\]:){${MAX_MARK_COLUMNS}}`,
  'm',
);

/**
 * The number of characters of plain text that cost as much as a marker in a text of markers only: their cost grows
 * faster than their number.
 */
const WEIGHT_OF_MARK = 4;

/** The equivalent length in plain characters of the cost of parsing a source, which decides where it is parsed. */
export function readingSize(source: string): number {
  const marks = source.match(/[\n!-/:-@[-`{-~]/g)?.length ?? 0;
  return Math.max(source.length, WEIGHT_OF_MARK * marks);
}

/**
 * The reason why a source is not parsed as Markdown, undefined if it is: features that no real page has, and that would
 * take forever.
 */
export function markdownFault(source: string): string | undefined {
  if (source.length > MAX_MARKDOWN) return `must not be longer than ${MAX_MARKDOWN} characters`;
  if (hasMoreLines(source, MAX_LINES)) return `must not have more than ${MAX_LINES} lines`;
  const match = MARKS.exec(source);
  if (match !== null && /[^ \t]/.test(match[0]))
    return `has a line with more than ${MAX_MARK_COLUMNS} columns of quotes, lists and footnotes`;
  if (FAR_INSIDE.test(source) && indentationOf(source) > MAX_INDENTATION)
    return `has more than ${MAX_INDENTATION} columns of indentation in and around its lists`;
  return sizeFault(source);
}

function indentationOf(source: string): number {
  let columns = 0;
  for (const [blanks] of source.matchAll(/^[ \t]+/gm)) columns += blanks.length;
  return columns;
}

function hasMoreLines(source: string, most: number): boolean {
  let lines = 0;
  for (let at = source.indexOf('\n'); at !== -1 && lines <= most; at = source.indexOf('\n', at + 1)) lines++;
  return lines > most;
}

/** An empty cell creates no node, but is a value of its row. */
function sizeFault(source: string): string | undefined {
  let cells = 0;
  for (const part of source.split('\n\n')) cells += cellsOf(part.split('\n'));
  return cells > MAX_CELLS ? TOO_MANY_CELLS : undefined;
}

const TOO_MANY_CELLS = `has tables of more than ${MAX_CELLS} cells`;

/** The number of cells of lines that are a table, 0 for others. */
function cellsOf(lines: readonly string[]): number {
  const [head = '', delimiter = ''] = lines;
  if (!head.includes('|') || !DELIMITER_ROW.test(delimiter)) return 0;
  const columns = delimiter
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length;
  return columns * (lines.length - 1);
}

export function hasManyAddresses(source: string, { addresses }: ParseLimits): boolean {
  return (source.match(/@|:\/\/|www\./g)?.length ?? 0) > addresses;
}

/** The same check for a parsed tree. */
export function faultOfTree(root: Nodes): string | undefined {
  let level: Nodes[] = [root];
  let tags = 0;
  let cells = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_TREE_DEPTH) return `is nested more than ${MAX_TREE_DEPTH} deep`;
    for (const node of level) {
      if (node.type === 'html') tags += node.value.split('<').length - 1;
      // A row may be longer than the head, and then all rows are.
      if (node.type === 'table') cells += columnsOf(node) * node.children.length;
    }
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  if (cells > MAX_CELLS) return TOO_MANY_CELLS;
  return tags > MAX_TAGS ? `has more than ${MAX_TAGS} tags of HTML` : undefined;
}

/** The number of columns of a table: the cells of its longest row. */
export function columnsOf(table: Table): number {
  return table.children.reduce((width, row) => Math.max(width, row.children.length), 0);
}

/** Markers that may begin or end a construct in a line, beside the guarded ones: `&`, `:` and `\\`. */
const OTHER_MARKS = [38, 58, 92];
/** The characters with which a list, quote or footnote begins. */
const CONTAINER_MARKS = [42, 43, 45, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 62, 91];
/** The characters with which blocks other than a paragraph begin; null is for those. */
const BLOCK_MARKS = [-2, 32, 35, 36, 42, 45, 60, 61, 91, 95, 96, 123, 126, 'null'];

/**
 * Parses markers as text if a paragraph has too many of them, and throws `TooMuchWork` if the page has. For one source.
 */
export function boundedSyntax({ work, events: most }: ParseLimits): Extension {
  const meter = new Meter(work);
  const counted = (costOf: (context: TokenizeContext) => number): Construct => ({
    name: 'counted',
    tokenize(_effects, _ok, nok) {
      meter.spend(costOf(this));
      return nok;
    },
  });
  // A guard counts its mark itself: each further construct costs the parser a copy of its state.
  const guarded = (longest: number): Construct => guard(longest, most, () => meter.spend(COST.mark));
  const [emphasis, single] = [guarded(MAX_RUN.emphasis), guarded(Infinity)];
  // Code and formulas begin at the first marker of a run only, and so must their guard.
  const [code, formula] = [96, 36].map((marker) => ({ ...guarded(MAX_RUN.code), previous: isFirstOf(marker) }));
  const mark = counted(() => COST.mark);
  const block = counted((context) => {
    const { line, column } = context.now();
    return COST.block + column * COST.column + (context.parser.lazy[line] ? context.events.length * COST.lazyEvent : 0);
  });
  const container = counted(({ events }) => COST.container + events.length * COST.event);
  const text = {
    42: [emphasis],
    95: [emphasis],
    126: [emphasis],
    96: code,
    36: formula,
    33: [single],
    60: [single, unclosedHtml()],
    91: [single],
    93: [single],
  };
  return {
    document: Object.fromEntries(CONTAINER_MARKS.map((each) => [each, container])),
    flow: Object.fromEntries(BLOCK_MARKS.map((each) => [each, block])),
    text: {
      ...text,
      ...Object.fromEntries(OTHER_MARKS.map((each) => [each, mark])),
    },
  };
}

/** True if the character before is not the same marker, unless that one is escaped. */
function isFirstOf(marker: number): Construct['previous'] {
  return function (before) {
    return before !== marker || this.events.at(-1)?.[1].type === 'characterEscape';
  };
}

/** `onMark` is called for each marker. */
function guard(longest: number, most: number, onMark: () => void): Construct {
  return { name: 'boundedMark', tokenize: tokenizeMark };

  function tokenizeMark(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    const { events } = this;
    let size = 0;
    let mark: Code = null;
    return (code) => {
      onMark();
      mark = code;
      if (events.length <= most && longest === Infinity) return nok(code);
      effects.enter('data');
      return events.length > most ? restOfLine(code) : run(code);
    };

    function run(code: Code): State | undefined {
      if (code === mark) {
        size++;
        effects.consume(code);
        return run;
      }
      effects.exit('data');
      return size > longest ? ok(code) : nok(code);
    }

    function restOfLine(code: Code): State | undefined {
      if (code === null || code < -2) {
        effects.exit('data');
        return ok(code);
      }
      effects.consume(code);
      return restOfLine;
    }
  }
}
