import type { Block } from '../document/types.js';
import type { ParseContext } from './parse-context.js';
import type { MarkupNode } from './nest-markup.js';
import type { InlineReader } from './parse-inlines.js';

/** What the readers of tags, HTML and tables need in order to read their content. */
export interface BlockReading {
  readonly reading: ParseContext;
  readonly lines: InlineReader;
  /** Blocks at the level of the caller. */
  ofMixed(nodes: readonly MarkupNode[]): Block[];
  /** The content of a container, as many levels deeper as the container has (1 unless told). */
  inside(nodes: readonly MarkupNode[], levels?: number): Block[];
  /** As `inside`, for the parts of a document that need at least one block. */
  insideAtLeastOne(nodes: readonly MarkupNode[], levels?: number): Block[];
  /** No further container fits into the document here. */
  isFull(): boolean;
}
