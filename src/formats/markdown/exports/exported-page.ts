import type { Root } from 'mdast';
import { RAW_SYNTAX } from '../../document/types.js';
import { DIALECTS, type DialectName } from '../dialects/dialect.js';
import { FrameWriter } from '../dialects/frames.js';
import { rewriteBody } from '../dialects/rewrite.js';
import type { Frontmatter } from '../frontmatter.js';
import { escapeHtml, openTag } from '../html.js';
import { readHtmlFragment, readHtmlPage, TooMuchHtml } from '../html-tree.js';
import { formatTag } from '../tags.js';
import { bookStackPage, rewrittenBookStack, rewrittenMarkdown, type BookStackPage } from './bookstack-page.js';
import {
  confluenceFiles,
  confluenceIndex,
  confluencePage,
  confluenceTitle,
  type ExportedList,
} from './confluence-page.js';
import type { HtmlNode } from './html-nodes.js';
import { writeBlocks } from './write-blocks.js';

/** Tools whose exports are no Markdown. */
export type ExportName = 'confluence' | 'bookstack';

/** Deeper nesting of elements is not read. */
const MAX_DEPTH = 100;

export function isExport(dialect: DialectName | undefined): dialect is ExportName {
  return dialect === 'confluence' || dialect === 'bookstack';
}

/** The page of an export in our own dialect. */
export interface WrittenPage {
  readonly frontmatter: Frontmatter;
  readonly body: string;
  /** The line of the source that each line comes from, both from 1. */
  readonly origins: readonly number[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Writes the page of an export in our own dialect; returns the reason why it cannot be read. */
export function writeExportedPage(source: string, tool: ExportName): WrittenPage | { readonly fault: string } {
  try {
    return tool === 'confluence' ? writeConfluence(source) : writeBookStack(bookStackPage(source));
  } catch (error) {
    if (error instanceof TooMuchHtml) return { fault: `cannot be read: ${error.message}` };
    throw error;
  }
}

/** The tree of a page that is kept as it is written. */
export function keptTree(source: string): Root {
  return { type: 'root', children: [{ type: 'code', lang: RAW_SYNTAX, value: source }] };
}

/** The facts of a page that a navigation depends on: its title, and the names of files by their paths. */
export function exportedHead(
  source: string,
  tool: ExportName,
): { readonly title: string; readonly files: readonly (readonly [string, string])[] } {
  if (tool === 'bookstack') return { title: bookStackPage(source).title, files: [] };
  const read = readHtmlPage(source, MAX_DEPTH);
  if (!read) return { title: '', files: [] };
  return { title: confluenceTitle(read.tree.childNodes), files: confluenceFiles(read.tree.childNodes) };
}

/** The lists of pages in the index of a Confluence space. */
export function indexLists(source: string): ExportedList[] {
  const read = readHtmlPage(source, MAX_DEPTH, true);
  return read ? confluenceIndex(read.tree.childNodes) : [];
}

function writeConfluence(source: string): WrittenPage {
  const read = readHtmlPage(source, MAX_DEPTH, true);
  if (!read || read.isCut) throw new TooMuchHtml();
  const { title, nodes, tags, problems } = confluencePage(read.tree.childNodes);
  return written(nodes, { title, ...(tags.length > 0 && { extra: { tags: [...tags] } }) }, problems);
}

function written(
  nodes: readonly HtmlNode[],
  frontmatter: Frontmatter,
  problems: WrittenPage['problems'],
  more: readonly string[] = [],
): WrittenPage {
  const writer = new FrameWriter();
  writeBlocks(writer, nodes);
  for (const block of more) writer.emitBlock([block, ''], 0);
  return {
    frontmatter,
    body: writer.lines.join('\n'),
    origins: writer.origins,
    problems: [...problems, ...writer.problems],
  };
}

function writeBookStack(page: BookStackPage): WrittenPage {
  const { title, tags, cover, markdown } = page;
  const frontmatter: Frontmatter = {
    title,
    ...(cover !== undefined && { cover }),
    ...(tags.length > 0 && { extra: { tags: [...tags] } }),
  };
  const more = page.attachments.map(({ name, target, isFile }) =>
    isFile
      ? formatTag('file', { src: `/${encodeURI(target)}` })
      : `<p>${openTag('a', { href: target })}${escapeHtml(name || target)}</a></p>`,
  );
  if (markdown !== undefined) {
    const { body, origins, problems } = rewriteBody(rewrittenMarkdown(markdown), DIALECTS.bookstack);
    const below = more.flatMap((block) => ['', block]);
    const last = origins.at(-1) ?? 1;
    return {
      frontmatter,
      body: [body, ...below].join('\n'),
      origins: [...origins, ...below.map(() => last)],
      problems: [...includesIn(markdown), ...problems],
    };
  }
  const read = readHtmlFragment(page.html, MAX_DEPTH, true);
  if (!read || read.isCut) throw new TooMuchHtml();
  return written(rewrittenBookStack(read.tree.childNodes), frontmatter, includesIn(page.html), more);
}

/** Contents of other pages, which no page can hold. */
function includesIn(source: string): WrittenPage['problems'] {
  return source.split('\n').flatMap((text, index) =>
    (text.match(/\{\{@\d+(?:#[^{}]{0,200})?\}\}/g) ?? []).map((include) => ({
      line: index + 1,
      message: `${include} is not supported and is kept verbatim`,
    })),
  );
}
