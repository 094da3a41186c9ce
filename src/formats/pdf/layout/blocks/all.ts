import type { Block, BlockType, CardsView, GridView } from '../../../document/types.js';
import type { BlockLayout, LayoutContext } from '../layout-context.js';
import { gap, type Strip } from '../strip.js';
import { BLOCK_GAP } from '../theme.js';
import {
  layoutColumns,
  condition,
  layoutExpandable,
  layoutHint,
  layoutPart,
  layoutPrompt,
  layoutReusable,
  layoutStepper,
  layoutTabs,
  layoutUpdates,
} from './boxes.js';
import { layoutCards } from './cards.js';
import { layoutCode } from './code.js';
import {
  layoutContentRef,
  layoutDrawing,
  layoutEmbed,
  layoutFile,
  layoutImage,
  layoutImages,
  layoutIntegration,
  layoutOpenapiOperation,
  layoutOpenapiSchemas,
  layoutOpenapiWebhook,
  layoutSwagger,
} from './media.js';
import { layoutGrid } from './table.js';
import { layoutBlockquote, layoutDivider, layoutHeading, layoutList, layoutMath, layoutParagraph } from './text.js';

/** The layout function of each block type. */
const RENDERERS: { readonly [Type in BlockType]: BlockLayout<Type> } = {
  paragraph: layoutParagraph,
  'heading-1': layoutHeading,
  'heading-2': layoutHeading,
  'heading-3': layoutHeading,
  'list-ordered': layoutList,
  'list-unordered': layoutList,
  'list-tasks': layoutList,
  'list-item': layoutPart,
  divider: layoutDivider,
  blockquote: layoutBlockquote,
  hint: layoutHint,
  if: condition,
  images: layoutImages,
  image: layoutImage,
  file: layoutFile,
  drawing: layoutDrawing,
  embed: layoutEmbed,
  code: layoutCode,
  'code-line': layoutPart,
  math: layoutMath,
  expandable: layoutExpandable,
  tabs: layoutTabs,
  'tabs-item': layoutPart,
  table: (table, width, context) =>
    isGrid(table) ? layoutGrid(table, width, context) : isCards(table) ? layoutCards(table, width, context) : [],
  swagger: layoutSwagger,
  'openapi-operation': layoutOpenapiOperation,
  'openapi-schemas': layoutOpenapiSchemas,
  'openapi-webhook': layoutOpenapiWebhook,
  'content-ref': layoutContentRef,
  integration: layoutIntegration,
  'reusable-content': layoutReusable,
  stepper: layoutStepper,
  'stepper-step': layoutPart,
  columns: layoutColumns,
  column: layoutPart,
  updates: layoutUpdates,
  update: layoutPart,
  prompt: layoutPrompt,
};

const isGrid = (table: Block<'table'>): table is Block<'table'> & { data: { view: GridView } } =>
  table.data.view.type === 'grid';
const isCards = (table: Block<'table'>): table is Block<'table'> & { data: { view: CardsView } } =>
  table.data.view.type === 'cards';

/** Space above a block of a type; the default applies to all other types. */
const GAPS: Partial<Record<BlockType, number>> = {
  'heading-1': 18,
  'heading-2': 15,
  'heading-3': 12,
  divider: 6,
  'list-item': 3,
};
/** Blocks that follow a heading are closer to it. */
const GAP_BELOW_HEADING = 6;

/** Lays out blocks below each other. */
export function* layoutBlocks(blocks: readonly Block[], width: number, context: LayoutContext): Generator<Strip> {
  let above: Block | undefined;
  for (const block of blocks) {
    const isBelowHeading = above?.type.startsWith('heading-') === true;
    if (above)
      yield gap(
        isBelowHeading && !block.type.startsWith('heading-')
          ? GAP_BELOW_HEADING
          : (GAPS[block.type] ?? (context.style.size < 9.6 ? BLOCK_GAP / 2 : BLOCK_GAP)),
        isBelowHeading,
      );
    yield* (RENDERERS[block.type] as BlockLayout<BlockType>)(block, width, context);
    above = block;
  }
}
