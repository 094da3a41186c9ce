import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { Page } from 'playwright-core';
import { defineModule } from '../../src/kernel/platform/manifest/manifest.js';
import { brings } from '../../src/kernel/platform/manifest/registry.js';
import { until } from '../notification-desk.js';
import { buildSpace, publish } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { useExample } from './example-module.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const FOLDER = join(import.meta.dirname, 'fixtures/screens');

/** Screens at every place, and those that do everything wrong. */
async function parrots(folder: string) {
  await cp(FOLDER, folder, { recursive: true });
  const screen = (path: string) => ({
    place: 'organization' as const,
    path,
    title: `The ${path} one`,
    permission: 'organization:view',
    script: `${path}.js`,
  });
  const probe = { title: 'Probe', script: 'probe.js' };
  const manifest = defineModule({
    name: 'parrots',
    requires: '*',
    screens: {
      folder,
      entries: [
        ...['throwing', 'breaking', 'waiting', 'older', 'faulty', 'leaving', 'lingering', 'measuring'].map(screen),
        { ...probe, place: 'space', path: 'probe', permission: 'space:view' },
        { ...probe, place: 'space', part: 'settings', path: 'probe-settings', permission: 'space:view' },
        { ...probe, place: 'site', path: 'probe', permission: 'site:view' },
        { ...probe, place: 'site', part: 'settings', path: 'probe-settings', permission: 'site:admin' },
        { ...probe, place: 'account', path: 'probe', permission: 'user:view' },
        { ...probe, place: 'account', part: 'settings', path: 'probe-settings', permission: 'user:view' },
      ],
    },
  });
  @Module({ providers: [brings(manifest)] })
  class Parrots {}
  return Parrots;
}

