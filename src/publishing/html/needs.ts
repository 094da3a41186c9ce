import { MAX_REUSED, MOST_REUSED } from '../../content/domain/document/insert-reused.js';
import { childBlocks } from '../../content/domain/document/text.js';
import type { Block, Document, Node } from '../../content/domain/document/types.js';
import { plainText } from './blocks/code.js';
import type { CodeToHighlight } from './highlighting.js';
import type { Operation } from './openapi/operation.js';
import { operationIn, samplesOf } from './openapi/samples.js';
import type { Surroundings } from './scene.js';

/** What has to be loaded before a document can be rendered. */
export interface Needs {
  readonly code: readonly CodeToHighlight[];
  readonly hasFormulas: boolean;
  readonly operations: ReadonlyMap<Block, Operation>;
}

/** Looks through a document and the reusable contents in it. */
export async function needsOf(document: Document, surroundings: Surroundings, turn: () => Promise<void>): Promise<Needs> {
  const walk = new Walk(surroundings);
  for (const block of document.nodes) {
    walk.block(block);
    await turn();
  }
  return walk;
}

class Walk implements Needs {
  readonly code: CodeToHighlight[] = [];
  readonly operations = new Map<Block, Operation>();
  hasFormulas = false;
  private readonly seen = new Set<Document>();
  private depth = 0;

  constructor(private readonly surroundings: Surroundings) {}

  private reused(document: Document): void {
    if (this.seen.has(document) || this.depth >= MAX_REUSED || this.seen.size >= MOST_REUSED) return;
    this.seen.add(document);
    this.depth++;
    for (const block of document.nodes) this.block(block);
    this.depth--;
  }

  block(block: Block): void {
    if (block.type === 'code' && block.data.syntax !== undefined) this.code.push({ code: plainText(block), language: block.data.syntax });
    else if (block.type === 'math') this.hasFormulas = true;
    else if (block.type === 'reusable-content') {
      const found = this.surroundings.reusable(block.data.ref);
      if (found) this.reused(found);
    }
    const operation = operationIn(block, this.surroundings);
    if (operation) {
      this.operations.set(block, operation);
      this.code.push(...samplesOf(operation));
    }
    this.line(block.nodes ?? []);
    for (const child of childBlocks(block)) this.block(child);
  }

  private line(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.object !== 'inline') continue;
      if (node.type === 'inline-math') this.hasFormulas = true;
      this.line(node.nodes ?? []);
      for (const child of childBlocks(node)) this.block(child);
    }
  }
}
