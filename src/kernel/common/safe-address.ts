/** The use of an address: as a link, as the source of an image, or as the icon of a page. */
export type AddressUse = 'link' | 'image' | 'icon';

/** Schemes that published pages use; addresses with another scheme are shown as text. */
const USED: Readonly<Record<AddressUse, ReadonlySet<string>>> = {
  link: new Set(['http', 'https', 'mailto', 'tel']),
  image: new Set(['http', 'https']),
  icon: new Set(['http', 'https']),
};
/** Schemes whose addresses browsers execute, or show as a page with foreign content. They are never stored. */
const REFUSED: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'data',
  'blob',
  'filesystem',
  'view-source',
  // Older browsers follow the address inside.
  'feed',
  'jar',
]);
/**
 * Images embedded in their address. Browsers execute nothing in them; vector icons do not even load other resources.
 */
const WRITTEN_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i;
const WRITTEN_ICON = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * URL parsers strip tabs and line feeds; other control characters are never needed, and later parsers may strip them as
 * well.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Removes the characters that URL parsers strip from an address, and similar ones
 * (https://url.spec.whatwg.org/#concept-basic-url-parser).
 */
function plain(address: string): string {
  return address.replace(CONTROLS, '').trim();
}

/**
 * The scheme of an address, in lower case; any text before a colon counts, so that no parser finds a scheme that
 * another one misses.
 */
function schemeOf(address: string): string | undefined {
  return /^([^/?#:]*):/.exec(plain(address))?.[1]?.toLowerCase();
}

/**
 * Returns an address that may occur in a published page: relative, or with a scheme that such pages use. Undefined for
 * all others, and for an empty one. `image`s and `icon`s are loaded, `link`s followed. All decisions about schemes are
 * in this file: fields and stored documents use `addressFault`, generated HTML uses this function.
 */
export function safeAddress(address: string | undefined, use: AddressUse = 'link'): string | undefined {
  if (address === undefined) return undefined;
  const text = plain(address);
  if (text === '') return undefined;
  const scheme = schemeOf(text);
  return scheme === undefined || USED[use].has(scheme) || (use === 'icon' && WRITTEN_ICON.test(text))
    ? text
    : undefined;
}

/**
 * The reason why an address may not be stored; undefined if it may. Schemes that open other programs are stored, and
 * shown as text.
 */
export function addressFault(address: string): string | undefined {
  const scheme = schemeOf(address);
  if (scheme !== undefined && REFUSED.has(scheme)) return `must not be an address of the scheme ${scheme}`;
  return address.search(CONTROLS) >= 0 ? 'must not contain control characters' : undefined;
}

/** Tells whether an image is embedded in its address, so that no other resource is needed. */
export function isWrittenPicture(address: string): boolean {
  return WRITTEN_PICTURE.test(plain(address));
}
