import type { Block, BlockType, ContentRef, Document, Fragment } from '../../document/types.js';
import type { PdfLinkTarget, Picture } from './canvas.js';
import type { TextStyle } from './line-breaking.js';
import type { Strips } from './strip.js';
import { BODY_SIZE, INK } from './theme.js';

/** The title of an object outside of a document, and the target of a link to it. */
export interface ResolvedReference {
  readonly title?: string;
  readonly target?: PdfLinkTarget;
}

/**
 * Resolves the references of a document, as far as they may be shown in this PDF. All of them are known before layout
 * begins.
 */
export interface PdfReferenceResolver {
  reference(ref: ContentRef): ResolvedReference;
  picture(ref: ContentRef): Picture | undefined;
  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined;
}

/** An annotation, whose text is shown below its page. */
export interface PdfFootnote {
  readonly number: number;
  readonly fragments: readonly Fragment[];
}

export type BlockLayout<Type extends BlockType> = (block: Block<Type>, width: number, context: LayoutContext) => Strips;

/** The shared context of the blocks of one page while they are laid out. */
export interface LayoutContext {
  readonly resolver: PdfReferenceResolver;
  /** The names of the link targets of blocks. */
  readonly places: ReadonlyMap<Block, string>;
  readonly notes: PdfFootnote[];
  /** Number of reusable contents in the page so far. */
  readonly reused: { count: number };
  /** The default style of text. */
  readonly style: TextStyle;
  /** The enclosing reusable contents. */
  readonly within: readonly Document[];
  /** Lays out blocks below each other, with space between them. */
  readonly blocks: (blocks: readonly Block[], width: number, context: LayoutContext) => Strips;
}

export const PLAIN_STYLE: TextStyle = { face: 'sans', size: BODY_SIZE, color: INK };

/** The same context with another text style. */
export function styled(context: LayoutContext, style: Partial<TextStyle>): LayoutContext {
  return { ...context, style: { ...context.style, ...style } };
}
