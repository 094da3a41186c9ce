import { setMaxListeners } from 'node:events';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { INTEGRATION_RENDERERS, type IntegrationBlock, type IntegrationRenderer } from './content.points.js';
import { INTEGRATION_BLOCKS, WITH_INTEGRATION_BLOCKS } from './integration-tasks.js';

/** Milliseconds for the blocks of one document together. */
const TIME_OF_DOCUMENT = 10_000;
/** Maximum number of blocks of one document; further ones stay unchanged. */
const MAX_BLOCKS = 100;
/** Maximum length of a renderer's result for a block in characters. */
const MAX_LENGTH = 200_000;

/** Renders blocks of integrations with the renderers of external modules. */
@Injectable()
export class IntegrationBlocks implements OnModuleInit {
  private readonly log = new Logger(IntegrationBlocks.name);
  private renderers: ReadonlyMap<string, IntegrationRenderer> = new Map();

  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
    private readonly workers: WorkerPool,
  ) {}

  /** External modules are complete only after this is created. */
  onModuleInit(): void {
    this.renderers = new Map(
      this.registry.contributionsTo(INTEGRATION_RENDERERS).map((type) => {
        const renderer = this.modules.get(type, { strict: false });
        return [renderer.integration, renderer];
      }),
    );
  }

  /** Renders a document, as JSON, for readers. A block whose renderer fails, or that has no renderer, stays. */
  async rendered(json: string): Promise<string> {
    if (this.renderers.size === 0 || !json.includes('"integration"')) return json;
    try {
      const blocks = (await this.workers.run(INTEGRATION_BLOCKS, json)).slice(0, MAX_BLOCKS);
      const signal = AbortSignal.timeout(TIME_OF_DOCUMENT);
      // All renderers of the document may listen to it.
      setMaxListeners(0, signal);
      const over = whenAborted(signal);
      const texts = await Promise.all(blocks.map((block) => this.textOf(block, signal, over)));
      if (texts.every((text) => text === null)) return json;
      return await this.workers.run(WITH_INTEGRATION_BLOCKS, { json, texts });
    } catch (error) {
      if (!(error instanceof TaskLimitExceeded)) throw error;
      return json;
    }
  }

  private async textOf(block: IntegrationBlock, signal: AbortSignal, over: Promise<never>): Promise<string | null> {
    const renderer = this.renderers.get(block.integration);
    if (!renderer) return null;
    try {
      const text = await Promise.race([renderer.render(block, signal), over]);
      if (text !== undefined && text.length > MAX_LENGTH) throw new Error(`gives more than ${MAX_LENGTH} characters`);
      return text ?? null;
    } catch (error) {
      this.log.warn(`${renderer.constructor.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

/** Rejects when the signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('its time is over')), { once: true });
  });
  over.catch(() => undefined);
  return over;
}
