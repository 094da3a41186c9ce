import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { insertReused } from '../document/insert-reused.js';
import type { Block, Document, Node } from '../document/types.js';
import { operationTool, type CallableServers, type OperationTool } from './openapi/operation-tool.js';
import { referenceResolverOf } from './reference-facts.js';
import type { RenderableDocument } from './rendering-tasks.js';

/** Operations of one page that are read; further ones are left out. */
const MAX_OPERATIONS = 500;

export interface ToolOrder extends RenderableDocument {
  readonly servers: CallableServers;
  /** Maximum number of tools. */
  readonly limit: number;
}

/** The tools that call the operations that a document shows, in order. */
export function documentTools({ document, facts, servers, limit }: ToolOrder): OperationTool[] {
  const resolver = referenceResolverOf(facts);
  const whole = insertReused(JSON.parse(document) as Document, ({ data: { ref } }) => resolver.reusable(ref));
  const tools: OperationTool[] = [];
  let seen = 0;
  for (const { data } of operationsIn(whole.nodes)) {
    if (tools.length === limit || ++seen > MAX_OPERATIONS) break;
    const api = resolver.specification?.(data.ref);
    const tool = api && operationTool(api, data.path, data.method, servers);
    if (tool) tools.push(tool);
  }
  return tools;
}

function* operationsIn(nodes: readonly Node[]): Generator<Block<'openapi-operation'> | Block<'swagger'>> {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (node.object === 'block' && (node.type === 'openapi-operation' || node.type === 'swagger')) yield node;
    yield* operationsIn(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) yield* operationsIn(fragment.nodes);
  }
}

/** Specifications are large, and may be hostile. */
export const DOCUMENT_TOOLS = workerTask(import.meta.url, documentTools, { size: () => Number.POSITIVE_INFINITY });
