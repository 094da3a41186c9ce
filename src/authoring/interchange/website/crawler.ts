import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodedHtml } from '../../../kernel/common/decoded-html.js';
import { invalid } from '../../../kernel/common/errors.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { slugOf } from '../../content/domain/slug.js';
import { TooMuchHtml } from '../../../formats/markdown/html-tree.js';
import { writeFrontmatter } from '../../../formats/markdown/frontmatter.js';
import { FreeNames } from '../../content/domain/free-names.js';
import type { PlanProblem } from '../domain/plan-model.js';
import { admittedBy, isInScope, canonicalUrl, scopeOf, type PageLinks, type SiteScope } from '../domain/website.js';
import type { WebPageReads } from '../web-page-reads.js';

const MB = 1024 ** 2;
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;

export interface CrawlLimits {
  readonly pages: number;
  /**
   * Maximum number of addresses that are recorded or requested, for each page that may be imported: most links of a
   * website are not pages, or are broken.
   */
  readonly addressesPerPage: number;
  /** Maximum number of links from the first page. */
  readonly depth: number;
  readonly pageBytes: number;
  readonly images: number;
  readonly imageBytes: number;
  readonly totalBytes: number;
  /** Maximum time in milliseconds. */
  readonly time: number;
}

export const CRAWL_LIMITS: Omit<CrawlLimits, 'pages'> = {
  addressesPerPage: 20,
  depth: 20,
  pageBytes: 5 * MB,
  images: 2000,
  imageBytes: 10 * MB,
  totalBytes: 500 * MB,
  time: 30 * 60_000,
};

/** A website as a folder of Markdown. */
export interface FetchedSite {
  /** The address of each page, by its path in the folder. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly problems: readonly PlanProblem[];
}

interface FetchedPage {
  /** Without query and fragment. */
  readonly address: string;
  /** The segments of its path below the start of the crawl. */
  readonly segments: readonly string[];
  /** The files with its HTML, and with the JSON of its links. */
  readonly html: string;
  readonly links: string;
}

/** The resources of a crawl. */
export interface CrawlTools {
  readonly outbound: Outbound;
  readonly reads: WebPageReads;
  readonly limits: CrawlLimits;
  /** The organization that the work counts for. */
  readonly party: string;
  /** Awaited between pages; throws to end the work. */
  readonly checkpoint: () => Promise<void>;
}

/**
 * Fetches a website and writes it into an empty folder as Markdown: the page at `start` and those that it links to on
 * the same origin, below the folder of its path, as robots.txt allows; with their images. One request at a time, all of
 * them guarded. Omitted parts, with reasons, are among the problems. Throws `invalid` if not even the first page is
 * available.
 */
export async function fetchWebsite(start: string, folder: string, tools: CrawlTools): Promise<FetchedSite> {
  const crawl = new Crawl(new URL(start), folder, tools);
  await crawl.fetchPages();
  return crawl.write();
}

class Crawl {
  private readonly problems: PlanProblem[] = [];
  private readonly pages = new Map<string, FetchedPage>();
  /** The page to which an address redirected. */
  private readonly redirected = new Map<string, string>();
  private readonly images = new Map<string, string | undefined>();
  private readonly deadline: number;
  private readonly limits: CrawlLimits;
  private readonly scope: SiteScope;
  private robots = '';
  private bytes = 0;

  constructor(
    private readonly start: URL,
    private readonly folder: string,
    private readonly tools: CrawlTools,
  ) {
    this.limits = tools.limits;
    this.deadline = Date.now() + tools.limits.time;
    this.scope = scopeOf(start);
  }

  async fetchPages(): Promise<void> {
    this.robots = await this.fetchRobots();
    if (!admittedBy(this.robots)(this.start.pathname + this.start.search))
      throw invalid('source.url', 'the robots.txt of the website does not allow it');
    let level = [canonicalUrl(this.start)];
    const seen = new Set(level);
    for (let depth = 0; level.length > 0 && depth <= this.limits.depth; depth++) {
      const next: string[] = [];
      for (const address of level) {
        if (this.pages.size >= this.limits.pages)
          return this.leftOut(`only the first ${this.limits.pages} pages are imported`);
        if (Date.now() > this.deadline || this.bytes > this.limits.totalBytes)
          return this.leftOut('the website is too large or too slow: the rest of it is left out');
        await this.tools.checkpoint();
        for (const link of await this.fetchPage(address, depth === 0)) {
          if (seen.has(link) || seen.size >= this.limits.pages * this.limits.addressesPerPage) continue;
          seen.add(link);
          next.push(link);
        }
      }
      level = next;
    }
  }

  /** Converts the fetched pages, now that the internal links are known. */
  async write(): Promise<FetchedSite> {
    const paths = placePages([...this.pages.values()]);
    const addresses = new Map<string, string>();
    for (const page of this.pages.values()) {
      await this.tools.checkpoint();
      const path = paths.get(page.address) ?? '';
      if (await this.writePage(page, path, paths)) addresses.set(path, page.address);
    }
    return { addresses, problems: this.problems };
  }

