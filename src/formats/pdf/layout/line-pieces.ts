import { emojiCharacters } from '../../markdown/emoji.js';
import type { ContentRef, Inline, InlineType, Leaf, Mark, Node } from '../../document/types.js';
import type { FaceName } from '../fonts/glyphs.js';
import type { PdfLinkTarget } from './canvas.js';
import type { LinePiece, TextStyle } from './line-breaking.js';
import { faultOfPicture } from './pictures.js';
import type { LayoutContext } from './layout-context.js';
import { ACCENT, GREY, groundColor, LINK, SHADE, textColor } from './theme.js';

type InlineRenderer<Type extends InlineType> = (node: Inline<Type>, context: LayoutContext) => Iterable<LinePiece>;

/** Points of a pixel. */
export const PIXEL = 0.75;
const LARGEST_INLINE_PICTURE = 220;

/** The parts of a line of text. */
export function* linePieces(nodes: readonly Node[], context: LayoutContext): Generator<LinePiece> {
  for (const node of nodes) {
    if (node.object === 'text') for (const leaf of node.leaves) yield leafPiece(leaf, context.style);
    else if (node.object === 'inline') yield* (INLINES[node.type] as InlineRenderer<InlineType>)(node, context);
  }
}

function leafPiece({ text, marks }: Leaf, style: TextStyle): LinePiece {
  const isKey = marks.some(({ type }) => type === 'keyboard');
  return { text: isKey ? `\u202f${text}\u202f` : text, style: marks.reduce(marked, style) };
}

const FACE_BOLD: Readonly<Record<FaceName, FaceName>> = {
  sans: 'sans-bold',
  'sans-bold': 'sans-bold',
  'sans-italic': 'sans-bold-italic',
  'sans-bold-italic': 'sans-bold-italic',
  mono: 'mono-bold',
  'mono-bold': 'mono-bold',
};
const FACE_ITALIC: Readonly<Record<FaceName, FaceName>> = {
  sans: 'sans-italic',
  'sans-bold': 'sans-bold-italic',
  'sans-italic': 'sans-italic',
  'sans-bold-italic': 'sans-bold-italic',
  mono: 'mono',
  'mono-bold': 'mono-bold',
};

function marked(style: TextStyle, mark: Mark): TextStyle {
  switch (mark.type) {
    case 'bold':
      return { ...style, face: FACE_BOLD[style.face] };
    case 'italic':
      return { ...style, face: FACE_ITALIC[style.face] };
    case 'code':
      return { ...monospaced(style), ground: SHADE };
    case 'keyboard':
      return { ...monospaced(style), ground: SHADE, hasFrame: true };
    case 'strikethrough':
      return { ...style, isStruck: true };
    case 'superscript':
      return { ...style, size: style.size * 0.7, rise: style.size * 0.35 };
    case 'subscript':
      return { ...style, size: style.size * 0.7, rise: -style.size * 0.15 };
    case 'color': {
      const color = textColor(mark.data.text);
      const ground = groundColor(mark.data.background);
      return { ...style, ...(color !== undefined && { color }), ...(ground !== undefined && { ground }) };
    }
  }
}

function monospaced(style: TextStyle): TextStyle {
  return { ...style, face: style.face.includes('bold') ? 'mono-bold' : 'mono', size: style.size * 0.9 };
}

/** The style of a link, if it has a target. */
function linked(style: TextStyle, link: PdfLinkTarget | undefined): TextStyle {
  return link ? { ...style, link, color: LINK } : style;
}

