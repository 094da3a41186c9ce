import { mapBlocks } from '../../formats/document/map-blocks.js';
import type { Document } from '../../formats/document/types.js';
import { parseMarkdown } from '../../formats/markdown/parse.js';
import { readingSize } from '../../formats/markdown/parse-limits.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import type { IntegrationBlock } from './content.points.js';

/** A document as JSON, and Markdown for its integration blocks by position; null for those that stay. */
interface Replacement {
  readonly json: string;
  readonly texts: readonly (string | null)[];
}

const JSON_LENGTH = 4;

/** The integration blocks of a document, in order. */
export function integrationBlocks(json: string): IntegrationBlock[] {
  const found: IntegrationBlock[] = [];
  const { nodes } = JSON.parse(json) as Document;
  mapBlocks(nodes, (block) => {
    if (block.type === 'integration') found.push(block.data);
    return undefined;
  });
  return found;
}

/** The document, as JSON, with Markdown in place of integration blocks. */
export function withIntegrationBlocks({ json, texts }: Replacement): string {
  const whole = JSON.parse(json) as Document;
  let place = 0;
  const nodes = mapBlocks(whole.nodes, (block) => {
    const text = block.type === 'integration' ? texts[place++] : undefined;
    return text === undefined || text === null ? undefined : parseMarkdown(text).document.nodes;
  });
  return JSON.stringify({ ...whole, nodes });
}

export const INTEGRATION_BLOCKS = workerTask(import.meta.url, integrationBlocks, {
  size: (json) => json.length / JSON_LENGTH,
});
export const WITH_INTEGRATION_BLOCKS = workerTask(import.meta.url, withIntegrationBlocks, {
  size: ({ json, texts }) =>
    texts.reduce((sum, text) => sum + (text === null ? 0 : readingSize(text)), json.length / JSON_LENGTH),
});
