import type { ElementContent, Properties } from 'hast';
import { blocksIn } from '../../document/text.js';
import { RAW_SYNTAX, type Block, type CodeData, type Node } from '../../document/types.js';
import { onSide } from '../diff/changed.js';
import { changeAttributes, type BlockMark } from '../diff/diff-marks.js';
import { classes, el, textNode } from '../elements.js';
import { annotated, inlineOf, marked } from '../inlines.js';
import { isMeantToShow } from '../raw-markup.js';
import type { HighlightedPiece, BlockRenderer, RenderContext } from '../render-context.js';
import { unavailable } from './unavailable.js';

const COLLAPSED_LINES = 10;
const DIAGRAM_SYNTAX = 'mermaid';
/** The maximum length of a diagram that is drawn, in characters; longer ones are shown as they are written. */
const MOST_OF_DIAGRAM = 20_000;

interface Line {
  readonly nodes: readonly Node[];
  readonly isHighlighted: boolean;
  /** In a comparison: its change. */
  readonly mark?: BlockMark | undefined;
}

export const renderCode: BlockRenderer<'code'> = (block, context) => {
  const { nodes, data } = block;
  if (data.syntax === RAW_SYNTAX) {
    const text = codeContent(block);
    const raw = context.raw(text);
    if (raw) return raw.length === 0 && isMeantToShow(text) ? unavailable(context) : raw;
  }
  const lines = blocksIn(nodes).map((line): Line => ({
    nodes: line.nodes ?? [],
    isHighlighted: line.type === 'code-line' && line.data.highlighted === true,
    mark: context.diff?.blocks.get(line),
  }));
  return codeElement(lines, data, context, coloredVersions(block, context));
};

/** In a comparison, where the lines of two versions are between each other: the colours of each version. */
function coloredVersions(block: Block<'code'>, context: RenderContext): ((line: Line) => ColoredLine) | undefined {
  const versions = context.diff?.code.get(block);
  if (!versions) return undefined;
  const colored = ({ data, ...version }: Block<'code'>): (() => ColoredLine) => {
    const lines =
      data.syntax === undefined ? undefined : context.highlight(codeContent({ ...version, data }), data.syntax);
    let next = 0;
    return () => lines?.[next++];
  };
  const [before, after] = [colored(versions.before), colored(versions.after)];
  return ({ mark }) => {
    if (mark?.side === 'before') return before();
    if (mark?.change !== 'inserted') before();
    return after();
  };
}

/** Generated code, such as an example. */
export function plainCode(text: string, syntax: string, context: RenderContext, title?: string): ElementContent[] {
  const lines = text.split('\n').map((line): Line => ({
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
    isHighlighted: false,
  }));
  return codeElement(lines, { syntax, ...(title !== undefined && { title }) }, context);
}

/** The highlighted text of a line: with the words of annotations, and without the text of other inlines. */
export function plainLine(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.object === 'text'
        ? node.leaves.map(({ text }) => text).join('')
        : node.object === 'inline' && node.type === 'annotation'
          ? plainLine(node.nodes ?? [])
          : '',
    )
    .join('');
}

/** The highlighted text of a code block. */
export function codeContent(block: Block<'code'>): string {
  return blocksIn(block.nodes)
    .map((line) => plainLine(line.nodes ?? []))
    .join('\n');
}

type ColoredLine = readonly HighlightedPiece[] | undefined;

