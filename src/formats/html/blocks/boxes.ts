import type { ElementContent } from 'hast';
import { anchorsOf } from '../../document/anchors.js';
import { MAX_REUSED, MOST_REUSED } from '../../document/insert-reused.js';
import { blocksIn, fragmentNamed } from '../../document/text.js';
import type { Block, HintStyle } from '../../document/types.js';
import { classes, el, hidden, pixelsOf, shareClass, textNode } from '../elements.js';
import { iconElement } from '../icons.js';
import { renderLine } from '../inlines.js';
import type { BlockRenderer, RenderContext } from '../render-context.js';

const HINT_ICONS: Readonly<Record<HintStyle, string>> = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'triangle-exclamation',
};

export const renderHint: BlockRenderer<'hint'> = ({ data, nodes }, scene) => [
  el(
    'div',
    { class: ['hint', data.style], role: 'note' },
    data.icon === undefined
      ? iconElement(HINT_ICONS[data.style], 'solid')
      : iconElement(data.icon, scene.surroundings.iconStyle),
    el('div', { class: 'hint-body' }, hidden(`${scene.labels[data.style]}: `), scene.blocks(blocksIn(nodes), scene)),
  ),
];

export const renderExpandable: BlockRenderer<'expandable'> = (block, scene) => {
  const title = fragmentNamed(block, 'expandable-title')?.nodes[0]?.nodes ?? [];
  const body = (block.fragments ?? [])
    .filter(({ fragment }) => fragment !== 'expandable-title')
    .flatMap(({ nodes }) => nodes);
  return [
    el(
      'details',
      { class: 'expandable', id: idOf(block, scene), open: block.data.defaultExpanded === true },
      el('summary', {}, renderLine(title, scene)),
      el('div', { class: 'expandable-body' }, scene.blocks(body, { ...scene, isOutlined: false })),
    ),
  ];
};

function idOf(block: Block, scene: RenderContext): string | undefined {
  const id = scene.anchors.get(block);
  return id === undefined ? undefined : textNode(id).value;
}

/** Tabs as radio buttons, each before its panel: the style sheet shows the panel of the selected one. */
export const renderTabs: BlockRenderer<'tabs'> = ({ nodes, data }, scene) => {
  const group = scene.progress.newId('~tabs');
  const items = blocksIn(nodes).flatMap((item, index): ElementContent[] => {
    if (item.type !== 'tabs-item') return [];
    const inputId = `${group}.${index + 1}`;
    const icon = item.data.icon === undefined ? [] : iconElement(item.data.icon, scene.surroundings.iconStyle);
    return [
      el('input', { type: 'radio', class: 'visually-hidden', name: group, id: inputId, checked: index === 0 }),
      el('label', { for: inputId }, icon, textNode(titleOfTab(item, index))),
      el(
        'div',
        { class: 'panel', id: idOf(item, scene) },
        scene.blocks(blocksIn(item.nodes), { ...scene, isOutlined: false }),
      ),
    ];
  });
  return items.length === 0
    ? []
    : [
        el(
          'div',
          { class: classes('tabs', data.fullWidth && 'wide'), role: 'group', ariaLabel: scene.labels.tabs },
          items,
        ),
      ];
};

function titleOfTab({ data: { title = '' } }: Block<'tabs-item'>, index: number): string {
  return title.trim() === '' ? String(index + 1) : title;
}

export const renderStepper: BlockRenderer<'stepper'> = ({ nodes }, scene) => {
  const steps = blocksIn(nodes).map((step) => {
    const icon =
      step.type === 'stepper-step' && step.data.icon !== undefined
        ? [el('span', { class: 'step-icon' }, iconElement(step.data.icon, scene.surroundings.iconStyle))]
        : [];
    return el(
      'li',
      { class: classes(icon.length > 0 && 'with-icon') },
      icon,
      el('div', { class: 'step-body' }, scene.blocks(blocksIn(step.nodes), scene)),
    );
  });
  return steps.length === 0 ? [] : [el('ol', { class: 'stepper' }, steps)];
};

