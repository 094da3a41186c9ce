import type { ContentRef, Document } from '../document/types.js';
import { documentFacts } from './check-document.js';
import { FactCounts, surplus, splitWords } from './check-facts.js';
import { sourceFacts } from './check-source.js';
import type { ResolveTarget } from './parse-context.js';

export interface PageCheck {
  /** Typed nodes whose numbers differ between source and document, as `kind<tab>content`. */
  missing: { what: string; count: number }[];
  surplus: { what: string; count: number }[];
  /** Visible words of the source that are missing in the document. */
  missingWords: { what: string; count: number }[];
  /** Characters in verbatim blocks, and in the source. */
  verbatim: number;
  characters: number;
  /** Number of typed nodes and words that were compared. */
  facts: number;
  words: number;
}

export interface CheckOptions {
  /** The resolver that the document was read with. */
  resolve?: ResolveTarget;
  /** The title that was removed from the page, if its first heading was the title. */
  title?: string;
}

/**
 * Compares a page's source with the document that was read from it: every heading, link, image, code block, cell, list
 * item, marked word, hint, tab, step and formula must be present as such, and no visible word may be missing.
 */
export function checkPage(source: string, document: Document, options: CheckOptions = {}): PageCheck {
  const resolve = options.resolve ?? (() => undefined);
  const inSource = new FactCounts();
  sourceFacts(source, inSource, (target, kind) =>
    keyOf(resolve(target, kind, 1) ?? { kind: 'url', url: target }, kind, target),
  );
  const inDocument = new FactCounts();
  const verbatim = documentFacts(document, inDocument, (ref) => keyOf(ref, 'link', ''));
  takenTitle(document, options.title, inDocument);
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    missing: surplus(inSource.counts, inDocument.counts),
    surplus: surplus(inDocument.counts, inSource.counts),
    missingWords: surplus(inSource.visible, inDocument.visible),
    verbatim,
    characters: source.length,
    facts: total(inSource.counts),
    words: total(inSource.visible),
  };
}

function keyOf(ref: ContentRef, kind: 'link' | 'image', target: string): string {
  const fits = kind === 'link' || ref.kind === 'file' || ref.kind === 'url';
  return JSON.stringify(Object.entries(fits ? ref : { kind: 'url', url: target }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The title is a heading of the source that the document stores beside its blocks. */
function takenTitle(document: Document, title: string | undefined, facts: FactCounts): void {
  const { heading } = document.data;
  if (heading !== undefined) {
    documentFacts(
      {
        object: 'document',
        data: {},
        nodes: [{ object: 'block', type: 'heading-1', isVoid: false, data: {}, nodes: heading.nodes }],
      },
      facts,
      (ref) => keyOf(ref, 'link', ''),
    );
  } else if (title !== undefined) {
    facts.add('heading 1', facts.textOf(title));
    splitWords(title).forEach((word) => facts.word(word));
  }
}
