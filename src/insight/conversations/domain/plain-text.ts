import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import { markdownFault } from '../../../formats/markdown/parse-limits.js';

type Nodes = ReturnType<typeof fromMarkdown>['children'];

/** A text without any of these characters is plain. */
const SYNTAX = /[`*_[\]<>#|\\~&]|^[ \t]*(?:[-+]|\d+[.)])\s|^ {4}|^\t/m;
/** Nested quotations, which are removed with the outer ones: parsing thousands of them takes quadratic time. */
const NESTED_QUOTE = />(?:[ \t]*>)+/g;
/** The rest of a longer message adds no information, and hostile syntax takes quadratic time. */
const MAX_MARKDOWN = 4_000;
const UNSPOKEN = new Set(['code', 'html', 'definition', 'thematicBreak', 'yaml', 'blockquote']);

/**
 * The plain text of a Markdown body, block by block: without syntax, code and quotations. Long bodies are read in part.
 */
export function plainText(markdown: string): string {
  const read = markdown.slice(0, MAX_MARKDOWN);
  // Nested lists are read recursively: a stack overflow in a pattern that is not compiled yet ends the process.
  if (!SYNTAX.test(read) || markdownFault(read) !== undefined) return read;
  try {
    return blocksOf(fromMarkdown(read.replace(NESTED_QUOTE, '>')).children).join('\n\n');
  } catch (error) {
    // A stack overflow by nested lists, which do not occur in practice: one such body must not block all others.
    if (error instanceof RangeError) return read;
    throw error;
  }
}

function blocksOf(nodes: Nodes): string[] {
  return nodes.flatMap((node) => {
    if (UNSPOKEN.has(node.type)) return [];
    if (node.type === 'list') return node.children.flatMap((item) => blocksOf(item.children));
    const text = toString(node, { includeHtml: false, includeImageAlt: false }).trim();
    return text === '' ? [] : [text];
  });
}
