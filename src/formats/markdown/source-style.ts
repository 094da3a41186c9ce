import type { List, ListItem, Nodes, Root, Table } from 'mdast';
import { readMdast } from './mdast.js';
import { UNESCAPED_MARKS, writtenMarks } from './spared-escapes.js';
import { WrappedLines } from './wrapped-lines.js';

/** The way in which a source writes what can be written in several. */
export interface MarkdownStyle {
  readonly bullet: '*' | '-' | '+';
  readonly emphasis: '*' | '_';
  readonly strong: '*' | '_';
  readonly rule: '*' | '-' | '_';
  readonly fence: '`' | '~';
  readonly bulletOrdered: '.' | ')';
  /** False if all items of a numbered list have the number of the first. */
  readonly incrementListMarker: boolean;
  /** `tab`: the text of items begins at a multiple of four columns. */
  readonly listItemIndent: 'one' | 'tab';
  /** True if headings of the first two levels are underlined. */
  readonly setext: boolean;
  /** True if headings end with the marks that they begin with. */
  readonly closeAtx: boolean;
  /** True if the cells of tables are as wide as their column. */
  readonly tablePipeAlign: boolean;
  /** True if there is a space beside the pipes of tables. */
  readonly tableCellPadding: boolean;
  /** The columns at which the lines of paragraphs are wrapped; undefined where paragraphs are one line. */
  readonly width: number | undefined;
  /** The marks that have no backslash where they mean nothing, of `UNESCAPED_MARKS`. */
  readonly unescaped: string;
}

export const USUAL_STYLE: MarkdownStyle = {
  bullet: '*',
  emphasis: '_',
  strong: '*',
  rule: '*',
  fence: '`',
  bulletOrdered: '.',
  incrementListMarker: true,
  listItemIndent: 'one',
  setext: false,
  closeAtx: false,
  tablePipeAlign: false,
  tableCellPadding: true,
  width: undefined,
  unescaped: '',
};

/** Those of one style that are counted; the first is taken where two are used as often. */
const CHOICES = {
  bullet: ['*', '-', '+'],
  emphasis: ['*', '_'],
  strong: ['*', '_'],
  rule: ['*', '-', '_'],
  fence: ['`', '~'],
  bulletOrdered: ['.', ')'],
  incrementListMarker: [true, false],
  listItemIndent: ['one', 'tab'],
  setext: [false, true],
  closeAtx: [false, true],
  tablePipeAlign: [false, true],
  tableCellPadding: [true, false],
} as const satisfies { readonly [Name in keyof MarkdownStyle]?: readonly MarkdownStyle[Name][] };

type Choice = keyof typeof CHOICES;
/** The choices that a node shows. */
type Shown = { readonly [Name in Choice]?: string | boolean | undefined };

/** The style of a body of Markdown: of each markup the form that it uses most often. */
export function styleOf(body: string, tree: Root = readMdast(body)): MarkdownStyle {
  const counts = new Map<string, number>();
  const lines = body.split(/\r?\n/);
  const wrapped = new WrappedLines();
  const marks = new Map<string, number>();
  let hasDefinitions = false;
  const visit = (node: Nodes): void => {
    for (const [name, value] of Object.entries(shownBy(node, body, lines))) {
      const key = `${name} ${String(value)}`;
      if (value !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (node.type === 'paragraph') wrapped.add(node, lines);
    if (node.type === 'text') writtenMarks(sourceOf(node, body), marks);
    hasDefinitions ||= node.type === 'definition';
    if ('children' in node) node.children.forEach(visit);
  };
  visit(tree);
  const most = <Name extends Choice>(name: Name): (typeof CHOICES)[Name][number] => {
    const count = (value: unknown): number => counts.get(`${name} ${String(value)}`) ?? 0;
    const [first] = CHOICES[name].toSorted((a, b) => count(b) - count(a));
    return first === undefined || count(first) === 0 ? USUAL_STYLE[name] : first;
  };
  return {
    bullet: most('bullet'),
    emphasis: most('emphasis'),
    strong: most('strong'),
    rule: most('rule'),
    fence: most('fence'),
    bulletOrdered: most('bulletOrdered'),
    incrementListMarker: most('incrementListMarker'),
    listItemIndent: most('listItemIndent'),
    setext: most('setext'),
    closeAtx: most('closeAtx'),
    tablePipeAlign: most('tablePipeAlign'),
    tableCellPadding: most('tableCellPadding'),
    width: wrapped.width(),
    // Words in brackets may be the label of a definition.
    unescaped: [...UNESCAPED_MARKS]
      .filter((mark) => (marks.get(mark) ?? 0) > 0 && !(mark === '[' && hasDefinitions))
      .join(''),
  };
}

/**
 * The style for a change inside of blocks that are there: what follows from the length of other words would change with
 * them.
 */
export function styleInside(style: MarkdownStyle): MarkdownStyle {
  const { setext, closeAtx, tablePipeAlign, width } = USUAL_STYLE;
  return { ...style, setext, closeAtx, tablePipeAlign, width };
}

function sourceOf({ position }: Nodes, body: string): string {
  return body.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

function shownBy(node: Nodes, body: string, lines: readonly string[]): Shown {
  const source = (): string => sourceOf(node, body);
  const first = body.charAt(node.position?.start.offset ?? -1);
  switch (node.type) {
    case 'list':
      return node.ordered === true ? numberingOf(node, body) : { bullet: first };
    case 'listItem':
      return { listItemIndent: /\d/.test(first) ? undefined : indentOf(node) };
    case 'thematicBreak':
      return { rule: first };
    case 'emphasis':
      return { emphasis: first };
    case 'strong':
      return { strong: first };
    case 'code':
      return first === '`' || first === '~' ? { fence: first } : {};
    case 'heading': {
      const setext = first !== '#';
      return {
        setext: node.depth <= 2 ? setext : undefined,
        closeAtx: setext ? undefined : /[ \t]#+[ \t]*$/.test(source()),
      };
    }
    case 'table':
      return tableOf(node, lines);
    default:
      return {};
  }
}

function numberingOf({ children }: List, body: string): Shown {
  const [one, two] = children.map((item) =>
    /^(\d{1,9})([.)])/.exec(body.slice(item.position?.start.offset).slice(0, 10)),
  );
  return {
    bulletOrdered: one?.[2],
    incrementListMarker: one && two ? Number(two[1]) !== Number(one[1]) : undefined,
  };
}

function indentOf({ position, children, checked }: ListItem): MarkdownStyle['listItemIndent'] | undefined {
  const columns = (children[0]?.position?.start.column ?? 0) - (position?.start.column ?? 0);
  if (typeof checked === 'boolean') return undefined;
  return columns === 2 ? 'one' : columns === 4 ? 'tab' : undefined;
}

/** Cells show that they are aligned only where some need it. */
function tableOf({ position }: Table, lines: readonly string[]): Shown {
  const rows = lines.slice((position?.start.line ?? 1) - 1, position?.end.line ?? 0).map((line) => line.trim());
  const [head = ''] = rows;
  const isAligned = rows.every(({ length }) => length === head.length);
  const hasSpace = rows.some((row) => /[^\s|] {2,}\|/.test(row));
  return {
    tablePipeAlign: isAligned && !hasSpace ? undefined : isAligned,
    tableCellPadding: /\| ?\S/.test(head) ? /\| \S/.test(head) : undefined,
  };
}
