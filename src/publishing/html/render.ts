import type { ElementContent } from 'hast';
import { htmlOf } from '../../common/html.js';
import { Anchors, anchorsOf } from '../../content/domain/document/anchors.js';
import type { Block, Document } from '../../content/domain/document/types.js';
import { en } from '../domain/languages/en.js';
import { renderBlocks } from './blocks/all.js';
import { blocksIn } from './blocks/text.js';
import { el, words } from './elements.js';
import { loadFormulas, NO_FORMULAS } from './formulas.js';
import { Highlighter } from './highlighting.js';
import { lineOf } from './inlines.js';
import { needsOf } from './needs.js';
import type { Note, OutlineEntry, Progress, Scene, Surroundings } from './scene.js';
import { Turns } from './turns.js';

/** Blocks, inlines and cells of one page, those of reusable contents included; what comes after them is left out. */
const MOST_NODES = 400_000;
/** Characters of HTML of one page; what comes after them is left out. */
const MOST_CHARACTERS = 24 * 1024 ** 2;

export interface RenderedContent {
  readonly html: string;
  readonly outline: readonly OutlineEntry[];
  /** Whether some code is plain only because there was no time to colour it now. */
  readonly isProvisional: boolean;
  /** The title as a line of HTML, where the document says more of it than words, and what it was made of. */
  readonly heading?: { readonly title: string; readonly html: string; readonly id?: string };
}

const highlighter = new Highlighter();

/** A document as HTML, without anything that runs and without styles of its own; the headings of it for an outline. */
export async function renderContent(document: Document, surroundings: Surroundings): Promise<RenderedContent> {
  const turns = new Turns();
  const needs = await needsOf(document, surroundings, turns.turn);
  const { highlight, isProvisional } = await highlighter.prepare(needs.code);
  const formulas = needs.hasFormulas ? await loadFormulas() : NO_FORMULAS;
  const scene = sceneOf(document, surroundings, { highlight, formulas, operations: needs.operations });
  const parts: string[] = [];
  let size = 0;
  const add = (content: ElementContent[]): void => {
    const html = htmlOf(content);
    size += html.length;
    parts.push(html);
  };
  for (const block of document.nodes) {
    if (size > MOST_CHARACTERS) break;
    add(renderBlocks([block], scene));
    await turns.turn();
  }
  add(notesBelow(scene));
  const heading = document.data.heading;
  return {
    html: parts.join(''),
    outline: scene.progress.outline,
    isProvisional,
    ...(heading && { heading: { title: heading.title, html: htmlOf(lineOf(heading.nodes, { ...scene, isLinked: true })), ...(heading.id !== undefined && { id: heading.id }) } }),
  };
}

function sceneOf(document: Document, surroundings: Surroundings, found: Pick<Scene, 'highlight' | 'formulas' | 'operations'>): Scene {
  const ids = new Anchors();
  const anchors = anchorsOf(document);
  for (const anchor of anchors.values()) ids.reserve(anchor);
  const ownId = document.data.heading?.id;
  if (ownId !== undefined) ids.reserve(ownId);
  const progress: Progress = { notes: [], outline: [], reused: 0, left: MOST_NODES, newId: (name) => ids.take(name, '~id') };
  return {
    surroundings,
    labels: { ...en.content, ...surroundings.labels },
    ...found,
    progress,
    anchors,
    headingOffset: 2 - highestLevel(document.nodes),
    isOutlined: true,
    isLinked: false,
    within: [document],
    blocks: renderBlocks,
  };
}

/** The level of the highest heading of a document: it comes right below the title of the page. */
function highestLevel(blocks: readonly Block[]): number {
  const levels = blocks.map((block) => (block.type.startsWith('heading-') ? ('level' in block.data && block.data.level) || Number(block.type.slice(-1)) : ['columns', 'column', 'stepper', 'stepper-step'].includes(block.type) ? highestLevel(blocksIn(block.nodes)) : 3));
  return Math.min(3, ...levels);
}

/** The words of annotations, each with a link back to where it belongs. */
function notesBelow(scene: Scene): ElementContent[] {
  const { notes } = scene.progress;
  if (notes.length === 0) return [];
  const items: ElementContent[] = [];
  // Notes may have notes of their own, which are added behind them meanwhile.
  for (let index = 0; index < notes.length; index++) {
    const note = notes[index];
    if (note) items.push(noteElement(note, scene));
  }
  return [el('section', { class: 'notes', role: 'doc-endnotes', ariaLabel: words(scene.labels.notes).value }, el('ol', {}, items))];
}

function noteElement({ number, fragments }: Note, scene: Scene): ElementContent {
  const content = scene.blocks(fragments.flatMap(({ nodes }) => nodes), { ...scene, isOutlined: false });
  return el('li', { id: `~note-${number}` }, content, el('a', { class: 'note-back', href: `#~noted-${number}`, role: 'doc-backlink', ariaLabel: words(`${scene.labels.backToText} (${number})`).value }, '↩'));
}
