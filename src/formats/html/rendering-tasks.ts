import { referencesIn } from '../document/derive.js';
import { insertReused } from '../document/insert-reused.js';
import { mapBlocks } from '../document/map-blocks.js';
import { lineText } from '../document/text.js';
import type { ContentRef, Document, Node } from '../document/types.js';
import { serializeMarkdown } from '../markdown/serialize.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { en } from './languages/en.js';
import { referenceResolverOf, type ContentFacts } from './reference-facts.js';
import type { CodeColors } from './highlighting.js';
import type { BlockNaming } from './render-context.js';
import { firstWords } from './first-words.js';
import { renderRequirementsOf, type RenderRequirements } from './render-requirements.js';
import { drawsFromSpecification, operationBlocks, type SpecificationBlock } from './openapi/operation-blocks.js';
import { renderDiff } from './diff/render-diff.js';
import { renderContent, type RenderedContent, type RenderOptions } from './render.js';

/* Rendering of documents for readers, as functions of texts that any thread can run. */

/** The information needed about a document before its references are looked up. */
export interface ReadDocument {
  readonly references: readonly ContentRef[];
  /** The specifications that its blocks show, in order. */
  readonly drawn: readonly ContentRef[];
  /** Its first words. */
  readonly words: string;
}

/** A document as JSON, with the facts of its references. */
export interface RenderableDocument {
  readonly document: string;
  readonly facts: ContentFacts;
}

export interface RenderOrder extends RenderableDocument {
  readonly needs: Pick<RenderRequirements, 'hasFormulas' | 'hard'>;
  readonly colors: CodeColors;
  /** Blocks that are shown as source, by position in the document. */
  readonly asWritten: 'all' | readonly number[];
  /** Receives the position of the block that is being rendered: four bytes. */
  readonly place: SharedArrayBuffer;
  readonly naming?: BlockNaming;
}

/** Documents are longer as JSON than as text, at least by this factor. */
const JSON_OF_CHARACTER = 8;
/** The factor by which raw HTML and formulas may take longer than other text of the same length. */
const HARDER = 4;

/** Specifications are large, and so may be the description of an operation. */
function sizeOf({ document, facts: { reusables, specifications } }: RenderableDocument): number {
  if (specifications.length > 0) return Number.POSITIVE_INFINITY;
  return reusables.reduce((sum, [, json]) => sum + json.length, document.length) / JSON_OF_CHARACTER;
}

export function readStoredDocument(json: string): ReadDocument {
  const document = JSON.parse(json) as Document;
  return { references: referencesIn(document), drawn: drawnIn(document), words: firstWords(document) };
}

/** The specifications that blocks of a document show, in order. */
export function drawnIn({ nodes }: Document): ContentRef[] {
  return [...drawingBlocks(nodes)].map(({ data: { ref } }) => ref);
}

function* drawingBlocks(nodes: readonly Node[]): Generator<SpecificationBlock> {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (node.object === 'block' && drawsFromSpecification(node)) yield node;
    yield* drawingBlocks(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) yield* drawingBlocks(fragment.nodes);
  }
}

export function documentNeeds({ document, facts }: RenderableDocument): RenderRequirements {
  return renderRequirementsOf(JSON.parse(document) as Document, referenceResolverOf(facts));
}

export function renderDocument({ document, facts, naming, ...order }: RenderOrder): Promise<RenderedContent> {
  return renderContent(JSON.parse(document) as Document, referenceResolverOf(facts), {
    ...optionsOf(order),
    ...(naming && { naming }),
  });
}

function optionsOf({
  needs,
  colors,
  asWritten,
  place,
}: Pick<RenderOrder, 'needs' | 'colors' | 'asWritten' | 'place'>): RenderOptions {
  const noted = new Int32Array(place);
  return {
    colors,
    hasFormulas: needs.hasFormulas,
    asWritten: (index) => asWritten === 'all' || asWritten.includes(index),
    begin: (index) => void Atomics.store(noted, 0, index),
  };
}

/** Two versions of a document as JSON, undefined where there is none, with the facts of the references of each. */
export interface DiffRenderOrder extends Omit<RenderOrder, 'document' | 'facts' | 'naming'> {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly factsBefore: ContentFacts;
  readonly factsAfter: ContentFacts;
  /** Unchanged blocks on both sides of a change. */
  readonly context: number;
}

/** The difference of two versions of a document as HTML. */
export function renderDocumentDiff(order: DiffRenderOrder): Promise<string> {
  const [before, after] = [order.before, order.after].map((json) =>
    json === undefined ? undefined : (JSON.parse(json) as Document),
  );
  const [earlier, later] = [referenceResolverOf(order.factsBefore), referenceResolverOf(order.factsAfter)];
  return renderDiff({ before, after, earlier, later, context: order.context }, optionsOf(order));
}

/** A document as Markdown: with the content of reusable contents and of operations of specifications. */
export function publishedMarkdown({ document, facts }: RenderableDocument): string {
  const resolver = referenceResolverOf(facts);
  const whole = insertReused(JSON.parse(document) as Document, ({ data: { ref } }) => resolver.reusable(ref));
  const labels = { ...en.content, ...facts.labels };
  let above = facts.title ?? '';
  return serializeMarkdown({
    ...whole,
    nodes: mapBlocks(whole.nodes, (block) => {
      if (block.type.startsWith('heading-')) above = lineText(block.nodes ?? []).trim();
      return operationBlocks(block, ({ data: { ref } }) => resolver.specification?.(ref), labels, above);
    }),
  });
}

export const READ_STORED_DOCUMENT = workerTask(import.meta.url, readStoredDocument, {
  size: ({ length }: string) => length / JSON_OF_CHARACTER,
});
export const DOCUMENT_NEEDS = workerTask(import.meta.url, documentNeeds, { size: sizeOf });
export const RENDER_DOCUMENT = workerTask(import.meta.url, renderDocument, {
  size: (order: RenderOrder) => sizeOf(order) + HARDER * order.needs.hard,
});
export const RENDER_DIFF = workerTask(import.meta.url, renderDocumentDiff, {
  size: ({ before = '', after = '', factsBefore, factsAfter, needs }: DiffRenderOrder) =>
    sizeOf({ document: before, facts: factsBefore }) +
    sizeOf({ document: after, facts: factsAfter }) +
    HARDER * needs.hard,
});
export const PUBLISHED_MARKDOWN = workerTask(import.meta.url, publishedMarkdown, { size: sizeOf });
