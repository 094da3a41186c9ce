import type { ElementContent } from 'hast';
import { htmlOf } from '../../kernel/common/html.js';
import { AnchorAllocator, anchorsOf } from '../document/anchors.js';
import { blocksIn } from '../document/text.js';
import type { Block, Document } from '../document/types.js';
import { en } from './languages/en.js';
import { renderBlocks } from './blocks/all.js';
import { el, textNode } from './elements.js';
import { loadFormulas, NO_FORMULAS } from './formulas.js';
import { highlightedBy, type CodeColors } from './highlighting.js';
import { renderLine } from './inlines.js';
import { roomForSamples } from './openapi/samples.js';
import { rawMarkupContent } from './raw-markup.js';
import type {
  BlockNaming,
  Footnote,
  OutlineEntry,
  RenderState,
  RenderContext,
  ReferenceResolver,
} from './render-context.js';

/**
 * Maximum number of blocks, inlines and cells of one page, including those of reusable contents; later ones are left
 * out.
 */
const MOST_NODES = 400_000;
/** Maximum length of the HTML of one page in characters; the rest is left out. */
export const MOST_CHARACTERS = 24 * 1024 ** 2;

/** Bytes of HTML of operations and schemas on one page: with the rest of it, the page has less than 300 kB. */
const ROOM_FOR_SPECIFICATIONS = 200_000;

export interface RenderedContent {
  readonly html: string;
  readonly outline: readonly OutlineEntry[];
  /** The sources to which consoles of operations on the page send requests. */
  readonly apiSources?: readonly string[];
  /** The title as a line of HTML, if the document formats it, and the plain title that it was made of. */
  readonly heading?: { readonly title: string; readonly html: string; readonly id?: string };
}

/** The resources prepared for a document, and options of its rendering. */
export interface RenderOptions {
  readonly colors?: CodeColors;
  /** True if it contains formulas: their converter is large. */
  readonly hasFormulas?: boolean;
  /**
   * Blocks of the document, by position, whose raw HTML, formulas and operations are shown as source; the position
   * after the last one is that of its title and its notes.
   */
  readonly asWritten?: (index: number) => boolean;
  /** Called with the position of the next block. */
  readonly begin?: (index: number) => void;
  /** For writers: elements name their blocks, and conditions and expressions without a value are shown. */
  readonly naming?: BlockNaming;
}

/**
 * Renders a document as HTML, without active content and without styles of its own, and returns its headings for an
 * outline.
 */
export async function renderContent(
  document: Document,
  resolver: ReferenceResolver,
  { colors = new Map(), hasFormulas = true, asWritten = () => false, begin, naming }: RenderOptions = {},
): Promise<RenderedContent> {
  const formulas = hasFormulas ? await loadFormulas() : NO_FORMULAS;
  const context = sceneOf(document, resolver, {
    highlight: highlightedBy(colors),
    formulas,
    ...(naming && { naming }),
  });
  const at = (index: number): RenderContext => {
    begin?.(index);
    return asWritten(index) ? withoutReading(context) : context;
  };
  const parts: string[] = [];
  let size = 0;
  const add = (content: ElementContent[]): void => {
    const html = htmlOf(content);
    size += html.length;
    parts.push(html);
  };
  for (const [index, block] of document.nodes.entries()) {
    if (size > MOST_CHARACTERS) break;
    add(renderBlocks([block], at(index)));
  }
  const last = at(document.nodes.length);
  add(notesBelow(last));
  const heading = document.data.heading;
  return {
    html: parts.join(''),
    outline: context.progress.outline,
    ...(context.progress.apiSources.size > 0 && { apiSources: [...context.progress.apiSources] }),
    ...(heading && {
      heading: {
        title: heading.title,
        html: htmlOf(renderLine(heading.nodes, { ...last, isLinked: true })),
        ...(heading.id !== undefined && { id: heading.id }),
      },
    }),
  };
}

/** A context in which no foreign language is parsed: raw HTML, formulas, specifications, code. */
export function withoutReading(context: RenderContext): RenderContext {
  return {
    ...context,
    resolver: { ...context.resolver, specification: () => undefined },
    highlight: () => undefined,
    formulas: NO_FORMULAS,
    raw: () => undefined,
  };
}

export function sceneOf(
  document: Document,
  resolver: ReferenceResolver,
  found: Pick<RenderContext, 'highlight' | 'formulas' | 'naming' | 'diff' | 'earlier'>,
): RenderContext {
  const ids = new AnchorAllocator();
  const anchors = anchorsOf(document);
  for (const anchor of anchors.values()) ids.reserve(anchor);
  const ownId = document.data.heading?.id;
  if (ownId !== undefined) ids.reserve(ownId);
  const progress: RenderState = {
    notes: [],
    outline: [],
    level: 1,
    reused: 0,
    isCut: false,
    hasImage: false,
    left: MOST_NODES,
    room: ROOM_FOR_SPECIFICATIONS,
    amount: 0,
    roomForSamples: roomForSamples(document),
    specified: 0,
    apiSources: new Set(),
    newId: (name) => ids.take(name, '~id'),
  };
  return {
    resolver,
    labels: { ...en.content, ...resolver.labels },
    ...found,
    raw: rawMarkupContent,
    progress,
    anchors,
    headingOffset: 2 - highestLevel(document.nodes),
    isOutlined: true,
    isLinked: false,
    within: [document],
    blocks: renderBlocks,
  };
}

/** The level of the highest heading of a document: it is rendered one level below the title of the page. */
function highestLevel(blocks: readonly Block[]): number {
  const levels = blocks.map((block) =>
    block.type.startsWith('heading-')
      ? ('level' in block.data && block.data.level) || Number(block.type.slice(-1))
      : ['columns', 'column', 'stepper', 'stepper-step'].includes(block.type)
        ? highestLevel(blocksIn(block.nodes))
        : 3,
  );
  return Math.min(3, ...levels);
}

/** The texts of annotations, each with a link back to its place. */
export function notesBelow(context: RenderContext): ElementContent[] {
  const { notes } = context.progress;
  if (notes.length === 0) return [];
  const items: ElementContent[] = [];
  // Notes may contain further notes, which are appended meanwhile.
  for (let index = 0; index < notes.length; index++) {
    const note = notes[index];
    if (note) items.push(noteElement(note, context));
  }
  return [
    el(
      'section',
      { class: 'notes', role: 'doc-endnotes', ariaLabel: textNode(context.labels.notes).value },
      el('ol', {}, items),
    ),
  ];
}

function noteElement({ number, fragments }: Footnote, context: RenderContext): ElementContent {
  const content = context.blocks(
    fragments.flatMap(({ nodes }) => nodes),
    { ...context, isOutlined: false },
  );
  return el(
    'li',
    { id: `~note-${number}` },
    content,
    el(
      'a',
      {
        class: 'note-back',
        href: `#~noted-${number}`,
        role: 'doc-backlink',
        ariaLabel: textNode(`${context.labels.backToText} (${number})`).value,
      },
      '↩',
    ),
  );
}
