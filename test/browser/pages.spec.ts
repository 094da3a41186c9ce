import { beforeAll, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { Page } from 'playwright-core';
import { Insights } from '../../src/publishing/sites/insights/insights.service.js';
import { SearchCounts } from '../../src/publishing/sites/insights/search-counts.service.js';
import { useApp } from '../app.js';
import { buildSpace, publish, usePublicListener } from '../published-site.js';
import { accessibilityFaults, describeInBrowser, transferred } from './browser.js';
import { buildOrganization } from '../build.js';
import { everyConstruct, withKeys } from '../every-construct.js';
import { publishFolders, type PublishedSite, succeeded } from './published-site.js';

const BUDGET_BYTES = 100_000;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What on a page cannot be read on white paper without its grounds: words not shown, too light, and boxes that cut them off. */
const UNREADABLE_ON_PAPER = `(() => {
  const faults = [];
  const main = document.querySelector('main');
  const light = (parts) => {
    const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const inkOf = (color) => {
    canvas.fillStyle = '#fff';
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
  };
  const tools = '.anchor, .copy, .unfold, .page-actions, .feedback, .pager, .player-start, .visually-hidden, annotation, script, style';
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    if (data.trim() === '' || element.closest(tools)) continue;
    const rects = (() => { const range = document.createRange(); range.selectNodeContents(walker.currentNode); return range.getClientRects(); })();
    if (!element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true }) || rects.length === 0)
      faults.push('not shown: ' + data.trim());
    else if (1.05 / (light(inkOf(getComputedStyle(element).color)) + 0.05) < 4.4) faults.push('too light: ' + data.trim());
  }
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || element.closest('.visually-hidden, iframe')) continue;
    const { position, overflowY, overflowX } = getComputedStyle(element);
    if (position === 'sticky' || position === 'fixed') faults.push('stuck: ' + element.className);
    if (main.contains(element) && [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll') && !element.closest('math'))
      faults.push('scrolls: ' + element.tagName + ' ' + element.className + ' ' + overflowX + ' ' + overflowY);
  }
  return faults;
})()`;

describeInBrowser('a published site in a browser', (browsing) => {
  const app = useApp();
  let site: PublishedSite;

  beforeAll(async () => {
    site = await publishFolders(app.current);
  }, 600_000);

  const api = () => site.workspace.admin.api;
  const shifts = (page: Page): Promise<number> => page.evaluate<number>('window.layoutShift');
  const isDark = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>(
      'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every((part) => Number(part) < 80)',
    );
  const overflow = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const tree = (page: Page) => page.locator('nav.tree');

  /** Adds to the customization of the site, whose settings are complete afterwards. */
  async function customize(change: Readonly<Record<string, unknown>>): Promise<void> {
    const { body } = await api().get(`${site.path}/customization`);
    const { object: _, ...settings } = body;
    succeeded(await api().put(`${site.path}/customization`, { ...settings, ...change }));
  }

  it('is small, still and accessible', async () => {
    const { page, faults } = await browsing.open();
    const { bytes, requests } = await transferred(page, site.url);
    process.stdout.write(
      `the first page takes ${bytes} bytes in ${requests.length} requests:\n  ${requests.join('\n  ')}\n`,
    );
    expect(bytes).toBeLessThan(BUDGET_BYTES);
    expect(await shifts(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await browsing.take(page, 'first-page');
  });

  it('loads the player of a video when it is asked to, and nothing before', async () => {
    const space = await buildSpace(site.workspace, 'Videos');
    const embed = '{% embed url="https://youtu.be/dQw4w9WgXcQ" %}\nMounting\n{% endembed %}';
    await space.write({ operation: 'insert_page', title: 'Video', document: { markdown: embed } });
    const { base } = await publish(site.workspace, [space], 'public', 'Videos');
    const { href, origin } = new URL(base, site.url);
    const { page, faults } = await browsing.open({ ...PHONE, viewport: { width: 380, height: 800 } });
    const asked: string[] = [];
    page.on('request', (request) => void (request.url().startsWith(origin) || asked.push(request.url())));
    await page.route('https://www.youtube-nocookie.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Playing' }),
    );
    await page.goto(href);
    const button = page.getByRole('button', { name: 'Load from YouTube' });
    expect(await button.isVisible()).toBe(true);
    expect([await overflow(page), await accessibilityFaults(page), asked]).toEqual([0, [], []]);
    await browsing.take(page, 'video');
    await button.click();
    const player = page.frameLocator('iframe[title="YouTube: Mounting"]').locator('body');
    await player.waitFor();
    expect([await player.innerText(), await overflow(page), asked]).toEqual([
      'Playing',
      0,
      ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'],
    ]);
    expect(faults).toEqual([]);
    const without = await browsing.open({ javaScriptEnabled: false });
    await without.page.goto(href);
    expect(await without.page.getByRole('button', { name: 'Load from YouTube' }).count()).toBe(0);
    expect(await without.page.getByRole('link', { name: 'youtu.be' }).getAttribute('href')).toBe(
      'https://youtu.be/dQw4w9WgXcQ',
    );
  });

  it('is walked through by its navigation and from page to page', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const links = tree(page).locator('a.tree-page');
    const [name, href] = [await links.nth(1).innerText(), await links.nth(1).getAttribute('href')];
    await links.nth(1).click();
    await page.waitForURL(`**${href}`);
    expect(await page.locator('h1').innerText()).toContain(name);
    expect(await tree(page).locator('[aria-current=page]').innerText()).toContain(name);
    const next = page.locator('a[rel=next]');
    const following = await next.locator('span').innerText();
    await next.click();
    await page.waitForLoadState();
    expect(await page.locator('h1').innerText()).toContain(following);
    await page.locator('a[rel=prev]').click();
    await page.waitForURL(`**${href}`);
    await page.locator('details.dropdown summary').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('finds what is searched for', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const word = (await page.locator('h1').innerText()).match(/\p{L}{4,}/u)?.[0] ?? 'the';
    await page.locator('header input[type=search]').fill(word);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/~search?q=*');
    const hits = page.locator('main .hit');
    expect(await hits.count()).toBeGreaterThan(0);
    await browsing.take(page, 'search');
    expect(await accessibilityFaults(page)).toEqual([]);
    await hits.first().click();
    await page.waitForLoadState();
    expect(page.url()).not.toContain('~search');
    expect((await page.locator('main').innerText()).toLowerCase()).toContain(word.toLowerCase());
    await page.goto(`${site.url}/~search?q=xyzzyxqvw`);
    expect(await page.locator('main').innerText()).toMatch(/\S/);
    expect(faults).toEqual([]);
  });

  it('counts which results of a search are opened, with scripts and without', async () => {
    for (const [word, javaScriptEnabled] of [
      ['start', true],
      ['page', false],
    ] as const) {
      const { page, faults } = await browsing.open({ javaScriptEnabled });
      await page.goto(site.url);
      await page.locator('header input[type=search]').pressSequentially(word, { delay: 150 });
      const whole = page.locator('.search-results .hit mark', { hasText: new RegExp(`^${word}`, 'i') });
      if (javaScriptEnabled) await whole.first().waitFor();
      else await page.keyboard.press('Enter');
      const hit = page.locator(javaScriptEnabled ? '.search-results .hit' : 'main .hit').first();
      await Promise.all([page.waitForEvent('load'), hit.click()]);
      expect(page.url()).not.toContain('~search');
      let counted: object | undefined;
      for (let attempt = 0; attempt < 50 && counted === undefined; attempt++) {
        await page.waitForTimeout(100);
        await app.current.get(SearchCounts).flush();
        const { body } = await api().get<{ items: { query: string; opened: number }[] }>(`${site.path}/search-queries`);
        counted = body.items.find(({ query, opened }) => query === word && opened > 0);
      }
      expect(counted).toMatchObject({ query: word, searches: 1, opened: 1 });
      expect(faults).toEqual([]);
    }
  });

  it('switches between its sections', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const [first, second] = site.sections;
    const tab = (title: string) => page.locator('nav.tabs-bar a', { hasText: title });
    expect(await tab(first.title).getAttribute('aria-current')).toBe('true');
    await tab(second.title).click();
    await page.waitForURL(`${second.url}*`);
    expect(await tab(second.title).getAttribute('aria-current')).toBe('true');
    expect(await tab(first.title).getAttribute('aria-current')).toBeNull();
    expect(await tree(page).locator('a').count()).toBeGreaterThan(1);
    await browsing.take(page, 'second-section');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await shifts(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is dark where the reader wants it, on every page and at the next visit', async () => {
    const { page, faults } = await browsing.open({ colorScheme: 'light' });
    await page.goto(site.url);
    const before = await isDark(page);
    await page.locator('button.theme-toggle').click();
    expect(await isDark(page)).toBe(!before);
    if (before) await page.locator('button.theme-toggle').click();
    await page.goto(site.sections[1].url);
    expect(await isDark(page)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'dark');
    const other = await browsing.open({ colorScheme: 'dark' });
    await other.page.goto(site.url);
    await browsing.take(other.page, 'dark-by-system');
    expect(await accessibilityFaults(other.page)).toEqual([]);
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it('fits on a telephone', async () => {
    const { page, faults } = await browsing.open(PHONE);
    await page.goto(site.url);
    expect(await overflow(page)).toBe(0);
    expect(await tree(page).isVisible()).toBe(false);
    await browsing.take(page, 'phone');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('.menu-button').click();
    await tree(page).waitFor({ state: 'visible' });
    await browsing.take(page, 'phone-navigation');
    expect(await accessibilityFaults(page)).toEqual([]);
    const link = tree(page).locator('a.tree-page').nth(1);
    const name = await link.innerText();
    await link.click();
    await page.waitForLoadState();
    expect(await page.locator('h1').innerText()).toContain(name);
    expect(await tree(page).isVisible()).toBe(false);
    expect(await overflow(page)).toBe(0);
    expect(await shifts(page)).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const focused = (what: string): Promise<string> =>
      page.evaluate<string>(`String(document.activeElement?.${what} ?? '')`);
    await page.keyboard.press('Tab');
    expect(await focused('className')).toContain('skip');
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('pageContent');
    await page.goto(site.url);
    const visited: string[] = [];
    for (let step = 0; step < 60 && !visited.at(-1)?.includes('tree-page'); step++) {
      await page.keyboard.press('Tab');
      visited.push(`${await focused('tagName')} ${await focused('className')}`);
      // Whoever sees must see where they are.
      expect(
        await page.evaluate<boolean>(
          `(() => { const style = getComputedStyle(document.activeElement); const box = document.activeElement.getBoundingClientRect(); return box.width > 0 && (style.outlineStyle !== 'none' || style.boxShadow !== 'none' || document.activeElement.closest('form, label') !== null) })()`,
        ),
      ).toBe(true);
    }
    expect(visited.some((each) => each.startsWith('INPUT'))).toBe(true);
    expect(visited.at(-1)).toContain('tree-page');
    await browsing.take(page, 'keyboard');
    const target = await focused('href');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(target);
    await page.keyboard.press('/');
    expect(await focused('type')).toBe('search');
    expect(faults).toEqual([]);
  });

  it('lists its shortcuts, and leaves those of a single key to readers who want them', async () => {
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('?');
    await dialog.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'shortcuts');
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    expect([await dialog.isVisible(), page.url()]).toEqual([false, site.url]);
    const next = await page.locator('.pager-next').getAttribute('href');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('n')]);
    expect(new URL(page.url()).pathname).toBe(next);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('p')]);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByRole('checkbox').uncheck();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.keyboard.press('?');
    await page.keyboard.press('/');
    expect(await dialog.isVisible()).toBe(false);
    expect(await page.evaluate<string>('document.activeElement.localName')).toBe('body');
    await page.keyboard.press('Control+k');
    expect(await page.evaluate<string>('document.activeElement.type')).toBe('search');
    expect(faults).toEqual([]);
  });

  it('answers questions in a panel, by keyboard and for those who hear the page', async () => {
    await customize({ ai: { mode: 'assistant' } });
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const focused = (what: string): Promise<string> =>
      page.evaluate<string>(`String(document.activeElement?.${what} ?? '')`);
    const question = await tree(page).locator('a.tree-page').nth(1).innerText();
    const opener = page.locator('a.ask-link');
    const name = (await opener.innerText()).trim();
    const panel = page.getByRole('dialog', { name, exact: true });
    expect(await panel.count()).toBe(0);
    for (let step = 0; step < 20 && !(await focused('className')).includes('ask-link'); step++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await panel.locator('input[name=q]:focus').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'ask');
    // What is announced meanwhile.
    await page.evaluate(
      `window.announced = []; new MutationObserver(() => window.announced.push(document.querySelector('.ask-panel [role=status]').textContent)).observe(document.querySelector('.ask-panel [role=status]'), { childList: true })`,
    );
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    const sources = panel.getByRole('region').getByRole('link');
    await sources.first().waitFor();
    await panel.locator('.answer:focus').waitFor();
    const announced = await page.evaluate<string[]>('window.announced');
    expect([announced.length, announced[0], announced[1]]).toEqual([2, expect.stringMatching(/\S/), '']);
    expect(await focused("getAttribute('aria-label')")).toMatch(/\S/);
    expect(await panel.getByRole('textbox').inputValue()).toBe(question);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'ask-answer');
    // The first thing behind the answer's beginning is its source.
    await page.keyboard.press('Tab');
    const source = await focused('href');
    expect(source.startsWith(site.url)).toBe(true);
    expect(await sources.first().evaluate((link) => String((link as unknown as { readonly href: string }).href))).toBe(
      source,
    );
    // Nothing beside the panel is reached.
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate<boolean>(
          "document.activeElement === document.body || document.activeElement.closest('.ask-panel') !== null",
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await focused('className')).toContain('ask-link');
    // The answer is still there.
    await page.keyboard.press('Enter');
    await sources.first().waitFor();
    await sources.first().focus();
    await Promise.all([page.waitForURL(source), page.keyboard.press('Enter')]);
    expect(await page.locator('h1').count()).toBe(1);
    const phone = (await browsing.open(PHONE)).page;
    await phone.goto(site.url);
    await phone.locator('a.ask-link').click();
    await phone.getByRole('dialog').getByRole('textbox').waitFor();
    expect([await overflow(phone), await accessibilityFaults(phone)]).toEqual([0, []]);
    await browsing.take(phone, 'ask-phone');
    await customize({ ai: { mode: 'none' } });
    expect(faults).toEqual([]);
  });

  it('works without scripts', async () => {
    const { page, faults } = await browsing.open({ javaScriptEnabled: false });
    await page.goto(site.url);
    await tree(page).locator('a.tree-page').nth(1).click();
    expect(await page.locator('h1').count()).toBe(1);
    await page.locator('header input[type=search]').fill('the');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/~search?q=the*');
    expect(await page.locator('main').innerText()).toMatch(/\S/);
    await browsing.take(page, 'without-scripts');
    expect(faults).toEqual([]);
  });

  it('is printed in dark ink with every block whole: nothing folded, cut off or stuck, and no ground needed', async () => {
    const space = await buildSpace(site.workspace, 'Paper');
    const [file = '', other = ''] = await space.write(
      { operation: 'insert_files', files: [{ name: 'pixel.png', contentType: 'image/png', base64: PIXEL }] },
      { operation: 'insert_page', title: 'Other', document: { markdown: '## Two' } },
    );
    const [reusableContent = ''] = await space.write({
      operation: 'insert_reusable_content',
      title: 'Shared',
      document: { markdown: 'Shared words' },
    });
    const collection = await api().post<{ id: string }>(`/orgs/${site.workspace.id}/collections`, { title: 'Box' });
    const constructs = everyConstruct({
      file,
      page: other,
      space: space.id,
      collection: collection.body.id,
      user: site.workspace.admin.id,
      reusableContent,
    });
    const markdown = [
      '<button type="button" class="button primary" data-action="ask">Ask</button>',
      '{% tabs %}\n{% tab title="One" %}\nWords of one\n{% endtab %}\n\n{% tab title="Two" %}\nWords of two\n{% endtab %}\n{% endtabs %}',
      '<details>\n\n<summary>Closed question</summary>\n\nFolded answer\n\n</details>',
      '<a href="https://example.com/" class="button primary">Filled button</a>',
      `<table data-header-sticky><thead><tr><th>Head</th></tr></thead><tbody>${'<tr><td>cell</td></tr>'.repeat(60)}</tbody></table>`,
    ].join('\n\n');
    await space.write(
      { operation: 'insert_page', title: 'Constructs', document: { document: withKeys(constructs) } },
      { operation: 'insert_page', title: 'More', document: { markdown } },
    );
    const { path, base } = await publish(site.workspace, [space], 'public', 'Paper');
    const { body } = await api().get(`${path}/customization`);
    const { object: _, ...settings } = body;
    const { styling } = settings as { styling: object };
    const codeTheme = {
      default: { light: 'dracula', dark: 'dracula' },
      openapi: { light: 'dracula', dark: 'dracula' },
    };
    succeeded(
      await api().put(`${path}/customization`, {
        ...settings,
        styling: { ...styling, codeTheme },
        themes: { default: 'dark', toggeable: true },
      }),
    );
    const { href } = new URL(base, site.url);
    const tab = await browsing.open();
    const { page } = tab;
    for (const name of ['constructs', 'more']) {
      await page.goto(`${href}/${name}`);
      expect(await isDark(page)).toBe(true);
      await page.emulateMedia({ media: 'print' });
      expect([name, await page.evaluate<string[]>(UNREADABLE_ON_PAPER)]).toEqual([name, []]);
      await browsing.take(page, `print-${name}`);
      await page.emulateMedia({ media: 'screen' });
    }
    await tab.close();
  });

  it('shows pages of both sections without a fault', async () => {
    const { page, faults } = await browsing.open();
    const wrong: string[] = [];
    for (const section of site.sections) {
      await page.goto(section.url);
      const addresses = await tree(page)
        .locator('a.tree-page')
        .evaluateAll((found) => found.map((link) => String((link as unknown as { readonly href: string }).href)));
      const own = addresses.filter((address) => address.startsWith(site.url));
      for (const address of own.filter((_, index) => index % Math.ceil(own.length / 12) === 0)) {
        await page.goto(address);
        const found = await accessibilityFaults(page);
        const [shift, wide] = [await shifts(page), await overflow(page)];
        if (found.length > 0 || shift > 0 || wide > 0)
          wrong.push(`${address}: shift ${shift}, ${wide} pixels too wide, ${found.join('; ')}`);
        await browsing.take(page, `page-${new URL(address).pathname.split('/').slice(2).join('-').slice(0, 60)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('announces what the customization says, until the reader closes it', async () => {
    await customize({
      announcement: {
        enabled: true,
        message: 'Version two is here.',
        style: 'info',
        link: { title: 'Read more', to: { kind: 'url', url: 'https://example.com/' } },
      },
    });
    const { page, faults } = await browsing.open();
    await page.goto(site.url);
    const banner = page.locator('.announcement');
    expect(await banner.innerText()).toContain('Version two is here.');
    await browsing.take(page, 'announcement');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await shifts(page)).toBe(0);
    await banner.locator('button').click();
    expect(await banner.isVisible()).toBe(false);
    await page.reload();
    expect(await banner.isVisible()).toBe(false);
    expect(await shifts(page)).toBe(0);
    await customize({ announcement: { enabled: false, message: 'Nothing new.', style: 'info' } });
    expect(faults).toEqual([]);
  });

  it('is read by a share link, and by nobody else', async () => {
    succeeded(await api().patch(site.path, { visibility: 'share-link' }));
    const { items } = succeeded(await api().get<{ items: { id: string }[] }>(`${site.path}/share-links`));
    expect(items).toEqual([]);
    const link = succeeded(
      await api().post<{ id: string; urls: { published: string } }>(`${site.path}/share-links`, {
        name: 'For reviewers',
      }),
    );
    const stranger = await browsing.open();
    expect((await stranger.page.goto(site.url))?.status()).toBe(404);
    const { page, faults } = await browsing.open();
    expect((await page.goto(link.urls.published))?.status()).toBe(200);
    await tree(page).locator('a.tree-page').nth(1).click();
    await page.waitForLoadState();
    expect(await page.locator('h1').count()).toBe(1);
    await browsing.take(page, 'share-link');
    expect(faults).toEqual([]);
    succeeded(await api().delete(`${site.path}/share-links/${link.id}`));
    expect((await page.reload())?.status()).toBe(404);
    succeeded(await api().patch(site.path, { visibility: 'public' }));
  });

  it('lets visitors in who have signed in elsewhere, and shows them the sections that are theirs', async () => {
    const [, second] = site.sections;
    succeeded(
      await api().put(`${site.path}/adaptive-schema`, {
        jsonSchema: {
          type: 'object',
          properties: { isPartner: { type: 'boolean', description: 'Works with us' } },
          additionalProperties: false,
        },
      }),
    );
    succeeded(await api().patch(`${site.path}/sections/${second.id}`, { condition: 'visitor.claims.isPartner' }));
    succeeded(await api().patch(site.path, { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }));
    const auth = succeeded(
      await api().patch<{ privateKey: string }>(`${site.path}/publishing/auth`, {
        backend: 'custom',
        fallbackURL: `${site.url}/not-a-login`,
      }),
    );
    const token = (claims: Record<string, unknown>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(auth.privateKey));

    const stranger = await fetch(site.url, { redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([302, expect.stringContaining('not-a-login')]);

    const section = (page: Page) => page.locator('nav.tabs-bar a', { hasText: second.title });
    const partner = await browsing.open();
    await partner.page.goto(`${site.url}/?jwt_token=${await token({ isPartner: true })}`);
    expect(partner.page.url()).not.toContain('jwt_token');
    expect(await section(partner.page).count()).toBe(1);
    await section(partner.page).click();
    await partner.page.waitForURL(`${second.url}*`);
    await browsing.take(partner.page, 'visitor-partner');

    const other = await browsing.open();
    await other.page.goto(`${site.url}/?jwt_token=${await token({ isPartner: false })}`);
    expect(await other.page.locator('h1').count()).toBe(1);
    expect(await section(other.page).count()).toBe(0);
    expect((await other.page.goto(second.url))?.status()).toBe(404);
    await browsing.take(other.page, 'visitor-other');
    expect(partner.faults).toEqual([]);
  });
});

describeInBrowser('what pages draw and ask in a browser', (browsing) => {
  const app = useApp();
  const listener = usePublicListener(app);
  const DIAGRAMS = [
    'graph LR\n  accTitle: How it grows\n  A[Seed] --> B[Plant]',
    'this is no diagram',
    'graph TD\n  A["<img src=x onerror=top.hacked=1><script>top.hacked=1</script>"] --> B\n  click B "javascript:top.hacked=1"',
    'sequenceDiagram\n  Reader->>Site: asks\n  Site-->>Reader: shows',
  ];

  it('lays a long page out when a reader comes near, and yet leads to the place that an address names', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Tables');
    const section = (_: unknown, at: number) =>
      `## Part ${at}\n\n| Setting | Meaning |\n| --- | --- |\n${`| \`A_SETTING\` | ${'What it does. '.repeat(12)} |\n`.repeat(20)}`;
    await space.write({
      operation: 'insert_page',
      title: 'Settings',
      document: { markdown: Array.from({ length: 12 }, section).join('\n') },
    });
    const { base } = await publish(workspace, [space]);
    const { page, faults } = await browsing.open();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const isLaidOut = (table: number) =>
      page.evaluate<boolean>(
        `document.querySelectorAll('tbody')[${table}].checkVisibility({ contentVisibilityAuto: true })`,
      );
    const topOf = (id: string) => page.evaluate<number>(`document.getElementById('${id}').getBoundingClientRect().top`);
    await page.goto(`${listener.origin}${base}`);
    expect(await isLaidOut(0)).toBe(true);
    expect(await isLaidOut(9)).toBe(false);
    await page.evaluate(`location.hash = 'part-6'`);
    const top = await topOf('part-6');
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(140);
    await page.goto(`${listener.origin}${base}/settings#part-9`);
    await page.waitForTimeout(200);
    expect(Math.abs((await topOf('part-9')) - top)).toBeLessThan(20);
    expect(faults).toEqual([]);
  });

  it('draws diagrams as images, and keeps their source for everybody', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Drawn');
    const fences = DIAGRAMS.map((diagram) => `\`\`\`mermaid\n${diagram}\n\`\`\`\n`).join('\n');
    await space.write(
      { operation: 'insert_page', title: 'Diagrams', document: { markdown: fences } },
      { operation: 'insert_page', title: 'Plain', document: { markdown: 'Nothing drawn.\n' } },
      { operation: 'insert_page', title: 'Far', document: { markdown: `${'Words.\n\n'.repeat(80)}${fences}` } },
    );
    const site = await publish(workspace, [space]);
    const url = `${listener.origin}${site.base}`;

    const tab = await browsing.open();
    const { page, faults } = tab;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const drawing = () => requests.filter((address) => address.includes('/diagrams/'));
    await page.goto(`${url}/plain`);
    // Nobody has come near them.
    await page.goto(`${url}/far`);
    await page.waitForTimeout(1000);
    expect(drawing()).toEqual([]);
    await page.mouse.wheel(0, 200);
    await page.locator('iframe').waitFor({ state: 'attached', timeout: 60_000 });
    expect(drawing()).not.toEqual([]);
    await page.goto(url);
    // The frame goes when everything is drawn.
    await page.locator('.diagram').nth(2).waitFor({ timeout: 60_000 });
    await page.locator('iframe').waitFor({ state: 'detached', timeout: 60_000 });
    expect(requests.filter((address) => !address.startsWith(listener.origin) && !address.startsWith('data:'))).toEqual(
      [],
    );
    const shown = page.locator('.diagram img:visible');
    expect(await shown.count()).toBe(3);
    expect(await page.evaluate('[...document.images].every((image) => image.naturalWidth > 20)')).toBe(true);
    expect(await shown.first().getAttribute('alt')).toBe('How it grows');
    expect(await shown.last().getAttribute('alt')).toBe('Diagram');
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    // One with a fault stays as it is written.
    expect(await page.locator('.content > .code').innerText()).toContain('this is no diagram');
    const [light] = await shown.evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    await browsing.take(page, 'diagrams-light');
    await page.locator('.theme-toggle').first().click();
    const [dark] = await shown.evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    expect(dark).not.toBe(light);
    await browsing.take(page, 'diagrams-dark');
    await page.locator('.diagram-source summary').first().click();
    expect(await page.locator('.diagram-source').first().innerText()).toContain('A[Seed] --> B[Plant]');
    expect(await accessibilityFaults(page)).toEqual([]);
    // The frame refuses what the third diagram brings along, should it get so far.
    expect(faults.filter((fault) => !fault.includes("directive 'script-src 'self''"))).toEqual([]);
    await tab.close();

    const without = await browsing.open({ javaScriptEnabled: false });
    await without.page.goto(url);
    const source = await without.page.locator('.code').first().innerText();
    expect(source).toContain('A[Seed] --> B[Plant]');
    expect((await listener.see(`${site.base}/diagrams.md`)).body).toContain('```mermaid');
    await without.close();
  });

  it('asks whether it helped, then what could be better, and thanks', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Asked');
    await space.write({ operation: 'insert_page', title: 'Asked', document: { markdown: 'Hello.\n' } });
    const site = await publish(workspace, [space]);
    const settings = succeeded(await site.api.get<Record<string, unknown>>(`${site.path}/customization`));
    const { object: _, ...rest } = settings;
    succeeded(
      await site.api.put(`${site.path}/customization`, { ...rest, feedback: { enabled: true, position: 'top' } }),
    );
    for (const javaScriptEnabled of [true, false]) {
      const tab = await browsing.open({ javaScriptEnabled });
      const { page, faults } = tab;
      await page.goto(`${listener.origin}${site.base}`);
      await page.getByRole('button', { name: 'Partly' }).click();
      await page.getByLabel('What could be better?').fill('More examples');
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Thank you for your feedback.', { exact: true }).last().waitFor();
      expect(await page.context().cookies()).toEqual([]);
      expect(faults).toEqual([]);
      await tab.close();
    }
    await app.current.get(Insights).flush();
    const { columns } = succeeded(
      await site.api.post<{ columns: { values: unknown[] }[] }>(`${site.path}/insights/events/aggregate`, {
        select: [{ column: 'eventPageFeedbackComment' }, { column: 'eventsCount' }],
        range: 'last7Days',
      }),
    );
    expect(columns.map(({ values }) => values)).toEqual([['More examples'], [2]]);
  });
});
