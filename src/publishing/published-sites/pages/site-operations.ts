import { Injectable } from '@nestjs/common';
import { documentKindOf } from '../../../formats/document/computed-source.js';
import { searchedBy, SiteSearch } from '../search/site-search.service.js';
import { PageContents } from './page-contents.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Pages in which an operation is looked for. */
const PAGES = 5;
const BETWEEN_IDS = /[^\p{L}\p{N}_.-]+/u;
const METHOD_AND_PATH = /^([a-z]+)\s+(\S+)$/i;
/** The line that names an operation in the Markdown of a page. */
const NAMED = /^`[A-Z]+ \S+`$/m;

/** Finds operations of APIs among the pages of a site that a visitor sees. */
@Injectable()
export class SiteOperations {
  constructor(
    private readonly search: SiteSearch,
    private readonly trees: SpaceTrees,
    private readonly contents: PageContents,
  ) {}

  /** The Markdown of an operation, by its id or by method and path as in `GET /pets`; undefined if no page shows it. */
  async find(site: SiteRequest, operation: string): Promise<string | undefined> {
    if (operation === '') return undefined;
    const [, method = '', path = ''] = METHOD_AND_PATH.exec(operation) ?? [];
    const line = path === '' ? undefined : `\`${method.toUpperCase()} ${path}\``;
    const hits = await this.search.ranked(searchedBy(site.visit), operation, { mode: 'all' });
    for (const { space, page: hit } of hits.slice(0, PAGES)) {
      const row = site.visit.rows.siteSpaces.find(({ id }) => id === space);
      const { tree } = row ? await this.trees.of(site.visit, row) : {};
      const page = tree?.byId.get(hit.id);
      if (!row || !tree || !page) continue;
      const doc = documentKindOf(page.item);
      if (doc === 'tag') continue;
      const [markdown = ''] = await this.contents.markdown({ ...site, row, section: undefined }, [page]);
      // The excerpt of a section has the words that were looked for.
      const titles = hit.sections
        .filter(({ body }) => body.split(BETWEEN_IDS).includes(operation))
        .map(({ title }) => title);
      const shows = (section: string): boolean =>
        line === undefined ? NAMED.test(section) && titles.length > 0 : section.includes(line);
      const found =
        doc === 'operation'
          ? [markdown].find(shows)
          : markdown
              .split(/^(?=## )/m)
              .find(
                (section) =>
                  shows(section) && (line !== undefined || titles.some((title) => section.startsWith(`## ${title}\n`))),
              );
      if (found !== undefined) return `${site.origin}${pagePath(site, row, tree, page)}\n\n${found.trimEnd()}`;
    }
    return undefined;
  }
}
