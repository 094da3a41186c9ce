import type { DefaultTreeAdapterTypes } from 'parse5';
import { escapeHtml, openTag } from './html.js';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** The formatting of text in pasted HTML, as far as documents support it. */
export interface PastedMarks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly struck: boolean;
  readonly code: boolean;
  readonly raised: 'sup' | 'sub' | undefined;
  /** The style of a `<mark>`. */
  readonly color: string | undefined;
  /** Headings are always bold. */
  readonly heading: boolean;
}

export const NO_MARKS: PastedMarks = {
  bold: false,
  italic: false,
  struck: false,
  code: false,
  raised: undefined,
  color: undefined,
  heading: false,
};

const BOLD = new Set(['b', 'strong']);
const ITALIC = new Set(['i', 'em', 'cite', 'var']);
const STRUCK = new Set(['s', 'del', 'strike']);
const CODE = new Set(['code', 'kbd', 'samp', 'tt']);
const MONOSPACE = /consolas|courier|menlo|monaco|mono/;
/** Colours of Notion that documents also have. */
const HIGHLIGHT = /^highlight-(red|blue|green|yellow|orange|purple|pink)(_background)?$/;

/** Appends any number of items to a list; spread arguments are limited by the stack size. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}

export function isElementNode(node: Node): node is Element {
  return 'tagName' in node;
}

export function attributeOf(node: Element, name: string): string | undefined {
  return node.attrs.find((attribute) => attribute.name === name)?.value;
}

const UNSEEN = new Set([
  'head',
  'link',
  'meta',
  'script',
  'style',
  'template',
  'title',
  'xml',
  'o:officedocumentsettings',
  'w:worddocument',
  'w:latentstyles',
]);

/** Content that was invisible when it was copied. */
export function isHidden(node: Element): boolean {
  return (
    UNSEEN.has(node.tagName) || stylesOf(node).get('display') === 'none' || stylesOf(node).get('mso-hide') === 'all'
  );
}

/** The declarations of a style attribute, in lower case. */
export function stylesOf(node: Element): ReadonlyMap<string, string> {
  const style = attributeOf(node, 'style');
  if (style === undefined) return new Map();
  return new Map(
    style
      .toLowerCase()
      .split(';')
      .flatMap((rule) => {
        const colon = rule.indexOf(':');
        return colon === -1 ? [] : [[rule.slice(0, colon).trim(), rule.slice(colon + 1).trim()] as const];
      }),
  );
}

/**
 * The marks inside of an element; its style takes precedence over its name, as in Google Docs, which wraps everything
 * into a `<b>` that is not bold.
 */
export function pastedMarks(node: Element, outer: PastedMarks): PastedMarks {
  const styles = stylesOf(node);
  const name = node.tagName;
  const weight = styles.get('font-weight');
  const slant = styles.get('font-style');
  const line = styles.get('text-decoration') ?? styles.get('text-decoration-line');
  const raised = { sup: 'sup', sub: 'sub', super: 'sup' } as const;
  const place = name === 'sup' || name === 'sub' ? name : (styles.get('vertical-align') ?? '');
  const highlight =
    name === 'mark'
      ? (attributeOf(node, 'class') ?? '').split(/\s+/).flatMap((each) => HIGHLIGHT.exec(each) ?? [])
      : [];
  return {
    bold: weight === undefined ? outer.bold || BOLD.has(name) : /^(?:bold|bolder|[6-9]00)$/.test(weight),
    italic: slant === undefined ? outer.italic || ITALIC.has(name) : /^(?:italic|oblique)/.test(slant),
    struck: outer.struck || STRUCK.has(name) || line?.includes('line-through') === true,
    code: outer.code || CODE.has(name) || MONOSPACE.test(styles.get('font-family') ?? ''),
    raised: place === 'sup' || place === 'sub' || place === 'super' ? raised[place] : outer.raised,
    color:
      highlight.length > 0
        ? `${highlight[2] === undefined ? 'color' : 'background-color'}:${highlight[1] ?? ''};`
        : name === 'mark'
          ? ''
          : outer.color,
    heading: outer.heading,
  };
}

/** The text of a node; white space is preserved if `kept`. */
export function textIn(node: Node, kept = false): string {
  const texts: string[] = [];
  const waiting: Node[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.nodeName === '#text') texts.push((next as DefaultTreeAdapterTypes.TextNode).value);
    else if (isElementNode(next) && next.tagName === 'br') texts.push('\n');
    else if (isElementNode(next) && !isHidden(next)) append(waiting, next.childNodes.toReversed());
  }
  return kept ? texts.join('') : texts.join('').replace(/[\s\u00a0]+/g, ' ');
}

/** Wraps text in the elements of its marks; white space alone needs none. */
export function wrapped(text: string, marks: PastedMarks): string {
  if (text.trim() === '') return text === '' ? '' : ' ';
  const tags = [
    ...(marks.color === undefined ? [] : ['mark']),
    ...(marks.bold && !marks.heading ? ['strong'] : []),
    ...(marks.italic ? ['em'] : []),
    ...(marks.struck ? ['del'] : []),
    ...(marks.raised === undefined ? [] : [marks.raised]),
    ...(marks.code ? ['code'] : []),
  ];
  const open = tags.map((tag) => openTag(tag, tag === 'mark' && marks.color !== '' ? { style: marks.color } : {}));
  return `${open.join('')}${escapeHtml(text)}${tags
    .toReversed()
    .map((tag) => `</${tag}>`)
    .join('')}`;
}
