import type { ContentRef } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';

/*
 * Documents are first written with placeholders for references to pages, files and other objects: their targets depend
 * on the destination of the Markdown, and on paths and addresses, which change while the document does not. A
 * placeholder is the reference as base64url between two private-use characters; documents cannot contain these, they
 * are written as character references.
 */
const OPEN = '\u{F0000}';
const CLOSE = '\u{F0001}';

/** The placeholder of a reference. */
export function placeholderFor(ref: ContentRef): string {
  return OPEN + Buffer.from(JSON.stringify(ref)).toString('base64url') + CLOSE;
}

/**
 * Replaces references in Markdown of `serializeMarkdown` by targets. The result of `resolve` is escaped so that it is a
 * valid target in Markdown as well as in HTML.
 */
export function renderPlaceholders(markdown: string, resolve: (ref: ContentRef) => string): string {
  if (!markdown.includes(OPEN)) return markdown;
  return markdown.replace(/\u{F0000}([A-Za-z0-9_-]+)\u{F0001}/gu, (whole, encoded: string) => {
    const ref = decode(encoded);
    return ref === undefined ? whole : escapeTarget(resolve(ref));
  });
}

/** All references in Markdown with placeholders, in order. */
export function placeholdersIn(markdown: string): ContentRef[] {
  return [...markdown.matchAll(/\u{F0000}([A-Za-z0-9_-]+)\u{F0001}/gu)].flatMap(
    (match) => decode(match[1] ?? '') ?? [],
  );
}

function decode(encoded: string): ContentRef | undefined {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as ContentRef;
  } catch {
    return undefined;
  }
}

/** Escapes characters that would end a target in Markdown, in an attribute of HTML or in a tag. */
function escapeTarget(target: string): string {
  return target.replace(
    /[\s"'()<>\\`|[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

const SCHEME = 'bindery:';

/**
 * An address for a reference without a path (another space, a user, a collection …), such as `bindery:user/abc`.
 * `parseReferenceUri` parses it.
 */
export function referenceUri(ref: ContentRef): string {
  const { kind, ...fields } = ref;
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined));
  return `${SCHEME}${kind}?${query.toString()}`;
}

/** Parses an address of `referenceUri` to its reference; fields are only checked for presence. */
export function parseReferenceUri(uri: string): ContentRef | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const [kind = '', query = ''] = uri.slice(SCHEME.length).split('?');
  const fields = Object.fromEntries(new URLSearchParams(query));
  const required = ownEntry(REQUIRED_FIELD, kind);
  return required !== undefined && (fields[required] ?? '') !== '' ? ({ kind, ...fields } as ContentRef) : undefined;
}

const REQUIRED_FIELD: Readonly<Record<string, string | undefined>> = {
  file: 'file',
  page: 'page',
  anchor: 'anchor',
  user: 'user',
  collection: 'collection',
  space: 'space',
  'reusable-content': 'reusableContent',
  openapi: 'spec',
  tag: 'tag',
  translation: 'translation',
};
