import type { Block, BlockType, ContentRef, Document, Fragment } from '../../document/types.js';
import type { LinkTarget, Picture } from './canvas.js';
import type { TextStyle } from './lines.js';
import type { Strips } from './strip.js';
import { BODY_SIZE, INK } from './theme.js';

/** What something outside of a document is called, and where a link to it leads. */
export interface Reference {
  readonly title?: string;
  readonly target?: LinkTarget;
}

/** What a document refers to, as far as it may be shown in this PDF. All of it is known before layout begins. */
export interface Surroundings {
  reference(ref: ContentRef): Reference;
  picture(ref: ContentRef): Picture | undefined;
  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined;
}

/** An annotation, whose words stand below its page. */
export interface Note {
  readonly number: number;
  readonly fragments: readonly Fragment[];
}

export type Renderer<Type extends BlockType> = (block: Block<Type>, width: number, scene: Scene) => Strips;

/** What the blocks of one page have in common while they are laid out. */
export interface Scene {
  readonly surroundings: Surroundings;
  /** The names of the places that links to blocks lead to. */
  readonly places: ReadonlyMap<Block, string>;
  readonly notes: Note[];
  /** How many reusable contents stand in the page so far. */
  readonly reused: { count: number };
  /** The style of text that nothing else is said about. */
  readonly style: TextStyle;
  /** Reusable contents that this stands in. */
  readonly within: readonly Document[];
  /** Lays out blocks below each other, with space between them. */
  readonly blocks: (blocks: readonly Block[], width: number, scene: Scene) => Strips;
}

export const PLAIN: TextStyle = { face: 'sans', size: BODY_SIZE, color: INK };

/** The same scene with another style of text. */
export function styled(scene: Scene, style: Partial<TextStyle>): Scene {
  return { ...scene, style: { ...scene.style, ...style } };
}
