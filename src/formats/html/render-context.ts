import type { Element, ElementContent } from 'hast';
import type { Block, BlockType, ContentRef, Document, FileOrUrlRef, Fragment } from '../document/types.js';
import type { SpecificationParts } from '../openapi/specification-parts.js';
import type { DiffMarks } from './diff/diff-marks.js';
import type { Labels } from './languages/language.js';

/** The title and address of a reference; without `href` it has no target that may be shown. */
export interface LinkFacts {
  readonly href?: string;
  readonly title?: string;
  /** The name of an icon, or an emoji itself. */
  readonly icon?: string;
  readonly emoji?: string;
  readonly description?: string;
  /** True if it leads to another site. */
  readonly isExternal?: boolean;
}

export interface ImageFacts {
  readonly src: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** The same image in other widths, by rising width. */
  readonly candidates?: readonly { readonly src: string; readonly width: number }[];
}

export interface FileFacts {
  readonly href: string;
  readonly name: string;
  /** In bytes. */
  readonly size?: number;
  readonly contentType?: string;
}

export type IconStyle = 'regular' | 'solid' | 'duotone' | 'light' | 'thin';

/**
 * Resolves the references of a document, as far as its reader may see their targets. All of them are looked up before
 * rendering begins.
 */
export interface ReferenceResolver {
  /** The origin of the site: other origins are external. */
  readonly origin?: string;
  link(ref: ContentRef): LinkFacts;
  image(ref: FileOrUrlRef): ImageFacts | undefined;
  file(ref: ContentRef): FileFacts | undefined;
  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined;
  /** The OpenAPI specification that a block shows. */
  specification?(ref: ContentRef): SpecificationParts | undefined;
  /** The address of the search, to which the encoded query is appended. */
  readonly search?: string;
  /** The window in which external links are opened. */
  readonly externalTarget: 'self' | 'blank';
  readonly iconStyle: IconStyle;
  /** True if headings have no links to themselves beside them. */
  readonly withoutAnchorLinks?: boolean;
  /**
   * The colour scheme whose variant of the first image is loaded at once; undefined if that image is not near the top of
   * the page.
   */
  readonly firstImage?: 'light' | 'dark';
  /** True if the text of the page is as wide as the window allows. */
  readonly isWide?: boolean;
  /** True if operations can be tried on the page. */
  readonly hasConsole?: boolean;
  /** Addresses of operations that links of responses on the page name, by those names. */
  readonly operations?: Readonly<Record<string, string>>;
  /** The title of the page. */
  readonly title?: string;
  /** The service's own texts on the page, in the reader's language; English by default. */
  readonly labels?: Partial<Labels>;
}

/** A heading of a page, for its outline. */
export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  readonly level: 1 | 2 | 3;
}

/** Highlights code: for each line, pieces of text with the name of their class; undefined if the code stays plain. */
export type Highlight = (code: string, language: string) => readonly (readonly HighlightedPiece[])[] | undefined;
export type HighlightedPiece = readonly [text: string, className: string];

/** A formula as MathML, or undefined if it cannot be parsed. */
export type Formulas = (formula: string, isBlock: boolean) => Element | undefined;

/** The rendered form of unsupported markup, or undefined if it is shown unchanged. */
export type RawMarkup = (text: string) => ElementContent[] | undefined;

/** An annotation, whose text is shown below the page. */
export interface Footnote {
  readonly number: number;
  readonly fragments: readonly Fragment[];
}

/** Counters and results while a page is rendered. */
export interface RenderState {
  readonly notes: Footnote[];
  readonly outline: OutlineEntry[];
  /** The level of the last heading. No heading is more than one level below it, so that readers miss none. */
  level: number;
  /** Number of reusable contents in the page so far. */
  reused: number;
  /** True once readers were told that more of them are not shown. */
  isCut: boolean;
  /** True once an image was shown that is larger than a line. */
  hasImage: boolean;
  /** Number of further blocks and inlines that may be rendered. */
  left: number;
  /** Bytes of HTML that operations and schemas may still take. */
  room: number;
  /** Characters of code samples that each operation may have. */
  readonly roomForSamples: number;
  /** The number of the amount in which the last of them was shown, from the greatest on. */
  amount: number;
  /** Number of operations and schemas on the page so far. */
  specified: number;
  /** The sources to which the consoles of operations send requests. */
  readonly apiSources: Set<string>;
  /** Creates an id that is unique on the page. */
  readonly newId: (name: string) => string;
}

/**
 * The attribute by which elements name their blocks, for writers: `data-block` with the key of a block, or `data-line`
 * with the line of Markdown that it begins with, which is then its key.
 */
export type BlockNaming = 'dataBlock' | 'dataLine';

/** The shared context of the blocks of one page while they are rendered. */
export interface RenderContext {
  readonly resolver: ReferenceResolver;
  readonly labels: Labels;
  readonly highlight: Highlight;
  readonly formulas: Formulas;
  readonly raw: RawMarkup;
  readonly progress: RenderState;
  /** The ids of the blocks that are link targets. */
  readonly anchors: ReadonlyMap<Block, string>;
  /** Added to the level of a heading, so that the page's title stays the only one of the first level. */
  readonly headingOffset: number;
  /** True if headings belong to the page's outline here. */
  readonly isOutlined: boolean;
  /** True inside of a link, which must not contain another one. */
  readonly isLinked: boolean;
  /** Maximum length of a description of a specification, where its page has little room. */
  readonly longestDescription?: number;
  /** The enclosing reusable contents. */
  readonly within: readonly Document[];
  /** Set for writers, who see conditions and expressions without a value as well. */
  readonly naming?: BlockNaming;
  /** In a comparison of two versions: what changed, and the meaning of the references of the earlier one. */
  readonly diff?: DiffMarks;
  readonly earlier?: ReferenceResolver;
  /** Renders blocks below each other. */
  readonly blocks: (blocks: readonly Block[], context: RenderContext) => ElementContent[];
}

export type BlockRenderer<Type extends BlockType> = (block: Block<Type>, context: RenderContext) => ElementContent[];
