export const FEED_TYPES = { rss: 'application/rss+xml', atom: 'application/atom+xml' } as const;

export type FeedKind = keyof typeof FEED_TYPES;

const PATH = /^(?:(.+)\/)?(rss|atom)\.xml$/;

/** The path of the feed of a page of a site, or of the site itself at ''. */
export const feedPath = (kind: FeedKind, of: string): string => `${of === '' ? '' : `${of}/`}${kind}.xml`;

/** The kind of feed at a path of a site, and the path of its page, '' for the site; undefined at any other. */
export function requestedFeed(path: string): { readonly kind: FeedKind; readonly of: string } | undefined {
  const [, of = '', kind] = PATH.exec(path) ?? [];
  return kind === undefined ? undefined : { kind: kind as FeedKind, of };
}
