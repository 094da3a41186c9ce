import type { BlockType, InlineType } from './types.js';

/** The nodes that may be direct children of a node. */
export type Children = 'none' | 'phrasing' | 'link' | 'text' | 'code-line-content' | 'top' | readonly BlockType[];

export interface FragmentRule {
  /** Name of the fragment, `*` for any number with any name. */
  readonly name: string;
  readonly type?: string;
  readonly nodes: Children;
  readonly min?: number;
  readonly max?: number;
}

export interface NodeKind {
  readonly isVoid: boolean;
  readonly nodes: Children;
  readonly fragments?: readonly FragmentRule[];
  /** A block that only occurs inside its own parent, never at the top level. */
  readonly nested?: true;
}

const container: NodeKind = { isVoid: false, nodes: 'top' };
const part: NodeKind = { isVoid: false, nodes: 'top', nested: true };
const leafBlock: NodeKind = { isVoid: true, nodes: 'none' };
const line: NodeKind = { isVoid: false, nodes: 'phrasing' };
const caption: readonly FragmentRule[] = [{ name: 'caption', nodes: ['paragraph'] }];

/**
 * The block types and their content. Containers accept any block of the top level (real documentation has fences in
 * hints and tables in tabs), which is wider than the interface's schema.
 */
export const BLOCKS: Readonly<Record<BlockType, NodeKind>> = {
  paragraph: line,
  'heading-1': line,
  'heading-2': line,
  'heading-3': line,
  'list-ordered': { isVoid: false, nodes: ['list-item'] },
  'list-unordered': { isVoid: false, nodes: ['list-item'] },
  'list-tasks': { isVoid: false, nodes: ['list-item'] },
  'list-item': part,
  divider: leafBlock,
  blockquote: container,
  hint: container,
  if: container,
  images: { isVoid: false, nodes: ['image'] },
  image: { isVoid: true, nodes: 'none', fragments: caption, nested: true },
  file: { ...leafBlock, fragments: caption },
  drawing: leafBlock,
  embed: { ...leafBlock, fragments: caption },
  code: { isVoid: false, nodes: ['code-line'] },
  'code-line': { isVoid: false, nodes: 'code-line-content', nested: true },
  math: leafBlock,
  expandable: {
    isVoid: true,
    nodes: 'none',
    fragments: [
      { name: 'expandable-title', type: 'expandable-title', nodes: ['paragraph'], min: 1, max: 1 },
      { name: 'expandable-body', type: 'expandable-body', nodes: 'top', min: 1 },
    ],
  },
  tabs: { isVoid: false, nodes: ['tabs-item'] },
  'tabs-item': part,
  table: { isVoid: true, nodes: 'none', fragments: [{ name: '*', nodes: 'top' }] },
  swagger: leafBlock,
  'openapi-operation': leafBlock,
  'openapi-schemas': leafBlock,
  'openapi-webhook': leafBlock,
  'content-ref': leafBlock,
  integration: leafBlock,
  'reusable-content': leafBlock,
  stepper: { isVoid: false, nodes: ['stepper-step'] },
  'stepper-step': part,
  columns: { isVoid: false, nodes: ['column'] },
  column: part,
  updates: { isVoid: false, nodes: ['update'] },
  update: part,
  prompt: { isVoid: false, nodes: ['code'] },
};

const voidInline: NodeKind = { isVoid: true, nodes: 'none' };

export const INLINES: Readonly<Record<InlineType, NodeKind>> = {
  link: { isVoid: false, nodes: 'link' },
  emoji: voidInline,
  icon: voidInline,
  expression: voidInline,
  'inline-math': voidInline,
  'inline-image': voidInline,
  annotation: {
    isVoid: false,
    nodes: 'text',
    fragments: [{ name: '*', type: 'annotation-body', nodes: 'top', min: 1 }],
  },
  mention: voidInline,
  button: voidInline,
};

/** The stored order of the marks of one leaf, outermost first. */
export const MARK_ORDER = [
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'color',
  'code',
] as const;

/** Blocks nested deeper than this are refused in documents, and kept verbatim when parsed from Markdown. */
export const MAX_BLOCK_DEPTH = 32;

/** Maximum number of blocks, inlines, texts, leaves and fragments of a document, together. */
export const MAX_NODES = 100_000;

/** Maximum number of cells of all tables of a document, the empty ones included: each row has one for every column. */
export const MAX_CELLS = 10_000;
