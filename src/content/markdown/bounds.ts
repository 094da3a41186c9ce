import type { Nodes } from 'mdast';
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';

/** The longest Markdown of one page, in characters. */
export const MAX_MARKDOWN = 1024 * 1024;
const MAX_LINES = 50_000;
/** Columns that the marks of quotes and lists may take at the beginning of a line. */
const MAX_MARK_COLUMNS = 400;
/** Nodes within nodes of the tree that is read. */
const MAX_TREE_DEPTH = 250;
/** Events of the parser in one paragraph or cell; lines behind them are text from their first mark on: marks cost the square of their number. */
const MAX_EVENTS = 10_000;
/** The longest run of a mark that is one; code and formulas are sought up to the end of their paragraph once for each length. */
const MAX_RUN = { emphasis: 64, code: 12 } as const;

/** Cells of all tables of a page. */
const MAX_CELLS = 25_000;
/** The row below the head of a table. */
const DELIMITER_ROW = /^[^\n]*\|[^\n]*\n *[|:-][ |:-]*-[ |:-]*(?:\n|$)/;
const LONGEST_HEADER = 20_000;

/** Quotes, lists and the space between them at the beginning of a line, as far as they matter. */
const MARKS = new RegExp(`^(?:[ \\t>]|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])){${MAX_MARK_COLUMNS}}`, 'm');

/** Why a source is not read as Markdown, undefined where it is: what no page has, and what would take forever. */
export function faultOfSource(source: string): string | undefined {
  if (source.length > MAX_MARKDOWN) return `must not be longer than ${MAX_MARKDOWN} characters`;
  if (hasMoreLines(source, MAX_LINES)) return `must not have more than ${MAX_LINES} lines`;
  const match = MARKS.exec(source);
  if (match !== null && /[^ \t]/.test(match[0])) return `has a line with more than ${MAX_MARK_COLUMNS} columns of quotes and lists`;
  return sizeFault(source);
}

function hasMoreLines(source: string, most: number): boolean {
  let lines = 0;
  for (let at = source.indexOf('\n'); at !== -1 && lines <= most; at = source.indexOf('\n', at + 1)) lines++;
  return lines > most;
}

/** An empty cell makes no node, but is a value of its row. */
function sizeFault(source: string): string | undefined {
  let cells = 0;
  for (const part of source.split('\n\n')) if (DELIMITER_ROW.test(part.slice(0, LONGEST_HEADER))) cells += cellsOf(part);
  return cells > MAX_CELLS ? `has tables of more than ${MAX_CELLS} cells` : undefined;
}

function cellsOf(table: string): number {
  const rows = table.split('\n');
  const columns = (rows[1] ?? '').replace(/^ *\||\| *$/g, '').split('|').length;
  return columns * (rows.length - 1);
}

/** The same for what has been read. */
export function faultOfTree(root: Nodes): string | undefined {
  let level: Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_TREE_DEPTH) return `is nested more than ${MAX_TREE_DEPTH} deep`;
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return undefined;
}

/** Takes marks as text where a paragraph has too many of them. */
export function boundedSyntax(): Extension {
  const emphasis = guard(MAX_RUN.emphasis);
  const code = guard(MAX_RUN.code);
  const single = guard(Infinity);
  return { text: { 42: emphasis, 95: emphasis, 126: emphasis, 96: code, 36: code, 33: single, 60: single, 91: single, 93: single } };
}

function guard(longest: number): Construct {
  return { name: 'boundedMark', tokenize: tokenizeMark };

  function tokenizeMark(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    const { events } = this;
    let size = 0;
    let mark: Code = null;
    return (code) => {
      mark = code;
      effects.enter('data');
      return events.length > MAX_EVENTS ? restOfLine(code) : run(code);
    };

    function run(code: Code): State | undefined {
      if (code === mark && (size === 0 || longest < Infinity)) {
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
