import { blocksIn } from '../../../document/text.js';
import type { Block, Node } from '../../../document/types.js';
import { RAW_SYNTAX } from '../../../document/types.js';
import { linePieces } from '../line-pieces.js';
import { textStrips } from '../line-breaking.js';
import { styled, type LayoutContext } from '../layout-context.js';
import { decorated, keptTogether, type Strip } from '../strip.js';
import { CODE_SIZE, GREY, INK, PALE, SHADE } from '../theme.js';
import { indentOf, wordStrips } from './text.js';

const PADDING = 8;
const LEADING = 1.45;
const HIGHLIGHT = '#fdf3d0';

/** Code on a background of its own; long lines continue in the next one. */
export function* layoutCode(block: Block<'code'>, width: number, context: LayoutContext): Generator<Strip> {
  const { title, syntax, lineNumbers } = block.data;
  const lines = blocksIn(block.nodes);
  const gutter = lineNumbers ? 8 + String(lines.length).length * CODE_SIZE * 0.6 : 0;
  const indent = indentOf(PADDING + gutter, width);
  const inner = Math.max(20, width - indent - PADDING);
  const ground = (height: number): Strip => ({
    height,
    keep: true,
    paint: (canvas, x, y) => canvas.fill(x, y, width, height + 0.3, SHADE),
  });
  const heading = title ?? (syntax === RAW_SYNTAX ? undefined : syntax);
  if (heading !== undefined && heading !== '') {
    yield ground(3);
    yield* decorated(
      keptTogether(
        wordStrips(heading, width - 2 * PADDING, context, { face: 'sans', size: CODE_SIZE - 0.5, color: GREY }),
      ),
      Math.min(PADDING, indent),
      (canvas, x, y, { height }) => canvas.fill(x, y, width, height + 0.3, SHADE),
    );
    yield {
      ...ground(3),
      paint: (canvas, x, y) => {
        canvas.fill(x, y, width, 3.3, SHADE);
        canvas.line(x, y + 2, x + width, y + 2, PALE, 0.5);
      },
    };
  }
  yield ground(PADDING * 0.7);
  const written = styled(context, { face: 'mono', size: CODE_SIZE, color: INK });
  for (const [index, line] of lines.entries()) {
    const strips = codeLine(line, index + 1, {
      width,
      inner,
      indent,
      hasNumbers: lineNumbers === true && gutter < indent,
      context: written,
    });
    // The first two lines stay together, and so do the last two.
    yield* index === 0 || index >= lines.length - 2 ? keptTogether(strips) : strips;
  }
  yield { ...ground(PADDING * 0.7), keep: false };
}

interface CodePlace {
  readonly width: number;
  readonly inner: number;
  readonly indent: number;
  readonly hasNumbers: boolean;
  readonly context: LayoutContext;
}

function codeLine(
  line: Block,
  number: number,
  { width, inner, indent, hasNumbers, context }: CodePlace,
): Iterable<Strip> {
  const isHighlighted = line.type === 'code-line' && line.data.highlighted === true;
  const nodes: readonly Node[] = line.nodes ?? [];
  return decorated(
    textStrips(linePieces(nodes, context), inner, { size: CODE_SIZE, leading: LEADING, isPreformatted: true }),
    indent,
    (canvas, x, y, { height, baseline = CODE_SIZE }, isFirst) => {
      canvas.fill(x, y, width, height + 0.3, isHighlighted ? HIGHLIGHT : SHADE);
      if (isFirst && hasNumbers)
        canvas.text(
          { text: String(number), face: 'mono', size: CODE_SIZE - 1, color: GREY },
          x + PADDING - 2,
          y + baseline,
        );
    },
  );
}
