import { MAX_REUSED, MOST_REUSED } from '../document/insert-reused.js';
import { childBlocks } from '../document/text.js';
import { RAW_SYNTAX, type Block, type Document, type Node } from '../document/types.js';
import { codeContent } from './blocks/code.js';
import type { CodeToHighlight } from './highlighting.js';
import { operationIn, roomForSamples, samplesOf } from './openapi/samples.js';
import type { ReferenceResolver } from './render-context.js';

/** The resources needed before a document can be rendered, and the amount of its content that is slow to render. */
export interface RenderRequirements {
  readonly code: readonly CodeToHighlight[];
  readonly hasFormulas: boolean;
  /** Characters of raw HTML and of formulas, which take longer than others of the same length. */
  readonly hard: number;
}

/** Scans a document and its reusable contents. */
export function renderRequirementsOf(document: Document, resolver: ReferenceResolver): RenderRequirements {
  const walk = new Walk(resolver, roomForSamples(document));
  for (const block of document.nodes) walk.block(block);
  walk.line(document.data.heading?.nodes ?? []);
  return { code: walk.code, hasFormulas: walk.hasFormulas, hard: walk.hard };
}

class Walk {
  readonly code: CodeToHighlight[] = [];
  hasFormulas = false;
  hard = 0;
  private readonly seen = new Set<Document>();
  private depth = 0;

  constructor(
    private readonly resolver: ReferenceResolver,
    private readonly roomForSamples: number,
  ) {}

  private reused(document: Document): void {
    if (this.seen.has(document) || this.depth >= MAX_REUSED || this.seen.size >= MOST_REUSED) return;
    this.seen.add(document);
    this.depth++;
    for (const block of document.nodes) this.block(block);
    this.depth--;
  }

  block(block: Block): void {
    if (block.type === 'code' && block.data.syntax !== undefined) this.text(codeContent(block), block.data.syntax);
    else if (block.type === 'math') this.formula(block.data.formula);
    else if (block.type === 'reusable-content') {
      const found = this.resolver.reusable(block.data.ref);
      if (found) this.reused(found);
    }
    const operation = operationIn(block, this.resolver);
    if (operation) this.code.push(...samplesOf(operation, this.roomForSamples));
    this.line(block.nodes ?? []);
    for (const child of childBlocks(block)) this.block(child);
  }

  line(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.object !== 'inline') continue;
      if (node.type === 'inline-math') this.formula(node.data.formula);
      this.line(node.nodes ?? []);
      for (const child of childBlocks(node)) this.block(child);
    }
  }

  private formula(formula: string): void {
    this.hasFormulas = true;
    this.hard += formula.length;
  }

  private text(code: string, syntax: string): void {
    if (syntax === RAW_SYNTAX) this.hard += code.length;
    else this.code.push({ code, language: syntax });
  }
}
