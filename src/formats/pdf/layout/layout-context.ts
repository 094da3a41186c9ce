import type { Block, BlockType, ContentRef, Document, Fragment } from '../../document/types.js';
import type { PdfLinkTarget, Picture } from './canvas.js';
import type { TextStyle } from './line-breaking.js';
import type { Strips } from './strip.js';
import { BODY_SIZE, INK } from './theme.js';

/** What something outside of a document is called, and where a link to it leads. */
export interface ResolvedReference {
  readonly title?: string;
  readonly target?: PdfLinkTarget;
}

/** What a document refers to, as far as it may be shown in this PDF. All of it is known before layout begins. */
export interface PdfReferenceResolver {
  reference(ref: ContentRef): ResolvedReference;
  picture(ref: ContentRef): Picture | undefined;
  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined;
}

/** An annotation, whose words stand below its page. */
export interface PdfFootnote {
  readonly number: number;
  readonly fragments: readonly Fragment[];
}

export type BlockLayout<Type extends BlockType> = (block: Block<Type>, width: number, scene: LayoutContext) => Strips;

/** What the blocks of one page have in common while they are laid out. */
export interface LayoutContext {
  readonly surroundings: PdfReferenceResolver;
  /** The names of the places that links to blocks lead to. */
  readonly places: ReadonlyMap<Block, string>;
  readonly notes: PdfFootnote[];
  /** How many reusable contents stand in the page so far. */
  readonly reused: { count: number };
  /** The style of text that nothing else is said about. */
  readonly style: TextStyle;
  /** Reusable contents that this stands in. */
  readonly within: readonly Document[];
  /** Lays out blocks below each other, with space between them. */
  readonly blocks: (blocks: readonly Block[], width: number, scene: LayoutContext) => Strips;
}

export const PLAIN_STYLE: TextStyle = { face: 'sans', size: BODY_SIZE, color: INK };

/** The same scene with another style of text. */
export function styled(scene: LayoutContext, style: Partial<TextStyle>): LayoutContext {
  return { ...scene, style: { ...scene.style, ...style } };
}
