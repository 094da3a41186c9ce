import { beforeAll, describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const UPDATES = `{% updates format="full" %}
{% update date="2026-02-03" tags="api" %}
## Faster < search

It takes **half** the time\u0001.
{% endupdate %}

{% update date="2026-01-05" %}
Nothing but words.
{% endupdate %}

{% update date="2026-01-05" %}
More words.
{% endupdate %}
{% endupdates %}
`;

let guide: Space;
let site: Site;

beforeAll(async () => {
  const workspace = await buildOrganization(app.current);
  guide = await buildSpace(workspace, 'Guide', 'en');
  await guide.write(
    { operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.\n' } },
    { operation: 'insert_page', title: 'News & more', description: 'What changed', document: { markdown: UPDATES } },
    { operation: 'insert_page', title: 'For people', noRobotsIndex: true, document: { markdown: 'Here.\n' } },
    { operation: 'insert_page', title: 'Not listed', hidden: true, document: { markdown: 'There.\n' } },
  );
  site = await publish(workspace, [guide]);
});

/** The texts of all elements of a name. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);

/** The texts of all scripts of a page, as a browser reads it. */
const scriptsOf = (node: DefaultTreeAdapterTypes.ParentNode): string[] =>
  node.childNodes.flatMap((child) => {
    if (!('childNodes' in child)) return [];
    return child.nodeName === 'script'
      ? child.childNodes.map((text) => ('value' in text ? text.value : ''))
      : scriptsOf(child);
  });

const addressOf = (path: string): string => `${listener.origin}${site.base}${path}`;

describe('feeds', () => {
  it('have the pages of a site that search engines may list, the last changed first', async () => {
    const rss = await listener.see(`${site.base}/rss.xml`);
    expect([rss.status, rss.headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(textsOf(rss.body, 'title').slice(1).sort()).toEqual(['News &#x26; more', 'Welcome']);
    expect(textsOf(rss.body, 'link')).toContain(addressOf('/news-more'));
    const [page = ''] = (
      await site.api.get<{ pages: { id: string }[] }>(`/spaces/${guide.id}/content/pages`)
    ).body.pages.map(({ id }) => id);
    await guide.write({ operation: 'update_page', page, title: 'Welcome back' });
    expect(textsOf((await listener.see(`${site.base}/rss.xml`)).body, 'title')[1]).toBe('Welcome back');
    const atom = await listener.see(`${site.base}/atom.xml`);
    expect([atom.status, atom.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(atom.body).toContain('<feed xmlns="http://www.w3.org/2005/Atom"');
  });

  it('have the updates of a page, with their headings, days and words', async () => {
    const rss = await listener.see(`${site.base}/news-more/rss.xml`);
    expect(rss.status).toBe(200);
    expect(textsOf(rss.body, 'title')).toEqual([
      'News &#x26; more | Handbook of everything',
      'Faster &#x3C; search',
      '2026-01-05',
      '2026-01-05',
    ]);
    expect(textsOf(rss.body, 'link')).toEqual([
      addressOf('/news-more'),
      addressOf('/news-more#faster-less-than-search'),
      addressOf('/news-more#2026-01-05'),
      addressOf('/news-more#2026-01-05-1'),
    ]);
    const { body } = await listener.see(`${site.base}/news-more`);
    for (const id of ['faster-less-than-search', '2026-01-05', '2026-01-05-1']) expect(body).toContain(` id="${id}"`);
    expect(textsOf(rss.body, 'description').slice(1)).toEqual([
      'It takes half the time.',
      'Nothing but words.',
      'More words.',
    ]);
    expect(textsOf(rss.body, 'pubDate')[0]).toBe('Tue, 03 Feb 2026 00:00:00 GMT');
    expect(textsOf(rss.body, 'category')).toEqual(['api']);
  });

  it('are not there for pages without updates, nor for pages that readers do not see', async () => {
    for (const path of ['/welcome/rss.xml', '/nowhere/atom.xml', '/feed.xml'])
      expect([path, (await listener.see(site.base + path)).status]).toEqual([path, 404]);
  });

  it('are named by pages', async () => {
    const { body } = await listener.see(`${site.base}/news-more`);
    for (const path of ['/rss.xml', '/atom.xml', '/news-more/rss.xml', '/news-more/atom.xml'])
      expect(body).toMatch(
        new RegExp(`<link rel="alternate" type="application/(rss|atom)\\+xml"[^>]* href="${site.base}${path}"`),
      );
    expect((await listener.see(`${site.base}/for-people`)).body).not.toContain('for-people/rss.xml');
  });
});

describe('data for search engines', () => {
  const graphOf = (body: string): Record<string, unknown>[] => {
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? [];
    return json === undefined ? [] : (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph'];
  };

  it('tell what a page is and the way to it', async () => {
    const { body } = await listener.see(`${site.base}/news-more`);
    const [article, trail] = graphOf(body);
    expect(article).toMatchObject({
      '@type': 'TechArticle',
      headline: 'News & more',
      description: 'What changed',
      url: addressOf('/news-more'),
      inLanguage: 'en',
      dateModified: expect.stringMatching(/^\d{4}-.*Z$/),
      isPartOf: { '@type': 'WebSite', name: 'Handbook of everything' },
    });
    expect(trail).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [{ position: 1, name: 'News & more', item: addressOf('/news-more') }],
    });
    expect(body).toMatch(/<meta property="article:modified_time" content="\d{4}-/);
  });

  it('has the expandables of pages with the tag faq as questions', async () => {
    const markdown = [
      '<details>\n<summary>Does it <b>rotate</b>?</summary>\n\nYes, with the *wind*.\n\n* Slowly.\n\n</details>',
      '## More\n\n<details>\n<summary>Is it loud?</summary>\n\n</details>',
      '{% if visitor.claims.isBetaUser == true %}\n\n<details>\n<summary>Secret?</summary>\n\nYes.\n\n</details>\n\n{% endif %}',
    ].join('\n\n');
    await guide.write({ operation: 'insert_tag', label: 'FAQ' });
    const tags = [{ tag: { kind: 'tag', tag: 'faq' } }];
    await guide.write(
      { operation: 'insert_page', title: 'Questions', document: { markdown }, tags },
      { operation: 'insert_page', title: 'No questions', document: { markdown } },
      { operation: 'insert_page', title: 'Nothing asked', document: { markdown: 'Words.\n' }, tags },
    );
    const [, , faq] = graphOf((await listener.see(`${site.base}/questions`)).body);
    expect(faq).toEqual({
      '@type': 'FAQPage',
      url: addressOf('/questions'),
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Does it rotate?',
          acceptedAnswer: { '@type': 'Answer', text: 'Yes, with the wind.\nSlowly.' },
        },
      ],
    });
    for (const path of ['/no-questions', '/nothing-asked'])
      expect([path, graphOf((await listener.see(site.base + path)).body).length]).toEqual([path, 2]);
  });

  it('cannot be ended by the words of a page, and are not there where search engines may not look', async () => {
    await guide.write({
      operation: 'insert_page',
      title: '</script><script>alert(1)</script>',
      slug: 'hostile',
      document: { markdown: 'Here.\n' },
    });
    const { body } = await listener.see(`${site.base}/hostile`);
    expect(graphOf(body)[0]).toMatchObject({ headline: '</script><script>alert(1)</script>' });
    expect(scriptsOf(parse(body)).filter((text) => text.startsWith('alert'))).toEqual([]);
    expect(graphOf((await listener.see(`${site.base}/for-people`)).body)).toEqual([]);
  });
});

describe('the icon of a site', () => {
  it('is there for those who have read no page: its emoji, or where its picture lies', async () => {
    const drawn = await listener.see(`${site.base}/favicon.ico`);
    expect([drawn.status, drawn.headers['content-type'], drawn.body]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      expect.stringContaining('<svg'),
    ]);
    const favicon = { icon: { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' } };
    expect((await site.api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, favicon })).status).toBe(200);
    expect(await listener.see(`${site.base}/favicon.ico`)).toMatchObject({
      status: 302,
      location: 'https://example.com/light.png',
    });
  });
});
