import { createHash } from 'node:crypto';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { TaskLimitExceeded, type WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { ContentFacts } from './reference-facts.js';
import { Highlighter } from './highlighting.js';
import type { BlockNaming } from './render-context.js';
import type { RenderRequirements } from './render-requirements.js';
import type { RenderedContent } from './render.js';
import {
  DOCUMENT_NEEDS,
  RENDER_DIFF,
  RENDER_DOCUMENT,
  type DiffRenderOrder,
  type RenderableDocument,
  type RenderOrder,
} from './rendering-tasks.js';

/** Blocks of a document that are identified one by one as too slow; then all are shown as source. */
const MOST_FOUND_OUT = 2;

export type DiffVersions = Pick<DiffRenderOrder, 'before' | 'after' | 'factsBefore' | 'factsAfter' | 'context'>;

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
  private readonly kept = new Cache<ShownContent>({ share: 8, weigh: ({ html }) => textBytes(html) + 2000 });
  private readonly asWritten = new Cache<NonNullable<RenderOrder['asWritten']>>({ share: 1, weigh: () => 100 });
  private readonly highlighter = new Highlighter();

  constructor(private readonly workers: Pick<WorkerPool, 'run'>) {}

  /** `document` is JSON; `party` is the party that the rendering counts for; `naming` is for writers. */
  async render(document: string, facts: ContentFacts, party?: string, naming?: BlockNaming): Promise<ShownContent> {
    const order: RenderableDocument = { document, facts };
    const specifications = facts.specifications.map(([ref, { id }]) => [ref, id]);
    const key = digest(document, JSON.stringify({ ...facts, specifications, naming }));
    const known = this.kept.get(key);
    if (known) return known;
    const needs = await this.needsOf(order, party);
    const { colors, isProvisional } = await this.highlighter.prepare(needs.code);
    const source = digest(document, JSON.stringify([facts.reusables, specifications]));
    const rendered = await this.withFailing(source, (tried) =>
      this.workers.run(RENDER_DOCUMENT, { ...order, needs, colors, ...(naming && { naming }), ...tried }, { party }),
    );
    const content = { ...rendered, isProvisional };
    if (!isProvisional) this.kept.set(key, content);
    return content;
  }

  /**
   * The difference of two versions of a document as HTML. Each version is JSON, undefined if it is not there; `context`
   * is the number of unchanged blocks on both sides of a change.
   */
  async diff(versions: DiffVersions, party?: string): Promise<string> {
    const { before, after, factsBefore, factsAfter } = versions;
    const read = [
      ...(before === undefined ? [] : [await this.needsOf({ document: before, facts: factsBefore }, party)]),
      ...(after === undefined ? [] : [await this.needsOf({ document: after, facts: factsAfter }, party)]),
    ];
    const needs = {
      hasFormulas: read.some(({ hasFormulas }) => hasFormulas),
      hard: read.reduce((sum, { hard }) => sum + hard, 0),
    };
    const { colors } = await this.highlighter.prepare(read.flatMap(({ code }) => code));
    const source = digest(before ?? '', JSON.stringify([after, versions.context]));
    return this.withFailing(source, (order) =>
      this.workers.run(RENDER_DIFF, { ...versions, needs, colors, ...order }, { party }),
    );
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

  /** Renders; `source` identifies the content, whose failing blocks are shown as source. */
  private async withFailing<Rendered>(
    source: string,
    render: (order: Pick<RenderOrder, 'asWritten' | 'place'>) => Promise<Rendered>,
  ): Promise<Rendered> {
    for (;;) {
      const asWritten = this.asWritten.get(source) ?? [];
      const place = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      try {
        return await render({ asWritten, place });
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
