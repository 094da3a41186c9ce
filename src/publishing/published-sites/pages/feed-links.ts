import { FEED_TYPES, feedPath } from './domain/feed-paths.js';
import { addressBelow } from './domain/site-paths.js';

/** Whether a document, given in JSON, may have updates. */
export const hasUpdates = (json: string): boolean => json.includes('"type":"updates"');

/** The feeds of a site, at the path '', or of one of its pages, as the head of a page names them. */
export const feedLinks = (title: string, base: string, path: string) =>
  (['rss', 'atom'] as const).map((kind) => ({
    type: FEED_TYPES[kind],
    title,
    href: addressBelow(base, feedPath(kind, path)),
  }));
