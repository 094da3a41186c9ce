import type { Block, BlockType, CardsView, GridView } from '../../../document/types.js';
import type { Renderer, Scene } from '../scene.js';
import { gap, type Strip } from '../strip.js';
import { BLOCK_GAP } from '../theme.js';
import { columns, condition, expandable, hint, part, prompt, reusable, stepper, tabs, updates } from './boxes.js';
import { cards } from './cards.js';
import { code } from './code.js';
import {
  contentRef,
  drawing,
  embed,
  file,
  image,
  images,
  integration,
  openapiOperation,
  openapiSchemas,
  openapiWebhook,
  swagger,
} from './media.js';
import { grid } from './table.js';
import { blockquote, divider, heading, list, math, paragraph } from './text.js';

/** How each type of block is laid out. */
const RENDERERS: { readonly [Type in BlockType]: Renderer<Type> } = {
  paragraph,
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': list,
  'list-unordered': list,
  'list-tasks': list,
  'list-item': part,
  divider,
  blockquote,
  hint,
  if: condition,
  images,
  image,
  file,
  drawing,
  embed,
  code,
  'code-line': part,
  math,
  expandable,
  tabs,
  'tabs-item': part,
  table: (table, width, scene) =>
    isGrid(table) ? grid(table, width, scene) : isCards(table) ? cards(table, width, scene) : [],
  swagger,
  'openapi-operation': openapiOperation,
  'openapi-schemas': openapiSchemas,
  'openapi-webhook': openapiWebhook,
  'content-ref': contentRef,
  integration,
  'reusable-content': reusable,
  stepper,
  'stepper-step': part,
  columns,
  column: part,
  updates,
  update: part,
  prompt,
};

const isGrid = (table: Block<'table'>): table is Block<'table'> & { data: { view: GridView } } =>
  table.data.view.type === 'grid';
const isCards = (table: Block<'table'>): table is Block<'table'> & { data: { view: CardsView } } =>
  table.data.view.type === 'cards';

/** Space above a block of a type; the most common one where nothing else is said. */
const GAPS: Partial<Record<BlockType, number>> = {
  'heading-1': 18,
  'heading-2': 15,
  'heading-3': 12,
  divider: 6,
  'list-item': 3,
};
/** Blocks that follow a heading stand closer to it. */
const GAP_BELOW_HEADING = 6;

/** Lays out blocks below each other. */
export function* layoutBlocks(blocks: readonly Block[], width: number, scene: Scene): Generator<Strip> {
  let above: Block | undefined;
  for (const block of blocks) {
    const isBelowHeading = above?.type.startsWith('heading-') === true;
    if (above)
      yield gap(
        isBelowHeading && !block.type.startsWith('heading-')
          ? GAP_BELOW_HEADING
          : (GAPS[block.type] ?? (scene.style.size < 9.6 ? BLOCK_GAP / 2 : BLOCK_GAP)),
        isBelowHeading,
      );
    yield* (RENDERERS[block.type] as Renderer<BlockType>)(block, width, scene);
    above = block;
  }
}
