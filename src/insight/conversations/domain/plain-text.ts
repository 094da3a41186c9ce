import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import { markdownFault } from '../../../formats/markdown/parse-limits.js';

type Nodes = ReturnType<typeof fromMarkdown>['children'];

/** Without any of these a text means what it says. */
const SYNTAX = /[`*_[\]<>#|\\~&]|^[ \t]*(?:[-+]|\d+[.)])\s|^ {4}|^\t/m;
/** A quotation within others, which is left out as they are: reading thousands of them takes the square of their number. */
const NESTED_QUOTE = />(?:[ \t]*>)+/g;
/** More of a message says nothing new of what is wanted, and hostile syntax takes the square of its length. */
const MAX_MARKDOWN = 4_000;
const UNSPOKEN = new Set(['code', 'html', 'definition', 'thematicBreak', 'yaml', 'blockquote']);

/** What somebody says in a body of Markdown, block by block: without syntax, code and what is quoted of others. Long bodies are read in part. */
export function plainText(markdown: string): string {
  const read = markdown.slice(0, MAX_MARKDOWN);
  // Lists within each other are read down into: a stack that ends in a pattern that is not compiled yet takes the process with it.
  if (!SYNTAX.test(read) || markdownFault(read) !== undefined) return read;
  try {
    return blocksOf(fromMarkdown(read.replace(NESTED_QUOTE, '>')).children).join('\n\n');
  } catch (error) {
    // More lists within each other than the stack holds, which nobody writes: one such body must not keep all others from being read.
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
