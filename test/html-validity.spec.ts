import { beforeAll, describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { useApp } from './app.js';
import { publishFolders, succeeded, type PublishedSite } from './browser/published-site.js';
import { everyConstruct } from './every-construct.js';

const app = useApp();
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] });

/** In short runs one page of this many is read: they have the same layout around other words. */
const SHARE = process.env['ROUNDS'] === undefined ? 5 : 1;
const MORE = ['~search', '~search?q=site', '~ask', '~gitbook/auth/logout', 'nothing-is-here', '~gitbook/mcp'];

interface Written {
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}

/** Publishes a page of everything that a document may consist of; returns its address. */
async function publishEveryConstruct({ workspace, sections: [{ space, url }] }: PublishedSite): Promise<string> {
  const { api, id: user } = workspace.admin;
  const requests = `/spaces/${space}/change-requests`;
  const { id } = succeeded(await api.post<{ id: string }>(requests, { subject: 'Everything' }));
  const request = `${requests}/${id}`;
  const write = async (...changes: object[]): Promise<Written> =>
    succeeded(await api.post<Written>(`${request}/content`, { changes }, { query: { compat: false } }));
  const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const made = await write(
    { operation: 'insert_files', files: [{ name: 'pixel.png', contentType: 'image/png', base64 }] },
    { operation: 'insert_page', title: 'Other', document: { markdown: '## Two' } },
    { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words' } },
  );
  const { reusableContents } = succeeded(await api.get<{ reusableContents: { id: string }[] }>(`${request}/content`));
  const document = everyConstruct({
    file: made.insertedFiles?.[0]?.id ?? '',
    page: made.changes[0]?.page.id ?? '',
    reusableContent: reusableContents[0]?.id ?? '',
    user,
    space,
    collection: space,
  });
  await write({ operation: 'insert_page', title: 'Everything', slug: 'everything', document: { document } });
  succeeded(await api.post(`${request}/merge`));
  return `${url}/everything`;
}

describe('the HTML of published sites', () => {
  let site: PublishedSite;
  beforeAll(async () => {
    site = await publishFolders(app.current);
  }, 300_000);

  it('has no faults on pages, and on those of the site itself', async () => {
    const everything = await publishEveryConstruct(site);
    const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&'),
    );
    expect(pages).toContain(everything);
    const read = [everything, ...MORE.map((path) => `${site.url}/${path}`), new URL('/', site.url).href];
    read.push(...pages.filter((_, index) => index % SHARE === 0));
    const faults = new Map<string, string>();
    for (const address of read) {
      const response = await fetch(address, { headers: { Accept: 'text/html' } });
      expect([address, response.headers.get('Content-Type')]).toEqual([address, expect.stringContaining('text/html')]);
      const html = await response.text();
      const { results } = await validator.validateString(html);
      for (const { ruleId, message, offset } of results.flatMap(({ messages }) => messages))
        faults.set(`${ruleId}: ${message}`, `${address} … ${html.slice(Math.max(0, offset - 80), offset + 120)}`);
    }
    expect(Object.fromEntries(faults)).toEqual({});
  }, 900_000);
});
