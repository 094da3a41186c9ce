import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { readHtmlFragment } from '../markdown/html-tree.js';

/**
 * Parses HTML to a tree of limited depth: deeper nodes are cut off, because tree algorithms recurse. Undefined for HTML
 * whose tree would be disproportionately large.
 */
export function readHtml(
  source: string,
  maxDepth: number,
): { readonly tree: Root; readonly isCut: boolean } | undefined {
  const read = readHtmlFragment(source, maxDepth);
  return read && { tree: fromParse5(read.tree) as Root, isCut: read.isCut };
}
