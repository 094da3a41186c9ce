import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../authoring/content/document-store.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { RequestPreviews } from '../previews/request-previews.service.js';
import { VisitorAccess } from '../visitor-access.service.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { shortTitle, type TreePage } from './domain/space-tree.js';
import { textResponse, type HttpResponse } from './http-response.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-caching.js';
import type { ClientInfo } from './reader-counts.js';
import { isOpenToAgents, type SitePlace, type SiteRequest } from './site-place.js';
import { SiteTexts } from './site-texts.js';

/** Maximum number of pages in `llms.txt`. */
const LINKS = 20_000;
/** Maximum length of `llms-full.txt` in characters. */
const FULL_TEXT = 32 * 1024 ** 2;
const PAGES_AT_ONCE = 25;
/** The files of the whole site, or of a part of it by the slugs of section and variant. */
const PATH = /^(?:(.+)\/)?llms(-full)?\.txt$/;

/** The texts by which language models read a site (llmstxt.org): lists of its pages, and all their texts. */
@Injectable()
export class AgentTexts {
  constructor(
    private readonly texts: SiteTexts,
    private readonly contents: PageContents,
    private readonly documents: DocumentStore,
    private readonly visits: VisitorAccess,
    private readonly previews: RequestPreviews,
    private readonly limit: RateLimit,
  ) {}

  /** The text at a path of a site; undefined at any other, and for a site that agents may not read. */
  async answer(site: SiteRequest, path: string, reader: ClientInfo): Promise<HttpResponse | undefined> {
    const [name, part, isFull] = PATH.exec(path) ?? [];
    if (name === undefined || !isOpenToAgents(site.visit)) return undefined;
    const rows = site.visit.rows.siteSpaces.filter((row) => part === undefined || partOf(site, row) === part);
    if (rows.length === 0) return undefined;
    if (isFull === undefined)
      return textResponse(
        await this.texts.once(site, name, () => this.links(site, rows)),
        'text/plain',
        cachingOf(site),
      );
    await this.limit.admitReader(reader.ip, 'heavy');
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...cachingOf(site) },
      body: Readable.from(this.fullText(site, rows), { objectMode: false }),
    };
  }

  /** The pages of some site spaces as links to their Markdown, with descriptions and sizes. */
  private async links(site: SiteRequest, rows: readonly SiteSpaceRow[]): Promise<string> {
    const words = await this.documents.wordCounts([...new Set(rows.map(({ id }) => id))]);
    const parts = [`# ${line(site.visit.site.title)}\n`];
    const isDivided = site.visit.rows.siteSpaces.length > 1;
    let left = LINKS;
    for (const row of rows) {
      const pages = (await this.texts.documents(site, row, 'noIndex')).slice(0, left);
      left -= pages.length;
      if (pages.length === 0) continue;
      // Words are counted in published pages.
      const counts = site.visit.preview?.point.spaceId === row.id ? undefined : words.get(row.id);
      const count = (page: TreePage): number => counts?.get(page.item.id) ?? 0;
      parts.push(`\n## ${line(headingOf(site, row))}\n\n`);
      if (isDivided) {
        const all = pages.reduce((sum, page) => sum + count(page), 0);
        const address = addressBelow(`${site.origin}${site.base}`, `${partOf(site, row)}/llms-full.txt`);
        parts.push(`- [All pages of this part in one text](${address})${sizeOf(all)}\n`);
      }
      const base = `${site.origin}${site.base}${siteSpacePath(site.visit.rows, row)}`;
      for (const page of pages) {
        const description = page.item.props['description'];
        const about = typeof description === 'string' && description !== '' ? `: ${line(description)}` : '';
        const title = line(shortTitle(page)).replace(/[[\]]/g, '\\$&');
        parts.push(`- [${title}](${addressBelow(base, page.path)}.md)${about}${sizeOf(count(page))}\n`);
      }
    }
    return parts.join('');
  }

  /** All pages as Markdown, concatenated; written while it is read, as long as the reader has access. */
  private async *fullText(site: SiteRequest, rows: readonly SiteSpaceRow[]): AsyncGenerator<string> {
    let left = FULL_TEXT;
    for (const row of rows) {
      const place: SitePlace = { ...site, row, section: undefined };
      const pages = await this.texts.documents(site, row, 'noIndex');
      for (let start = 0; start < pages.length; start += PAGES_AT_ONCE) {
        if (!(await this.isStillOpen(place))) return;
        for (const text of await this.contents.markdown(place, pages.slice(start, start + PAGES_AT_ONCE))) {
          left -= text.length;
          if (left < 0) {
            yield '\n(There is more than this file holds: llms.txt names every page.)\n';
            return;
          }
          yield `${text}\n\n`;
        }
      }
    }
  }

  /** Tells whether an admitted reader still has access to this space of the site. */
  private async isStillOpen({ visit, row }: SitePlace): Promise<boolean> {
    const now = await (visit.preview ? this.previews.again(visit.preview) : this.visits.enterAgain(visit.grant));
    return (
      now !== undefined &&
      isOpenToAgents(now) &&
      now.rows.siteSpaces.some(({ siteSpaceId }) => siteSpaceId === row.siteSpaceId)
    );
  }
}

/** The path of a part of a site: the slugs of its section and, where that has several site spaces, of the site space. */
export function partOf({ visit: { rows } }: SiteRequest, { sectionId, siteSpacePath: own }: SiteSpaceRow): string {
  const section = rows.sections.find(({ id }) => id === sectionId);
  if (!section) return own;
  const isAlone = rows.siteSpaces.filter((row) => row.sectionId === sectionId).length === 1;
  return isAlone ? section.path : `${section.path}/${own}`;
}

function headingOf({ visit: { rows } }: SiteRequest, row: SiteSpaceRow): string {
  const section = rows.sections.find(({ id }) => id === row.sectionId);
  const isAlone = rows.siteSpaces.filter(({ sectionId }) => sectionId === row.sectionId).length === 1;
  return section ? (isAlone ? section.title : `${section.title}: ${row.title}`) : row.title;
}

/** The size of a text as a reader of the list sees it; nothing where it is not known. */
const sizeOf = (words: number): string => (words === 0 ? '' : ` (${words} ${words === 1 ? 'word' : 'words'})`);

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
