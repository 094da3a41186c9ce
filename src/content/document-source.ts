import { yieldToOthers } from '../common/context.js';
import type { ChangeInput, DocumentInput } from './change-input.js';
import { ChangeFault, type PageAttributes } from './domain/change.js';
import { completeDocument } from './domain/document/complete.js';
import { MAX_NODES } from './domain/document/kinds.js';
import type { ContentRef, Document } from './domain/document/types.js';
import { hasTooManyNodes, validateDocument } from './domain/document/validate.js';
import type { ResolveTarget } from './markdown/context.js';
import type { Frontmatter } from './markdown/frontmatter.js';
import { interpretMarkdown, readMarkdown, type ParsedMarkdown } from './markdown/parse.js';

/** The document of an input, null for an empty one, and what its Markdown says about the page. */
export interface Reading {
  readonly document: Document | null;
  readonly attributes: PageAttributes;
}

/** A document of a batch whose syntax is read: given what its targets mean, it can be interpreted, any number of times. */
export type DocumentSource = (resolve: ResolveTarget) => Reading;

/** Milliseconds for which a batch may keep all other requests waiting. */
const TURN = 20;

/**
 * Reads the documents of a batch as far as that is possible without the space, by the index of the change: this is most
 * of the work of a write, so no lock is held meanwhile and others get their turns. Throws `ChangeFault` for a document
 * that is not valid.
 */
export async function documentSources(inputs: readonly ChangeInput[]): Promise<Map<number, DocumentSource>> {
  const sources = new Map<number, DocumentSource>();
  let begin = performance.now();
  for (const [index, input] of inputs.entries()) {
    if (!('document' in input) || input.document === undefined || input.document.stored !== undefined) continue;
    // Pages take their title and attributes from Markdown; reusable contents do not.
    sources.set(index, sourceOf(input.document, index, input.operation === 'insert_page' || input.operation === 'update_page'));
    if (performance.now() - begin < TURN) continue;
    await yieldToOthers();
    begin = performance.now();
  }
  return sources;
}

function sourceOf({ document, markdown }: DocumentInput, index: number, isPage: boolean): DocumentSource {
  if (document !== undefined) {
    const [fault] = validateDocument(document);
    if (fault) throw new ChangeFault(`document.document${fault.path === '' ? '' : `.${fault.path}`}`, fault.message, index);
    const complete = saysNothing(document) ? null : completeDocument(document);
    return () => ({ document: complete, attributes: {} });
  }
  if (markdown === undefined) return () => ({ document: null, attributes: {} });
  const source = readMarkdown(markdown, isPage);
  if (source.fault !== undefined) throw new ChangeFault('document.markdown', source.fault, index);
  return (resolve) => {
    const parsed = interpretMarkdown(source, resolve);
    if (hasTooManyNodes(parsed.document)) throw new ChangeFault('document.markdown', `makes more than ${MAX_NODES} nodes`, index);
    return { document: saysNothing(parsed.document) ? null : parsed.document, attributes: isPage ? attributesOf(parsed, resolve) : {} };
  };
}

/** Whether a document has neither blocks nor anything that its source said beside them. */
function saysNothing({ nodes, data }: Document): boolean {
  return nodes.length === 0 && Object.keys(data).every((name) => name === 'schemaVersion');
}

/** The attributes of a page that its front matter and first heading give. */
function attributesOf({ frontmatter, title }: ParsedMarkdown, resolve: ResolveTarget): PageAttributes {
  const { cover: _cover, coverDark: _coverDark, coverY: _y, coverHeight: _height, metaLinks, extra: _extra, ...simple } = frontmatter;
  const cover = coverOf(frontmatter, resolve);
  return {
    ...simple,
    ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
    ...(cover && { cover }),
    ...(metaLinks && {
      metaLinks: {
        ...(metaLinks.canonical !== undefined && { canonical: reference(metaLinks.canonical, resolve) }),
        ...(metaLinks.alternates && { alternates: metaLinks.alternates.map((target) => reference(target, resolve)) }),
      },
    }),
  };
}

function coverOf({ cover, coverDark, coverY, coverHeight }: Frontmatter, resolve: ResolveTarget): object | undefined {
  if (cover === undefined && coverDark === undefined) return undefined;
  return {
    ...(cover !== undefined && { ref: reference(cover, resolve, 'image') }),
    ...(coverDark !== undefined && { refDark: reference(coverDark, resolve, 'image') }),
    yPos: coverY ?? 0,
    ...(coverHeight !== undefined && { height: coverHeight }),
  };
}

function reference(target: string, resolve: ResolveTarget, kind: 'link' | 'image' = 'link'): ContentRef {
  return resolve(target, kind, 1) ?? { kind: 'url', url: target };
}
