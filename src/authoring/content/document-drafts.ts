import { Injectable } from '@nestjs/common';
import { yieldToOthers } from '../../kernel/common/context.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { ChangeInput, DocumentInput } from './change-input.js';
import { FIND_TARGETS, type GivenDocument, type MarkdownTarget } from './document-tasks.js';
import { ChangeFault } from './domain/content-change.js';

/** A document of a batch that has been parsed once, to find its targets. */
export interface DraftDocument {
  /** Undefined for an input without a document: an empty one. */
  readonly given: GivenDocument | undefined;
  readonly targets: readonly MarkdownTarget[];
}

/** Milliseconds for which a batch may block all other requests. */
const TURN = 20;

/**
 * Parses the documents of batches as far as possible without the space: no lock is held meanwhile, and other requests
 * get their turns.
 */
@Injectable()
export class DocumentDrafts {
  constructor(private readonly workers: WorkerPool) {}

  /** Indexed by change. Throws `ChangeFault` for an invalid document, 422 for one that exceeds the cost limits. */
  async read(inputs: readonly ChangeInput[]): Promise<Map<number, DraftDocument>> {
    const drafts = new Map<number, DraftDocument>();
    let begin = performance.now();
    for (const [index, input] of inputs.entries()) {
      if (!('document' in input) || input.document === undefined || input.document.stored !== undefined) continue;
      // Pages take their title and attributes from Markdown; reusable contents do not.
      const of = input.operation === 'insert_page' || input.operation === 'update_page' ? 'page' : 'reusable';
      drafts.set(index, await this.readOne(input.document, of, index));
      if (performance.now() - begin < TURN) continue;
      await yieldToOthers();
      begin = performance.now();
    }
    return drafts;
  }

  private async readOne(
    { document, markdown }: DocumentInput,
    of: 'page' | 'reusable',
    index: number,
  ): Promise<DraftDocument> {
    const given: GivenDocument | undefined =
      document !== undefined
        ? { json: JSON.stringify(document) }
        : markdown !== undefined
          ? { markdown, of }
          : undefined;
    if (given === undefined) return { given, targets: [] };
    const found = await this.workers.run(FIND_TARGETS, given).catch(limitAt(fieldOf(index, given)));
    if ('fault' in found) throw new ChangeFault(`document.${found.fault.path}`, found.fault.message, index);
    return { given, targets: found };
  }
}

/** The field of the request that contains a document. */
export function fieldOf(index: number, given: GivenDocument): string {
  return `changes.${index}.document.${'json' in given ? 'document' : 'markdown'}`;
}
