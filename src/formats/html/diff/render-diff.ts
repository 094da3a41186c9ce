import type { ElementContent } from 'hast';
import { htmlOf } from '../../../kernel/common/html.js';
import { document as documentOf } from '../../document/build.js';
import { diffDocuments } from '../../document/diff/block-diff.js';
import { withContext } from '../../document/diff/diff-context.js';
import type { Block, Document } from '../../document/types.js';
import { el } from '../elements.js';
import { loadFormulas, NO_FORMULAS } from '../formulas.js';
import { highlightedBy } from '../highlighting.js';
import { MOST_CHARACTERS, notesBelow, sceneOf, withoutReading, type RenderOptions } from '../render.js';
import { renderBlocks } from '../blocks/all.js';
import type { ReferenceResolver } from '../render-context.js';
import { newMarks } from './diff-marks.js';
import { DiffMerger } from './merge-diff.js';

/** Two versions of a document, and what their references mean where they were. */
export interface Compared {
  readonly before: Document | undefined;
  readonly after: Document | undefined;
  readonly earlier: ReferenceResolver;
  readonly later: ReferenceResolver;
  /** Unchanged blocks on both sides of a change. */
  readonly context: number;
}

/** Renders the difference of two versions of a document: the blocks of both, with marks at what changed. */
export async function renderDiff(
  { before, after, earlier, later, context }: Compared,
  { colors = new Map(), hasFormulas = true, asWritten = () => false, begin }: RenderOptions = {},
): Promise<string> {
  const marks = newMarks();
  const merger = new DiffMerger(marks);
  const entries = withContext(diffDocuments(before, after), context);
  const blocks = entries.flatMap((entry): (Block | number)[] =>
    entry.change === 'skipped' ? [entry.count] : merger.merged([entry], true),
  );
  const merged = documentOf(blocks.filter((each) => typeof each !== 'number'));
  const scene = sceneOf(merged, later, {
    highlight: highlightedBy(colors),
    formulas: hasFormulas ? await loadFormulas() : NO_FORMULAS,
    naming: 'dataBlock',
    diff: marks,
    earlier,
  });
  const parts: string[] = [];
  let size = 0;
  const add = (content: ElementContent[]): void => {
    const html = htmlOf(content);
    size += html.length;
    parts.push(html);
  };
  for (const [index, each] of blocks.entries()) {
    if (size > MOST_CHARACTERS) break;
    begin?.(index);
    if (typeof each === 'number') add([el('div', { class: 'diff-skip', dataCount: String(each) })]);
    else add(renderBlocks([each], asWritten(index) ? withoutReading(scene) : scene));
  }
  begin?.(blocks.length);
  add(notesBelow(asWritten(blocks.length) ? withoutReading(scene) : scene));
  return parts.join('');
}
