import { defaultTreeAdapter, html, type DefaultTreeAdapterTypes } from 'parse5';
import { attributeOf, isElementNode, textIn } from '../pasted-marks.js';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

export function hasClass(node: HtmlElement, ...names: readonly string[]): boolean {
  const classes = (attributeOf(node, 'class') ?? '').split(/\s+/);
  return names.some((name) => classes.includes(name));
}

/** The first element inside of a node, in the order of the source, that passes a test. */
export function findElement(nodes: readonly HtmlNode[], test: (node: HtmlElement) => boolean): HtmlElement | undefined {
  return findElements(nodes, test, true)[0];
}

/** The elements that pass a test, without those inside of them; only the first one if `isOne`. */
export function findElements(
  nodes: readonly HtmlNode[],
  test: (node: HtmlElement) => boolean,
  isOne = false,
): HtmlElement[] {
  const found: HtmlElement[] = [];
  const waiting = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElementNode(node)) continue;
    if (!test(node)) {
      for (const child of node.childNodes.toReversed()) waiting.push(child);
      continue;
    }
    found.push(node);
    if (isOne) return found;
  }
  return found;
}

/** The child that passes a test. */
export function childOf(node: HtmlElement, test: (node: HtmlElement) => boolean): HtmlElement | undefined {
  return node.childNodes.find((child): child is HtmlElement => isElementNode(child) && test(child));
}

/** An element at the place of another one. */
export function madeElement(
  tagName: string,
  attributes: Readonly<Record<string, string | undefined>>,
  childNodes: readonly HtmlNode[],
  at?: HtmlElement,
): HtmlElement {
  const attrs = Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const made = defaultTreeAdapter.createElement(tagName, html.NS.HTML, attrs);
  made.childNodes = [...childNodes];
  made.sourceCodeLocation = at?.sourceCodeLocation ?? null;
  return made;
}

export function madeText(value: string): HtmlNode {
  return defaultTreeAdapter.createTextNode(value);
}

/** A paragraph of bold words; none for no words. */
export function boldLine(words: string): HtmlElement[] {
  return words === '' ? [] : [madeElement('p', {}, [madeElement('strong', {}, [madeText(words)])])];
}

/** An element with other attributes beside those that it keeps. */
export function changedElement(
  node: HtmlElement,
  attributes: Readonly<Record<string, string | undefined>>,
): HtmlElement {
  const kept = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return madeElement(node.tagName, { ...kept, ...attributes }, node.childNodes, node);
}

export function wordsIn(node: HtmlNode | undefined): string {
  return node === undefined ? '' : textIn(node).trim();
}

export function sourceLineOf(node: HtmlNode): number {
  return node.sourceCodeLocation?.startLine ?? 1;
}

/** The name of an anchor in our terms, which has small letters only. */
export function anchorName(id: string): string {
  return decoded(id)
    .toLowerCase()
    .replace(/[^-a-z0-9.+_]/gu, (character) =>
      character <= '\u007F' ? '-' : (character.codePointAt(0) ?? 0).toString(16),
    );
}

/** A target whose anchor is named in our terms, unless it leads elsewhere. */
export function withAnchorName(target: string): string {
  const hash = target.indexOf('#');
  if (hash === -1 || hash === target.length - 1 || /^[a-z][a-z0-9+.-]*:/i.test(target)) return target;
  return `${target.slice(0, hash)}#${anchorName(target.slice(hash + 1))}`;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
