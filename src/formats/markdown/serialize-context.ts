import type { FootnoteDefinition, RootContent } from 'mdast';
import type { Node as UnistNode, Parent as UnistParent } from 'unist';
import type { Block, ContentRef } from '../document/types.js';

/** A `{% tag %}` with content between its opening and closing line. */
export interface TaggedNode extends UnistParent {
  type: 'tagged';
  open: string;
  close: string;
  children: RootContent[];
}

/** Markdown that is written unchanged. */
export interface ReadyNode extends UnistNode {
  type: 'ready';
  value: string;
}

declare module 'mdast' {
  interface RootContentMap {
    tagged: TaggedNode;
    ready: ReadyNode;
  }
}

/** Writes a reference as a target; addresses are passed too. */
export type RenderReference = (ref: ContentRef) => string;

/** The shared state of the writer while one document is written. */
export interface SerializeContext {
  readonly render: RenderReference;
  /** Texts of annotations, to be written at the end. */
  readonly footnotes: FootnoteDefinition[];
  /** Labels of footnotes in verbatim blocks. */
  readonly takenLabels: ReadonlySet<string>;
  /** Converts blocks to mdast; passed in, because lines contain annotations and annotations contain blocks. */
  readonly blocks: (blocks: readonly Block[], writing: SerializeContext) => RootContent[];
}
