import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';

/** The sources of redirects: segments of unreserved and escaped characters, and at most one asterisk, at the end. */
export const SOURCE_PATTERN =
  /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/?\*)?$/;
export const MAX_SOURCE_LENGTH = 512;

/** The decoded form of a path, without slashes at its ends; undefined for one that cannot be decoded. */
export function plainPath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path).normalize('NFC');
    return decoded.includes('\0') ? undefined : decoded.replace(/^\/+|\/+$/g, '');
  } catch {
    return undefined;
  }
}

/** The form in which redirects compare paths: as decoded, in lower case; undefined for one that cannot be decoded. */
export function comparablePath(path: string): string | undefined {
  return plainPath(path)?.toLowerCase();
}

/** The key by which sources of redirects are compared: redirects of one site with equal keys begin at the same addresses. */
export interface SourceKey {
  /** Comparable; of a wildcard what stands before the asterisk, with the slash of `/*`. */
  readonly path: string;
  readonly wildcard: boolean;
}

/** The key of a source; undefined for one that cannot be decoded. */
export function keyOfSource(source: string): SourceKey | undefined {
  const wildcard = source.endsWith('*');
  const path = comparablePath(wildcard ? source.slice(0, -1) : source);
  if (path === undefined) return undefined;
  return { path: source.endsWith('/*') ? `${path}/` : path, wildcard };
}

/** The key of a source that can be requested, or the fault of a redirect from it. */
export function readSource(
  source: string,
  captureWildcard: boolean,
): { readonly key: SourceKey } | { readonly fault: { readonly path: string; readonly message: string } } {
  const key = keyOfSource(source);
  if (key === undefined || key.path === '') return { fault: { path: 'source', message: 'cannot be decoded' } };
  if (captureWildcard && !key.wildcard)
    return { fault: { path: 'captureWildcard', message: 'needs a source that ends in an asterisk' } };
  return { key };
}

/**
 * The part of a path that a wildcard captures, as it was requested: everything behind `before`, with the slash of `/*`.
 * Undefined if that would climb out of its destination.
 */
export function capturedBy(before: string, requested: string): string | undefined {
  const comparable = requested.toLowerCase();
  // Few letters have another length in lower case; the path is then taken as it is compared.
  const given = comparable.length === requested.length ? requested : comparable;
  const captured = given.slice(before.replace(/\/$/, '').length);
  return captured.split('/').some((segment) => segment === '.' || segment === '..') ? undefined : captured;
}

/** A path or address, followed by what a wildcard captured. */
export function withCaptured(path: string, captured: string): string {
  return captured.startsWith('/') ? `${path.replace(/\/+$/, '')}${captured}` : `${path}${captured}`;
}

/** An address whose path is followed by what a wildcard captured; its query and fragment stay. */
export function addressWithCaptured(url: string, captured: string): string {
  const address = new URL(url);
  address.pathname = withCaptured(address.pathname, captured.split('/').map(encodeURIComponent).join('/'));
  return address.href;
}

/** Site spaces are at most two segments deep; with more segments, each would be another prefix to look up. */
const MAX_SEGMENTS = 8;

/**
 * The prefixes of a path at which a site space could have been, including the path itself; the whole site ('') last.
 */
export function beginningsOf(path: string): string[] {
  if (path === '') return [''];
  const segments = path.split('/', MAX_SEGMENTS);
  return [...segments.map((_, index) => segments.slice(0, segments.length - index).join('/')), ''];
}

/** A path in the form of addresses; escaped characters stay escaped. */
export function sourceOf(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .map(escaped)
    .join('/')}`;
}

function escaped(segment: string): string {
  let plain = segment;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    // A percent sign that escapes nothing is literal.
  }
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** One entry of a map of redirects; the line is that of the file, if there is one. */
export interface ListedRedirect {
  readonly from: string;
  readonly to: unknown;
  readonly line?: number;
}

/** Maximum number of redirects in one list. */
export const MAX_LISTED = 5_000;

/**
 * The map of redirects in a `.gitbook.yaml`; without their lines if there are too many. Throws an error that states the
 * reason if there is none.
 */
export function redirectsOfYaml(source: string): ListedRedirect[] {
  const value = readYaml(source);
  const redirects = isRecord(value) ? value['redirects'] : undefined;
  if (!isRecord(redirects)) throw new Error('it has no mapping `redirects`');
  const listed = Object.entries(redirects).map(([from, to]) => ({ from, to }));
  if (listed.length > MAX_LISTED) return listed;
  const lines = new YamlLines(source);
  return listed.map((redirect) => ({ ...redirect, line: lines.ofRedirect(redirect.from) }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
