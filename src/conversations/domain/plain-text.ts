import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

type Nodes = ReturnType<typeof fromMarkdown>['children'];

/** Without any of these a text means what it says. */
const SYNTAX = /[`*_[\]<>#|\\~&]|^\s*(?:[-+]|\d+[.)])\s|^ {4}|^\t/m;
const UNSPOKEN = new Set(['code', 'html', 'definition', 'thematicBreak', 'yaml', 'blockquote']);

/** What somebody says in a body of Markdown, block by block: without syntax, code and what is quoted of others. */
export function plainText(markdown: string): string {
  if (!SYNTAX.test(markdown)) return markdown;
  return blocksOf(fromMarkdown(markdown).children).join('\n\n');
}

function blocksOf(nodes: Nodes): string[] {
  return nodes.flatMap((node) => {
    if (UNSPOKEN.has(node.type)) return [];
    if (node.type === 'list') return node.children.flatMap((item) => blocksOf(item.children));
    const text = toString(node, { includeHtml: false, includeImageAlt: false }).trim();
    return text === '' ? [] : [text];
  });
}
