/** First path segments of the two listeners, which no site may take; a test derives them from the routers. */
export const RESERVED_BASENAMES: ReadonlySet<string> = new Set([
  'v1',
  'app',
  'docs',
  'docs-json',
  'docs-yaml',
  'healthz',
  'readyz',
  'metrics',
  'api',
  'assets',
  'static',
]);

/** Letters, digits, hyphens and underscores, with a letter or digit at both ends. */
const BASENAME_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** The fault of a basename, in words; undefined if there is none. */
export function basenameFault(basename: string): string | undefined {
  if (!BASENAME_PATTERN.test(basename))
    return 'must consist of letters, digits, hyphens and underscores and begin and end with a letter or digit';
  if (RESERVED_BASENAMES.has(basename.toLowerCase())) return 'is reserved for the service itself';
  return undefined;
}

/** The basename for a title's slug: its ASCII part, or `site`. */
export function basenameOf(slug: string): string {
  return slug.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'site';
}

/** A hostname of at least three labels, in lower case. */
export const HOSTNAME_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** A host and a path, by which the proxy of a site is named. */
export const PROXY_PATTERN = /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/;
