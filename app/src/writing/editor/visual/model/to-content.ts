import type { Node } from 'prosemirror-model';
import { frameOf, isFiller, keyIn } from './block-frame.js';
import type { ContentBlock, ContentDocument, ContentFragment } from './content.js';
import { contentOfLine, plainText } from './lines.js';
import type { Originals } from './originals.js';
import { tableBlock } from './tables.js';

/** The document that the editor shows; `before` is the one that it was opened with, whose own data stays. */
export function contentDocument(doc: Node, before: ContentDocument, originals: Originals): ContentDocument {
  const nodes = contentBlocks(doc, originals);
  const isSame = nodes.length === before.nodes.length && nodes.every((block, index) => block === before.nodes[index]);
  return isSame ? before : { ...before, nodes };
}

/** The blocks in a node, without the paragraphs that are there to be written in. */
export function contentBlocks(parent: Node, originals: Originals): ContentBlock[] {
  return parent.children.filter((child) => !isFiller(child)).map((child) => contentBlock(child, originals));
}

function contentBlock(node: Node, originals: Originals): ContentBlock {
  return originals.of(node) ?? blockWithin(node, originals);
}

/** The block of a node, made anew, with the original blocks within it. */
export function blockWithin(node: Node, originals: Originals): ContentBlock {
  const { type, attrs } = node;
  switch (type.name) {
    case 'block_atom':
      return { ...(attrs['block'] as ContentBlock), ...keyIn(attrs) };
    case 'paragraph':
    case 'code_line':
      return { ...frameOf(node), nodes: contentOfLine(node.content) };
    case 'heading':
      return headingBlock(node);
    case 'expandable':
      return { ...frameOf(node, true), fragments: expandableFragments(node, originals) };
    case 'image':
      return imageBlock(node);
    case 'table':
      return tableBlock(node, (cell) => contentBlocks(cell, originals));
    default:
      return { ...frameOf(node), nodes: contentBlocks(node, originals) };
  }
}

const SMALLEST = 3;

function headingBlock(node: Node): ContentBlock {
  const level = Number(node.attrs['level']);
  const { data, ...frame } = frameOf(node, false, `heading-${Math.min(SMALLEST, level)}`);
  return {
    ...frame,
    data: { ...data, ...(level > SMALLEST && { level }) },
    nodes: contentOfLine(node.content),
  };
}

function expandableFragments(node: Node, originals: Originals): ContentFragment[] {
  const [title, body] = node.children;
  if (!title || !body) return [];
  const blocks = contentBlocks(body, originals);
  return [
    fragmentOf(title, 'expandable-title', [lineParagraph(title)]),
    fragmentOf(body, 'expandable-body', blocks.length === 0 ? [emptyParagraph()] : blocks),
  ];
}

function fragmentOf({ attrs }: Node, name: string, nodes: readonly ContentBlock[]): ContentFragment {
  const known = attrs['fragment'] as Omit<ContentFragment, 'nodes'> | null;
  const type = name === 'caption' ? {} : { type: name };
  return { ...(known ?? { object: 'fragment', fragment: name, ...type }), nodes };
}

/** The paragraph of a line that is a title or a caption. */
function lineParagraph(line: Node): ContentBlock {
  return { ...frameOf(line, false, 'paragraph'), nodes: contentOfLine(line.content) };
}

function emptyParagraph(): ContentBlock {
  return { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [plainText('')] };
}

function imageBlock(node: Node): ContentBlock {
  const caption = node.firstChild;
  const hasCaption = caption && (caption.content.size > 0 || caption.attrs['fragment'] !== null);
  return {
    ...frameOf(node, true),
    fragments: hasCaption ? [fragmentOf(caption, 'caption', [lineParagraph(caption)])] : [],
  };
}
