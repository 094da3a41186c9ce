import type { ElementContent } from 'hast';
import { blocksIn, fragmentNamed } from '../../document/text.js';
import type { Block, Fragment, JsonValue } from '../../document/types.js';
import { frameNote, lineOf, onSideOf } from '../diff/changed.js';
import { namedElements } from '../block-names.js';
import { embedProviderOf, type Player } from '../embed-providers.js';
import { classes, el, linkAttributes, pixelsOf, shownAddress, shareClass, shareOf, textNode } from '../elements.js';
import { iconElement } from '../icons.js';
import { renderLine } from '../inlines.js';
import { picture } from '../pictures.js';
import type { BlockRenderer, FileFacts, LinkFacts, RenderContext } from '../render-context.js';
import { plainCode } from './code.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { unavailable } from './unavailable.js';

/** Images of a gallery that stand beside each other in a column of text. */
const MOST_IN_A_ROW = 3;

export const renderImages: BlockRenderer<'images'> = ({ nodes, data }, context) => {
  const images = blocksIn(nodes).filter((item) => item.type === 'image');
  const room = 1 / Math.min(MOST_IN_A_ROW, Math.max(1, images.length));
  const figures = images.flatMap((item) =>
    namedElements(figure(item, { hasFrame: data.withFrame === true, room }, onSideOf(item, context)), item, context),
  );
  if (figures.length === 0) return [];
  return [
    el(
      'div',
      {
        class: classes(
          'images',
          figures.length > 1 && 'gallery',
          data.align !== 'center' && data.align !== undefined && `align-${data.align}`,
          data.fullWidth && 'wide',
        ),
      },
      figures,
    ),
  ];
};

export const renderImage: BlockRenderer<'image'> = (block, context) =>
  figure(block, { hasFrame: false, room: 1 }, context);

function figure(
  block: Block<'image'>,
  { hasFrame, room }: { readonly hasFrame: boolean; readonly room: number },
  context: RenderContext,
): ElementContent[] {
  const { data, fragments } = block;
  const shown = picture(
    data,
    {
      alt: data.alt ?? '',
      width: pixelsOf(data.width),
      height: pixelsOf(data.height),
      room: shareOf(data.width) ?? room,
    },
    context,
  );
  const caption = captionOf({ fragments: fragments ?? [] }, context);
  const instead =
    shown.length === 0 && caption.length === 0 ? missing(data.alt ?? '', context.resolver.link(data.ref), context) : [];
  return [
    el(
      'figure',
      { class: classes(shareClass(data.width), hasFrame && 'framed') },
      shown,
      instead,
      frameNote(block, context),
      caption.length === 0 ? [] : el('figcaption', {}, caption),
    ),
  ];
}

/** The substitute for missing media, with a link to their address if it is known. */
function missing(said: string, facts: LinkFacts, context: RenderContext): ElementContent[] {
  const attributes = linkAttributes(facts, context);
  const text = said || facts.title || facts.href || context.labels.notFound;
  return [
    attributes
      ? el('a', { class: 'missing', ...attributes }, textNode(text))
      : el('span', { class: 'missing' }, textNode(text)),
  ];
}

/** The lines of a caption, one below the other. */
function captionOf(block: { fragments?: readonly Fragment[] }, context: RenderContext): ElementContent[] {
  const lines = (fragmentNamed(block, 'caption')?.nodes ?? [])
    .map((line) => lineOf(line, renderLine(line.nodes, onSideOf(line, context)), context))
    .filter((line) => line.length > 0);
  return lines.flatMap((line, index) => (index === 0 ? line : [el('br', {}), ...line]));
}

interface Card {
  readonly kind: string;
  readonly icon: string;
  readonly title: string;
  readonly words?: string | undefined;
  readonly facts: LinkFacts;
  readonly emoji?: string | undefined;
  /** The word for what a click does. */
  readonly action?: string;
}

/** A small box that is one link, or a plain box without a link. */
function card({ kind, icon, emoji, title, words: more, facts, action }: Card, context: RenderContext): ElementContent {
  const attributes = linkAttributes(facts, context);
  const sign =
    emoji === undefined
      ? iconElement(icon, context.resolver.iconStyle)
      : el('span', { class: 'emoji' }, textNode(emoji));
  const content = [
    el('span', { class: 'box-icon' }, sign),
    el(
      'span',
      { class: 'box-words' },
      el('span', { class: 'box-title' }, textNode(title)),
      more === undefined || more === '' ? [] : el('span', { class: 'box-more' }, textNode(more)),
    ),
    action === undefined ? [] : el('span', { class: 'box-action' }, textNode(action)),
  ].flat();
  return attributes
    ? el('a', { class: ['box', kind], ...attributes }, content)
    : el('div', { class: ['box', kind, 'gone'] }, content);
}

/** A box with its caption below. */
function captioned(
  box: ElementContent,
  block: { fragments?: readonly Fragment[] },
  context: RenderContext,
  isWide = false,
): ElementContent[] {
  const caption = captionOf(block, context);
  return caption.length === 0 && !isWide
    ? [box]
    : [
        el(
          'figure',
          { class: classes(isWide && 'wide') },
          box,
          caption.length === 0 ? [] : el('figcaption', {}, caption),
        ),
      ];
}

