/** What an address is for: to be followed, to be shown in a picture, or to be shown as the icon of a page. */
export type AddressUse = 'link' | 'image' | 'icon';

/** Schemes that published pages use; what has another one is shown as words. */
const USED: Readonly<Record<AddressUse, ReadonlySet<string>>> = {
  link: new Set(['http', 'https', 'mailto', 'tel']),
  image: new Set(['http', 'https']),
  icon: new Set(['http', 'https']),
};
/** Schemes whose addresses browsers run, or show as a page that somebody else has written. Nobody stores those. */
const REFUSED: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'data',
  'blob',
  'filesystem',
  'view-source',
  // Older browsers go on to the address within.
  'feed',
  'jar',
]);
/** Pictures that are written out in their address. Browsers run nothing in them; those of vectors do not even load anything where they are icons. */
const WRITTEN_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i;
const WRITTEN_ICON = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/** Parsers of addresses leave out tabs and line feeds; nobody needs the others, and what reads them next may leave them out, too. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** An address without what parsers of addresses leave out of it, and more of the same kind (https://url.spec.whatwg.org/#concept-basic-url-parser). */
function plain(address: string): string {
  return address.replace(CONTROLS, '').trim();
}

/** The scheme of an address, in small letters; whatever stands before a colon counts, so that nothing hides from one parser what another one finds. */
function schemeOf(address: string): string | undefined {
  return /^([^/?#:]*):/.exec(plain(address))?.[1]?.toLowerCase();
}

/**
 * An address that may stand in a published page: relative, or of a scheme that such pages use. Undefined for all others, and for an empty one, which
 * leads nowhere. `image`s and `icon`s
 * are loaded, `link`s followed. This is the one place where schemes are judged: fields and documents that are written ask `addressFault`,
 * everything that becomes HTML is asked about here.
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

/** Why an address may not be stored; undefined where it may. Schemes that hand over to other programs are stored, and shown as words. */
export function addressFault(address: string): string | undefined {
  const scheme = schemeOf(address);
  if (scheme !== undefined && REFUSED.has(scheme)) return `must not be an address of the scheme ${scheme}`;
  return address.search(CONTROLS) >= 0 ? 'must not contain control characters' : undefined;
}

/** Whether a picture is written out in its address, so that it needs nothing else to be shown. */
export function isWrittenPicture(address: string): boolean {
  return WRITTEN_PICTURE.test(plain(address));
}
