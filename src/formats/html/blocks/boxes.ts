import type { ElementContent } from 'hast';
import { anchorsOf } from '../../document/anchors.js';
import { MAX_REUSED, MOST_REUSED } from '../../document/insert-reused.js';
import { blocksIn, fragmentNamed, headingIn, withBelow } from '../../document/text.js';
import type { Block, HintStyle } from '../../document/types.js';
import { frameNote, lineOf, onSideOf } from '../diff/changed.js';
import { blockName } from '../block-names.js';
import { classes, el, hidden, pixelsOf, shareClass, textNode } from '../elements.js';
import { iconElement } from '../icons.js';
import { renderLine } from '../inlines.js';
import type { BlockRenderer, RenderContext } from '../render-context.js';
import { tabsElement, type TabPanel } from './tabs.js';
import { unavailable } from './unavailable.js';

const HINT_ICONS: Readonly<Record<HintStyle, string>> = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'triangle-exclamation',
};

export const renderHint: BlockRenderer<'hint'> = ({ data, nodes }, context) => [
  el(
    'div',
    { class: ['hint', data.style], role: 'note' },
    data.icon === undefined
      ? iconElement(HINT_ICONS[data.style], 'solid')
      : iconElement(data.icon, context.resolver.iconStyle),
    el(
      'div',
      { class: 'hint-body' },
      hidden(`${context.labels[data.style]}: `),
      context.blocks(blocksIn(nodes), context),
    ),
  ),
];

export const renderExpandable: BlockRenderer<'expandable'> = (block, context) => {
  const titles = fragmentNamed(block, 'expandable-title')?.nodes ?? [];
  const body = (block.fragments ?? [])
    .filter(({ fragment }) => fragment !== 'expandable-title')
    .flatMap(({ nodes }) => nodes);
  return [
    el(
      'details',
      {
        class: 'expandable',
        id: idOf(block, context),
        open: block.data.defaultExpanded === true || context.diff !== undefined,
      },
      el(
        'summary',
        {},
        titles.map((title) => lineOf(title, renderLine(title.nodes, onSideOf(title, context)), context)),
      ),
      el('div', { class: 'expandable-body' }, context.blocks(body, { ...context, isOutlined: false })),
    ),
  ];
};

function idOf(block: Block, context: RenderContext): string | undefined {
  const id = context.anchors.get(block);
  return id === undefined ? undefined : textNode(id).value;
}

export const renderTabs: BlockRenderer<'tabs'> = ({ nodes, data }, context) => {
  const tabs = blocksIn(nodes).flatMap((item, index): TabPanel[] => {
    if (item.type !== 'tabs-item') return [];
    const icon = item.data.icon === undefined ? [] : iconElement(item.data.icon, context.resolver.iconStyle);
    return [
      {
        label: [icon, textNode(titleOfTab(item, index))].flat(),
        panel: { id: idOf(item, context), ...blockName(item, context) },
        content: [
          frameNote(item, context),
          context.blocks(blocksIn(item.nodes), { ...onSideOf(item, context), isOutlined: false }),
        ].flat(),
      },
    ];
  });
  return tabsElement(tabs, context, data.fullWidth && 'wide');
};

function titleOfTab({ data: { title = '' } }: Block<'tabs-item'>, index: number): string {
  return title.trim() === '' ? String(index + 1) : title;
}

export const renderStepper: BlockRenderer<'stepper'> = ({ nodes }, context) => {
  const steps = blocksIn(nodes).map((step) => {
    const icon =
      step.type === 'stepper-step' && step.data.icon !== undefined
        ? [el('span', { class: 'step-icon' }, iconElement(step.data.icon, context.resolver.iconStyle))]
        : [];
    return el(
      'li',
      { class: classes(icon.length > 0 && 'with-icon'), ...blockName(step, context) },
      icon,
      el(
        'div',
        { class: 'step-body' },
        frameNote(step, context),
        context.blocks(blocksIn(step.nodes), onSideOf(step, context)),
      ),
    );
  });
  return steps.length === 0 ? [] : [el('ol', { class: 'stepper' }, steps)];
};

