import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SignInLinks } from '../../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../../src/identity/users/users.service.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';

const MINUTES = 15;
const PHONE = 380;
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT = 'One apple a day.\n\nTwo birds in the bush.\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n';

interface Written {
  readonly changes: readonly { readonly page: { readonly id: string } }[];
}

/** A space with two pages. */
interface Made {
  /** The path of its operations. */
  readonly path: string;
  readonly first: string;
  readonly second: string;
  readonly at: (path?: string) => string;
}

describeInBrowser('reading and writing in the workspace', (browsing) => {
  let app: TestApp;
  let workspace: Workspace;
  let admin: Person;

  beforeAll(async () => {
    app = await TestApp.start();
    workspace = await buildOrganization(app);
    admin = workspace.admin;
  }, 600_000);

  afterAll(() => app.close());

  async function made(editMode: 'live' | 'locked', more: readonly object[] = []): Promise<Made> {
    const space = await admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title: 'Handbook',
      empty: true,
      editMode: 'live',
    });
    const path = `/spaces/${space.body.id}`;
    const { body } = await admin.api.post<Written>(`${path}/content`, {
      changes: [
        { operation: 'insert_page', title: 'Guide', description: 'How it works', document: { markdown: TEXT } },
        { operation: 'insert_page', title: 'Install', document: { markdown: 'Run it.' } },
        ...more,
      ],
    });
    if (editMode === 'locked') await admin.api.patch(path, { editMode });
    const [first = '', second = ''] = body.changes.map(({ page }) => page.id);
    return { path, first, second, at: (rest = '') => `${app.url}/app/o/${workspace.id}/s/${space.body.id}${rest}` };
  }

  /** A tab in which somebody is signed in, at an address. */
  async function signedIn(person: Person, address: string, options: object = {}): Promise<Page> {
    const { page } = await browsing.open(options);
    const user = await app.get(Users).get(person.id);
    await page.goto((await app.get(SignInLinks).forUser(user, MINUTES)).url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((address) => !address.pathname.endsWith('/sign-in'));
    await page.goto(address);
    return page;
  }

  async function markdownOf(place: string, page: string): Promise<string> {
    const { body } = await admin.api.get<{ markdown: string }>(`${place}/content/page/${page}`, {
      query: { format: 'markdown' },
    });
    return body.markdown;
  }

  const editor = (page: Page) => page.locator('.cm-content');
  const saved = (page: Page) => page.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor();
  const row = (page: Page, title: string) => page.locator('.place-sidebar .tree-row', { hasText: title });

  it('shows a page as it will be published, beside its tree, by its id and by its path', async () => {
    const { at, second } = await made('live');
    const page = await signedIn(admin, at());
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
    await page.getByText('How it works').waitFor();
    // Playwright looks into shadow roots.
    await page.locator('.hint.info', { hasText: 'A hint.' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'reading');
    await row(page, 'Install').click();
    await page.getByText('Run it.').waitFor();
    expect(page.url()).toBe(at(`/~/pages/${second}`));
    await page.goto(at('/guide'));
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
  });

  it('opens a change request, saves what is typed there, uploads a pasted picture and shows all of it', async () => {
    const { at, path, first } = await made('locked');
    const page = await signedIn(admin, at());
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Subject of the new change request').fill('Better guide');
    await page.getByRole('button', { name: 'Start a change request' }).click();
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Typed in the browser.\n\n');
    await page.evaluate<undefined>(`(() => {
      const bytes = Uint8Array.from(atob('${DOT}'), (each) => each.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      document.querySelector('.cm-content').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await page.locator('.cm-content', { hasText: '![dot](/files/' }).waitFor();
    await page.locator('.editor-preview img').waitFor();
    await saved(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'writing');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('article img').waitFor();
    await page.getByText('Change request #1: Better guide').waitFor();
    expect(await markdownOf(`${path}/change-requests/1`, first)).toContain('Typed in the browser.');
    expect(await markdownOf(path, first)).not.toContain('Typed in the browser.');
  });

  it('merges what two people write, and settles the places that both changed', async () => {
    const { at, path, first } = await made('live');
    const page = await signedIn(admin, at(`/~/pages/${first}?edit=true`));
    await editor(page).waitFor();
    const before = await markdownOf(path, first);
    const theirs = before.replace('apple', 'pear').replace('A hint.', 'Their hint.');
    const changes = [{ operation: 'update_page', page: first, document: { markdown: theirs } }];
    expect((await admin.api.post(`${path}/content`, { changes })).status).toBe(200);
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Mine: ');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Settle' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One pear a day.').waitFor();
    await browsing.take(page, 'settling');
    await dialog.getByText('Both', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save what is chosen' }).click();
    await page.locator('.cm-content', { hasText: 'Their hint.' }).waitFor();
    await page.keyboard.press('Control+s');
    await saved(page);
    const after = await markdownOf(path, first);
    for (const text of ['One pear a day.', 'Mine: One apple a day.', 'Two birds', 'Their hint.'])
      expect(after).toContain(text);
  });

  it('keeps what was typed without a connection, and offers it again', async () => {
    const { at, first, path } = await made('live');
    const address = at(`/~/pages/${first}?edit=true`);
    const page = await signedIn(admin, address);
    await editor(page).click();
    await page.context().setOffline(true);
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Not lost. ');
    await page.keyboard.press('Control+s');
    await page.getByText('No connection: your text is kept in this browser').waitFor();
    // A moment for the storage of the browser.
    await page.waitForTimeout(500);
    await page.close({ runBeforeUnload: false });
    const again = await page.context().newPage();
    await again.context().setOffline(false);
    await again.goto(address);
    await again.getByRole('button', { name: 'Go on with it' }).click();
    await again.locator('.cm-content', { hasText: 'Not lost.' }).waitFor();
    await again.keyboard.press('Control+s');
    await saved(again);
    expect(await markdownOf(path, first)).toContain('Not lost.');
  });

  it('adds, renames, moves, deletes and restores pages in the tree by keyboard', async () => {
    const { at, path, second } = await made('live');
    const page = await signedIn(admin, at());
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add a page' }).click();
    await row(page, 'New page').focus();
    await page.keyboard.press('F2');
    await page.getByLabel('New title').fill('Made here');
    await page.keyboard.press('Enter');
    await row(page, 'Made here').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('“Made here” was moved').waitFor();
    const { body } = await admin.api.get<{ pages: { id: string; pages: { title: string }[] }[] }>(
      `${path}/content/pages`,
    );
    expect(body.pages.find(({ id }) => id === second)?.pages).toEqual([
      expect.objectContaining({ title: 'Made here' }),
    ]);
    await row(page, 'Install').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Made here').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('shows what revisions changed, and brings a page back', async () => {
    const { at, path, first } = await made('live');
    const changed = (await markdownOf(path, first)).replace('apple', 'pear');
    await admin.api.post(`${path}/content`, {
      changes: [{ operation: 'update_page', page: first, document: { markdown: changed } }],
    });
    const page = await signedIn(admin, at(`/~/history?page=${first}`));
    await page.locator('ins', { hasText: 'pear' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'history');
    await page.getByRole('button', { name: 'Bring the page back to the state before' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Bring/ })
      .click();
    await page.getByText('It is brought back').waitFor();
    expect(await markdownOf(path, first)).toContain('apple');
  });

  it('lists files and variables, on a narrow screen, too', async () => {
    const { at } = await made('live', [
      { operation: 'insert_files', files: [{ name: 'dot.png', contentType: 'image/png', base64: DOT }] },
      { operation: 'set_variables', variables: { product: 'Bindery' } },
    ]);
    const page = await signedIn(admin, at('/~/files'), {
      viewport: { width: PHONE, height: 800 },
      colorScheme: 'dark',
    });
    await page.getByRole('link', { name: 'dot.png' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(at('/~/variables'));
    await page.getByLabel('Value product').fill('Binder');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The variables are saved').waitFor();
    for (const path of ['', '/~/history', '/~/variables']) {
      await page.goto(at(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE);
    }
  });

  it('opens a tree of 10,000 pages within a second of CPU', async () => {
    const { path, at } = await made('live');
    for (let batch = 0; batch < 200; batch += 1) {
      const changes = Array.from({ length: 50 }, (_, index) => ({
        operation: 'insert_page',
        title: `Page ${batch}-${index}`,
      }));
      expect((await admin.api.post(`${path}/content`, { changes })).status).toBe(200);
    }
    const page = await signedIn(admin, at('/~/variables'));
    // The screen of the variables reads the whole space, which is no part of opening the tree.
    await page.getByRole('heading', { name: 'No variables yet' }).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpu = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    const before = await cpu();
    await page.getByRole('button', { name: 'Handbook' }).last().click();
    await page.locator('.place-sidebar .tree-row').nth(10).waitFor();
    const seconds = (await cpu()) - before;
    process.stdout.write(`a tree of 10,000 pages takes ${seconds.toFixed(2)} s of CPU\n`);
    expect(await page.locator('.place-sidebar .tree-row').count()).toBeLessThan(100);
    expect(seconds).toBeLessThan(1);
  }, 900_000);
});
