import { isStorable } from '../../../formats/document/link-target.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { encodePath, directoryOf, relativePath } from './repository-paths.js';
import { readRobots } from './robots.js';
import { ReadWebPage, type WebPage } from './web-page.js';

/** File extensions other than those of pages; links to such files stay links. */
const NO_PAGE = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|zip|gz|tgz|tar|mp4|webm|mp3|css|js|json|xml|txt|woff2?)$/i;
/** The robot name of this service in a robots.txt. */
const ROBOT = 'Bindery';

/** A fetched page of a website. */
export interface FetchedHtml {
  readonly html: string;
  /** Without query and fragment. */
  readonly address: string;
}

/** The pages on the origin of an address, in the folder of its path. */
export interface SiteScope {
  readonly origin: string;
  /** Ends with a slash. */
  readonly folder: string;
}

/** The links of a page, without duplicates and fragments. */
export interface PageLinks {
  /** Links that may be fetched as further pages. */
  readonly pages: readonly string[];
  /** All links within the website. */
  readonly inside: readonly string[];
  /** Addresses of images in the main content. */
  readonly images: readonly string[];
}

export function scopeOf(start: URL): SiteScope {
  return { origin: start.origin, folder: start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1) };
}

export function isInScope(address: string, { origin, folder }: SiteScope): boolean {
  const url = new URL(address);
  return url.origin === origin && (url.pathname.startsWith(folder) || `${url.pathname}/` === folder);
}

/** The canonical address of a page: queries and fragments do not change it. */
export function canonicalUrl(url: URL): string {
  const address = new URL(url);
  address.hash = '';
  address.search = '';
  return address.toString();
}

/** Tells whether the text of a robots.txt admits each of some paths, which may have a query. */
export function admittedBy(robots: string): (path: string) => boolean {
  return readRobots(robots, ROBOT);
}

export function linksOf({ html, address }: FetchedHtml, scope: SiteScope, robots: string): PageLinks {
  const page = new ReadWebPage(html, address);
  const targets = new Set(
    page
      .links()
      .flatMap((link) => webAddress(link, page.base) ?? [])
      .map(canonicalUrl),
  );
  const inside = [...targets].filter((target) => isInScope(target, scope));
  const isAdmitted = admittedBy(robots);
  return {
    inside,
    pages: inside.filter((target) => !NO_PAGE.test(target) && isAdmitted(new URL(target).pathname)),
    images: [...new Set(page.images().flatMap((image) => imageAddress(image, page.base) ?? []))],
  };
}

/** The paths of pages and images in a folder, by address. */
export interface Places {
  readonly pages: ReadonlyMap<string, string>;
  readonly images: ReadonlyMap<string, string>;
}

/** A page as Markdown at the path `from` of a folder, with links to the files in the folder. */
export function markdownOf({ html, address }: FetchedHtml, from: string, { pages, images }: Places): WebPage {
  const page = new ReadWebPage(html, address);
  const relative = (path: string): string => encodePath(relativePath(directoryOf(from), path));
  return page.convert((target, kind) => {
    const image = kind === 'image' ? images.get(imageAddress(target.trim(), page.base) ?? '') : undefined;
    if (image !== undefined) return relative(image);
    const url = target.startsWith('#') ? undefined : webAddress(target, page.base);
    if (url === undefined) return target;
    if (!/^https?:$/.test(url.protocol)) return isStorable(target) ? target : '';
    const path = pages.get(canonicalUrl(url));
    return path === undefined ? url.toString() : `${relative(path)}${url.hash}`;
  });
}

/** Undefined for addresses that are not on the web. */
function imageAddress(source: string, base: string): string | undefined {
  const url = webAddress(source, base);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  return url.toString();
}
