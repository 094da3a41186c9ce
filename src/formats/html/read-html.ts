import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { readHtmlFragment } from '../markdown/html-tree.js';

/** HTML as a tree of at most so many levels: what is deeper is cut off, because all that works on trees goes down into them. Undefined for HTML that makes a tree out of all proportion. */
export function readHtml(
  source: string,
  maxDepth: number,
): { readonly tree: Root; readonly isCut: boolean } | undefined {
  const read = readHtmlFragment(source, maxDepth);
  return read && { tree: fromParse5(read.tree) as Root, isCut: read.isCut };
}
