import type { PhrasingContent, RootContent } from 'mdast';
import type { Block, Node } from '../document/types.js';
import { lineText } from '../document/text.js';
import { emojiName } from './emoji.js';
import { escapeHtml, keepSpaces, openTag } from './html.js';
import { toPhrasing } from './serialize-inlines.js';
import type { SerializeContext } from './serialize-context.js';

/** A line as HTML, for places where Markdown is not parsed: captions, summaries, cells, aligned paragraphs. */
export function lineHtml(nodes: readonly Node[], writing: SerializeContext): string {
  return keepSpaces(phrasingHtml(toPhrasing(nodes, writing)));
}

function phrasingHtml(nodes: readonly PhrasingContent[]): string {
  let written = '';
  nodes.forEach((node, index) => {
    const next = nodes[index + 1];
    if (node.type === 'footnoteReference') {
      const before = nodes[index - 1];
      const isAnnotated = before?.type === 'link' && before.url === `#user-content-fn-${node.identifier}`;
      if (!isAnnotated) written += annotation(node.identifier, '');
    } else if (
      node.type === 'link' &&
      next?.type === 'footnoteReference' &&
      node.url === `#user-content-fn-${next.identifier}`
    ) {
      written += annotation(next.identifier, phrasingHtml(node.children));
    } else {
      written += nodeHtml(node);
    }
  });
  return written;
}

function annotation(identifier: string, inner: string): string {
  return `${openTag('a', { 'data-footnote-ref': true, href: `#user-content-fn-${identifier}` })}${inner}</a>`;
}

function nodeHtml(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value);
    case 'break':
      return '<br>';
    case 'html':
      return node.value;
    case 'strong':
      return `<strong>${phrasingHtml(node.children)}</strong>`;
    case 'emphasis':
      return `<em>${phrasingHtml(node.children)}</em>`;
    case 'delete':
      return `<del>${phrasingHtml(node.children)}</del>`;
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'inlineMath':
      return `<span class="math">${escapeHtml(node.value)}</span>`;
    case 'emoji':
      return `${openTag('span', { 'data-gb-custom-inline': true, 'data-tag': 'emoji', 'data-code': node.code })}:${emojiName(node.code) ?? ''}:</span>`;
    case 'image':
      return openTag('img', { src: node.url, alt: node.alt ?? '', title: node.title ?? undefined });
    case 'link': {
      const mention = node.title === 'mention';
      return `${openTag('a', { href: node.url, title: mention ? undefined : (node.title ?? undefined), 'data-mention': mention ? true : undefined })}${phrasingHtml(node.children)}</a>`;
    }
    default:
      return '';
  }
}

/** Blocks as one piece of HTML, if all of them have an HTML form that is parsed back unchanged. */
export function flowHtml(blocks: readonly Block[], writing: SerializeContext): string | undefined {
  const mark = writing.footnotes.length;
  let written = '';
  for (const block of blocks) {
    const part = blockHtml(block, writing);
    if (part === undefined) {
      writing.footnotes.length = mark;
      return undefined;
    }
    written += part;
  }
  return written;
}

function blockHtml(block: Block, writing: SerializeContext): string | undefined {
  const nodes = block.nodes ?? [];
  switch (block.type) {
    case 'paragraph':
      return `${openTag('p', { align: htmlAlign(block.data.align) })}${lineHtml(nodes, writing)}</p>`;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return headingHtml(block, writing);
    case 'divider':
      return '<hr>';
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks': {
      const items = nodes.map((item) =>
        item.object === 'block' && item.type === 'list-item' ? itemHtml(item, writing) : undefined,
      );
      if (items.some((item) => item === undefined)) return undefined;
      const open = block.type === 'list-ordered' ? openTag('ol', { start: block.data.start }) : '<ul>';
      return `${open}${items.join('')}${block.type === 'list-ordered' ? '</ol>' : '</ul>'}`;
    }
    default:
      return undefined;
  }
}

function itemHtml(item: Block<'list-item'>, writing: SerializeContext): string | undefined {
  const blocks = (item.nodes ?? []).filter((node): node is Block => node.object === 'block');
  const [only] = blocks;
  const isLine =
    blocks.length === 1 && only?.type === 'paragraph' && only.data.align === undefined && isPlainLine(only.nodes ?? []);
  const inner = isLine ? lineHtml(only.nodes ?? [], writing) : flowHtml(blocks, writing);
  if (inner === undefined) return undefined;
  const { checked } = item.data;
  const box = checked === undefined ? '' : openTag('input', { type: 'checkbox', checked: checked ? true : undefined });
  return `<li>${box}${inner}</li>`;
}

/** Tells whether a line needs no `<p>`: it is visible, and does not begin with an image, which would be a block. */
export function isPlainLine(nodes: readonly Node[]): boolean {
  const first = nodes.find((node) => node.object !== 'text' || lineText([node]).trim() !== '');
  const image = first?.object === 'inline' && first.type === 'link' ? undefined : first;
  return first !== undefined && !(image?.object === 'inline' && image.type === 'inline-image');
}

/** A heading as an element, used for aligned headings. */
export function headingHtml(block: Block<'heading-1' | 'heading-2' | 'heading-3'>, writing: SerializeContext): string {
  const depth = block.data.level ?? Number(block.type.slice(-1));
  const open = openTag(`h${depth}`, { align: htmlAlign(block.data.align), id: block.data.id });
  return `${open}${lineHtml(block.nodes ?? [], writing)}</h${depth}>`;
}

export function htmlAlign(align: 'start' | 'center' | 'end' | undefined): string | undefined {
  return align === 'start' ? 'left' : align === 'end' ? 'right' : align;
}

export function htmlNode(value: string): RootContent {
  return { type: 'html', value };
}
