/** The segment of a site's path behind which a share key stands. */
export const SHARE_SEGMENT = '~share';
const MAX_PROXY_SEGMENTS = 10;
/** Segments that lead elsewhere than into what stands before them, or hold what nobody can type. */
const IMPROPER = /^\.\.?$|[\\\p{Cc}]/u;

/** What a request at the listener of published sites names, before it is known which site that is. */
export interface Requested {
  /** Lower case, without a port. */
  readonly host: string;
  /** Decoded segments of the path, without those of a share key. */
  readonly segments: readonly string[];
  /** Host and path, from the host alone on: what a site's proxy can be. Lower case. */
  readonly proxies: readonly string[];
  readonly shareKey?: string;
}

/** A site as far as addresses lead to it. */
interface Addressed {
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
}

/** What a host and a path ask for; undefined where the path cannot be decoded, or decodes to what no path is. */
export function requestedOf(host: string, path: string): Requested | undefined {
  const segments = decoded(path);
  if (!segments) return undefined;
  const name = hostName(host);
  const at = segments.indexOf(SHARE_SEGMENT);
  const shareKey = at < 0 ? undefined : segments[at + 1];
  const own = at < 0 ? segments : [...segments.slice(0, at), ...segments.slice(at + 2)];
  const lower = own.slice(0, MAX_PROXY_SEGMENTS).map((segment) => segment.toLowerCase());
  return {
    host: name,
    segments: own,
    proxies: lower.map((_, index) => [name, ...lower.slice(0, index + 1)].join('/')),
    ...(shareKey !== undefined && { shareKey }),
  };
}

/** A host as it was asked for, without its port. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/**
 * Where a site begins for whoever sent the request, and what of the path lies in it. A proxy may ask for the path under
 * which its readers see the site, or for the site's own at this installation; its readers stay where they are either way.
 */
export function pathWithinSite(
  site: Addressed,
  { host, segments, proxies, shareKey }: Requested,
): { siteBasePath: string; path: string } {
  const [base, length] = baseOf(site, host, segments, proxies);
  const siteBasePath = shareKey === undefined ? base : `${base}/${SHARE_SEGMENT}/${encodeURIComponent(shareKey)}`;
  return { siteBasePath, path: segments.slice(length).join('/') };
}

function baseOf(
  { basename, hostname, proxy }: Addressed,
  host: string,
  segments: readonly string[],
  proxies: readonly string[],
): [base: string, length: number] {
  if (hostname !== null && hostname.toLowerCase() === host) return ['', 0];
  const proxyPath =
    proxy === null || hostName(proxy.slice(0, proxy.indexOf('/'))) !== host
      ? undefined
      : proxy.slice(proxy.indexOf('/'));
  const asked = proxy === null ? -1 : proxies.indexOf(proxy.toLowerCase());
  if (proxyPath !== undefined && asked >= 0) return [proxyPath, asked + 1];
  return [proxyPath ?? `/${basename}`, segments.length === 0 ? 0 : 1];
}

/** Escaped slashes divide like others: nothing that is made of the segments again can then begin with two of them, which would name a host. */
function decoded(path: string): string[] | undefined {
  try {
    const segments = decodeURIComponent(path)
      .split('/')
      .filter((segment) => segment !== '');
    return segments.some((segment) => IMPROPER.test(segment)) ? undefined : segments;
  } catch {
    return undefined;
  }
}
