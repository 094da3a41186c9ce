import { webAddress } from '../../../../kernel/common/web-address.js';

const ORIGIN = 'http://site.invalid';

/**
 * The path of a site to which a visitor asked to return, with its query: from the root of the host on, or without a
 * slash at its front below the site. The site's root for everything that is not a path of the site, such as
 * `//elsewhere`, `\elsewhere` or an address with a scheme.
 */
export function locationInSite(asked: string | null, siteBasePath: string): string {
  const root = siteBasePath === '' ? '/' : siteBasePath;
  const location = asked !== null && /^[^/:\\?]+([/?]|$)/.test(asked) ? `${siteBasePath}/${asked}` : asked;
  if (location === null || !location.startsWith('/') || /[\\\s\p{Cc}]/u.test(location)) return root;
  const address = webAddress(location, ORIGIN);
  if (address === undefined) return root;
  const { origin, pathname, search } = address;
  if (origin !== ORIGIN || pathname.startsWith('//') || (pathname !== root && !pathname.startsWith(`${siteBasePath}/`)))
    return root;
  return `${pathname}${search}`;
}

/** Segments of a path, decoded; undefined if the path is not valid. */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Encodes a path for addresses. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
