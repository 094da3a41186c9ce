import type { Element, ElementContent } from 'hast';
import type { FrameChange } from '../../document/diff/diff-types.js';
import type { Block, TableRecord } from '../../document/types.js';
import { classes, el, textNode } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { changeAttributes, RUN_ELEMENTS, type DiffSide } from './diff-marks.js';

/** Longest value of a property that is shown. */
const MAX_VALUE = 500;

/** The context of what belongs to one version: references of the earlier one are resolved where it was. */
export function onSide(side: DiffSide | undefined, context: RenderContext): RenderContext {
  return side === 'before' && context.earlier && context.resolver !== context.earlier
    ? { ...context, resolver: context.earlier }
    : context;
}

export function onSideOf(block: Block, context: RenderContext): RenderContext {
  return onSide(context.diff?.blocks.get(block)?.side, context);
}

export function sideOfRow(record: TableRecord, context: RenderContext): RenderContext {
  return onSide(context.diff?.rows.get(record)?.side, context);
}

/** Words that only one version has. */
export function changedWords(change: 'inserted' | 'deleted', content: ElementContent[]): ElementContent[] {
  return content.length === 0 ? [] : [el(RUN_ELEMENTS[change], { class: 'diff' }, content)];
}

/** A line whose block has no element of its own: all of it is marked where only one version has the block. */
export function lineOf(block: Block, line: ElementContent[], context: RenderContext): ElementContent[] {
  const mark = context.diff?.blocks.get(block);
  if (!mark || mark.change === 'unchanged' || mark.change === 'moved') return line;
  if (mark.change !== 'changed') return changedWords(mark.change, line);
  return mark.side === 'before' ? changedWords('deleted', line) : line;
}

/** A block of a comparison, with its properties that differ above it. */
export function diffBlock(block: Block, shown: readonly ElementContent[], context: RenderContext): Element {
  const mark = context.diff?.blocks.get(block);
  return el(
    'div',
    {
      class: classes('diff-block'),
      dataChange: mark?.change ?? 'unchanged',
      ...(block.key !== undefined && { dataBlock: textNode(block.key).value }),
      dataSide: mark?.side ?? 'after',
      ...changeAttributes(mark),
    },
    frameNote(block, context),
    shown,
  );
}

/** The properties of a block that differ, such as the style of a hint. */
export function frameNote(block: Block, context: RenderContext): ElementContent[] {
  const frame = context.diff?.blocks.get(block)?.frame ?? [];
  return frame.length === 0 ? [] : [el('dl', { class: 'diff-frame' }, frame.map(frameItem))];
}

function frameItem(change: FrameChange): Element {
  const value = (given: unknown, of: 'inserted' | 'deleted'): ElementContent[] =>
    given === undefined ? [] : changedWords(of, [textNode(valueText(given))]);
  return el(
    'div',
    {},
    el('dt', {}, textNode(change.attribute)),
    el('dd', {}, value(change.before, 'deleted'), value(change.after, 'inserted')),
  );
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
