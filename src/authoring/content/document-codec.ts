import { randomCharacters } from '../../kernel/common/ids.js';
import type { DocumentReference, NewDocument } from './document-store.js';
import { deriveDocument, type Reference } from '../../formats/document/derive.js';
import { canonicalJson, hashText } from '../../formats/document/hash.js';
import { assignKeys } from '../../formats/document/keys.js';
import type { ContentRef, Document } from '../../formats/document/types.js';

const KEY_LENGTH = 10;
/**
 * Bytes of the longest id or name of a reference: no object has a longer one, and the index of references can hold two
 * of them.
 */
const MAX_TARGET_BYTES = 1024;

/** Adds a key to every block of a document; blocks of `previous` keep theirs. */
export function keyed(document: Document, previous?: Document): Document {
  return assignKeys(document, previous, () => randomCharacters(KEY_LENGTH));
}

/** Computes everything that is stored of a document whose blocks have keys; `json` is its canonical JSON, `hash` that of this. */
export function toNewDocument(document: Document, json = canonicalJson(document), hash = hashText(json)): NewDocument {
  const derived = deriveDocument(document);
  return {
    hash,
    json,
    words: derived.words,
    sections: derived.sections.map(({ id, title, body }) => ({ anchor: id, title, text: body })),
    references: derived.references.flatMap(toReference),
    anchors: derived.anchors,
  };
}

function toReference({ ref, node, needed }: Reference): DocumentReference[] {
  const target = targetOf(ref);
  if (target === undefined) return [];
  const within = 'space' in ref && ref.kind !== 'space' && ref.space !== undefined ? { space: ref.space } : {};
  if (ref.kind !== 'url' && [target, within.space ?? ''].some((name) => Buffer.byteLength(name) > MAX_TARGET_BYTES))
    return [];
  const anchor = ref.kind === 'anchor' ? { anchor: ref.anchor } : {};
  // An anchor on another page counts as a reference to that page.
  const kind = ref.kind === 'anchor' && ref.page !== undefined ? 'page' : ref.kind;
  return [
    {
      relation: needed ? 'dependsOn' : 'reference',
      kind,
      target,
      ...within,
      ...anchor,
      ...(node !== undefined && { node }),
    },
  ];
}

function targetOf(ref: ContentRef): string | undefined {
  switch (ref.kind) {
    case 'file':
      return ref.file;
    case 'url':
      return ref.url;
    case 'page':
      return ref.page;
    case 'anchor':
      return ref.page ?? '';
    case 'user':
      return ref.user;
    case 'collection':
      return ref.collection;
    case 'space':
      return ref.space;
    case 'reusable-content':
      return ref.reusableContent;
    case 'openapi':
      return ref.spec;
    case 'tag':
      return ref.tag;
    case 'translation':
      return ref.translation;
  }
}
