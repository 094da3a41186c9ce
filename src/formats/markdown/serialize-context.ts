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

/** Markdown that is ready as it stands. */
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

/** What the parts of the writer share while one document is written. */
export interface SerializeContext {
  readonly render: RenderReference;
  /** Texts of annotations, to be written at the end. */
  readonly footnotes: FootnoteDefinition[];
  /** Labels of footnotes that stand in verbatim blocks. */
  readonly takenLabels: ReadonlySet<string>;
  /** Turns blocks into mdast; handed in, because lines hold annotations and annotations hold blocks. */
  readonly blocks: (blocks: readonly Block[], writing: SerializeContext) => RootContent[];
}