const INLINES: { readonly [Type in InlineType]: InlineRenderer<Type> } = {
  *link({ data, nodes }, context) {
    const style = linked(context.style, context.resolver.reference(data.ref).target);
    for (const piece of linePieces(nodes ?? [], { ...context, style }))
      yield 'text' in piece || style.link === undefined ? piece : { ...piece, link: style.link };
  },
  *emoji({ data }, { style }) {
    yield { text: emojiCharacters(data.code) ?? '', style };
  },
  *icon({ data }, { style }) {
    const sign = ICONS[data.icon.replace(/^(fa-)?(regular|solid|light|thin)?[-/]?/, '')] ?? ICONS[data.icon];
    yield { text: sign ?? '', style: { ...style, color: textColor(data.color) ?? style.color } };
  },
  *expression({ data }, { style }) {
    if (data.raw !== undefined && data.expression === '') return;
    yield { text: `{{ ${data.expression} }}`, style: { ...monospaced(style), color: GREY } };
  },
  *'inline-math'({ data }, { style }) {
    yield { text: data.formula, style: { ...style, face: FACE_ITALIC[style.face] } };
  },
  'inline-image': inlinePicture,
  *annotation({ nodes, fragments }, context) {
    yield* linePieces(nodes ?? [], { ...context, style: { ...context.style, isUnderlined: true } });
    const number = context.notes.length + 1;
    context.notes.push({ number, fragments: fragments ?? [] });
    yield {
      text: `${number}`,
      style: { ...context.style, size: context.style.size * 0.7, rise: context.style.size * 0.35, color: ACCENT },
    };
  },
  *mention({ data }, context) {
    const { title, target } = context.resolver.reference(data.ref);
    const words = data.text ?? title;
    if (words !== undefined)
      yield {
        text: data.ref.kind === 'user' && !words.startsWith('@') ? `@${words}` : words,
        style: linked(context.style, target),
      };
  },
  *button({ data }, context) {
    const target = data.ref && context.resolver.reference(data.ref).target;
    const isPrimary = data.kind === 'primary';
    const style: TextStyle = {
      ...context.style,
      face: FACE_BOLD[context.style.face],
      color: isPrimary ? '#ffffff' : ACCENT,
      ground: isPrimary ? ACCENT : SHADE,
      hasFrame: !isPrimary,
      ...(target && { link: target }),
    };
    yield { text: `\u00a0${data.label.replaceAll(' ', '\u00a0')}\u00a0`, style };
  },
};

function* inlinePicture({ data }: Inline<'inline-image'>, context: LayoutContext): Generator<LinePiece> {
  const picture = context.resolver.picture(data.ref);
  const words = data.alt ?? data.caption ?? '';
  const height = Number(data.attributes?.['height']);
  const width = Number(data.attributes?.['width']);
  if (picture && faultOfPicture(picture) === undefined && picture.width !== undefined && picture.height !== undefined) {
    const natural =
      data.size === 'line'
        ? context.style.size * 1.2
        : Math.min((height > 0 ? height : picture.height) * PIXEL, LARGEST_INLINE_PICTURE);
    const ratio = picture.width / picture.height;
    const shown =
      data.size !== 'line' && width > 0 && !(height > 0)
        ? Math.min(width * PIXEL, LARGEST_INLINE_PICTURE * ratio)
        : natural * ratio;
    const fitted = Math.min(shown, 470);
    yield { picture, width: fitted, height: fitted / ratio };
    return;
  }
  const address = externalAddress(data.ref);
  yield {
    text: words !== '' ? words : (address ?? picture?.name ?? ''),
    style: linked(
      { ...context.style, color: GREY },
      address === undefined ? undefined : context.resolver.reference(data.ref).target,
    ),
  };
}

/** The address of an external image, which is never fetched. */
export function externalAddress(ref: ContentRef): string | undefined {
  return ref.kind === 'url' ? ref.url : undefined;
}

/** Characters for icons that have a meaning of their own. */
const ICONS: Readonly<Record<string, string>> = {
  check: '✓',
  'circle-check': '✓',
  'square-check': '✓',
  'check-double': '✓',
  xmark: '✗',
  'circle-xmark': '✗',
  times: '✗',
  'square-xmark': '✗',
  'triangle-exclamation': '⚠',
  'circle-exclamation': '❗',
  exclamation: '❗',
  'circle-info': 'ⓘ',
  info: 'ⓘ',
  question: '?',
  'circle-question': '?',
  'arrow-right': '→',
  'arrow-left': '←',
  'arrow-up': '↑',
  'arrow-down': '↓',
  'arrow-up-right': '↗',
  'arrow-up-right-from-square': '↗',
  star: '★',
  heart: '♥',
  plus: '+',
  minus: '−',
  'circle-plus': '⊕',
  'circle-minus': '⊖',
  bolt: '⚡',
  link: '🔗',
  'square-full': '■',
  circle: '●',
  ellipsis: '…',
  gear: '⚙',
  flag: '⚑',
  bell: '🔔',
  lock: '🔒',
  envelope: '✉',
  pencil: '✎',
  pen: '✎',
  book: '📖',
  user: '👤',
};
