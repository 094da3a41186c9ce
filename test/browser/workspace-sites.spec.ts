import { expect, it } from '@jest/globals';
import { buildSpace, type Made } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { enter, succeeded, useWorkspace } from './workspace.js';

describeInBrowser('sites in the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);

  it('are made, published, limited to holders of a link, redirected and unpublished', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const [guide, reference] = [await buildSpace(organization, 'Guide'), await buildSpace(organization, 'Reference')];
    await guide.write(
      { operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.' } },
      { operation: 'insert_page', title: 'Install', document: { markdown: 'Run it.' } },
    );
    const { page } = await browsing.open({ viewport: { width: 1280, height: 900 } });
    await enter(page, await workspace.current.linkFor(organization.admin));
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
    await page.getByRole('button', { name: 'New site' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Manual');
    await dialog.getByLabel('Spaces').first().click();
    await page.getByRole('option', { name: 'Guide' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Make the site' }).click();
    await page.getByRole('heading', { level: 1, name: 'Manual' }).waitFor();
    const sites = succeeded(await api.get<{ items: (Made & { title: string })[] }>(`/orgs/${organization.id}/sites`));
    const path = `/orgs/${organization.id}/sites/${sites.items.find(({ title }) => title === 'Manual')?.id ?? ''}`;
    const site = async () =>
      succeeded(await api.get<{ published: boolean; visibility: string; urls: { published?: string } }>(path));

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The site is published.').waitFor();
    const { published, urls } = await site();
    expect(published).toBe(true);
    expect((await fetch(`${urls.published ?? ''}/install`)).status).toBe(200);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Structure' }).click();
    const tree = page.getByRole('tree', { name: 'Structure of the site' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add a space' }).click();
    await dialog.getByLabel('Space').first().fill('Reference');
    await page.getByRole('option', { name: 'Reference' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('The space is in the site.').waitFor();
    await tree.getByRole('button', { name: 'Actions of Reference' }).click();
    await page.getByRole('menuitem', { name: 'Show it first' }).click();
    await page.getByText('The first space is changed.').waitFor();
    await tree.getByRole('treeitem', { name: 'Reference, default' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await tree.getByRole('button', { name: 'Actions of Reference' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the site' }).click();
    await dialog.getByRole('button', { name: 'Remove from the site' }).click();
    await page.getByText('Reference is not in the site any more.').waitFor();
    expect((await api.get(`/spaces/${reference.id}`)).status).toBe(200);

    await page.getByRole('tab', { name: 'Redirects' }).click();
    await page.getByLabel('Old path').fill('/start');
    await page.getByLabel('Page or address').fill('install');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The redirect works.').waitFor();
    const led = await fetch(`${urls.published ?? ''}/start`, { redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([308, expect.stringMatching(/\/install$/)]);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Publishing' }).click();
    await page.getByLabel('Audience').first().click();
    await page.getByRole('option', { name: 'Holders of a share link' }).click();
    await page.getByText('The audience is changed.').waitFor();
    await page.getByRole('tab', { name: 'Share links' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Friends');
    await page.getByRole('button', { name: 'New share link' }).click();
    await page.getByLabel('Friends is on').waitFor();
    const links = succeeded(await api.get<{ items: { urls: { published: string } }[] }>(`${path}/share-links`));
    const shared = links.items[0]?.urls.published ?? '';
    const reader = (await browsing.open()).page;
    await reader.goto(shared);
    await reader.getByText('Hello.').waitFor();
    const ended = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByLabel('Friends is on').click({ force: true });
    expect((await ended).status()).toBe(200);
    expect((await reader.goto(shared))?.status()).toBe(404);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Publishing' }).click();
    await page.getByRole('button', { name: 'Unpublish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
    await page.getByText('The site is not published any more.').waitFor();
    expect((await site()).published).toBe(false);
  });
});
