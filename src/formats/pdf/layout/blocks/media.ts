import { blocksIn, fragmentNamed } from '../../../document/text.js';
import type { Block, Fragment, Length } from '../../../document/types.js';
import type { PdfLinkTarget, Picture } from '../canvas.js';
import { externalAddress, PIXEL } from '../line-pieces.js';
import type { Alignment } from '../line-breaking.js';
import { faultOfPicture } from '../pictures.js';
import { styled, type BlockLayout, type LayoutContext } from '../layout-context.js';
import { gap, indented, keptTogether, type Strip, type Strips } from '../strip.js';
import { ACCENT, CONTENT_HEIGHT, GREY, LINK, PALE, SHADE, SMALL_SIZE } from '../theme.js';
import { onGround } from './boxes.js';
import { wordStrips } from './text.js';

const PICTURE_GAP = 6;
const HIGHEST_PICTURE = CONTENT_HEIGHT * 0.8;

export const layoutImages: BlockLayout<'images'> = function* ({ nodes, data }, width, context) {
  let isFirst = true;
  for (const item of blocksIn(nodes)) {
    if (item.type !== 'image') continue;
    if (!isFirst) yield gap(PICTURE_GAP);
    isFirst = false;
    yield* imageStrips(item, width, context, data);
  }
};

export const layoutImage: BlockLayout<'image'> = (block, width, context) => imageStrips(block, width, context, {});

function* imageStrips(
  block: Block<'image'>,
  width: number,
  context: LayoutContext,
  frame: Block<'images'>['data'],
): Generator<Strip> {
  const { ref, alt, width: wantedWidth, height: wantedHeight } = block.data;
  const picture = context.resolver.picture(ref);
  const caption = fragmentNamed(block, 'caption');
  if (picture)
    yield* pictureStrips(
      picture,
      {
        width,
        align: frame.align ?? 'center',
        hasFrame: frame.withFrame === true,
        isKept: caption !== undefined,
        wantedWidth,
        wantedHeight,
        alt,
      },
      context,
    );
  else yield* placeholder(alt ?? '', externalAddress(ref), width, context);
  yield* captionStrips(
    caption,
    width,
    context,
    frame.align === 'left' ? 'start' : frame.align === 'right' ? 'end' : 'center',
  );
}

interface Shown {
  readonly width: number;
  readonly align: 'left' | 'center' | 'right';
  readonly hasFrame?: boolean;
  readonly isKept?: boolean;
  readonly wantedWidth?: Length | undefined;
  readonly wantedHeight?: Length | undefined;
  readonly highest?: number;
  readonly alt?: string | undefined;
}

/** An image in its own size, or smaller if that is too large; the reason if it cannot be shown. */
export function* pictureStrips(picture: Picture, shown: Shown, context: LayoutContext): Strips {
  const fault = faultOfPicture(picture);
  if (fault !== undefined || picture.width === undefined || picture.height === undefined) {
    yield* placeholder(
      [picture.name, shown.alt].filter((text) => text !== undefined && text !== '').join(': '),
      undefined,
      shown.width,
      context,
      fault,
    );
    return;
  }
  const ratio = picture.width / picture.height;
  const wanted =
    lengthOf(shown.wantedWidth, shown.width) ??
    (lengthOf(shown.wantedHeight, HIGHEST_PICTURE) ?? picture.height * PIXEL) * ratio;
  const own = Math.min(wanted, shown.width, (shown.highest ?? HIGHEST_PICTURE) * ratio);
  const height = own / ratio;
  const left = shown.align === 'left' ? 0 : (shown.width - own) / (shown.align === 'center' ? 2 : 1);
  yield {
    height,
    keep: shown.isKept === true,
    paint: async (canvas, x, y) => {
      const problem = await canvas.picture(picture, x + left, y, own, height);
      if (problem !== undefined) {
        canvas.frame(x + left, y, own, height, PALE);
        if (own > 60 && height > 14)
          canvas.text(
            { text: 'This picture cannot be read', face: 'sans-italic', size: 7, color: GREY },
            x + left + 4,
            y + 10,
          );
      } else if (shown.hasFrame) canvas.frame(x + left, y, own, height, PALE);
    },
  };
}

