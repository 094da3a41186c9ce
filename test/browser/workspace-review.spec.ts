import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SignInLinks } from '../../src/identity/sessions/sign-in-links.service.js';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { Users } from '../../src/identity/users/users.service.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';

const MANY = 500;
const AT_ONCE = 50;

interface Written {
  readonly changes: readonly { readonly page: { readonly id: string } }[];
}

interface Made {
  readonly space: string;
  /** The path of the change request in the interface. */
  readonly request: string;
  readonly install: string;
  readonly at: (path?: string) => string;
}

describeInBrowser('reviewing in the workspace', (browsing) => {
  let app: TestApp;
  let workspace: Workspace;
  let author: Person;
  let reviewer: Person;
  let publicAddress: string;

  beforeAll(async () => {
    app = await TestApp.start();
    publicAddress = `http://127.0.0.1:${await app.get(PublicListener).listen()}`;
    app.get(Addresses).announce(app.url, publicAddress);
    workspace = await buildOrganization(app);
    author = workspace.admin;
    reviewer = await workspace.member('review');
  }, 600_000);

  afterAll(() => app.close());

  async function write(path: string, ...changes: object[]): Promise<string[]> {
    const { status, body } = await author.api.post<Written>(
      `${path}/content`,
      { changes },
      { query: { compat: false } },
    );
    expect([status, body]).toEqual([200, body]);
    return body.changes.map(({ page }) => page.id);
  }

  const insert = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });
  const edit = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } });

  /** A space with three pages, and a change request that changes one, adds one and deletes one. */
  async function made(): Promise<Made> {
    const space = await author.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title: 'Handbook',
      empty: true,
      editMode: 'live',
    });
    const path = `/spaces/${space.body.id}`;
    const [install = '', old = ''] = await write(
      path,
      insert('Install', 'Needs **Node.js** 18.\n\nRun the installer.'),
      insert('Old', 'Nobody needs this.'),
      insert('Kept', 'Stays as it is.'),
    );
    const request = await author.api.post<{ id: string; number: number }>(`${path}/change-requests`, {
      subject: 'Newer Node.js',
    });
    const requestPath = `${path}/change-requests/${request.body.id}`;
    await write(
      requestPath,
      edit(install, 'Needs **Node.js** 22.\n\nRun the installer.'),
      insert('Added', 'Something new.'),
      { operation: 'delete_page', page: old },
    );
    await author.api.patch(requestPath, { status: 'open' });
    const base = `${app.url}/app/o/${workspace.id}/s/${space.body.id}/~/changes/${request.body.number}`;
    return { space: path, request: requestPath, install, at: (rest = '') => `${base}${rest}` };
  }

  /** A tab in which somebody is signed in, at an address of the workspace. */
  async function open(person: Person, url: string, width = 1280): Promise<Page> {
    const { page } = await browsing.open({ viewport: { width, height: 900 } });
    const link = await app.get(SignInLinks).forUser(await app.get(Users).get(person.id));
    await page.goto(link.url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((address) => !address.pathname.endsWith('/sign-in'));
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  async function press(page: Page, ...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  /** Presses Tab until something has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>(`(document.activeElement?.textContent ?? '').trim()`);
      if (focused === name) return;
    }
    throw new Error(`${name} is not reached by Tab`);
  }

  it('goes through a change request by keyboard alone: list, differences, a comment, marks and the approval', async () => {
    const { request, at } = await made();
    const page = await open(reviewer, at().replace(/\/\d+$/, ''));
    await page.getByRole('link', { name: 'Newer Node.js' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'j', 'Enter');
    await page.getByRole('region', { name: 'Conversation' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'request');
    await tabTo(page, 'Changes');
    await press(page, 'Enter');
    await page.locator('.diff-block[data-change=changed]').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'changes');

    const changed = page.locator('.diff-block[data-change=changed]:focus');
    for (let steps = 0; steps < 4 && (await changed.count()) === 0; steps++) {
      await press(page, 'n');
      await page.waitForTimeout(500);
    }
    await changed.waitFor({ timeout: 1000 });
    await press(page, 'c');
    const form = page.getByLabel('Comment on the block', { exact: true });
    await form.waitFor();
    await page.keyboard.type('Is 22 out yet, @Person');
    await page.getByRole('option').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'Enter');
    await page.keyboard.type('?');
    await press(page, 'Control+Enter');
    await form.waitFor({ state: 'detached' });
    await page.getByText('Is 22 out yet').waitFor();
    const { body: comments } = await author.api.get<{ items: { body: { markdown: string }; target: object }[] }>(
      `${request}/comments`,
    );
    expect(comments.items[0]?.body.markdown).toMatch(/^Is 22 out yet, \[.+\]\(.+\/u\/.+ "mention"\) ?\?\n?$/);
    expect(comments.items[0]?.target).toMatchObject({ node: { id: expect.any(String) } });

    await page.evaluate(`document.activeElement?.blur()`);
    await press(page, '[', '[', '[');
    for (const count of [1, 2, 3]) {
      await press(page, 'v');
      await page.getByText(`${count} of 3 pages viewed`).waitFor();
    }
    await browsing.take(page, 'viewed');
    await press(page, 'a');
    await page.getByRole('dialog').getByLabel('Comment of the review').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.type('Fine.');
    await press(page, 'Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: reviews } = await author.api.get<{ items: { status: string }[] }>(`${request}/reviews`);
    expect(reviews.items.map(({ status }) => status)).toEqual(['approved']);

    // Another text takes the mark away.
    const { body: changes } = await reviewer.api.get<{ changes: { page: { id: string; title: string } }[] }>(
      `${request}/changes`,
    );
    const added = changes.changes.find(({ page: { title } }) => title === 'Added')?.page.id ?? '';
    await write(request, edit(added, 'Something newer.'));
    await page.reload();
    await page.getByText('2 of 3 pages viewed').waitFor();
  });

  it('begins a suggestion with the text of the block, and takes it over with one press', async () => {
    const { request, install, at } = await made();
    const page = await open(reviewer, at('/~/changes'));
    const block = page.locator('.diff-block[data-change=changed]');
    await block.getByRole('button', { name: 'Comment' }).click();
    await page.getByRole('button', { name: 'Suggest a text' }).click();
    const text = page.getByLabel('Suggested text');
    await text.waitFor();
    expect(await text.inputValue()).toBe('Needs **Node.js** 22.\n');
    await text.fill('Needs **Node.js** 22 or later.\n');
    await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    await page.getByRole('region', { name: 'Suggestion', exact: true }).waitFor();
    const other = await open(author, at());
    const suggestion = other.getByRole('region', { name: 'Suggestion', exact: true });
    await suggestion.waitFor();
    expect(await accessibilityFaults(other)).toEqual([]);
    await browsing.take(other, 'suggestion');
    await suggestion.getByRole('button', { name: 'Apply the suggestion' }).click();
    await other.getByText('Resolved by').waitFor();
    const { body } = await author.api.get<{ markdown: string }>(`${request}/content/page/${install}`, {
      query: { format: 'markdown' },
    });
    expect(body.markdown).toContain('Needs **Node.js** 22 or later.\n');
  });

  it('answers, reacts, resolves and deletes', async () => {
    const { request, at } = await made();
    await author.api.post(`${request}/comments`, { body: { markdown: 'Why at all?' } });
    const page = await open(reviewer, at());
    await page.getByText('Why at all?').waitFor();
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Reply', { exact: true }).fill('Because 18 is over.');
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await page.getByText('Because 18 is over.').waitFor();
    await page.getByRole('button', { name: 'React with an emoji' }).first().click();
    await page.getByRole('menuitem', { name: '👍' }).click();
    await page.getByRole('button', { name: /^👍 1/ }).waitFor();
    await page.getByRole('button', { name: 'Actions on the comment' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Because 18 is over.').waitFor({ state: 'detached' });
    await page.close();

    const other = await open(author, at(), 380);
    await other.getByRole('button', { name: 'Resolve' }).click();
    await other.getByRole('button', { name: 'Reopen' }).waitFor();
    await browsing.take(other, 'narrow');
    expect(await other.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(380);
    const { body } = await author.api.get<{ items: { status: string }[] }>(`${request}/comments`);
    expect(body.items.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('shows the revisions of a change request, and brings a page back within it', async () => {
    const { at, request, install } = await made();
    await write(request, edit(install, 'Needs **Node.js** 24.\n\nRun the installer.'));
    const page = await open(author, at('/~/history'));
    const revisions = page
      .locator('section')
      .first()
      .getByRole('button', { name: /^Edited/ });
    await revisions.nth(1).waitFor();
    expect(await revisions.count()).toBe(2);
    await revisions.first().click();
    await page.locator('ins', { hasText: '24' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'history');
    await page.getByRole('button', { name: 'Bring the page back to the state before' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Bring/ }).click();
    await page.getByText('It is brought back').waitFor();
    await revisions.nth(2).waitFor();
    const { body } = await author.api.get<{ markdown: string }>(`${request}/content/page/${install}`, {
      query: { format: 'markdown' },
    });
    expect(body.markdown).toContain('22');
  });

  it('shows what differs in a reusable content', async () => {
    const { at, request } = await made();
    const change = { operation: 'insert_reusable_content', title: 'Notice', document: { markdown: 'Mind the gap.' } };
    expect((await author.api.post(`${request}/content`, { changes: [change] })).status).toBe(200);
    const page = await open(reviewer, at('/~/changes'));
    const others = page.locator('#other-changes');
    await others.getByRole('button', { name: 'Show' }).click();
    await others.locator('.diff-block[data-change=inserted]', { hasText: 'Mind the gap.' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'reusable');
  });

  it('keeps the description as Markdown, and shows it rendered', async () => {
    const { at } = await made();
    const markdown = 'Node.js 18 is **over**:\n\n* one\n* two\n\n```\nfirst\n\n  last\n```';
    const page = await open(author, at());
    const edit = page.getByRole('button', { name: 'Change the description' });
    const field = page.getByRole('textbox', { name: 'Description' });
    await edit.click();
    await field.fill(markdown);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('strong', { hasText: 'over' }).waitFor();
    expect(await page.locator('.content li').allInnerTexts()).toEqual(['one', 'two']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.locator('strong', { hasText: 'over' }).waitFor();
    await edit.click();
    expect(await field.inputValue()).toBe(markdown);
  });

  it('settles conflicts, keeps what was decided when the published content moves, and merges', async () => {
    const { space, install, at } = await made();
    await write(space, edit(install, 'Needs **Node.js** 20.\n\nRun the installer.'));
    const page = await open(author, at('/~/conflicts'));
    const card = page.getByRole('region', { name: 'Conflict 1 of 1' });
    await card.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const send = page.getByRole('button', { name: 'Send and update' });
    expect(await send.isDisabled()).toBe(true);
    await card.getByText('Own text', { exact: true }).click();
    const own = card.getByLabel('Own text (Markdown)');
    expect(await own.inputValue()).toBe('Needs **Node.js** 22.\n');
    await own.fill('Needs **Node.js** 20 or 22.\n');
    await page.getByText('1 of 1 settled').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'conflict');

    // Another page meets another change meanwhile: the first decision is kept.
    const { body: pages } = await author.api.get<{ pages: { id: string; title: string }[] }>(`${space}/content/pages`);
    const old = pages.pages.find(({ title }) => title === 'Old')?.id ?? '';
    await write(space, edit(old, 'Somebody needs this after all.'));
    await send.click();
    await page.getByText('The published content changed meanwhile.').waitFor();
    await page.getByText('1 of 2 settled').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next open conflict' }).click();
    const next = page.getByRole('region', { name: /^Conflict / }).and(page.locator(':focus'));
    await next.getByText('Theirs', { exact: true }).click();
    await send.click();
    await page.getByRole('region', { name: 'Conversation' }).waitFor();
    const merge = page.getByRole('region', { name: 'Merge' }).getByRole('button', { name: 'Merge', exact: true });
    await merge.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Its changes are part of the content.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const read = async (id: string) =>
      (await author.api.get<{ markdown: string }>(`${space}/content/page/${id}`, { query: { format: 'markdown' } }))
        .body.markdown;
    expect(await read(install)).toContain('Needs **Node.js** 20 or 22.\n');
    expect(await read(old)).toContain('after all');
  });

  it('shows the whole site with the change request, in a frame and in a new tab', async () => {
    const { at } = await made();
    const page = await open(author, at());
    await page.getByRole('button', { name: 'Preview the site' }).click();
    const address = await page.getByTitle('Preview of the site').getAttribute('src');
    expect(new URL(address ?? '').origin).toBe(publicAddress);
    await page.frameLocator('iframe').getByText('Needs Node.js 22.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.getByText('Needs Node.js 22.').waitFor();
    await browsing.take(page, 'preview');
  });

  it(`opens ${MANY} changed pages within a second of the processor`, async () => {
    const { request, at } = await made();
    for (let done = 0; done < MANY; done += AT_ONCE)
      await write(
        request,
        ...Array.from({ length: AT_ONCE }, (_, index) => insert(`Page ${done + index}`, 'Text of a page.')),
      );
    const page = await open(reviewer, at());
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const seconds = async (): Promise<number> =>
      (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
    const before = await seconds();
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page.locator('.diff-block').first().waitFor();
    const spent = (await seconds()) - before;
    process.stdout.write(`${MANY} changed pages: ${spent.toFixed(2)} s\n`);
    expect(spent).toBeLessThan(1);
    expect(await page.locator('.page-card').count()).toBe(MANY + 3);
    await browsing.take(page, 'many');
  });
});
