import { beforeAll, describe, expect, it } from '@jest/globals';
import { documentFacts } from '../../src/formats/markdown/check-document.js';
import { FactCounts, surplus } from '../../src/formats/markdown/check-facts.js';
import { type Document, RAW_SYNTAX } from '../../src/formats/document/types.js';
import { useApp } from '../app.js';
import { crawl, type Crawl } from './crawler.js';
import { publishFolders, type PublishedSite, type Section, succeeded } from './published-site.js';

const app = useApp({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0' });

interface PageNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly path?: string;
  readonly hidden?: boolean;
  readonly description?: string;
  readonly pages?: readonly PageNode[];
  readonly document?: Document;
}
interface Usage {
  readonly status: string;
  readonly locationReferences: readonly { readonly page?: { readonly id: string } }[];
}

/** Without what an import kept as it is written because nobody understands it, such as comments of HTML, which readers do not see. */
function withoutMarkup<Part>(part: Part): Part {
  const isMarkup = (value: unknown): boolean =>
    (value as { data?: { syntax?: string } } | null)?.data?.syntax === RAW_SYNTAX;
  return JSON.parse(JSON.stringify(part), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((each) => !isMarkup(each)) : value,
  ) as Part;
}

const flat = (pages: readonly PageNode[]): PageNode[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

describe('everything of a published site', () => {
  let site: PublishedSite;
  let seen: Crawl;

  beforeAll(async () => {
    site = await publishFolders(app.current);
    const begin = performance.now();
    seen = await crawl(site.url);
    const answers = [...seen.answers.values()];
    const count = (test: (status: number) => boolean): number => answers.filter(({ status }) => test(status)).length;
    process.stdout.write(
      `crawl of ${site.sections.map(({ title, pages }) => `${title} (${pages} pages)`).join(' and ')}: ${answers.length} addresses, ${count((status) => status === 200)} answered 200, ` +
        `${count((status) => status >= 300 && status < 400)} redirected, ${count((status) => status === 404)} answered 404, ${count((status) => status >= 500)} failed; ` +
        `${seen.fragments.length} links to parts of pages, ${seen.foreign.size} foreign addresses; ${((performance.now() - begin) / 1000).toFixed(1)} s\n`,
    );
  }, 600_000);

  /** Pages with bodies, with the addresses at which readers find them: the first one lies where its section does. */
  async function pagesOf({ space, url }: Section): Promise<(PageNode & { readonly url: string })[]> {
    const { pages } = succeeded(
      await site.workspace.admin.api.get<{ pages: PageNode[] }>(`/spaces/${space}/content/pages`),
    );
    const documents = flat(pages).filter(({ type }) => type === 'document');
    const first = documents.find(({ hidden }) => hidden !== true);
    return documents.map((page) => ({
      ...page,
      url: page === first ? url : new URL(`${url.replace(/\/$/, '')}/${page.path ?? ''}`).href,
    }));
  }

  /** Pages with broken links in the report of their space, by their published addresses. */
  async function brokenPages(): Promise<Set<string>> {
    const broken = new Set<string>();
    for (const section of site.sections) {
      const addresses = new Map((await pagesOf(section)).map(({ id, url }) => [id, url]));
      let page: string | undefined;
      do {
        const report = succeeded(
          await site.workspace.admin.api.get<{ items: Usage[]; next?: { page: string } }>(
            `/spaces/${section.space}/links`,
            { query: { limit: 100, ...(page !== undefined && { page }) } },
          ),
        );
        for (const { status, locationReferences } of report.items)
          if (status !== 'ok')
            for (const { page: at } of locationReferences) broken.add(addresses.get(at?.id ?? '') ?? '');
        page = report.next?.page;
      } while (page !== undefined);
    }
    return broken;
  }

  it('is reached: every page that is not hidden', async () => {
    for (const section of site.sections) {
      const shown = (await pagesOf(section)).filter(({ hidden }) => hidden !== true);
      expect(shown.length).toBeGreaterThan(2);
      expect(
        shown.filter(({ url }) => seen.answers.get(url)?.status !== 200).map(({ title, url }) => `${title} ${url}`),
      ).toEqual([]);
    }
  });

  it('answers without any server error', () => {
    expect(
      [...seen.answers.values()]
        .filter(({ status }) => status >= 500 || (status >= 400 && status !== 404))
        .map(({ status, url }) => `${status} ${url}`),
    ).toEqual([]);
  });

  it('leads nowhere only where the link report says so', async () => {
    const broken = await brokenPages();
    const missing = [...seen.answers.values()].filter(({ status }) => status === 404);
    const unlisted = missing.flatMap(({ url, from }) =>
      [...from].filter((page) => !broken.has(page)).map((page) => `${page} -> ${url}`),
    );
    process.stdout.write(
      `${missing.length} links lead nowhere; the link reports name ${broken.size} pages with such links\n`,
    );
    expect(unlisted).toEqual([]);
  });

  it('leads to parts of pages that are there, save where the link report says so', async () => {
    const broken = await brokenPages();
    const missing = seen.fragments.filter(({ from, page, id }) => {
      const target = seen.answers.get(page);
      return target?.ids !== undefined && target.status === 200 && !target.ids.has(id) && !broken.has(from);
    });
    expect(missing.map(({ from, page, id }) => `${from} -> ${page}#${id}`)).toEqual([]);
  });

  it('says every word of every page', async () => {
    const lost: string[] = [];
    let words = 0;
    for (const section of site.sections) {
      for (const { id, url, title } of await pagesOf(section)) {
        const html = seen.answers.get(url);
        if (html?.status !== 200) continue;
        const page = succeeded(
          await site.workspace.admin.api.get<PageNode>(`/spaces/${section.space}/content/page/${id}`, {
            query: { format: 'document', evaluated: true },
          }),
        );
        if (page.document === undefined) continue;
        const facts = new FactCounts();
        documentFacts(withoutMarkup(page.document), facts, (ref) => JSON.stringify(ref));
        words += [...facts.visible.values()].reduce((sum, count) => sum + count, 0);
        const missing = surplus(facts.visible, html.words ?? new Map());
        if (missing.length > 0)
          lost.push(
            `${title} ${html.url}: ${missing
              .slice(0, 8)
              .map(({ what, count }) => `${what} x ${count}`)
              .join(', ')}`,
          );
      }
    }
    process.stdout.write(`${words} words of pages compared with their HTML\n`);
    expect(words).toBeGreaterThan(1000);
    expect(lost).toEqual([]);
  });
});
