import { DOMParser } from '@xmldom/xmldom';
import { LoginFault } from './login-fault.js';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 5000;
const DECLARATION = /^<\?xml\s[^<>?]*\?>/;
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/** The part of a parsed element that is used. */
export interface XmlElement {
  readonly nodeType: number;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly parentNode: XmlElement | null;
  readonly childNodes: ArrayLike<XmlElement>;
  readonly attributes: ArrayLike<{ readonly name: string; readonly localName: string; readonly value: string }>;
  getAttribute(name: string): string;
  hasAttribute(name: string): boolean;
}

/**
 * The text of a message, if it can be parsed safely: small, UTF-8, and with only elements, attributes and text.
 * Declarations of types and entities, comments, processing instructions and CDATA make it possible that a signature
 * covers other content than what is read, and no provider needs them. Throws `LoginFault`.
 */
export function safeXml(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES)
    throw new LoginFault(`The answer of the identity provider is larger than ${MAX_BYTES / 1024} KB`);
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LoginFault('The answer of the identity provider is not UTF-8');
  }
  const body = xml.replace(DECLARATION, '');
  if (body.includes('\0')) throw new LoginFault('The answer of the identity provider holds NUL characters');
  // In well-formed XML this can only begin a refused construct: in text and attributes < is written as an entity.
  if (body.includes('<!'))
    throw new LoginFault(
      'The answer of the identity provider holds a comment, CDATA or a declaration of types, which is not allowed',
    );
  if (body.includes('<?'))
    throw new LoginFault('The answer of the identity provider holds a processing instruction, which is not allowed');
  checkShape(body);
  return body;
}

/** Counts tags without parsing, so that depth and number are limited before the parser does any work. */
function checkShape(xml: string): void {
  let depth = 0;
  let elements = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOfTag(xml, at);
    if (xml[at + 1] === '/') depth--;
    else {
      if (++elements > MAX_ELEMENTS) throw new LoginFault('The answer of the identity provider has too many elements');
      if (xml[end - 1] !== '/' && ++depth > MAX_DEPTH)
        throw new LoginFault('The answer of the identity provider is nested too deeply');
    }
    at = end;
  }
}

function endOfTag(xml: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < xml.length; at++) {
    const character = xml[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  throw new LoginFault('The answer of the identity provider is not well-formed XML');
}

/** Parses a document to its root; every complaint of the parser is a fault. */
export function parseXml(xml: string): XmlElement {
  const refuse = (): never => {
    throw new LoginFault('The answer of the identity provider is not well-formed XML');
  };
  let root: unknown;
  try {
    root = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } }).parseFromString(
      xml,
      'text/xml',
    )?.documentElement;
  } catch {
    return refuse();
  }
  return (root as XmlElement | null | undefined) ?? refuse();
}

export const isXmlElement = (node: XmlElement, namespace: string, name: string): boolean =>
  node.nodeType === ELEMENT_NODE && node.namespaceURI === namespace && node.localName === name;

export const elementsIn = (parent: XmlElement): XmlElement[] =>
  Array.from(parent.childNodes).filter(({ nodeType }) => nodeType === ELEMENT_NODE);

export const childrenOf = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  elementsIn(parent).filter((child) => isXmlElement(child, namespace, name));

/** An element and all its descendants. */
export function* descendantsOf(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of elementsIn(element)) yield* descendantsOf(child);
}

/** The text of an element that contains only text; undefined for every other. */
export function elementText(element: XmlElement | undefined): string | undefined {
  if (!element || Array.from(element.childNodes).some(({ nodeType }) => nodeType !== TEXT_NODE)) return undefined;
  return element.textContent ?? '';
}
