import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Element, Root } from 'xast';
import { atom, type Channel, type Entry, rss } from 'xast-util-feed';
import { toXml } from 'xast-util-to-xml';
import { AnchorAllocator, anchorsOf } from '../../../formats/document/anchors.js';
import { blocksIn, childBlocks, headingIn, lineText, withBelow } from '../../../formats/document/text.js';
import type { Block, Document } from '../../../formats/document/types.js';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import { wordsOfBlocks } from './domain/block-words.js';
import { FEED_TYPES, type FeedKind, requestedFeed } from './domain/feed-paths.js';
import { addressBelow } from './domain/site-paths.js';
import { shortTitle, type TreePage } from './domain/space-tree.js';
import { hasUpdates } from './feed-links.js';
import { textResponse, type HttpResponse } from './http-response.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-caching.js';
import { pageAddress, pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SiteTexts } from './site-texts.js';
import { SpaceTrees } from './space-trees.js';

/** Maximum number of entries of a feed. */
const ENTRIES = 50;

/** The elements of a feed that say when it has changed. */
const TIMES = new Set(['lastBuildDate', 'dc:date', 'updated']);

const WRITERS = { rss, atom } as const;

/** Feeds in RSS 2.0 and Atom: of the pages of a site that were changed last, and of a page with updates. */
@Injectable()
export class Feeds {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly texts: SiteTexts,
    private readonly contents: PageContents,
  ) {}

  /** The feed at a path of a site; undefined at any other, and for pages without updates. */
  async answer(site: SiteRequest, path: string): Promise<HttpResponse | undefined> {
    const feed = requestedFeed(path);
    if (!feed) return undefined;
    const source = feed.of === '' ? { seen: '', read: () => this.changed(site) } : await this.updatesAt(site, feed.of);
    if (!source) return undefined;
    const xml = await this.texts.once(site, `${path} ${source.seen}`, async () =>
      written(feed.kind, `${site.origin}${addressBelow(site.base, path)}`, await source.read()),
    );
    return textResponse(xml, FEED_TYPES[feed.kind], cachingOf(site));
  }

  private async changed(site: SiteRequest): Promise<Feed> {
    const newest = (await this.texts.listed(site))
      .sort((one, other) => other.page.item.updatedAt.getTime() - one.page.item.updatedAt.getTime())
      .slice(0, ENTRIES);
    return {
      title: site.visit.site.title,
      url: `${site.origin}${pageAddress(site, site.base, '')}`,
      entries: newest.map(({ page, url }) => ({
        title: page.item.title,
        description: descriptionOf(page),
        url,
        published: page.item.createdAt,
        modified: page.item.updatedAt,
      })),
    };
  }

  /** The updates of the page at a path, if it has any. */
  private async updatesAt(site: SiteRequest, path: string): Promise<FeedSource | undefined> {
    const found = resolveSitePath(site.visit.rows, path);
    if (!found) return undefined;
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const { tree } = await this.trees.of(site.visit, place.row);
    const page = found.pathname === '' ? tree.first : tree.byPath.get(found.pathname.toLowerCase());
    if (!page) return undefined;
    const { document = '' } = (await this.contents.read(place, [page])).get(page.item.id) ?? {};
    if (!hasUpdates(document)) return undefined;
    const url = `${site.origin}${pagePath(site, place.row, tree, page)}`;
    return {
      // Conditions and expressions in the page show each visitor other updates.
      seen: createHash('sha256').update(document).digest('base64'),
      read: async () => ({
        title: `${shortTitle(page)} | ${site.visit.site.title}`,
        url,
        description: descriptionOf(page),
        language: place.row.language ?? undefined,
        entries: updatesOf(JSON.parse(document) as Document, url).slice(0, ENTRIES),
      }),
    };
  }
}

/** A feed that has yet to be written. */
interface FeedSource {
  /** The content that this visitor sees: the same text for the same feed. */
  readonly seen: string;
  readonly read: () => Promise<Feed>;
}

interface Feed {
  readonly title: string;
  readonly url: string;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly entries: readonly Entry[];
}

function written(kind: FeedKind, feedUrl: string, { title, url, description, language, entries }: Feed): string {
  const channel: Channel = {
    title: clean(title),
    url,
    feedUrl,
    description: clean(description ?? title),
    author: clean(title),
    ...(language !== undefined && { lang: language }),
  };
  const root = WRITERS[kind](
    channel,
    entries.map((entry) => ({
      ...entry,
      title: clean(entry.title ?? ''),
      description: clean(entry.description ?? entry.title ?? ''),
    })),
  );
  const times = entries.map(({ modified }) => new Date(modified ?? 0).getTime());
  const changed = Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
  if (changed > 0) setTime(root, new Date(changed));
  return toXml(root);
}

/** The library says when a feed was written; readers ask when it has changed. */
function setTime(node: Root | Element, at: Date): void {
  for (const child of node.children) {
    if (child.type !== 'element' || child.name === 'item' || child.name === 'entry') continue;
    const time = child.name === 'lastBuildDate' ? at.toUTCString() : at.toISOString();
    if (TIMES.has(child.name)) child.children = [{ type: 'text', value: time }];
    else setTime(child, at);
  }
}

/** The updates of a document as entries, in their order. */
function updatesOf(document: Document, address: string): Entry[] {
  const anchors = anchorsOf(document);
  const ids = new AnchorAllocator();
  for (const anchor of anchors.values()) ids.reserve(anchor);
  const updates: Entry[] = [];
  const collect = (block: Block): void => {
    if (block.type !== 'update') return childBlocks(block).forEach(collect);
    const blocks = blocksIn(block.nodes).flatMap(withBelow);
    const heading = headingIn(blocks);
    const anchor = heading && anchors.get(heading);
    const at = new Date(block.data.date);
    updates.push({
      title: heading ? lineText(heading.nodes ?? []) : block.data.date,
      description: wordsOfBlocks(blocks.filter((each) => each !== heading)),
      // Readers know an update again by its address. One without a heading has the id that the page gives it.
      url: `${address}#${encodeURIComponent(anchor ?? ids.take(block.data.date, 'update'))}`,
      ...(!Number.isNaN(at.getTime()) && { published: at, modified: at }),
      tags: (block.data.tags ?? []).map(({ tag }) => clean(tag)).filter((tag) => tag !== ''),
    });
  };
  document.nodes.forEach(collect);
  return updates;
}

function descriptionOf({ item }: TreePage): string | undefined {
  const { description } = item.props;
  return typeof description === 'string' && description !== '' ? description : undefined;
}

/** Text without the characters that XML cannot have. */
function clean(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '');
}
