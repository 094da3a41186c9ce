import { htmlOf } from '../../kernel/common/html.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { rawMarkupContent } from '../../formats/html/raw-markup.js';
import { factsOfOembed, factsOfPage, type EmbedFacts } from './domain/embed-facts.js';

/* Reading what other servers answer, as functions that any thread can run. */

export interface FetchedPage {
  readonly html: string;
  /** The address that answered. */
  readonly address: string;
}

export function readEmbeddedPage({ html, address }: FetchedPage): EmbedFacts {
  return factsOfPage(html, address);
}

/** The words of an oEmbed answer, and of its HTML what neither loads nor executes anything. */
export function readOembed(json: string): EmbedFacts & { readonly html?: string } {
  const { html, ...facts } = factsOfOembed(json);
  const quote = html === undefined ? undefined : htmlOf(rawMarkupContent(html) ?? []).trim();
  return { ...facts, ...(quote !== undefined && quote !== '' && { html: quote }) };
}

const SECONDS = 5;

export const READ_EMBEDDED_PAGE = workerTask(import.meta.url, readEmbeddedPage, {
  size: ({ html }) => html.length,
  seconds: SECONDS,
});
export const READ_OEMBED = workerTask(import.meta.url, readOembed, { size: ({ length }) => length, seconds: SECONDS });
