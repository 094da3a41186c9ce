import type { ElementContent } from 'hast';
import type { Block, BlockType, CardsView, GridView } from '../../document/types.js';
import { diffBlock, onSideOf } from '../diff/changed.js';
import { namedElements } from '../block-names.js';
import type { BlockRenderer, RenderContext } from '../render-context.js';
import {
  renderColumns,
  renderCondition,
  renderExpandable,
  renderHint,
  renderPart,
  renderPrompt,
  renderReusable,
  renderStepper,
  renderTabs,
  renderUpdates,
} from './boxes.js';
import { renderCards } from './cards.js';
import { renderCode } from './code.js';
import {
  renderContentRef,
  renderDrawing,
  renderEmbed,
  renderFile,
  renderImage,
  renderImages,
  renderIntegration,
} from './media.js';
import { renderOperation, renderSchemas, renderSwagger, renderWebhook } from './openapi.js';
import { renderGrid } from './table.js';
import {
  renderBlockquote,
  renderDivider,
  renderHeading,
  renderMath,
  renderOrderedList,
  renderParagraph,
  renderTaskList,
  renderUnorderedList,
} from './text.js';
import { unavailable } from './unavailable.js';

/** The renderer of each block type. */
const RENDERERS: { readonly [Type in BlockType]: BlockRenderer<Type> } = {
  paragraph: renderParagraph,
  'heading-1': renderHeading,
  'heading-2': renderHeading,
  'heading-3': renderHeading,
  'list-ordered': renderOrderedList,
  'list-unordered': renderUnorderedList,
  'list-tasks': renderTaskList,
  'list-item': renderPart,
  divider: renderDivider,
  blockquote: renderBlockquote,
  hint: renderHint,
  if: renderCondition,
  images: renderImages,
  image: renderImage,
  file: renderFile,
  drawing: renderDrawing,
  embed: renderEmbed,
  code: renderCode,
  'code-line': renderPart,
  math: renderMath,
  expandable: renderExpandable,
  tabs: renderTabs,
  'tabs-item': renderPart,
  table: (table, context) =>
    isGrid(table) ? renderGrid(table, context) : isCards(table) ? renderCards(table, context) : unavailable(context),
  swagger: renderSwagger,
  'openapi-operation': renderOperation,
  'openapi-schemas': renderSchemas,
  'openapi-webhook': renderWebhook,
  'content-ref': renderContentRef,
  integration: renderIntegration,
  'reusable-content': renderReusable,
  stepper: renderStepper,
  'stepper-step': renderPart,
  columns: renderColumns,
  column: renderPart,
  updates: renderUpdates,
  update: renderPart,
  prompt: renderPrompt,
};

const isGrid = (table: Block<'table'>): table is Block<'table'> & { data: { view: GridView } } =>
  table.data.view.type === 'grid';
const isCards = (table: Block<'table'>): table is Block<'table'> & { data: { view: CardsView } } =>
  table.data.view.type === 'cards';

/** Renders blocks below each other, as many as the limits of the page allow. */
export function renderBlocks(blocks: readonly Block[], context: RenderContext): ElementContent[] {
  const elements: ElementContent[] = [];
  for (const block of blocks) {
    if (context.progress.left-- <= 0) break;
    const shown = (RENDERERS[block.type] as BlockRenderer<BlockType>)(block, onSideOf(block, context));
    const mark = context.diff?.blocks.get(block);
    if (mark && (mark.isTop || mark.change !== 'unchanged')) elements.push(diffBlock(block, shown, context));
    else elements.push(...namedElements(shown, block, context));
  }
  return elements;
}