  /** Converts a page; false for one that cannot be read after all. */
  private async writePage(page: FetchedPage, path: string, paths: ReadonlyMap<string, string>): Promise<boolean> {
    const { inside, images: shown } = JSON.parse(await readFile(page.links, 'utf8')) as PageLinks;
    const pages = new Map(
      inside.flatMap((address): [string, string][] => {
        const at = paths.get(this.redirected.get(address) ?? address);
        return at === undefined ? [] : [[address, at]];
      }),
    );
    const images = new Map<string, string>();
    for (const address of shown) {
      const at = await this.image(address);
      if (at !== undefined) images.set(address, at);
    }
    const read = await this.tools.reads.markdown(
      { html: await readFile(page.html, 'utf8'), address: page.address, path, places: { pages, images } },
      this.tools.party,
    );
    await Promise.all([rm(page.html), rm(page.links)]);
    if ('fault' in read) {
      this.problems.push({
        file: page.address,
        level: 'warning',
        message: `the page is left out, its HTML cannot be read: ${read.fault}`,
      });
      return false;
    }
    const { title, description, markdown } = read;
    const name = page.segments.at(-1);
    const head = writeFrontmatter({
      title: title || name || this.start.hostname,
      slug: slugOf(name ?? (this.start.pathname.split('/').findLast(Boolean) || 'home')),
      ...(description !== undefined && { description }),
    });
    await this.save(path, `${head}${markdown}`);
    return true;
  }

  private async fetchRobots(): Promise<string> {
    const answer = await this.tools.outbound
      .fetch(new URL('/robots.txt', this.start).toString(), { maxBytes: MB, timeout: 10_000 })
      .catch(() => undefined);
    return answer?.status === 200 ? answer.body.toString('utf8') : '';
  }

  /** Fetches a page and returns the addresses of its internal links. */
  private async fetchPage(address: string, isFirst: boolean): Promise<readonly string[]> {
    const refuse = (message: string): string[] => {
      if (isFirst) throw invalid('source.url', message);
      this.problems.push({ file: address, level: 'warning', message });
      return [];
    };
    try {
      const answer = await this.tools.outbound.fetch(address, {
        maxBytes: this.limits.pageBytes,
        timeout: Math.max(1, Math.min(30_000, this.deadline - Date.now())),
      });
      this.bytes += answer.body.length;
      if (answer.status !== 200) return refuse(`the website answered ${answer.status}`);
      if (!HTML.test(answer.headers['content-type'] ?? ''))
        return isFirst ? refuse('the address is not that of a web page') : [];
      const final = canonicalUrl(new URL(answer.url));
      if (!isInScope(final, this.scope)) return refuse('the page has moved out of the website');
      if (final !== address) this.redirected.set(address, final);
      if (this.pages.has(final)) return [];
      const html = decodedHtml(answer.body, answer.headers['content-type'] ?? '');
      const links = await this.tools.reads.links(
        { html, address: final, scope: this.scope, robots: this.robots },
        this.tools.party,
      );
      if ('fault' in links) return refuse(`the page is no HTML that can be read: ${links.fault}`);
      const name = `.pages/${this.pages.size}`;
      this.pages.set(final, {
        address: final,
        segments: this.segments(final),
        html: await this.save(`${name}.html`, html),
        links: await this.save(`${name}.json`, JSON.stringify(links)),
      });
      return links.pages;
    } catch (error) {
      if (error instanceof OutboundError) return refuse(error.message);
      if (error instanceof TooMuchHtml) return refuse(`the page is no HTML that can be read: ${error.message}`);
      throw error;
    }
  }

  private segments(address: string): string[] {
    const path = new URL(address).pathname.slice(this.scope.folder.length);
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => slugOf(decodeSegment(segment).replace(/\.(html?|php|aspx?)$/i, '')));
    return segments.at(-1) === 'index' ? segments.slice(0, -1) : segments;
  }

  /** The path of an image in the folder; undefined if it is not available. */
  private async image(address: string): Promise<string | undefined> {
    if (!this.images.has(address)) this.images.set(address, await this.fetchImage(new URL(address)));
    return this.images.get(address);
  }

  private async fetchImage(url: URL): Promise<string | undefined> {
    if (this.images.size >= this.limits.images || this.bytes > this.limits.totalBytes || Date.now() > this.deadline)
      return undefined;
    try {
      const answer = await this.tools.outbound.fetch(url.toString(), { maxBytes: this.limits.imageBytes });
      this.bytes += answer.body.length;
      if (answer.status !== 200 || !/^image\//i.test(answer.headers['content-type'] ?? ''))
        return this.noImage(url, 'is no picture that can be fetched');
      const name =
        decodeSegment(url.pathname.split('/').at(-1) ?? '')
          .replace(/[^\p{L}\p{N}._-]+/gu, '-')
          .replace(/^\.+/, '')
          .slice(-100) || 'picture';
      const path = `.gitbook/assets/${createHash('sha256').update(url.toString()).digest('hex').slice(0, 8)}-${name}`;
      await this.save(path, answer.body);
      return path;
    } catch (error) {
      if (error instanceof OutboundError) return this.noImage(url, error.message);
      throw error;
    }
  }

  private noImage(url: URL, message: string): undefined {
    this.problems.push({ file: url.toString(), level: 'warning', message });
  }

  private leftOut(message: string): void {
    this.problems.push({ file: this.start.toString(), level: 'warning', message });
  }

  private async save(path: string, content: string | Buffer): Promise<string> {
    const target = join(this.folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    return target;
  }
}

/** The path of each page: a page with others below it is the page of their folder. */
function placePages(pages: readonly FetchedPage[]): Map<string, string> {
  const folders = new Set(
    pages.flatMap(({ segments }) => segments.map((_, index) => segments.slice(0, index).join('/'))),
  );
  const taken = new FreeNames();
  const paths = new Map<string, string>();
  for (const { address, segments } of pages) {
    const name = segments.join('/');
    const path = folders.has(name) || name === '' ? `${name === '' ? '' : `${name}/`}README.md` : `${name}.md`;
    paths.set(
      address,
      taken.take((number) => (number === 0 ? path : path.replace(/\.md$/, `-${number}.md`))),
    );
  }
  return paths;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
