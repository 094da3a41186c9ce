import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { buildSpace, type Made } from '../published-site.js';
import { describeInBrowser } from './browser.js';
import { show, succeeded, useWorkspace } from './workspace.js';

/** A host of a network that the server does not reach by itself. */
const REFUSED = 'http://10.0.0.1/hook';
/** Milliseconds; longer than the pause between two looks at work in the background. */
const SLOW = 3000;

interface Listed {
  readonly items: readonly Made[];
}

describeInBrowser('services in the workspace, when something is in the way', (browsing) => {
  const workspace = useWorkspace(browsing);
  const adminAt = (path: string): Promise<Page> =>
    workspace.current.signedIn(workspace.current.organization.admin, workspace.current.home(path));

  it('show guests no specifications', async () => {
    const { organization } = workspace.current;
    const guest = await organization.member('none');
    const page = await workspace.current.signedIn(guest, workspace.current.home(''));
    await page.getByRole('link', { name: 'Search' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'API specifications' }).count()).toBe(0);
    await show(page, workspace.current.home('/openapi'));
    await page.getByText('Guests of the organization do not see its specifications.').waitFor();
    const reader = await workspace.current.signedIn(await organization.member('read'), workspace.current.home(''));
    await reader.getByRole('link', { name: 'API specifications' }).click();
    await reader.getByRole('heading', { name: 'No specifications' }).waitFor();
  });

  it('tell at the field what the server refuses', async () => {
    const space = await buildSpace(workspace.current.organization, 'Refused');
    const imports = `/s/${space.id}/~/imports`;
    for (const [path, button, field, action] of [
      ['/webhooks', 'New webhook', 'Address', 'Make the webhook'],
      ['/openapi', 'Add a specification', 'Address of the specification', 'Add'],
      [imports, 'New import', 'Address of the repository', 'Begin the import'],
    ] as const) {
      const page = await adminAt(path);
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog');
      if (path === imports) await dialog.getByText('Git repository', { exact: true }).click();
      if (path === '/openapi') await dialog.getByLabel('Name').fill('refused');
      if (path === '/webhooks') await dialog.getByLabel('All events, those of later releases too').press(' ');
      await dialog.getByLabel(field).fill(REFUSED);
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.locator('input[type=url][aria-invalid=true]').waitFor();
      expect(await dialog.getByLabel(field).inputValue()).toBe(REFUSED);
    }
  });

  it('name the space of a webhook that is gone meanwhile', async () => {
    const { organization } = workspace.current;
    const { api } = organization.admin;
    const path = `/orgs/${organization.id}/webhooks`;
    const before = succeeded(await api.get<Listed>(path)).items.length;
    const titles = ['Stays here', 'Goes away'] as const;
    const [, gone] = [await buildSpace(organization, titles[0]), await buildSpace(organization, titles[1])];
    const page = await adminAt('/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('http://127.0.0.1:1/spaces');
    await dialog.getByLabel('All events, those of later releases too').press(' ');
    const spaces = dialog.getByLabel('Only in these spaces').first();
    for (const title of titles) {
      await spaces.fill(title);
      await page.getByRole('option', { name: title }).click();
    }
    succeeded(await api.delete(`/spaces/${gone.id}`));
    // The list of the spaces lies over the button until it is left.
    await spaces.press('Tab');
    await dialog.getByRole('button', { name: 'Make the webhook' }).click();
    const fault = dialog.getByText(new RegExp(`^(${titles[1]}|${gone.id}): is not a space of this organization`));
    await fault.waitFor();
    expect(succeeded(await api.get<Listed>(path)).items.length).toBe(before);
    // The last one that was chosen goes.
    await spaces.press('Backspace');
    await fault.waitFor({ state: 'detached' });
    await spaces.press('Tab');
    await dialog.getByRole('button', { name: 'Make the webhook' }).click();
    await page.getByLabel('Secret', { exact: true }).waitFor();
    expect(succeeded(await api.get<Listed>(path)).items.length).toBe(before + 1);
  });

  it('make one webhook when the button is pressed twice, and show its secret with no other one', async () => {
    const { organization } = workspace.current;
    const path = `/orgs/${organization.id}/webhooks`;
    const other = { url: 'http://127.0.0.1:1/other', events: ['*'], description: 'The other one' };
    succeeded(await organization.admin.api.post(path, other));
    const webhooks = async () => succeeded(await organization.admin.api.get<Listed>(path)).items.length;
    const before = await webhooks();
    const page = await adminAt('/webhooks');
    await page.getByRole('link', { name: other.url }).click();
    await page.getByRole('heading', { level: 1, name: other.description }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('http://127.0.0.1:1/new');
    await dialog.getByLabel('All events, those of later releases too').press(' ');
    await dialog.getByRole('button', { name: 'Make the webhook' }).dblclick();
    await page.getByLabel('Secret', { exact: true }).waitFor();
    expect(await webhooks()).toBe(before + 1);

    await page.getByRole('link', { name: 'http://127.0.0.1:1/new' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByLabel('Secret', { exact: true }).waitFor();
    await page.evaluate('history.go(-2)');
    await page.getByRole('heading', { level: 1, name: other.description }).waitFor();
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
  });

  it('begin no import whose upload was left, and show the end of one where answers are slow', async () => {
    const { organization, app } = workspace.current;
    const { api } = organization.admin;
    const space = await buildSpace(organization, 'Slow');
    const address = `/s/${space.id}/~/imports`;
    const page = await adminAt(address);
    const held: (() => Promise<void>)[] = [];
    const upload = new Promise<void>((resolve) => {
      void page.route(/\/~uploads\//, (route) => {
        held.push(() => route.continue());
        resolve();
      });
    });
    await page.getByRole('button', { name: 'New import' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Files', { exact: true }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Files' }).click();
    await (await chooser).setFiles([{ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('# A\n') }]);
    await dialog.getByRole('button', { name: 'Begin the import' }).click();
    await upload;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const release of held) await release().catch(() => undefined);
    await page.waitForTimeout(SLOW);
    expect(new URL(page.url()).pathname).toMatch(/imports$/);
    expect(await page.getByText('Not done').count()).toBe(0);
    const runs = `/org/${organization.id}/imports`;
    expect(succeeded(await api.get<Listed>(runs, { query: { space: space.id } })).items).toEqual([]);
    expect(succeeded(await api.get<Listed>(`/spaces/${space.id}/change-requests`)).items).toEqual([]);

    const source = { type: 'website', url: 'http://127.0.0.1:1/docs/' };
    succeeded(await api.post(runs, { source, target: { space: space.id } }));
    await show(page, workspace.current.home(address));
    await page.getByText('waits', { exact: true }).waitFor();
    await page.route(/\/imports\?/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW));
      await route.continue().catch(() => undefined);
    });
    await app.get(Jobs).drain();
    await page
      .getByRole('row')
      .getByText(/completed|failed/)
      .waitFor();
  });
});
