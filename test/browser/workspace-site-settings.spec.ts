import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSpace, publish, type Made } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { succeeded, useWorkspace } from './workspace.js';

interface Part {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly children?: readonly Part[];
  readonly siteSpaces?: readonly Part[];
}

/** The titles of a structure as nested lists. */
const titles = (parts: readonly Part[]): unknown[] =>
  parts.map(({ title, children, siteSpaces }) =>
    children ? [title, titles(children)] : siteSpaces && siteSpaces.length > 1 ? [title, titles(siteSpaces)] : title,
  );

/** Waits until something is as expected. */
async function until<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  for (let attempt = 0; attempt < 50 && JSON.stringify(await read()) !== JSON.stringify(expected); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await read()).toEqual(expected);
}

describeInBrowser('settings of sites in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);

  /** A site with a section for each title, and its screen. */
  async function siteWith(sections: readonly string[], tab: string) {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const made = await Promise.all(sections.map((title) => buildSpace(organization, title)));
    for (const space of made)
      await space.write({ operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello, reader.' } });
    const site = await publish(organization, made.slice(0, 1));
    for (const space of made.slice(1))
      succeeded(await api.post<Made>(`${site.path}/sections`, { spaceId: space.id, draft: false }));
    const page = await workspace.current.signedIn(
      organization.admin,
      workspace.current.home(`/sites/${site.id}?tab=${tab}`),
    );
    return { api, site, page };
  }

  const tree = (page: Page) => page.getByRole('tree', { name: 'Structure of the site' });
  const items = (page: Page, name: string) => tree(page).getByRole('treeitem', { name: new RegExp(`^${name}(,|$)`) });
  /** A part by its name; a section stands before its space of the same name. */
  const item = (page: Page, name: string) => items(page, name).first();
  const act = async (page: Page, name: string, action: string): Promise<void> => {
    await item(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };

  it('arrange sections, groups, links and variants by the keyboard, by dragging, by their settings and by their menus', async () => {
    const { api, site, page } = await siteWith(['Guide', 'Reference', 'Help'], 'contents');
    const dialog = page.getByRole('dialog');
    const structure = async () => {
      const { structure: parts } = succeeded(await api.get<{ structure: Part[] }>(`${site.path}/structure`));
      return titles(parts);
    };
    expect(await structure()).toEqual(['Guide', 'Reference', 'Help']);

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add a group' }).click();
    await dialog.getByLabel('Title').fill('More');
    await dialog.getByLabel('Icon').fill('No Such Icon!');
    await dialog.getByRole('button', { name: 'Add' }).click();
    // The server's reason stands at the field, and what was typed is kept.
    await dialog.locator('input[aria-invalid="true"]').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('More');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel('Icon').fill('folder');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('More is in the site.').waitFor();

    await item(page, 'Reference').click();
    await dialog.getByLabel('Stands in').click();
    await page.getByRole('option', { name: 'More' }).click();
    await dialog.getByLabel('Title').fill('API مرجع');
    await dialog.getByLabel('Path').fill('api');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('API مرجع is saved.').waitFor();
    expect(await structure()).toEqual(['Guide', 'Help', ['More', ['API مرجع']]]);

    await act(page, 'More', 'Add a link');
    await dialog.getByLabel('Title').fill('Status');
    await dialog.getByLabel('Address').fill('https://status.example.com');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Status is in the site.').waitFor();
    expect(await structure()).toEqual(['Guide', 'Help', ['More', ['API مرجع', 'Status']]]);

    await item(page, 'Help').focus();
    await page.keyboard.press('Control+Shift+KeyD');
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.getByText('Help is moved.').waitFor();
    expect(await structure()).toEqual(['Help', 'Guide', ['More', ['API مرجع', 'Status']]]);

    // The tree is read again after a move, and may not have heard a key of that moment.
    await until(async () => {
      await item(page, 'More').focus();
      await page.keyboard.press('ArrowRight');
      return item(page, 'Status').isVisible();
    }, true);
    await item(page, 'Help').dragTo(item(page, 'Status'), { targetPosition: { x: 120, y: 30 } });
    await until(structure, ['Guide', ['More', ['API مرجع', 'Status', 'Help']]]);
    // Above the first of the top, and back onto the group.
    await item(page, 'Help').dragTo(item(page, 'Guide'), { targetPosition: { x: 120, y: 2 } });
    await until(structure, ['Help', 'Guide', ['More', ['API مرجع', 'Status']]]);
    await item(page, 'Help').dragTo(item(page, 'More'), { targetPosition: { x: 120, y: 20 } });
    await until(structure, ['Guide', ['More', ['API مرجع', 'Status', 'Help']]]);
    await act(page, 'Help', 'Move up');
    await until(structure, ['Guide', ['More', ['API مرجع', 'Help', 'Status']]]);
    // The section comes first, and its space below it.
    await items(page, 'Guide').nth(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Duplicate with its space', exact: true }).click();
    await page.getByText('Guide is duplicated.').waitFor();
    await act(page, 'Status', 'Make it a draft');
    await tree(page).getByRole('treeitem', { name: 'Status, draft' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await act(page, 'More', 'Remove from the site');
    await dialog.getByRole('button', { name: 'Remove from the site' }).click();
    await page.getByText('More is not in the site any more.').waitFor();
  });

  it('tell somebody who arranges at the same time as another, and lose nothing', async () => {
    const { api, site, page } = await siteWith(['One', 'Two', 'Three', 'Four'], 'contents');
    const read = async () => succeeded(await api.get<{ structure: Part[] }>(`${site.path}/structure`)).structure;
    const [, two, , four] = await read();
    await item(page, 'Four').waitFor();
    const beside = { before: { type: 'site-section', id: two?.id } };
    succeeded(
      await api.patch(`${site.path}/structure/sort`, {
        item: { type: 'site-section', id: four?.id },
        position: beside,
      }),
    );
    // The screen still shows the order before: between One and Two there is another section by now.
    await act(page, 'Three', 'Move up');
    await page.getByText('Somebody arranged the site at the same time.').waitFor();
    expect(titles(await read())).toEqual(['One', 'Four', 'Two', 'Three']);
    await tree(page).getByRole('treeitem', { level: 1 }).nth(1).and(item(page, 'Four')).waitFor();
    await act(page, 'Three', 'Move up');
    await page.getByText('Three is moved.').waitFor();
    expect(titles(await read())).toEqual(['One', 'Four', 'Three', 'Two']);
  });

  it('change every value of the look beside the real page, keep edits beside those of others, and reset a space', async () => {
    // Browsers keep the cookie of a framed page only where its host is that of the workspace.
    workspace.current.moveTo(workspace.current.app.url.replace('127.0.0.1', 'localhost'));
    const { api, site, page } = await siteWith(['Guide', 'Reference'], 'look');
    type Look = Readonly<{ title?: string; header: object; styling: Readonly<Record<string, unknown>> }>;
    const look = async () => succeeded(await api.get<Look>(`${site.path}/customization`));
    /** Nothing is left to be saved; while a save is on its way the button is disabled as well. */
    const saved = page.locator('button:disabled:not([data-loading])', { hasText: 'Save the look' });
    const field = (label: string) => page.getByLabel(label, { exact: true }).first();
    const before = await look();
    const frame = page.frameLocator('iframe[title="Preview"]');
    await frame.getByText('Hello, reader.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await field('Title shown to readers').fill('Handbuch دليل');
    // The page shows what is not saved yet.
    await frame.getByText('Handbuch دليل').first().waitFor();
    expect(await look()).toEqual(before);
    await page.getByRole('group', { name: 'Main colour' }).getByLabel('Light').fill('#zz');
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByRole('group', { name: 'Main colour' }).getByText('must be a colour such as').waitFor();
    expect(await look()).toEqual(before);
    await page.getByText('The page shows the values before the last ones').waitFor();
    await page.getByRole('group', { name: 'Main colour' }).getByLabel('Light').fill('#aa2200');
    await page.getByText('The page shows the values before the last ones').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add to: Links in the header' }).click();
    const link = page.getByRole('group', { name: 'Links in the header 1' });
    await link.getByLabel('Title').fill('Status');
    await link.getByRole('textbox', { name: 'Address', exact: true }).fill('https://status.example.com');

    // Somebody else saves in between: nothing of either is lost.
    const theirs = { title: 'Theirs', to: { kind: 'url', url: 'https://theirs.example.com' }, links: [] };
    const header = { ...(before as { header: object }).header, links: [theirs] };
    const footer = { groups: [], copyright: 'Theirs' };
    succeeded(await api.put(`${site.path}/customization`, { ...before, header, footer }));
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('Somebody changed the look at the same time.').waitFor();
    await page.getByRole('button', { name: 'Take the saved value of Links in the header' }).waitFor();
    expect(await page.getByText('Somebody saved another value meanwhile').count()).toBe(1);
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('The look is saved.').waitFor();
    expect(await look()).toMatchObject({
      title: 'Handbuch دليل',
      styling: { primaryColor: { light: '#aa2200' } },
      header: { links: [{ title: 'Status', to: { kind: 'url', url: 'https://status.example.com' } }] },
      footer: { copyright: 'Theirs' },
    });
    // The preview is loaded anew; its frame is too narrow for links in the header, which are in its menu.
    await frame.getByText('Handbuch دليل').first().waitFor();
    await frame.getByText('Theirs').first().waitFor();

    await page.getByLabel('Look of').first().click();
    await page.getByRole('option', { name: 'Reference' }).click();
    const { structure } = succeeded(await api.get<{ structure: Part[] }>(`${site.path}/structure`));
    const ofSpace = `${site.path}/site-spaces/${structure[1]?.siteSpaces?.[0]?.id ?? ''}/customization`;
    const own = async () => succeeded(await api.get<Look>(ofSpace)).styling['corners'];
    await page.getByRole('button', { name: 'Reset to the look of the site' }).waitFor();
    await field('Corners').click();
    await page.getByRole('option', { name: 'Circular' }).click();
    await page.getByRole('button', { name: 'Save the look' }).click();
    await saved.waitFor();
    expect([await own(), (await look()).styling['corners']]).toEqual(['circular', 'rounded']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Corners: as the site' }).click();
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByRole('button', { name: 'Corners: as the site' }).waitFor({ state: 'detached' });
    await saved.waitFor();
    expect(await own()).toBe('rounded');
  });

  it('let visitors in by tokens, show what claims show, and replace the key', async () => {
    const { api, site, page } = await siteWith(['Guide', 'Members'], 'visitors');
    succeeded(await api.patch(site.path, { visibility: 'visitor-auth' }));
    await page.reload();
    await page.getByText('Your own service signs a token').waitFor();
    await page.getByLabel('Address of the login').fill('not an address');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    await page.getByLabel('Address of the login').fill('https://app.example.com/login');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The login is saved.').waitFor();
    const auth = async () =>
      succeeded(await api.get<{ privateKey: string; fallbackURL?: string }>(`${site.path}/publishing/auth`));
    expect((await auth()).fallbackURL).toBe('https://app.example.com/login');

    await page.getByLabel('Claims decide what a visitor sees').click({ force: true });
    await page.getByText('Adaptive content is changed.').waitFor();
    const schema = page.getByLabel('Claims that visitors have, as JSON Schema');
    await schema.fill('{"type": "object", "properties": {"plan": {"type": "date"}}, "additionalProperties": false}');
    await page.getByRole('button', { name: 'Save the schema' }).click();
    await page
      .getByText(/jsonSchema\.properties\.plan/)
      .first()
      .waitFor();
    const plan = { type: 'string', enum: ['free', 'pro'], description: 'Plan of the visitor' };
    await schema.fill(JSON.stringify({ type: 'object', properties: { plan }, additionalProperties: false }));
    await page.getByRole('button', { name: 'Save the schema' }).click();
    await page.getByText('The schema is saved.').waitFor();
    await page
      .getByRole('button', { name: /^Copy visitor\.claims\.plan/ })
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    const { structure } = succeeded(await api.get<{ structure: Part[] }>(`${site.path}/structure`));
    const condition = 'visitor.claims.plan == "pro"';
    succeeded(await api.patch(`${site.path}/sections/${structure[1]?.id ?? ''}`, { condition }));
    const open = async (name: string): Promise<string> => {
      const address = await page.getByRole('link', { name }).getAttribute('href');
      const reader = (await browsing.open()).page;
      await reader.goto(address ?? '');
      await reader.getByText('Hello, reader.').first().waitFor();
      return (await reader.textContent('body')) ?? '';
    };
    await page.getByLabel('Claims', { exact: true }).fill('{"plan": "free"');
    await page.getByText('This is no JSON object.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Preview as this visitor' }).isDisabled()).toBe(true);
    await page.getByLabel('Claims', { exact: true }).fill('{"plan": "free"}');
    await page.getByRole('button', { name: 'Preview as this visitor' }).click();
    expect(await open('Open the preview')).not.toContain('Members');
    await page.getByLabel('Claims', { exact: true }).fill('{"plan": "pro"}');
    await page.getByRole('button', { name: 'Make a token' }).click();
    expect(await open('Open the page with the token')).toContain('Members');

    const { privateKey } = await auth();
    await page.getByRole('button', { name: 'Show the private key' }).click();
    expect(await page.getByLabel('Private key', { exact: true }).inputValue()).toBe(privateKey);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click();
    await page.getByText('The key is replaced.').waitFor();
    expect((await auth()).privateKey).not.toBe(privateKey);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('show what readers do as charts, and each as a table', async () => {
    const { api, site, page } = await siteWith(['Guide'], 'insights');
    await page.getByText('Nothing was counted in this period.').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { organization } = workspace.current;
    const broken = await buildSpace(organization, 'Broken');
    await broken.write({ operation: 'insert_page', title: 'Start', document: { markdown: '[Gone](../gone.md)' } });
    succeeded(await api.post(`${site.path}/sections`, { spaceId: broken.id, draft: false }));
    const location = {
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: broken.id,
      revision: null,
      page: null,
    };
    const session = { visitorId: 'a', sessionId: 'b', cookies: {}, userAgent: 'x', language: 'en', referrer: null };
    const event = (type: string, more: object = {}) => ({
      type,
      session,
      location: { ...location, url: `${workspace.current.publicOrigin}/${encodeURIComponent('صفحة')}` },
      ...more,
    });
    const feedback = { feedback: { rating: 'good' } };
    succeeded(
      await api.post(`${site.path}/insights/events`, {
        events: [event('page_view'), event('page_view'), event('page_post_feedback', feedback)],
      }),
    );
    await page.reload();
    await page
      .getByRole('img', { name: /^Chart: Visits/ })
      .locator('svg')
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('region', { name: 'Most read pages' }).getByText('Table').click();
    const table = page.getByRole('table', { name: 'Most read pages' });
    await table
      .getByRole('row')
      .filter({ hasText: encodeURIComponent('صفحة') })
      .getByRole('cell', { name: '2' })
      .waitFor();
    await page.getByRole('region', { name: 'Broken links' }).getByRole('link', { name: 'Start' }).waitFor();
    await page.getByLabel('Period').first().click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await table.getByRole('cell', { name: '2' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('show a guest who may read a site, and none of its spaces, what guests see, and nothing to change', async () => {
    const { organization } = workspace.current;
    const { api, site } = await siteWith(['Guide', 'Help'], 'contents');
    const guest = await organization.member('none');
    succeeded(await api.post(`${site.path}/permissions`, { users: [guest.id], role: 'read' }));
    const page = await workspace.current.signedIn(guest, workspace.current.home(`/sites/${site.id}`));
    await page.setViewportSize({ width: 380, height: 800 });
    await page.getByRole('tab', { name: 'Insights' }).click();
    for (const region of ['Visits', 'Most read pages', 'Comments'])
      await page.getByRole('region', { name: region }).getByText('Nothing was counted in this period.').waitFor();
    await page.getByRole('region', { name: 'Broken links' }).getByText('No link is broken.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    await page.getByRole('tab', { name: 'Structure' }).click();
    await tree(page).or(page.getByText('The site has no spaces')).first().waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Publishing', 'Structure', 'Insights']);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('give a site a hostname, name the addresses for programs, and take over a list of redirects', async () => {
    const { api, site, page } = await siteWith(['Guide'], 'addresses');
    const hostname = `help-${site.id.toLowerCase().replaceAll(/[^a-z0-9]/g, 'x')}.example.com`;
    await page.getByRole('textbox', { name: 'Hostname' }).fill('no host');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    await page.getByRole('textbox', { name: 'Hostname' }).fill(hostname);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('region', { name: `DNS of ${hostname}` })
      .getByRole('status')
      .waitFor();
    expect(succeeded(await api.get<{ hostname?: string }>(site.path)).hostname).toBe(hostname);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The check runs.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Hostname' }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: `DNS of ${hostname}` }).waitFor({ state: 'detached' });
    const llms = await page.getByLabel('llms.txt', { exact: true }).inputValue();
    expect((await fetch(llms)).status).toBe(200);

    await page.getByRole('tab', { name: 'Redirects' }).click();
    await page.getByRole('button', { name: 'Import redirects' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('List of redirects').fill('redirects:\n  old/start: welcome\n  old/gone: nowhere.md\n');
    await dialog.getByRole('button', { name: 'Import redirects' }).click();
    await page.getByText('1 made, 0 changed, 0 unchanged, 1 skipped').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('row').filter({ hasText: '/old/start' }).waitFor();
  });
});
