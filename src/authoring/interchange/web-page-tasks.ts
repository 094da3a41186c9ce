import { TooMuchHtml } from '../../formats/markdown/html-tree.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { ReadWebPage, type WebPage } from './domain/web-page.js';
import {
  linksOf,
  markdownOf,
  type FetchedHtml,
  type PageLinks,
  type Places,
  type SiteScope,
} from './domain/website.js';

/* Parsing of web pages, as functions that any thread can run. */

export const WEB_PAGE = /\.html?$/i;

/** The reason why a page cannot be read. */
export interface UnreadPage {
  readonly fault: string;
}

export interface LinksOrder extends FetchedHtml {
  readonly scope: SiteScope;
  /** The text of the robots.txt of the website. */
  readonly robots: string;
}

/** The links of a page of a website. */
export function linksOfPage({ scope, robots, ...page }: LinksOrder): PageLinks | UnreadPage {
  return readable(() => linksOf(page, scope, robots));
}

export interface MarkdownOrder extends FetchedHtml {
  /** The path of the page in the folder. */
  readonly path: string;
  readonly places: Places;
}

/** A page of a website as Markdown. */
export function markdownOfPage({ path, places, ...page }: MarkdownOrder): WebPage | UnreadPage {
  return readable(() => markdownOf(page, path, places));
}

/** Converts a file of HTML to Markdown; links to other files lead to their converted form. */
export function markdownOfFile(html: string): WebPage | UnreadPage {
  const rename = (target: string): string =>
    target.replace(/^([^?#:]+\.html?)(?=[?#]|$)/i, (path) => path.replace(WEB_PAGE, '.md'));
  return readable(() =>
    new ReadWebPage(html, '').convert((target, kind) => (kind === 'link' ? rename(target) : target)),
  );
}

function readable<Result>(read: () => Result): Result | UnreadPage {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooMuchHtml) return { fault: error.message };
    throw error;
  }
}

const sizeOf = ({ html }: FetchedHtml): number => html.length;

export const LINKS_OF_PAGE = workerTask(import.meta.url, linksOfPage, {
  size: ({ html, robots }) => html.length + robots.length,
});
export const MARKDOWN_OF_PAGE = workerTask(import.meta.url, markdownOfPage, { size: sizeOf });
export const MARKDOWN_OF_FILE = workerTask(import.meta.url, markdownOfFile, { size: (html) => html.length });