function codeElement(
  lines: readonly Line[],
  data: CodeData,
  context: RenderContext,
  colorsOf?: (line: Line) => ColoredLine,
): ElementContent[] {
  const { title = '', syntax = '', overflow, lineNumbers, fullWidth } = data;
  const text = lines.map(({ nodes }) => plainLine(nodes)).join('\n');
  const colored = syntax === '' || colorsOf ? undefined : context.highlight(text, syntax);
  const shownLines = data.expandable === true ? (data.collapsedLineCount ?? COLLAPSED_LINES) : lines.length;
  const isFolded = lines.length > shownLines && !context.diff;
  const foldId = isFolded ? context.progress.newId('~fold') : '';
  const content = lines.map((line, index) =>
    el(
      'span',
      {
        class: classes('line', line.isHighlighted && 'highlighted', isFolded && index >= shownLines && 'folded'),
        ...changeAttributes(line.mark),
      },
      lineElements(line.nodes, colorsOf ? colorsOf(line) : colored?.[index], onSide(line.mark?.side, context)),
      index < lines.length - 1 ? textNode('\n') : [],
    ),
  );
  const isDiagram = syntax.toLowerCase() === DIAGRAM_SYNTAX && text.length <= MOST_OF_DIAGRAM && !context.diff;
  const isWrapped = overflow === 'wrap';
  const name = syntax === RAW_SYNTAX ? '' : syntax.replace(/[^\w+#.-]/g, '');
  return [
    el(
      'div',
      {
        class: classes('code', lineNumbers && 'numbered', isWrapped && 'wrapped', fullWidth && 'wide'),
        ...(isDiagram && diagramAttributes(context)),
      },
      el(
        'div',
        { class: 'code-head' },
        title === '' ? [] : el('span', { class: 'code-title' }, textNode(title)),
        el('button', { class: 'copy', type: 'button', hidden: true, dataCopy: '' }, textNode(context.labels.copy)),
      ),
      isFolded ? el('input', { type: 'checkbox', class: ['fold', 'visually-hidden'], id: foldId }) : [],
      el(
        'pre',
        { tabIndex: isWrapped ? undefined : 0 },
        el('code', { class: classes(name !== '' && `language-${name}`) }, content),
      ),
      isFolded
        ? el('label', { class: 'unfold', for: foldId }, textNode(`${context.labels.showAllLines} (${lines.length})`))
        : [],
    ),
  ];
}

/** Browsers draw the diagram, with these texts beside it; its source is what readers without scripts see. */
const diagramAttributes = ({ labels }: RenderContext): Properties => ({
  dataDiagram: textNode(labels.diagram).value,
  dataSource: textNode(labels.diagramSource).value,
});

/** The content of a line: its own elements, with the colours of their text. */
function lineElements(nodes: readonly Node[], colored: ColoredLine, context: RenderContext): ElementContent[] {
  const pieces = new Pieces(colored ?? []);
  const elements = (inside: readonly Node[]): ElementContent[] =>
    inside.flatMap((node): ElementContent[] => {
      context.progress.left--;
      if (node.object === 'text')
        return node.leaves.flatMap(({ text, marks }) =>
          text === ''
            ? []
            : marked(
                pieces.take(text),
                marks.filter(({ type }) => type !== 'code'),
              ),
        );
      if (node.object !== 'inline') return [];
      return node.type === 'annotation'
        ? annotated(elements(node.nodes ?? []), node.fragments, context, true)
        : inlineOf(node, context);
    });
  return elements(nodes);
}

/** The coloured pieces of a line, consumed by its nodes in order. */
class Pieces {
  private next = 0;
  private used = 0;

  constructor(private readonly pieces: readonly HighlightedPiece[]) {}

  take(text: string): ElementContent[] {
    const taken: ElementContent[] = [];
    let at = 0;
    while (at < text.length) {
      const piece = this.pieces[this.next];
      const rest = piece?.[0].slice(this.used) ?? '';
      const length = Math.min(rest.length, text.length - at);
      // If the colours belong to different text, the text is used.
      if (piece === undefined || length === 0 || !text.startsWith(rest.slice(0, length), at))
        return [...taken, textNode(text.slice(at))];
      const part = textNode(text.slice(at, at + length));
      taken.push(
        piece[1] === ''
          ? part
          : { type: 'element', tagName: 'span', properties: { className: [piece[1]] }, children: [part] },
      );
      at += length;
      this.used += length;
      if (this.used >= piece[0].length) {
        this.next++;
        this.used = 0;
      }
    }
    return taken;
  }
}
