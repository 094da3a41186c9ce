import { toString } from 'mdast-util-to-string';
import { releaseSpaces } from './html.js';
import { emojiName } from './emoji.js';
import type { MarkupNode } from './nest-markup.js';

/** The plain text of a node, with all white space. */
export function nodeText(node: MarkupNode): string {
  switch (node.kind) {
    case 'text':
      return releaseSpaces(node.value);
    case 'raw':
      return '';
    case 'markdown':
      return node.node.type === 'emoji' ? `:${emojiName(node.node.code) ?? ''}:` : toString(node.node);
    case 'element':
      return node.name === 'br' ? '\n' : node.children.map(nodeText).join('');
    case 'tag':
      return node.children.map(nodeText).join('');
  }
}

/** Attributes beyond the known ones, or `undefined` if there are none. */
export function extraAttributes(
  attributes: ReadonlyMap<string, string>,
  known: readonly string[],
): Record<string, string> | undefined {
  const extra = [...attributes].filter(([name]) => !known.includes(name));
  return extra.length === 0 ? undefined : Object.fromEntries(extra);
}
