import { Injectable } from '@nestjs/common';
import { atom, type Channel, type Entry, rss } from 'xast-util-feed';
import { toXml } from 'xast-util-to-xml';
import { anchorsOf } from '../../../formats/document/anchors.js';
import { blocksIn, childBlocks, lineText } from '../../../formats/document/text.js';
import type { Block, Document } from '../../../formats/document/types.js';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import { wordsOfBlocks, withBelow } from './domain/block-words.js';
import { FEED_TYPES, type FeedKind, requestedFeed } from './domain/feed-paths.js';
import { addressBelow } from './domain/site-paths.js';
import { shortTitle, type TreePage } from './domain/space-tree.js';
import { hasUpdates } from './feed-links.js';
import { textResponse, type HttpResponse } from './http-response.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-renderings.js';
import { pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SiteTexts } from './site-texts.js';
import { SpaceTrees } from './space-trees.js';

/** Maximum number of entries of a feed. */
const ENTRIES = 50;

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
    const entries = feed.of === '' ? undefined : await this.updatesAt(site, feed.of);
    if (feed.of !== '' && entries === undefined) return undefined;
    const xml = await this.texts.once(site, path, async () =>
      written(feed.kind, `${site.origin}${addressBelow(site.base, path)}`, entries ?? (await this.changed(site))),
    );
    return textResponse(xml, FEED_TYPES[feed.kind], cachingOf(site));
  }

  private async changed(site: SiteRequest): Promise<Feed> {
    const found: { page: TreePage; url: string }[] = [];
    for (const row of site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      for (const page of await this.texts.documents(site, row, 'noRobotsIndex'))
        if (!page.isHidden) found.push({ page, url: `${site.origin}${pagePath(site, row, tree, page)}` });
    }
    const newest = found
      .sort((one, other) => other.page.item.updatedAt.getTime() - one.page.item.updatedAt.getTime())
      .slice(0, ENTRIES);
    return {
      title: site.visit.site.title,
      url: `${site.origin}${addressBelow(site.base, '')}`,
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
  private async updatesAt(site: SiteRequest, path: string): Promise<Feed | undefined> {
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
      title: `${shortTitle(page)} | ${site.visit.site.title}`,
      url,
      description: descriptionOf(page),
      language: place.row.language ?? undefined,
      entries: updatesOf(JSON.parse(document) as Document, url).slice(0, ENTRIES),
    };
  }
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
  return toXml(
    WRITERS[kind](
      channel,
      entries.map((entry) => ({
        ...entry,
        title: clean(entry.title ?? ''),
        description: clean(entry.description ?? entry.title ?? ''),
      })),
    ),
  );
}

/** The updates of a document as entries, in their order. */
function updatesOf(document: Document, address: string): Entry[] {
  const anchors = anchorsOf(document);
  const updates: Entry[] = [];
  const collect = (block: Block): void => {
    if (block.type !== 'update') return childBlocks(block).forEach(collect);
    const blocks = blocksIn(block.nodes).flatMap(withBelow);
    const heading = blocks.find(({ type }) => type.startsWith('heading-'));
    const anchor = heading && anchors.get(heading);
    const at = new Date(block.data.date);
    updates.push({
      title: heading ? lineText(heading.nodes ?? []) : block.data.date,
      description: wordsOfBlocks(blocks.filter((each) => each !== heading)),
      // Each has an address of its own, by which readers know it again.
      url: `${address}#${encodeURIComponent(anchor ?? block.data.date)}`,
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
