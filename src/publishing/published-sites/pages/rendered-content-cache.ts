import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TaskLimitExceeded, type WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import type { ContentFacts } from '../../../formats/html/reference-facts.js';
import { Highlighter } from '../../../formats/html/highlighting.js';
import type { RenderRequirements } from '../../../formats/html/render-requirements.js';
import type { RenderedContent } from '../../../formats/html/render.js';
import {
  DOCUMENT_NEEDS,
  RENDER_DOCUMENT,
  type RenderableDocument,
  type RenderOrder,
} from '../../../formats/html/rendering-tasks.js';

const CACHE_BYTES = 24 * 1024 ** 2;
/** Maximum number of documents whose failing blocks are remembered. */
const REMEMBERED = 5_000;
/** Blocks of a document that are identified one by one as too slow; then all are shown as source. */
const MOST_FOUND_OUT = 2;

export interface ShownContent extends RenderedContent {
  /** True if some code is plain only because it could not be highlighted in time. */
  readonly isProvisional: boolean;
}

/**
 * Renders documents in threads, and caches the results by all their inputs: the document, and the facts of its
 * references. Raw HTML, formulas, code and operations that take too much time or memory are shown as source; such
 * blocks are remembered, so that they cause no delay again. A document whose code could not be highlighted in time is
 * rendered each time.
 */
export class RenderedContentCache {
  private readonly kept = new LRUCache<string, ShownContent>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ html }, key) => 2 * (html.length + key.length) + 2000,
  });
  private readonly asWritten = new LRUCache<string, RenderOrder['asWritten']>({ max: REMEMBERED });
  private readonly highlighter = new Highlighter();

  constructor(private readonly workers: Pick<WorkerPool, 'run'>) {}

  /** `document` is JSON; `party` is the party that the rendering counts for. */
  async render(document: string, facts: ContentFacts, party?: string): Promise<ShownContent> {
    const order: RenderableDocument = { document, facts };
    const specifications = facts.specifications.map(([ref, { id }]) => [ref, id]);
    const key = digest(document, JSON.stringify({ ...facts, specifications }));
    const known = this.kept.get(key);
    if (known) return known;
    const needs = await this.needsOf(order, party);
    const { colors, isProvisional } = await this.highlighter.prepare(needs.code);
    const source = digest(document, JSON.stringify([facts.reusables, specifications]));
    const content = { ...(await this.rendered({ ...order, needs, colors }, source, party)), isProvisional };
    if (!isProvisional) this.kept.set(key, content);
    return content;
  }

  /** The requirements of a document; if they take too long, its code stays plain. */
  private async needsOf(order: RenderableDocument, party: string | undefined): Promise<RenderRequirements> {
    try {
      return await this.workers.run(DOCUMENT_NEEDS, order, { party });
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return { code: [], hasFormulas: true, hard: order.document.length };
      throw error;
    }
  }

  /** `source` identifies the content of the document. */
  private async rendered(
    order: Omit<RenderOrder, 'asWritten' | 'place'>,
    source: string,
    party: string | undefined,
  ): Promise<RenderedContent> {
    for (;;) {
      const asWritten = this.asWritten.get(source) ?? [];
      const place = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      try {
        return await this.workers.run(RENDER_DOCUMENT, { ...order, asWritten, place }, { party });
      } catch (error) {
        if (!(error instanceof TaskLimitExceeded) || asWritten === 'all') throw error;
        const [block = 0] = new Int32Array(place);
        this.asWritten.set(source, asWritten.length < MOST_FOUND_OUT ? [...asWritten, block] : 'all');
      }
    }
  }
}

function digest(document: string, more: string): string {
  return createHash('sha256').update(document).update(`\n${more}`).digest('base64');
}
