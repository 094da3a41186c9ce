import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';

/** The sources of redirects: segments of unreserved and escaped characters. */
export const SOURCE_PATTERN = /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/;
export const MAX_SOURCE_LENGTH = 512;

/**
 * The form in which redirects compare paths: decoded, in lower case, without slashes at its ends; undefined for one
 * that cannot be decoded.
 */
export function comparablePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path).normalize('NFC').toLowerCase();
    return decoded.includes('\0') ? undefined : decoded.replace(/^\/+|\/+$/g, '');
  } catch {
    return undefined;
  }
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
