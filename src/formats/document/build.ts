import {
  type Block,
  type BlockData,
  type BlockType,
  type Document,
  type DocumentData,
  type Fragment,
  type Inline,
  type InlineData,
  type InlineType,
  type Leaf,
  type Mark,
  type Node,
  type SimpleMarkType,
  type TextNode,
  RAW_SYNTAX,
  SCHEMA_VERSION,
} from './types.js';
import { BLOCKS, INLINES } from './node-kinds.js';

/** Creates a block of the given type. Void blocks get no `nodes`. */
export function block<T extends BlockType>(
  type: T,
  data: BlockData[T],
  nodes?: readonly Node[],
  fragments?: readonly Fragment[],
): Block<T> {
  const isVoid = BLOCKS[type].isVoid;
  const made = {
    object: 'block' as const,
    type,
    isVoid,
    data,
    ...(isVoid ? {} : { nodes: [...(nodes ?? [])] }),
    ...(fragments === undefined ? {} : { fragments: [...fragments] }),
  };
  return made as unknown as Block<T>;
}

/** Creates an inline of the given type; annotations and links carry `nodes`, the others are void. */
export function inline<T extends InlineType>(
  type: T,
  data: InlineData[T],
  nodes?: readonly Node[],
  fragments?: readonly Fragment[],
): Inline<T> {
  const isVoid = INLINES[type].isVoid;
  const made = {
    object: 'inline' as const,
    type,
    isVoid,
    data,
    ...(isVoid ? {} : { nodes: [...(nodes ?? [])] }),
    ...(fragments === undefined ? {} : { fragments: [...fragments] }),
  };
  return made as unknown as Inline<T>;
}

export function fragment(name: string, nodes: readonly Block[], type?: string): Fragment {
  return { object: 'fragment', fragment: name, ...(type === undefined ? {} : { type }), nodes: [...nodes] };
}

export function mark(type: SimpleMarkType): Mark {
  return { object: 'mark', type };
}

export function leaf(text: string, marks: readonly Mark[] = []): Leaf {
  return { object: 'leaf', text, marks: [...marks] };
}

export function text(...leaves: readonly Leaf[]): TextNode {
  return { object: 'text', leaves: [...leaves] };
}

/** Creates a text of one leaf without marks. */
export function plain(value: string): TextNode {
  return text(leaf(value));
}

export function paragraph(...nodes: readonly Node[]): Block<'paragraph'> {
  return block('paragraph', {}, nodes.length === 0 ? [plain('')] : nodes);
}

/** Creates a `code` block with one line for each line of `value`. */
export function codeBlock(value: string, data: BlockData['code'] = {}): Block<'code'> {
  return block(
    'code',
    data,
    value.split('\n').map((line) => block('code-line', {}, [plain(line)])),
  );
}

/** Markdown that is not supported, kept verbatim. */
export function rawBlock(value: string): Block<'code'> {
  return codeBlock(value, { syntax: RAW_SYNTAX });
}

export function document(nodes: readonly Block[], data: Omit<DocumentData, 'schemaVersion'> = {}): Document {
  return { object: 'document', data: { schemaVersion: SCHEMA_VERSION, ...data }, nodes: [...nodes] };
}
