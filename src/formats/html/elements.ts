import type { Element, ElementContent, Properties, Text } from 'hast';
import { h } from 'hastscript';
import { safeAddress, type AddressUse } from '../../kernel/common/safe-address.js';
import type { Length } from '../document/types.js';
import type { LinkFacts, RenderContext } from './render-context.js';

type Piece = ElementContent | string | readonly Piece[];

/** Creates an element. Properties are always given: an ambiguous argument could turn text into attributes. */
export function el(tagName: string, properties: Properties, ...pieces: readonly Piece[]): Element {
  return h(tagName, properties, pieces as Parameters<typeof h>[2]);
}

/** Characters that HTML cannot hold, and halves of surrogate pairs. */
// eslint-disable-next-line no-control-regex
const UNWRITABLE = /[\0-\x08\x0b-\x1f\x7f\p{Surrogate}\ufffe\uffff]/gu;

/** Removes characters that HTML cannot contain. */
export function writable(value: string): string {
  return value.replace(UNWRITABLE, (character) => (character === '\r' || character === '\f' ? ' ' : '\ufffd'));
}

export function textNode(value: string): Text {
  return { type: 'text', value: writable(value) };
}

/** Text for screen readers only. */
export function hidden(value: string): ElementContent {
  return el('span', { class: 'visually-hidden' }, textNode(value));
}

/** Class names without those that do not apply. */
export function classes(...names: readonly (string | false | undefined)[]): string[] | undefined {
  const given = names.filter((name): name is string => typeof name === 'string' && name !== '');
  return given.length === 0 ? undefined : given;
}

const MAX_ADDRESS = 4096;

/** Returns an address of a document if its page may use it: safe, and of limited length. */
export function shownAddress(address: string | undefined, use: AddressUse = 'link'): string | undefined {
  const safe = address !== undefined && address.length <= MAX_ADDRESS ? safeAddress(address, use) : undefined;
  return safe === undefined ? undefined : writable(safe);
}

/** The attributes of a link; undefined if it has no target, or is inside another link. */
export function linkAttributes(
  { href, isExternal }: LinkFacts,
  context: RenderContext,
): { href: string; target?: string; rel?: string } | undefined {
  const safe = context.isLinked ? undefined : shownAddress(href);
  if (safe === undefined) return undefined;
  return {
    href: safe,
    ...(isExternal === true && {
      rel: 'noopener',
      ...(context.resolver.externalTarget === 'blank' && { target: '_blank' }),
    }),
  };
}

/** The class of a share of the width, in steps of 5 per cent. */
export function shareClass(length: Length | undefined): string | undefined {
  const share = shareOf(length);
  return share === undefined ? undefined : `w-${Math.round(share * 100)}`;
}

/** A length as a share of the width, in steps of 5 per cent, if it is given in per cent. */
export function shareOf(length: Length | undefined): number | undefined {
  if (typeof length !== 'object' || length.unit !== '%' || !(length.value > 0)) return undefined;
  return Math.min(100, Math.max(5, Math.round(length.value / 5) * 5)) / 100;
}

/** A length in whole pixels, if it is given in pixels. */
export function pixelsOf(length: Length | undefined): number | undefined {
  const value = typeof length === 'number' ? length : length?.unit === 'px' ? length.value : undefined;
  return value !== undefined && value > 0 && value < 10_000 ? Math.round(value) : undefined;
}

/** Tells whether rendered content has anything visible. */
export function isEmpty(content: readonly ElementContent[]): boolean {
  return content.every((node) => node.type === 'text' && node.value.trim() === '');
}
