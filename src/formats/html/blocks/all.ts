import type { ElementContent } from 'hast';
import type { Block, BlockType, CardsView, GridView } from '../../document/types.js';
import type { Renderer, Scene } from '../scene.js';
import { columns, expandable, hint, part, prompt, reusable, stepper, tabs, updates } from './boxes.js';
import { cards } from './cards.js';
import { code } from './code.js';
import { contentRef, drawing, embed, file, image, images, integration } from './media.js';
import { operation, schemas, swagger, webhook } from './openapi.js';
import { grid } from './table.js';
import { blockquote, divider, heading, math, orderedList, paragraph, taskList, unorderedList } from './text.js';

/** How each type of block is rendered. */
const RENDERERS: { readonly [Type in BlockType]: Renderer<Type> } = {
  paragraph,
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': orderedList,
  'list-unordered': unorderedList,
  'list-tasks': taskList,
  'list-item': part,
  divider,
  blockquote,
  hint,
  // Conditions are decided before: one that is still there depends on what nobody knows.
  if: () => [],
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
  table: (table, scene) => (isGrid(table) ? grid(table, scene) : isCards(table) ? cards(table, scene) : []),
  swagger,
  'openapi-operation': operation,
  'openapi-schemas': schemas,
  'openapi-webhook': webhook,
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

/** Renders blocks below each other, as many as the page still has room for. */
export function renderBlocks(blocks: readonly Block[], scene: Scene): ElementContent[] {
  const elements: ElementContent[] = [];
  for (const block of blocks) {
    if (scene.progress.left-- <= 0) break;
    elements.push(...(RENDERERS[block.type] as Renderer<BlockType>)(block, scene));
  }
  return elements;
}
