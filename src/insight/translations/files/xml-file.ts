import { DOMParser } from '@xmldom/xmldom';
import { FileFault } from './translation-file.js';

const MOST_ELEMENTS = 500_000;
const MOST_DEPTH = 50;
const ELEMENT_NODE = 1;
const TEXT_NODES: ReadonlySet<number> = new Set([3, 4]);

const DOCTYPE = /<!DOCTYPE\s[^<>[\]]*>/;
const TAG = /<(?<end>\/)?[^\s<>"'/!?](?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*(?<empty>\/)?>/y;
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** The part of a parsed element that is used. */
export interface XmlNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  getAttribute(name: string): string;
}

/**
 * Parses a file of XML. A reference to a document type is ignored; declarations of entities are refused, so that a text
 * is what stands there. Throws `FileFault`.
 */
export function parseXmlFile(text: string): XmlNode {
  const body = text.replace(/^\ufeff/, '').replace(DOCTYPE, '');
  requireShape(body);
  const refuse = (message: unknown): never => {
    throw new FileFault(`is not well-formed XML: ${String(message).split('\n')[0] ?? ''}`);
  };
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
  let root: unknown;
  try {
    root = parser.parseFromString(body, 'text/xml').documentElement;
  } catch (error) {
    if (error instanceof FileFault) throw error;
    return refuse(error instanceof Error ? error.message : '');
  }
  return (root as XmlNode | null) ?? refuse('it has no element');
}

/** Bounds the number and depth of elements, before the parser does any work. */
function requireShape(body: string): void {
  let [depth, elements] = [0, 0];
  for (let at = body.indexOf('<'); at >= 0; at = body.indexOf('<', at)) {
    const skipped = SKIPPED.find(([begin]) => body.startsWith(begin, at));
    if (skipped) {
      const end = body.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) throw new FileFault('is not well-formed XML: something in it does not end');
      at = end + skipped[1].length;
      continue;
    }
    if (body[at + 1] === '!') throw new FileFault('has a declaration of types or entities');
    TAG.lastIndex = at;
    const { groups = {} } = TAG.exec(body) ?? {};
    if (TAG.lastIndex === 0) throw new FileFault('is not well-formed XML: a tag does not end');
    at = TAG.lastIndex;
    if (groups['end'] !== undefined) depth--;
    else if (++elements > MOST_ELEMENTS) throw new FileFault(`has more than ${MOST_ELEMENTS} elements`);
    else if (groups['empty'] === undefined && ++depth > MOST_DEPTH)
      throw new FileFault(`has elements within each other, more than ${MOST_DEPTH}`);
  }
}

export function* nodesWithin(node: XmlNode): Generator<XmlNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

export function* elementsWithin(node: XmlNode): Generator<XmlNode> {
  for (const child of nodesWithin(node)) if (child.nodeType === ELEMENT_NODE) yield child;
}

export const isInnerText = ({ nodeType }: XmlNode): boolean => TEXT_NODES.has(nodeType);
export const isInnerElement = ({ nodeType }: XmlNode): boolean => nodeType === ELEMENT_NODE;
