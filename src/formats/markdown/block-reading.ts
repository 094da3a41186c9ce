import type { Block } from '../document/types.js';
import type { ParseContext } from './parse-context.js';
import type { MarkupNode } from './nest-markup.js';
import type { InlineReader } from './parse-inlines.js';

/** The part of the block reader that the readers of tags, HTML and tables use for content. */
export interface BlockReading {
  readonly reading: ParseContext;
  readonly lines: InlineReader;
  /** Blocks at the level of the caller. */
  ofMixed(nodes: readonly MarkupNode[]): Block[];
  /** The content of a container, nested by as many levels as the container has (1 by default). */
  inside(nodes: readonly MarkupNode[], levels?: number): Block[];
  /** As `inside`, for the parts of a document that need at least one block. */
  insideAtLeastOne(nodes: readonly MarkupNode[], levels?: number): Block[];
  /** True if the document cannot contain a further container here. */
  isFull(): boolean;
}
