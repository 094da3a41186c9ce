import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';

/** What redirects begin at: segments of unreserved and escaped characters. */
export const SOURCE_PATTERN = /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/;
export const MAX_SOURCE_LENGTH = 512;

/** A path as redirects compare it: decoded, in lower case, without slashes at its ends; undefined for one that cannot be decoded. */
export function comparablePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path).normalize('NFC').toLowerCase();
    return decoded.includes('\0') ? undefined : decoded.replace(/^\/+|\/+$/g, '');
  } catch {
    return undefined;
  }
}

/** Places of site spaces have two segments; of any number, each would be another beginning to look for. */
const MAX_SEGMENTS = 8;

/** The beginnings of a path at which a site space could have stood, among them the path itself; the whole site ('') last. */
export function beginningsOf(path: string): string[] {
  if (path === '') return [''];
  const segments = path.split('/', MAX_SEGMENTS);
  return [...segments.map((_, index) => segments.slice(0, segments.length - index).join('/')), ''];
}

/** A path as an address has it; what was escaped stays so. */
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
    // A percent sign that escapes nothing stands for itself.
  }
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** One entry of a map of redirects; the line is that of the file, where there is one. */
export interface ListedRedirect {
  readonly from: string;
  readonly to: unknown;
  readonly line?: number;
}

/** Redirects in one list at most. */
export const MAX_LISTED = 5_000;

/** The map of redirects in a `.gitbook.yaml`; without their lines where there are too many. Throws an error that says why there is none. */
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
