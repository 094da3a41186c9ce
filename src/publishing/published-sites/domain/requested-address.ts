/** The segment of a site's path that precedes a share key. */
export const SHARE_SEGMENT = '~share';
const MAX_PROXY_SEGMENTS = 10;
/** Segments that navigate within the path, or contain characters that nobody can type. */
const IMPROPER = /^\.\.?$|[\\\p{Cc}]/u;

/** The parts of a request at the listener of published sites, before its site is known. */
export interface Requested {
  /** Lower case, without a port. */
  readonly host: string;
  /** Decoded segments of the path, without those of a share key. */
  readonly segments: readonly string[];
  /** Prefixes of host and path, from the host alone on: the possible proxies of a site. Lower case. */
  readonly proxies: readonly string[];
  readonly shareKey?: string;
}

/** The parts of a site that determine its addresses. */
interface Addressed {
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
  readonly organizationHostname: string | null;
}

/**
 * Parses the host and path of a request; undefined if the path cannot be decoded, or its decoded form is not a valid
 * path.
 */
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

/** A requested host, without its port. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/**
 * The base of the site for the sender of the request, and the path within it. A proxy may request the path under which
 * its readers see the site, or the site's own path at this installation; the address that readers see stays the same
 * either way. The default site of an organization (`organization`, the hostname of it that was asked for) is at the root.
 */
export function pathWithinSite(
  site: Addressed,
  { host, segments, proxies, shareKey }: Requested,
  organization?: string,
): { siteBasePath: string; path: string } {
  const isAtOrganization = organization !== undefined && site.organizationHostname === organization;
  const [base, length] = isAtOrganization ? (['', 0] as const) : baseOf(site, host, segments, proxies);
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

/**
 * Escaped slashes separate segments too: otherwise a path that is rebuilt from the segments could begin with two
 * slashes, which would name a host.
 */
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