function lengthOf(length: Length | undefined, whole: number): number | undefined {
  const value =
    typeof length === 'number'
      ? length * PIXEL
      : length === undefined
        ? undefined
        : length.unit === '%'
          ? (length.value * whole) / 100
          : length.value * PIXEL;
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** The substitute for an image that is not shown. */
function placeholder(
  words: string,
  address: string | undefined,
  width: number,
  context: LayoutContext,
  fault?: string,
): Strips {
  const target = address === undefined ? undefined : context.resolver.reference({ kind: 'url', url: address }).target;
  const lines = [
    words === '' ? 'Picture' : words,
    ...(address !== undefined && !address.startsWith('data:') ? [address] : []),
    ...(fault !== undefined ? [`(${fault})`] : []),
  ];
  return layoutCard(lines, width, context, target);
}

/** A small box with a title, and words below it. */
export function layoutCard(
  [title = '', ...words]: readonly string[],
  width: number,
  context: LayoutContext,
  target?: PdfLinkTarget,
): Strips {
  const inner = width - 20;
  const link = target && { link: target };
  const lines = function* (): Generator<Strip> {
    yield* wordStrips(title, inner, context, { face: 'sans-bold', size: 9.5, ...(target && { color: LINK }), ...link });
    for (const each of words) yield* wordStrips(each, inner, context, { size: SMALL_SIZE, color: GREY, ...link });
  };
  return onGround(keptTogether(lines()), width, SHADE);
}

export function* captionStrips(
  caption: Fragment | undefined,
  width: number,
  context: LayoutContext,
  align: Alignment = 'center',
): Generator<Strip> {
  if (!caption) return;
  yield gap(3, true);
  const style = styled(context, { size: SMALL_SIZE, color: GREY });
  const aligned = caption.nodes.map((node) =>
    node.type === 'paragraph' ? { ...node, data: { align, ...node.data } } : node,
  );
  yield* context.blocks(aligned, width, style);
}

export const layoutFile: BlockLayout<'file'> = function* (block, width, context) {
  const { title, target } = context.resolver.reference(block.data.ref);
  yield* layoutCard([title ?? 'A file that is not there'], width, context, target);
  yield* captionStrips(fragmentNamed(block, 'caption'), width, context);
};

export const layoutDrawing: BlockLayout<'drawing'> = ({ data }, width, context) => {
  const picture = data.ref && context.resolver.picture(data.ref);
  return picture
    ? pictureStrips(picture, { width, align: 'center' }, context)
    : layoutCard(['Drawing'], width, context);
};

export const layoutEmbed: BlockLayout<'embed'> = function* (block, width, context) {
  yield* layoutCard(
    [block.data.url],
    width,
    context,
    context.resolver.reference({ kind: 'url', url: block.data.url }).target,
  );
  yield* captionStrips(fragmentNamed(block, 'caption'), width, context);
};

export const layoutContentRef: BlockLayout<'content-ref'> = ({ data }, width, context) => {
  const { title, target } = context.resolver.reference(data.ref);
  return layoutCard(
    [`→  ${title ?? (target && 'url' in target ? target.url : 'A page that is not there')}`],
    width,
    context,
    target,
  );
};

export const layoutIntegration: BlockLayout<'integration'> = ({ data }, width, context) =>
  layoutCard(
    [`${data.integration}: ${data.block}`, ...(data.url === undefined ? [] : [data.url])],
    width,
    context,
    data.url === undefined ? undefined : context.resolver.reference({ kind: 'url', url: data.url }).target,
  );

const METHOD_COLORS: Readonly<Record<string, string>> = {
  GET: '#1f7ac4',
  POST: '#1b8754',
  PUT: '#b26f05',
  PATCH: '#8a5fd1',
  DELETE: '#c4303a',
};

/** An operation of an API: its method, its path, and a reference to its specification. */
function operation(
  method: string,
  path: string,
  source: string,
  width: number,
  context: LayoutContext,
  target?: PdfLinkTarget,
): Strips {
  const color = METHOD_COLORS[method.toUpperCase()] ?? ACCENT;
  const lines = function* (): Generator<Strip> {
    const label = method.toUpperCase();
    const indent = label === '' ? 0 : label.length * 6 + 14;
    const pathLines = wordStrips(path, width - 20 - indent, context, { face: 'mono', size: 9 });
    let isFirst = true;
    for (const strip of indented(pathLines, indent)) {
      const paintsLabel = isFirst && label !== '';
      isFirst = false;
      yield {
        ...strip,
        keep: true,
        paint: (canvas, x, y) => {
          const baseline = y + (strip.baseline ?? 9);
          if (paintsLabel) {
            canvas.fill(x, baseline - 9, indent - 7, 12, color);
            canvas.text({ text: label, face: 'mono-bold', size: 8, color: '#ffffff' }, x + 3.5, baseline - 0.3);
          }
          return strip.paint(canvas, x, y);
        },
      };
    }
    yield* wordStrips(source, width - 20, context, { size: SMALL_SIZE, color: GREY, ...(target && { link: target }) });
  };
  return onGround(lines(), width, SHADE);
}

export const layoutSwagger: BlockLayout<'swagger'> = ({ data }, width, context) => {
  const { title, target } = context.resolver.reference(data.ref);
  return operation(data.method, data.path, data.link?.title ?? title ?? '', width, context, target);
};

export const layoutOpenapiOperation: BlockLayout<'openapi-operation'> = ({ data }, width, context) =>
  operation(data.method, data.path, data.link?.title ?? data.ref.spec, width, context, linkOf(data.link, context));
export const layoutOpenapiWebhook: BlockLayout<'openapi-webhook'> = ({ data }, width, context) =>
  operation(data.method, data.name, data.link?.title ?? data.ref.spec, width, context, linkOf(data.link, context));
export const layoutOpenapiSchemas: BlockLayout<'openapi-schemas'> = ({ data }, width, context) =>
  operation('', data.schemas.join(', '), data.link?.title ?? data.ref.spec, width, context, linkOf(data.link, context));

function linkOf(link: { readonly url: string } | undefined, context: LayoutContext): PdfLinkTarget | undefined {
  return link && context.resolver.reference({ kind: 'url', url: link.url }).target;
}