export const renderColumns: BlockRenderer<'columns'> = ({ nodes, data }, context) => {
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
        ...blockName(column, context),
      },
      frameNote(column, context),
      context.blocks(blocksIn(column.nodes), onSideOf(column, context)),
    );
  });
  return items.length === 0 ? [] : [el('div', { class: classes('columns', data.fullWidth && 'wide') }, items)];
};

/** Pixels as an approximate share of the usual text width. */
function shareOfPixels(pixels: number | undefined): string | undefined {
  return pixels === undefined ? undefined : shareClass({ unit: '%', value: Math.min(100, (pixels / 760) * 100) });
}

export const renderUpdates: BlockRenderer<'updates'> = ({ nodes, data }, context) => {
  const items = blocksIn(nodes).flatMap((item) => {
    if (item.type !== 'update') return [];
    const tags = (item.data.tags ?? [])
      .filter(({ tag }) => tag !== '')
      .map(({ tag }) => el('li', { class: 'option' }, textNode(tag)));
    return [
      el(
        'li',
        { class: 'update', id: idOfUpdate(item, context), ...blockName(item, context) },
        el(
          'div',
          { class: 'update-head' },
          dateElement(item.data.date, data.format),
          tags.length === 0 ? [] : el('ul', { class: 'tags' }, tags),
        ),
        el(
          'div',
          { class: 'update-body' },
          frameNote(item, context),
          context.blocks(blocksIn(item.nodes), onSideOf(item, context)),
        ),
      ),
    ];
  });
  return items.length === 0 ? [] : [el('ol', { class: 'updates' }, items)];
};

/** The place in the page that the feed of its updates names: the day, for an update without a heading. */
function idOfUpdate(item: Extract<Block, { type: 'update' }>, context: RenderContext): string | undefined {
  const isHeaded = headingIn(blocksIn(item.nodes).flatMap(withBelow)) !== undefined;
  return isHeaded || item.data.date === '' ? undefined : textNode(context.progress.newId(item.data.date)).value;
}

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

export const renderPrompt: BlockRenderer<'prompt'> = ({ nodes, data }, context) => [
  el(
    'details',
    {
      class: ['expandable', 'prompt'],
      open: ['full', 'partial'].includes(data.defaultExpanded ?? '') || context.diff !== undefined,
    },
    el(
      'summary',
      {},
      iconElement(data.icon ?? 'wand-magic-sparkles', context.resolver.iconStyle),
      textNode(data.description),
    ),
    el('div', { class: 'expandable-body' }, context.blocks(blocksIn(nodes), context)),
  ),
];

/** The content of a reusable content in its place; nothing if it is missing or recursive. */
export const renderReusable: BlockRenderer<'reusable-content'> = ({ data }, context) => {
  const found = context.resolver.reusable(data.ref);
  if (!found || context.within.includes(found)) return unavailable(context);
  if (context.within.length > MAX_REUSED || context.progress.reused >= MOST_REUSED) {
    if (context.progress.isCut) return [];
    context.progress.isCut = true;
    return unavailable(context);
  }
  context.progress.reused++;
  const anchors = new Map([...anchorsOf(found)].map(([block, anchor]) => [block, context.progress.newId(anchor)]));
  return context.blocks(found.nodes, { ...context, anchors, within: [...context.within, found] });
};

/**
 * Conditions are evaluated before; a remaining one depends on unknown values: only writers see it, with its expression
 * above.
 */
export const renderCondition: BlockRenderer<'if'> = ({ data, nodes }, context) =>
  context.naming === undefined
    ? []
    : [
        el(
          'div',
          { class: 'condition' },
          el('p', { class: 'condition-head' }, el('code', {}, textNode(data.expression))),
          context.blocks(blocksIn(nodes), { ...context, isOutlined: false }),
        ),
      ];

/** Parts that only occur inside their own parents, which render them themselves. */
export const renderPart = ({ nodes }: Pick<Block, 'nodes'>, context: RenderContext): ElementContent[] =>
  context.blocks(blocksIn(nodes), context);