export const renderColumns: BlockRenderer<'columns'> = ({ nodes, data }, scene) => {
  const items = blocksIn(nodes).map((column) => {
    const { width, verticalAlignment } = column.type === 'column' ? column.data : {};
    const share = shareClass(width) ?? shareOfPixels(pixelsOf(width));
    return el(
      'div',
      {
        class: classes(
          'column',
          share,
          verticalAlignment && verticalAlignment !== 'top' && `valign-${verticalAlignment}`,
        ),
      },
      scene.blocks(blocksIn(column.nodes), scene),
    );
  });
  return items.length === 0 ? [] : [el('div', { class: classes('columns', data.fullWidth && 'wide') }, items)];
};

/** Pixels as an approximate share of the usual text width. */
function shareOfPixels(pixels: number | undefined): string | undefined {
  return pixels === undefined ? undefined : shareClass({ unit: '%', value: Math.min(100, (pixels / 760) * 100) });
}

export const renderUpdates: BlockRenderer<'updates'> = ({ nodes, data }, scene) => {
  const items = blocksIn(nodes).flatMap((item) => {
    if (item.type !== 'update') return [];
    const tags = (item.data.tags ?? [])
      .filter(({ tag }) => tag !== '')
      .map(({ tag }) => el('li', { class: 'option' }, textNode(tag)));
    return [
      el(
        'li',
        { class: 'update' },
        el(
          'div',
          { class: 'update-head' },
          dateElement(item.data.date, data.format),
          tags.length === 0 ? [] : el('ul', { class: 'tags' }, tags),
        ),
        el('div', { class: 'update-body' }, scene.blocks(blocksIn(item.nodes), scene)),
      ),
    ];
  });
  return items.length === 0 ? [] : [el('ol', { class: 'updates' }, items)];
};

function dateElement(date: string, format: 'numeric' | 'full' | 'short' | undefined): ElementContent {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return el('span', { class: 'date' }, textNode(date));
  const month = format === 'numeric' ? '2-digit' : format === 'short' ? 'short' : 'long';
  const day = at.toISOString().slice(0, 10);
  return el(
    'time',
    { class: 'date', dateTime: day },
    format === 'numeric'
      ? day
      : at.toLocaleDateString('en-GB', { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
  );
}

export const renderPrompt: BlockRenderer<'prompt'> = ({ nodes, data }, scene) => [
  el(
    'details',
    { class: ['expandable', 'prompt'], open: data.defaultExpanded === 'full' || data.defaultExpanded === 'partial' },
    el(
      'summary',
      {},
      iconElement(data.icon ?? 'wand-magic-sparkles', scene.surroundings.iconStyle),
      textNode(data.description),
    ),
    el('div', { class: 'expandable-body' }, scene.blocks(blocksIn(nodes), scene)),
  ),
];

/** The content of a reusable content in its place; nothing if it is missing or recursive. */
export const renderReusable: BlockRenderer<'reusable-content'> = ({ data }, scene) => {
  const found = scene.surroundings.reusable(data.ref);
  if (
    !found ||
    scene.within.includes(found) ||
    scene.within.length > MAX_REUSED ||
    scene.progress.reused >= MOST_REUSED
  )
    return [];
  scene.progress.reused++;
  const anchors = new Map([...anchorsOf(found)].map(([block, anchor]) => [block, scene.progress.newId(anchor)]));
  return scene.blocks(found.nodes, { ...scene, anchors, within: [...scene.within, found] });
};

/** Parts that only occur inside their own parents, which render them themselves. */
export const renderPart = ({ nodes }: Pick<Block, 'nodes'>, scene: RenderContext): ElementContent[] =>
  scene.blocks(blocksIn(nodes), scene);