export const renderFile: BlockRenderer<'file'> = (block, context) => {
  const facts = context.resolver.file(block.data.ref);
  const size = facts?.size === undefined ? undefined : sizeText(facts.size);
  const type =
    facts?.name.includes('.') === true ? facts.name.slice(facts.name.lastIndexOf('.') + 1).toUpperCase() : undefined;
  const more = [type, size].filter((part) => part !== undefined && part.length <= 12).join(' · ');
  const name = facts?.name ?? context.labels.notFound;
  const box = card(
    {
      kind: 'file',
      icon: 'file-arrow-down',
      title: name,
      words: more,
      facts: facts ? { href: facts.href } : {},
      ...(facts && { action: context.labels.openFile }),
    },
    context,
  );
  return captioned(
    facts ? el('div', { class: 'file-box' }, box, downloadLink(facts, context)) : box,
    { fragments: block.fragments ?? [] },
    context,
  );
};

/** The link beside a file that keeps it, where the other one shows it. */
function downloadLink({ href, name }: FileFacts, { labels }: RenderContext): ElementContent {
  const label = `${labels.download}: ${name}`;
  return el('a', { class: 'box box-download', href, download: '', ariaLabel: label }, textNode(labels.download));
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

export const renderDrawing: BlockRenderer<'drawing'> = ({ data }, context) => {
  const shown = data.ref ? picture({ ref: data.ref }, { alt: '', room: 1 }, context) : [];
  return shown.length === 0
    ? unavailable(context)
    : [el('div', { class: 'images' }, el('figure', { class: 'drawing' }, shown))];
};

/**
 * Embedded external content is a link. Where its service has a player, there is a button beside it, with which the
 * script of published pages loads that: nothing is asked of the service before, and without the script the link stays.
 */
export const renderEmbed: BlockRenderer<'embed'> = (block, context) => {
  const { url, fullWidth } = block.data;
  const host = webAddress(url)?.hostname.replace(/^www\./, '') ?? '';
  const box = card(
    {
      kind: 'embed',
      icon: iconOfHost(host),
      title: host === '' ? url : host,
      words: host === '' ? undefined : url,
      facts: { href: url, isExternal: true },
    },
    context,
  );
  const known = context.isLinked ? undefined : embedProviderOf(url);
  const shown = known?.player ? playable(box, known.provider.name, known.player, context) : box;
  return captioned(shown, { fragments: block.fragments ?? [] }, context, fullWidth);
};

function playable(box: ElementContent, name: string, player: Player, { labels }: RenderContext): ElementContent {
  const words = labels.loadFrom.replace('{name}', name);
  return el(
    'div',
    { class: ['player', `player-${player.shape}`] },
    el(
      'button',
      { class: 'player-start', type: 'button', hidden: true, dataPlayer: player.src, dataTitle: name },
      el('span', { class: 'player-sign', ariaHidden: 'true' }),
      el('span', {}, textNode(words)),
    ),
    box,
  );
}

function iconOfHost(host: string): string {
  const known = [
    'youtube',
    'vimeo',
    'github',
    'gitlab',
    'figma',
    'codepen',
    'spotify',
    'twitter',
    'linkedin',
    'slack',
    'google',
  ].find((name) => host.split('.').includes(name));
  return known ?? (host === 'youtu.be' ? 'youtube' : 'arrow-up-right-from-square');
}

const ICON_OF_KIND: Partial<Record<string, string>> = {
  url: 'link',
  file: 'file',
  user: 'user',
  space: 'book',
  collection: 'folder',
  openapi: 'code',
};

export const renderContentRef: BlockRenderer<'content-ref'> = ({ data: { ref } }, context) => {
  const facts = context.resolver.link(ref);
  const title = facts.title ?? (ref.kind === 'url' ? ref.url : (facts.href ?? context.labels.notFound));
  return [
    card(
      {
        kind: 'content-ref',
        icon: facts.icon ?? ICON_OF_KIND[ref.kind] ?? 'file-lines',
        emoji: facts.emoji,
        title,
        words: facts.description,
        facts,
      },
      context,
    ),
  ];
};

/** Blocks of integrations: text content is shown as code, others as a placeholder. */
export const renderIntegration: BlockRenderer<'integration'> = ({ data }, context) => {
  const { content } = data.props;
  if (typeof content === 'string' && content.trim() !== '') return plainCode(content, data.integration, context);
  const address = data.url ?? addressIn(data.props);
  const name = `${data.integration}: ${data.block}`;
  return [
    card(
      {
        kind: 'integration',
        icon: 'puzzle-piece',
        title: name,
        words: address,
        facts: address === undefined ? {} : { href: address, isExternal: true },
      },
      context,
    ),
  ];
};

function addressIn({ url }: Record<string, JsonValue>): string | undefined {
  return typeof url === 'string' && /^https?:/i.test(url) ? shownAddress(url) : undefined;
}
