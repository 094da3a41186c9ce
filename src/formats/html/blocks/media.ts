import type { ElementContent } from 'hast';
import { blocksIn, fragmentNamed } from '../../document/text.js';
import type { Block, Fragment, JsonValue } from '../../document/types.js';
import { classes, el, linkAttributes, pixelsOf, shownAddress, shareClass, textNode } from '../elements.js';
import { iconElement } from '../icons.js';
import { renderLine } from '../inlines.js';
import { picture } from '../pictures.js';
import type { LinkFacts, BlockRenderer, RenderContext } from '../render-context.js';
import { plainCode } from './code.js';
import { webAddress } from '../../../kernel/common/web-address.js';

export const renderImages: BlockRenderer<'images'> = ({ nodes, data }, scene) => {
  const figures = blocksIn(nodes).flatMap((item) =>
    item.type === 'image' ? figure(item, data.withFrame === true, scene) : [],
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

export const renderImage: BlockRenderer<'image'> = (block, scene) => figure(block, false, scene);

function figure({ data, fragments }: Block<'image'>, hasFrame: boolean, scene: RenderContext): ElementContent[] {
  const shown = picture(
    data,
    { alt: data.alt ?? '', width: pixelsOf(data.width), height: pixelsOf(data.height) },
    scene,
  );
  const caption = captionOf({ fragments: fragments ?? [] }, scene);
  const instead =
    shown.length === 0 && caption.length === 0 ? missing(data.alt ?? '', scene.surroundings.link(data.ref), scene) : [];
  return [
    el(
      'figure',
      { class: classes(shareClass(data.width), hasFrame && 'framed') },
      shown,
      instead,
      caption.length === 0 ? [] : el('figcaption', {}, caption),
    ),
  ];
}

/** The substitute for missing media, with a link to their address if it is known. */
function missing(said: string, facts: LinkFacts, scene: RenderContext): ElementContent[] {
  const attributes = linkAttributes(facts, scene);
  const text = said === '' ? (facts.title ?? facts.href ?? scene.labels.notFound) : said;
  return [
    attributes
      ? el('a', { class: 'missing', ...attributes }, textNode(text))
      : el('span', { class: 'missing' }, textNode(text)),
  ];
}

/** The lines of a caption, one below the other. */
function captionOf(block: { fragments?: readonly Fragment[] }, scene: RenderContext): ElementContent[] {
  const lines = (fragmentNamed(block, 'caption')?.nodes ?? [])
    .map(({ nodes }) => renderLine(nodes, scene))
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
}

/** A small box that is one link, or a plain box without a link. */
function card(
  { kind, icon, emoji, title, words: more, facts }: Card,
  scene: RenderContext,
  extra: { download?: string } = {},
): ElementContent {
  const attributes = linkAttributes(facts, scene);
  const sign =
    emoji === undefined
      ? iconElement(icon, scene.surroundings.iconStyle)
      : el('span', { class: 'emoji' }, textNode(emoji));
  const content = [
    el('span', { class: 'box-icon' }, sign),
    el(
      'span',
      { class: 'box-words' },
      el('span', { class: 'box-title' }, textNode(title)),
      more === undefined || more === '' ? [] : el('span', { class: 'box-more' }, textNode(more)),
    ),
  ];
  return attributes
    ? el('a', { class: ['box', kind], ...attributes, ...extra }, content)
    : el('div', { class: ['box', kind, 'gone'] }, content);
}

/** A box with its caption below. */
function captioned(
  box: ElementContent,
  block: { fragments?: readonly Fragment[] },
  scene: RenderContext,
  isWide = false,
): ElementContent[] {
  const caption = captionOf(block, scene);
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

export const renderFile: BlockRenderer<'file'> = (block, scene) => {
  const facts = scene.surroundings.file(block.data.ref);
  const size = facts?.size === undefined ? undefined : sizeText(facts.size);
  const type =
    facts?.name.includes('.') === true ? facts.name.slice(facts.name.lastIndexOf('.') + 1).toUpperCase() : undefined;
  const more = [type, size].filter((part) => part !== undefined && part.length <= 12).join(' · ');
  return captioned(
    card(
      {
        kind: 'file',
        icon: 'file-arrow-down',
        title: facts?.name ?? scene.labels.notFound,
        words: more,
        facts: facts ? { href: facts.href } : {},
      },
      scene,
      { download: '' },
    ),
    { fragments: block.fragments ?? [] },
    scene,
  );
};

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

export const renderDrawing: BlockRenderer<'drawing'> = ({ data }, scene) => {
  const shown = data.ref ? picture({ ref: data.ref }, { alt: '' }, scene) : [];
  return shown.length === 0 ? [] : [el('div', { class: 'images' }, el('figure', { class: 'drawing' }, shown))];
};

/** Embedded external content becomes a link: no foreign code runs in a page. */
export const renderEmbed: BlockRenderer<'embed'> = (block, scene) => {
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
    scene,
  );
  return captioned(box, { fragments: block.fragments ?? [] }, scene, fullWidth);
};

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

export const renderContentRef: BlockRenderer<'content-ref'> = ({ data: { ref } }, scene) => {
  const facts = scene.surroundings.link(ref);
  const title = facts.title ?? (ref.kind === 'url' ? ref.url : (facts.href ?? scene.labels.notFound));
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
      scene,
    ),
  ];
};

/** Blocks of integrations: text content is shown as code, others as a placeholder. */
export const renderIntegration: BlockRenderer<'integration'> = ({ data }, scene) => {
  const { content } = data.props;
  if (typeof content === 'string' && content.trim() !== '') return plainCode(content, data.integration, scene);
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
      scene,
    ),
  ];
};

function addressIn({ url }: Record<string, JsonValue>): string | undefined {
  return typeof url === 'string' && /^https?:/i.test(url) ? shownAddress(url) : undefined;
}