describeInBrowser('screens that modules bring', (browsing) => {
  const example = useExample();
  let folder: string;
  const workspace = useWorkspace(browsing, {}, async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-screens-'));
    return [await example(), await parrots(folder)];
  });
  afterAll(() => rm(folder, { recursive: true }));
  const home = (path = ''): string => workspace.current.home(path);
  const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Organization' });

  it('are in the sidebar for those who may see them, and list, write and end announcements', async () => {
    const { organization } = workspace.current;
    const editor = await organization.member('edit');
    const page = await workspace.current.signedIn(editor, home());
    await sidebar(page).getByRole('link', { name: 'Announcements' }).click();
    await page.getByRole('heading', { level: 1, name: 'Announcements' }).waitFor();
    await page.getByText('Nothing is announced.').waitFor();
    await page.getByLabel('Title').fill('Maintenance on Sunday');
    await page.getByLabel('Text').fill('The docs are read-only from 8 to 9.\n<b>Really</b>');
    await page.getByRole('button', { name: 'Announce' }).click();
    await page.getByText('The announcement is posted.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Maintenance on Sunday' }).waitFor();
    await page.getByText('<b>Really</b>').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'announcements');

    await page.getByLabel('Title').fill('x'.repeat(201));
    await page.getByLabel('Text').fill('Too long');
    await page.getByRole('button', { name: 'Announce' }).click();
    await page.getByRole('status').filter({ hasText: 'title:' }).waitFor();

    const reader = await workspace.current.signedIn(
      await organization.member('read'),
      home('/extensions/announcements'),
    );
    await reader.getByRole('heading', { level: 2, name: 'Maintenance on Sunday' }).waitFor();
    expect(await reader.getByRole('button', { name: 'Announce' }).count()).toBe(0);
    expect(await sidebar(reader).getByRole('link', { name: 'Settings of extensions' }).count()).toBe(0);

    await page.getByRole('button', { name: 'End “Maintenance on Sunday”' }).click();
    await page.getByRole('dialog').getByText('Nobody sees it any more.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End “Maintenance on Sunday”' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('The announcement is ended.').waitFor();
    await page.getByText('Nothing is announced.').waitFor();
  });

  it('add a section of settings, and are found by Ctrl+K', async () => {
    const { admin, id } = workspace.current.organization;
    const page = await workspace.current.signedIn(admin, home());
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('settings of ext');
    await page.getByText('Go to Settings of extensions').click();
    await page.getByRole('heading', { level: 1, name: 'Settings of extensions' }).waitFor();
    const section = page.getByRole('region', { name: 'Announcements' });
    await section.getByLabel('Days after which announcements end').fill('7');
    await section.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings of announcements are saved.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const stored = 'SELECT ends_after_days AS days FROM announcement_settings WHERE organization_id = $1';
    expect(await workspace.current.app.database.query(stored, [id])).toEqual([{ days: 7 }]);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('announce');
    await page.getByText('Go to Announcements').click();
    await page.getByRole('heading', { level: 1, name: 'Announcements' }).waitFor();
    // The settings of the organization have them too, without the screens that have addresses of their own.
    await show(page, home('/settings'));
    await page.getByRole('tab', { name: 'Extensions' }).click();
    await page.getByRole('region', { name: 'Announcements' }).getByRole('button', { name: 'Save' }).waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual([
      ...['Single sign-on', 'Merge rules', 'Fonts', 'Retention'],
      'Extensions',
    ]);
  });

  it('do no harm where they fail: each says so, and can be tried again', async () => {
    const page = await workspace.current.signedIn(workspace.current.organization.admin, home());
    for (const [path, reason] of [
      ['throwing', 'the parrot has flown'],
      ['breaking', 'the parrot is broken'],
      ['older', 'its script has no function “mount”'],
      ['faulty', 'its files could not be loaded'],
    ] as const) {
      await sidebar(page)
        .getByRole('link', { name: `The ${path} one` })
        .click();
      await page.getByRole('heading', { name: `The ${path} one cannot be shown` }).waitFor();
      await page.getByText(reason).waitFor();
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
    }
    // The second attempt of this one works.
    await sidebar(page).getByRole('link', { name: 'The throwing one' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The parrot is back.').waitFor();
    // A screen that cannot be left in peace is left all the same.
    await sidebar(page).getByRole('link', { name: 'The leaving one' }).click();
    await page.getByText('I stay.').waitFor();
    await sidebar(page).getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    await sidebar(page).getByRole('link', { name: 'The waiting one' }).click();
    await page.getByRole('heading', { name: 'The waiting one cannot be shown' }).waitFor({ timeout: 30_000 });
    await page.getByText('nothing came within 15 seconds').waitFor();
    await show(page, home('/extensions/unknown'));
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
  });

  it('are asked for again while a server of another version has no such files, and have their width from the beginning', async () => {
    const page = await workspace.current.signedIn(workspace.current.organization.admin, home());
    let refusals = 0;
    await page.route(/\/measuring\.js/, (route) =>
      (refusals += 1) > 2 ? route.continue() : route.fulfill({ status: 404, body: '' }),
    );
    await sidebar(page).getByRole('link', { name: 'The measuring one' }).click();
    await page.getByText('I have room.').waitFor();
    expect(refusals).toBe(3);
  });

  it('leave room for the tree of spaces in a low window, and all links are reached', async () => {
    await buildSpace(workspace.current.organization, 'Perch');
    const page = await workspace.current.signedIn(workspace.current.organization.admin, home());
    await page.setViewportSize({ width: 1280, height: 400 });
    await sidebar(page).getByRole('link', { name: 'The lingering one' }).click();
    await page.getByText('I linger.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('treeitem', { name: 'Perch' }).click();
    await page.waitForURL(/\/s\//);
  });

  it('ask one thing at a time, and change nothing any more when somebody has left', async () => {
    const page = await workspace.current.signedIn(workspace.current.organization.admin, home('/extensions/lingering'));
    await page.getByRole('button', { name: 'Ask twice' }).click();
    await page.getByRole('dialog', { name: 'Second?' }).getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Answers: false, true.').waitFor();
    await sidebar(page).getByRole('link', { name: 'Trash' }).click();
    await page.locator('html[data-lingering]').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    expect(await page.locator('html').getAttribute('data-lingering')).toBe('false');
    expect(new URL(page.url()).pathname).toMatch(/\/trash$/);
    expect(await page.getByText('I am still here.').count()).toBe(0);
  });

  it('know their place and the colours, and use the interface, but not the session', async () => {
    const { organization } = workspace.current;
    const { admin, id } = organization;
    const space = await buildSpace(organization, 'Aviary');
    const site = await publish(organization, [space]);
    const page = await workspace.current.signedIn(admin, home(`/s/${space.id}`));
    const told = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await page.getByLabel('Told').first().textContent()) ?? '{}') as Record<string, unknown>;
    await page.getByRole('complementary').getByRole('link', { name: 'Probe' }).click();
    await page.getByLabel('Told').first().waitFor();
    expect(await told()).toEqual({
      place: { userId: admin.id, organizationId: id, spaceId: space.id },
      version: expect.stringMatching(/^\d/),
      language: 'en',
      colorScheme: 'light',
      user: admin.id,
      missing: 404,
      refused: [
        '/v1/auth/session',
        'https://evil.example/',
        '/v1/../app',
        '/v1/orgs/{organizationId}',
        '/v1/{part}/session',
        '//evil.example',
      ],
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByText('Now it is dark').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('link', { name: 'People by a link' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();

    await show(page, home(`/s/${space.id}/~/extensions`));
    await page.getByRole('region', { name: 'Probe' }).getByLabel('Told').waitFor();
    await show(page, home(`/sites/${site.id}`));
    await page.getByRole('tab', { name: 'Probe' }).click();
    await page.getByLabel('Told').waitFor();
    expect(await told()).toMatchObject({ place: { userId: admin.id, organizationId: id, siteId: site.id } });
    await page.getByRole('tab', { name: 'Extensions' }).click();
    await page.getByRole('region', { name: 'Probe' }).getByLabel('Told').waitFor();
    await show(page, workspace.current.at('/account?tab=extension-probe'));
    await page.getByLabel('Told').waitFor();
    expect(await told()).toMatchObject({ place: { userId: admin.id } });
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('have the workspace read again what they changed, and end with the session', async () => {
    const { organization, app } = workspace.current;
    const space = await buildSpace(organization, 'Nest');
    const page = await workspace.current.signedIn(organization.admin, home(`/s/${space.id}/~/extensions/probe`));
    succeeded(await organization.admin.api.patch(`/spaces/${space.id}`, { title: 'New nest' }));
    await page.getByRole('button', { name: 'Read the spaces again' }).click();
    await page.getByRole('treeitem', { name: 'New nest' }).waitFor();
    await app.database.execute('DELETE FROM api_token WHERE id IN (SELECT token_id FROM browser_session)');
    await page.getByRole('button', { name: 'Ask who I am' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('come from the hash of their files: what changes in the folder later is not sent', async () => {
    const page = await workspace.current.signedIn(workspace.current.organization.admin, home());
    await writeFile(join(folder, 'leaving.js'), 'export const mount = (element) => element.append("Forged");');
    await sidebar(page).getByRole('link', { name: 'The leaving one' }).click();
    await page.getByText('I stay.').waitFor();
    await until(async () => (await page.getByText('Forged').count()) === 0);
  });
});
