import { addressBelow } from '../domain/site-paths.js';
import type { RequestedResource } from '../requested-resource.js';
import type { SiteRequest } from '../site-place.js';

/** The request of somebody of whom nothing is known for a path of a site. */
export function requestFor({ base }: SiteRequest, path: string): RequestedResource {
  return {
    path,
    rawPath: addressBelow(base, path),
    query: new URLSearchParams(),
    asData: false,
    asMarkdown: false,
    wantsPage: false,
    isHead: false,
    reader: { ip: '', userAgent: '', language: undefined, referrer: undefined },
  };
}
