import type { ElementContent } from 'hast';
import { blocksIn, lineText } from '../../document/text.js';
import type { Block, TextAlignment } from '../../document/types.js';
import { classes, el, isEmpty, textNode } from '../elements.js';
import { renderLine } from '../inlines.js';
import type { BlockRenderer, RenderContext } from '../render-context.js';

function alignClass(align: TextAlignment | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined;
}

export const renderParagraph: BlockRenderer<'paragraph'> = ({ nodes, data }, scene) => {
  const line = renderLine(nodes, scene);
  return isEmpty(line) ? [] : [el('p', { class: classes(alignClass(data.align)) }, line)];
};

type HeadingBlock = Block<'heading-1'> | Block<'heading-2'> | Block<'heading-3'>;

export const renderHeading = (block: HeadingBlock, scene: RenderContext): ElementContent[] => {
  const own = Number(block.type.slice(-1));
  const level = block.data.level ?? own;
  const id = scene.anchors.get(block);
  const line = renderLine(block.nodes, scene);
  if (isEmpty(line)) return [];
  const title = lineText(block.nodes ?? []).trim();
  if (id !== undefined && scene.isOutlined && block.data.level === undefined)
    scene.progress.outline.push({ id, title, level: own === 1 ? 1 : own === 2 ? 2 : 3 });
  const element = el(
    `h${Math.min(6, Math.max(2, level + scene.headingOffset))}`,
    { id: id === undefined ? undefined : textNode(id).value },
    line,
  );
  // The link is beside the heading, so that screen readers do not read it as a part of it.
  const link =
    id === undefined || scene.isLinked
      ? []
      : [
          el('a', {
            class: 'anchor',
            href: `#${encodeURIComponent(id)}`,
            ariaLabel: textNode(`${scene.labels.linkToHeading}: ${title}`).value,
          }),
        ];
  return [el('div', { class: classes('heading', `level-${level}`, alignClass(block.data.align)) }, element, link)];
};

export const renderDivider: BlockRenderer<'divider'> = () => [el('hr', {})];

export const renderBlockquote: BlockRenderer<'blockquote'> = ({ nodes }, scene) => [
  el('blockquote', {}, scene.blocks(blocksIn(nodes), scene)),
];

export const renderOrderedList: BlockRenderer<'list-ordered'> = ({ nodes, data }, scene) => {
  const start =
    data.start !== undefined && Number.isSafeInteger(data.start) && data.start !== 1 ? data.start : undefined;
  return [el('ol', { start }, itemsOf(nodes, scene, listItem))];
};

export const renderUnorderedList: BlockRenderer<'list-unordered'> = ({ nodes }, scene) => [
  el('ul', {}, itemsOf(nodes, scene, listItem)),
];

export const renderTaskList: BlockRenderer<'list-tasks'> = ({ nodes }, scene) => [
  el('ul', { class: 'tasks' }, itemsOf(nodes, scene, taskItem)),
];

function itemsOf(
  nodes: Block['nodes'],
  scene: RenderContext,
  item: (block: Block, scene: RenderContext) => ElementContent,
): ElementContent[] {
  return blocksIn(nodes).map((block) => item(block, scene));
}

function listItem(item: Block, scene: RenderContext): ElementContent {
  const blocks = blocksIn(item.nodes);
  return el('li', {}, isTight(blocks) ? tight(blocks, scene) : scene.blocks(blocks, scene));
}

/** Tells whether an item is one line, with only further lists below it. */
function isTight([first, ...rest]: readonly Block[]): boolean {
  return (
    first?.type === 'paragraph' && first.data.align === undefined && rest.every(({ type }) => type.startsWith('list-'))
  );
}

/** Renders blocks, the first one as a line without a paragraph of its own. */
export function tight([first, ...rest]: readonly Block[], scene: RenderContext): ElementContent[] {
  return [...renderLine(first?.nodes, scene), ...scene.blocks(rest, scene)];
}

function taskItem(item: Block, scene: RenderContext): ElementContent {
  const [first, ...rest] = blocksIn(item.nodes);
  const isDone = item.type === 'list-item' && item.data.checked === true;
  const isLine = first?.type === 'paragraph';
  const line = isLine ? renderLine(first.nodes, scene) : [];
  const isNamed = !isEmpty(line);
  const box = el('input', {
    type: 'checkbox',
    disabled: true,
    checked: isDone,
    ariaLabel: isNamed ? undefined : isDone ? scene.labels.done : scene.labels.open,
  });
  const named = isNamed ? el('label', {}, box, el('span', {}, line)) : box;
  return el(
    'li',
    { class: isDone ? 'done' : undefined },
    named,
    scene.blocks(isLine ? rest : blocksIn(item.nodes), scene),
  );
}

export const renderMath: BlockRenderer<'math'> = ({ data }, scene) => {
  const formula = scene.formulas(data.formula, true);
  return [
    formula
      ? el('div', { class: 'math', tabIndex: 0 }, formula)
      : el('pre', { class: 'formula', tabIndex: 0 }, el('code', {}, textNode(data.formula))),
  ];
};
