import type { ElementContent } from 'hast';
import { blocksIn, lineText } from '../../document/text.js';
import type { Block, TextAlignment } from '../../document/types.js';
import { frameNote, lineOf, onSideOf } from '../diff/changed.js';
import { blockName } from '../block-names.js';
import { classes, el, isEmpty, textNode } from '../elements.js';
import { renderLine } from '../inlines.js';
import type { BlockRenderer, RenderContext } from '../render-context.js';

function alignClass(align: TextAlignment | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined;
}

export const renderParagraph: BlockRenderer<'paragraph'> = ({ nodes, data }, context) => {
  const line = renderLine(nodes, context);
  return isEmpty(line) ? [] : [el('p', { class: classes(alignClass(data.align)) }, line)];
};

type HeadingBlock = Block<'heading-1'> | Block<'heading-2'> | Block<'heading-3'>;

export const renderHeading = (block: HeadingBlock, context: RenderContext): ElementContent[] => {
  const own = Number(block.type.slice(-1));
  const level = block.data.level ?? own;
  const id = context.anchors.get(block);
  const line = renderLine(block.nodes, context);
  if (isEmpty(line)) return [];
  const title = lineText(block.nodes ?? []).trim();
  if (id !== undefined && context.isOutlined && block.data.level === undefined)
    context.progress.outline.push({ id, title, level: own === 1 ? 1 : own === 2 ? 2 : 3 });
  const shown = Math.min(6, Math.max(2, level + context.headingOffset), context.progress.level + 1);
  context.progress.level = shown;
  const element = el(`h${shown}`, { id: id === undefined ? undefined : textNode(id).value }, line);
  // The link is beside the heading, so that screen readers do not read it as a part of it.
  const link =
    id === undefined || context.isLinked || context.resolver.withoutAnchorLinks === true
      ? []
      : [
          el('a', {
            class: 'anchor',
            href: `#${encodeURIComponent(id)}`,
            ariaLabel: textNode(`${context.labels.linkToHeading}: ${title}`).value,
          }),
        ];
  return [el('div', { class: classes('heading', `level-${level}`, alignClass(block.data.align)) }, element, link)];
};

export const renderDivider: BlockRenderer<'divider'> = () => [el('hr', {})];

export const renderBlockquote: BlockRenderer<'blockquote'> = ({ nodes }, context) => [
  el('blockquote', {}, context.blocks(blocksIn(nodes), context)),
];

export const renderOrderedList: BlockRenderer<'list-ordered'> = ({ nodes, data }, context) => {
  const start =
    data.start !== undefined && Number.isSafeInteger(data.start) && data.start !== 1 ? data.start : undefined;
  return [el('ol', { start }, itemsOf(nodes, context, listItem))];
};

export const renderUnorderedList: BlockRenderer<'list-unordered'> = ({ nodes }, context) => [
  el('ul', {}, itemsOf(nodes, context, listItem)),
];

export const renderTaskList: BlockRenderer<'list-tasks'> = ({ nodes }, context) => [
  el('ul', { class: 'tasks' }, itemsOf(nodes, context, taskItem)),
];

function itemsOf(
  nodes: Block['nodes'],
  context: RenderContext,
  item: (block: Block, context: RenderContext) => ElementContent,
): ElementContent[] {
  return blocksIn(nodes).map((block) => item(block, context));
}

function listItem(item: Block, context: RenderContext): ElementContent {
  const blocks = blocksIn(item.nodes);
  const inside = onSideOf(item, context);
  return el(
    'li',
    blockName(item, context),
    frameNote(item, context),
    isTight(blocks) ? tight(blocks, inside) : context.blocks(blocks, inside),
  );
}

/** Tells whether an item is one line, with only further lists below it. */
function isTight([first, ...rest]: readonly Block[]): boolean {
  return (
    first?.type === 'paragraph' && first.data.align === undefined && rest.every(({ type }) => type.startsWith('list-'))
  );
}

/** Renders blocks, the first one as a line without a paragraph of its own. */
export function tight([first, ...rest]: readonly Block[], context: RenderContext): ElementContent[] {
  const line = first ? lineOf(first, renderLine(first.nodes, onSideOf(first, context)), context) : [];
  return [...line, ...context.blocks(rest, context)];
}

function taskItem(item: Block, around: RenderContext): ElementContent {
  const context = onSideOf(item, around);
  const [first, ...rest] = blocksIn(item.nodes);
  const isDone = item.type === 'list-item' && item.data.checked === true;
  const isLine = first?.type === 'paragraph';
  const line = isLine ? lineOf(first, renderLine(first.nodes, onSideOf(first, context)), context) : [];
  const isNamed = !isEmpty(line);
  const box = el('input', {
    type: 'checkbox',
    disabled: true,
    checked: isDone,
    ariaLabel: isNamed ? undefined : isDone ? context.labels.done : context.labels.open,
  });
  const named = isNamed ? el('label', {}, box, el('span', {}, line)) : box;
  return el(
    'li',
    { class: isDone ? 'done' : undefined, ...blockName(item, context) },
    frameNote(item, context),
    named,
    context.blocks(isLine ? rest : blocksIn(item.nodes), context),
  );
}

export const renderMath: BlockRenderer<'math'> = ({ data }, context) => {
  const formula = context.formulas(data.formula, true);
  return [
    formula
      ? el('div', { class: 'math', tabIndex: 0 }, formula)
      : el('pre', { class: 'formula', tabIndex: 0 }, el('code', {}, textNode(data.formula))),
  ];
};
