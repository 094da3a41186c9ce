import { beforeAll, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { Page } from 'playwright-core';
import { SearchCounts } from '../../src/publishing/sites/insights/search-counts.service.js';
import { useApp } from '../app.js';
import { accessibilityFaults, describeInBrowser, transferred } from './browser.js';
import { publishFolders, type PublishedSite, succeeded } from './published-site.js';

const BUDGET_BYTES = 100_000;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const app = useApp();

describeInBrowser('a published site in a browser', (browsing) => {
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
    const hits = page.locator('main a');
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
      if (javaScriptEnabled) await page.locator('.search-results .hit').first().waitFor();
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
