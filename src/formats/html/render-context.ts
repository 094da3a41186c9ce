import type { Element, ElementContent } from 'hast';
import type { Block, BlockType, ContentRef, Document, FileOrUrlRef, Fragment } from '../document/types.js';
import type { SpecificationParts } from '../openapi/specification-parts.js';
import type { Labels } from './languages/language.js';

/** What a reference is called, and where it leads; without `href` it leads nowhere that may be shown. */
export interface LinkFacts {
  readonly href?: string;
  readonly title?: string;
  /** The name of an icon, or an emoji itself. */
  readonly icon?: string;
  readonly emoji?: string;
  readonly description?: string;
  /** Whether it leads out of the site. */
  readonly isExternal?: boolean;
}

export interface ImageFacts {
  readonly src: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface FileFacts {
  readonly href: string;
  readonly name: string;
  /** In bytes. */
  readonly size?: number;
  readonly contentType?: string;
}

export type IconStyle = 'regular' | 'solid' | 'duotone' | 'light' | 'thin';

/** What a document refers to, as far as its reader may see it. All of it is looked up before rendering begins. */
export interface ReferenceResolver {
  /** The origin of the site: addresses of others lead out of it. */
  readonly origin?: string;
  link(ref: ContentRef): LinkFacts;
  image(ref: FileOrUrlRef): ImageFacts | undefined;
  file(ref: ContentRef): FileFacts | undefined;
  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined;
  /** The OpenAPI specification that a block draws from. */
  specification?(ref: ContentRef): SpecificationParts | undefined;
  /** Where searches are answered, without the query, which is put behind it as part of an address. */
  readonly search?: string;
  /** Where links out of the site are opened. */
  readonly externalTarget: 'self' | 'blank';
  readonly iconStyle: IconStyle;
  /** What the service itself says on the page, in the reader's language; English where nothing is given. */
  readonly labels?: Partial<Labels>;
}

/** A heading of a page, for its outline. */
export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  readonly level: 1 | 2 | 3;
}

/** Code in colours: for each line, pieces of text with the name of their class; undefined where it stays plain. */
export type Highlight = (code: string, language: string) => readonly (readonly HighlightedPiece[])[] | undefined;
export type HighlightedPiece = readonly [text: string, className: string];

/** A formula as MathML, or undefined where it cannot be read. */
export type Formulas = (formula: string, isBlock: boolean) => Element | undefined;

/** What is shown of markup that is not understood, or undefined where it is shown as it is written. */
export type RawMarkup = (text: string) => ElementContent[] | undefined;

/** An annotation, whose words stand below the page. */
export interface Footnote {
  readonly number: number;
  readonly fragments: readonly Fragment[];
}

/** What is counted and collected while a page is rendered. */
export interface RenderState {
  readonly notes: Footnote[];
  readonly outline: OutlineEntry[];
  /** How many reusable contents stand in the page so far. */
  reused: number;
  /** How many more blocks and inlines are rendered. */
  left: number;
  /** Gives an id that is used nowhere else on the page. */
  readonly newId: (name: string) => string;
}

/** What the blocks of one page have in common while they are rendered. */
export interface RenderContext {
  readonly surroundings: ReferenceResolver;
  readonly labels: Labels;
  readonly highlight: Highlight;
  readonly formulas: Formulas;
  readonly raw: RawMarkup;
  readonly progress: RenderState;
  /** The ids of the blocks that links lead to. */
  readonly anchors: ReadonlyMap<Block, string>;
  /** What is added to the level of a heading, so that the page's title stays the only one of the first level. */
  readonly headingOffset: number;
  /** Whether headings belong to the page's outline here. */
  readonly isOutlined: boolean;
  /** Whether a link stands around this, in which no other may stand. */
  readonly isLinked: boolean;
  /** Reusable contents that this stands in. */
  readonly within: readonly Document[];
  /** Renders blocks below each other. */
  readonly blocks: (blocks: readonly Block[], scene: RenderContext) => ElementContent[];
}

export type BlockRenderer<Type extends BlockType> = (block: Block<Type>, scene: RenderContext) => ElementContent[];
