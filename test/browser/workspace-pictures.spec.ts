import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { importDemo, type Demo } from '../../src/cli/demo.js';
import { HOUSE_STYLE } from '../../src/cli/demo-texts.js';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { settle } from '../notification-desk.js';
import { buildSpace } from '../published-site.js';
import { describeInBrowser } from './browser.js';
import { MOST_PICTURE_BYTES, PICTURE_SIZE, PICTURES, type PictureName } from './pictures.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const ASSETS = join(import.meta.dirname, '../../docs/.gitbook/assets');
const QUALITY = 82;
/** Everything in the pictures was made two hours ago, however long it took. */
const LATER = 2 * 3600_000;

/** `npm run docs:pictures` sets it: then the pictures of the guide are written anew. */
const isWritten = process.env['DOCS_PICTURES'] === 'true';

describeInBrowser('the pictures of the guide of the workspace', (browsing) => {
  const workspace = useWorkspace(browsing);
  let demo: Demo;
  let page: Page;
  const home = (path = ''): string => workspace.current.home(path);
  const taken = new Map<PictureName, number>();

  beforeAll(async () => {
    const { app, organization, publicOrigin } = workspace.current;
    const { admin, id } = organization;
    // Frames of another site have no cookies, so the site is shown at the host of the workspace.
    app.get(Addresses).announce(app.url, publicOrigin.replace('localhost', '127.0.0.1'));
    succeeded(await admin.api.patch(`/orgs/${id}`, { title: 'Acme' }));
    const people = [];
    for (const [role, name] of [
      ['review', 'Grace Hopper'],
      ['edit', 'Alan Turing'],
      ['read', 'Mary Shelley'],
    ] as const) {
      const person = await organization.member(role);
      succeeded(await person.api.patch(`/users/${person.id}`, { displayName: name }));
      people.push(person.id);
    }
    succeeded(await admin.api.patch(`/users/${admin.id}`, { displayName: 'Ada Lovelace' }));
    const emails = [admin.id, ...people].map((user, at) => [
      user,
      `${['ada', 'grace', 'alan', 'mary'][at]}@example.com`,
    ]);
    for (const [user, email] of emails)
      await app.database.execute('UPDATE account SET email = $2 WHERE id = $1', [user, email]);
    const made = await importDemo(app.nest, id, admin.id);
    if (made === undefined) throw new Error('there is no documentation to make the demo of');
    demo = made;
    const team = { title: 'Technical writers', members: people.slice(0, 2) };
    const { id: writers } = succeeded(await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, team));
    succeeded(await admin.api.post(`/spaces/${demo.space}/permissions`, { role: 'edit', teams: [writers] }));
    const site = `/orgs/${id}/sites/${demo.site}`;
    // Signs that ordinary fonts have: a machine without others shows empty boxes.
    succeeded(await admin.api.patch(`/spaces/${demo.space}`, { emoji: '2693' }));
    for (const [title, emoji] of [
      ['Handbook', '2699'],
      ['Release notes', '2708'],
    ] as const) {
      const space = await buildSpace(organization, title);
      succeeded(await admin.api.patch(`/spaces/${space.id}`, { emoji }));
      await space.write({ operation: 'insert_page', title: 'Begin', document: { markdown: 'Welcome.' } });
      succeeded(await admin.api.post(`${site}/sections`, { spaceId: space.id, title }));
    }
    await settle(app);
  }, 900_000);

  beforeEach(async () => {
    page = await workspace.current.signedIn(workspace.current.organization.admin, home(), {
      viewport: PICTURE_SIZE,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await page.clock.setFixedTime(Date.now() + LATER);
  });

  /** The picture of what is shown now, without a pointer or a caret. */
  async function take(name: PictureName): Promise<void> {
    await page.mouse.move(0, 0);
    await page.waitForLoadState();
    await page.evaluate(
      'Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode())]).then(() => undefined)',
    );
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const image = await loadImage(png);
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const bytes = await canvas.encode('webp', QUALITY);
    await browsing.take(page, name);
    if (isWritten) await writeFile(join(ASSETS, `${name}.webp`), bytes);
    taken.set(name, bytes.length);
  }

  const inSpace = (path = ''): string => home(`/s/${demo.space}${path}`);
  const inRequest = (path = ''): string => inSpace(`/~/changes/${demo.review.number}${path}`);

  async function pageId(at: string, title: string): Promise<string> {
    const { api } = workspace.current.organization.admin;
    const { pages } = succeeded(await api.get<{ pages: ListedPage[] }>(`${at}/content/pages`));
    const found = flat(pages).find((each) => each.title === title);
    if (!found) throw new Error(`${at} has no page ${title}`);
    return found.id;
  }

  it('shows the home of an organization, and the palette', async () => {
    await show(page, home());
    await page.getByRole('region', { name: 'Waiting for your review' }).getByRole('link').first().waitFor();
    await take('workspace-home');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Pages, spaces, people, actions').fill('conflict');
    await page.getByText('Resolve conflicts').first().waitFor();
    await take('workspace-palette');
    await page.keyboard.press('Escape');
  });

  it('shows a page of a space, and both editors', async () => {
    await show(page, inSpace(`/~/pages/${await pageId(`/spaces/${demo.space}`, 'Change requests')}`));
    await take('workspace-page');
    const written = await pageId(`/spaces/${demo.space}/change-requests/${demo.review.number}`, HOUSE_STYLE.title);
    await show(page, inRequest(`/~/pages/${written}?edit=true`));
    await page.locator('.cm-content').waitFor();
    await page.getByText('Saved').first().waitFor();
    await take('workspace-markdown-editor');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Shift+E');
    const editor = page.locator('.ProseMirror');
    await editor.waitFor();
    await editor.getByRole('paragraph').first().click();
    await take('workspace-visual-editor');
  });

  it('shows the changes of a change request, and its conflict', async () => {
    await show(page, inRequest('/~/changes'));
    await page.locator('ins, del').first().waitFor();
    await take('workspace-changes');
    await show(page, inRequest('/~/conflicts'));
    await take('workspace-conflict');
  });

  it('shows the structure and the look of a site', async () => {
    await show(page, home(`/sites/${demo.site}?tab=contents`));
    await page.getByRole('treeitem').first().waitFor();
    await take('workspace-site-structure');
    await show(page, home(`/sites/${demo.site}?tab=look`));
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    await take('workspace-site-look');
  });

  it('shows the people, and why somebody has access', async () => {
    await show(page, home('/people'));
    await page.getByRole('row').filter({ hasText: 'Grace' }).waitFor();
    await take('workspace-people');
    await show(page, inSpace('/~/access'));
    await page.getByRole('button', { name: 'Why does Alan Turing have access?' }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await take('workspace-access');
  });

  it('are all of them, and small enough', () => {
    expect([...taken.keys()].sort()).toEqual([...PICTURES].sort());
    const bytes = [...taken.values()].reduce((sum, each) => sum + each, 0);
    process.stdout.write(`pictures: ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(MOST_PICTURE_BYTES);
  });
});

interface ListedPage {
  readonly id: string;
  readonly title: string;
  readonly pages?: readonly ListedPage[];
}

const flat = (pages: readonly ListedPage[]): ListedPage[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
