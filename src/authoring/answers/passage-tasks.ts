import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import type { Document } from '../../formats/document/types.js';
import type { QueryConcept } from '../search/ranked-hits.js';
import { sectionText, type SectionText } from './domain/passage.js';

/* Reading of stored documents for answers, which any thread can do. */

/** Documents are longer as JSON than as text, at least by this factor. */
const JSON_OF_CHARACTER = 8;

interface SectionsOrder {
  /** A document as JSON. */
  readonly json: string;
  /** The sections, each with the titles of the page and its own. */
  readonly sections: readonly { readonly anchor: string; readonly titles: string }[];
  readonly concepts: readonly QueryConcept[];
}

/** The texts of sections of a document, in their order. */
export function readSections({ json, sections, concepts }: SectionsOrder): SectionText[] {
  const document = JSON.parse(json) as Document;
  return sections.map(({ anchor, titles }) => sectionText(document, anchor, titles, concepts));
}

export const READ_SECTIONS = workerTask(import.meta.url, readSections, {
  size: ({ json }: SectionsOrder) => json.length / JSON_OF_CHARACTER,
});
