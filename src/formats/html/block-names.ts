import type { Element, ElementContent, Properties } from 'hast';
import type { Block } from '../document/types.js';
import { changeAttributes } from './diff/diff-marks.js';
import { textNode } from './elements.js';
import type { RenderContext } from './render-context.js';

/**
 * The attributes by which an element names the block that it shows, for writers, and says whether it changed. Blocks of reusable contents have none:
 * they belong to other documents.
 */
export function blockName(block: Block | undefined, context: RenderContext): Properties {
  if (!context.naming || block?.key === undefined || block.key === '' || context.within.length > 1) return {};
  return { [context.naming]: textNode(block.key).value, ...changeAttributes(context.diff?.blocks.get(block)) };
}

/** The elements of a block, the first of which names it. */
export function namedElements(
  elements: readonly ElementContent[],
  block: Block,
  context: RenderContext,
): readonly ElementContent[] {
  const name = blockName(block, context);
  const at = elements.findIndex(({ type }) => type === 'element');
  const first = elements[at];
  if (first?.type !== 'element' || Object.keys(name).length === 0) return elements;
  const named: Element = { ...first, properties: { ...first.properties, ...name } };
  return elements.with(at, named);
}
