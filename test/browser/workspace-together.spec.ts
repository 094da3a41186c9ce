import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSpace, type Space } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { succeeded, useWorkspace } from './workspace.js';

/** Others are told of what somebody has written within this time. */
const SOON = { timeout: 20_000 };

describeInBrowser('two people in one page', (browsing) => {
  const workspace = useWorkspace(browsing);

  interface Shared {
    readonly space: Space;
    readonly id: string;
    readonly read: string;
    readonly write: string;
  }

  async function shared(): Promise<Shared> {
    const { organization } = workspace.current;
    const space = await buildSpace(organization, 'Handbook');
    const markdown = 'First paragraph.\n\nSecond paragraph.\n\nThird paragraph.';
    const [id = ''] = await space.write({ operation: 'insert_page', title: 'Shared', document: { markdown } });
    const read = workspace.current.home(`/s/${space.id}/~/pages/${id}`);
    return { space, id, read, write: `${read}?edit=true` };
  }

  async function visual(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Visual editor' }).click();
    await page.locator('.visual-text').waitFor();
  }

  const nameOf = async (page: Page): Promise<string> => {
    const text = await page.getByRole('button', { name: /^Account of/ }).textContent();
    return /Account of (.*)/.exec(text ?? '')?.[1]?.trim() ?? '';
  };

  async function type(page: Page, paragraph: string, words: string): Promise<void> {
    await page.locator('.visual-text').getByText(paragraph).click();
    await page.keyboard.press('End');
    await page.keyboard.type(words);
  }

  it('see where the other one writes, and what, without a reload', async () => {
    const { organization } = workspace.current;
    const at = await shared();
    const ann = await workspace.current.signedIn(organization.admin, at.write);
    const bob = await workspace.current.signedIn(await organization.member('edit'), at.write);
    for (const page of [ann, bob]) await visual(page);
    const [annName, bobName] = [await nameOf(ann), await nameOf(bob)];
    await bob.getByRole('status').getByText(`${annName} writes this page too.`).waitFor(SOON);
    await type(ann, 'First paragraph.', ' Ann was here.');
    const typed = Date.now();
    const block = bob.locator('.written-by-other');
    await block.getByText('First paragraph.').waitFor(SOON);
    expect(await block.getAttribute('data-writer')).toBe(annName);
    expect(await accessibilityFaults(bob)).toEqual([]);
    await bob.locator('.visual-text').getByText('Ann was here.').waitFor(SOON);
    process.stdout.write(`words were seen by the other after ${Date.now() - typed} ms\n`);
    expect(await bob.locator('.editor-bar').getByText('Saved', { exact: true }).isVisible()).toBe(true);

    await Promise.all([type(ann, 'First paragraph.', ' And again.'), type(bob, 'Third paragraph.', ' Bob was here.')]);
    await ann.locator('.visual-text').getByText('Bob was here.').waitFor(SOON);
    await bob.locator('.visual-text').getByText('And again.').waitFor(SOON);
    await expectMarkdown(at, [
      'First paragraph. Ann was here. And again.',
      'Second paragraph.',
      'Third paragraph. Bob was here.',
    ]);

    await ann.getByRole('button', { name: 'Done' }).click();
    await bob.getByRole('list', { name: 'Others at this page' }).getByText(`${annName} is here`).waitFor(SOON);
    await ann.getByRole('list', { name: 'Others at this page' }).getByText(`${bobName} is writing`).waitFor(SOON);
    expect(await accessibilityFaults(ann)).toEqual([]);
    await type(bob, 'Second paragraph.', ' Read on.');
    await ann.locator('article').getByText('Second paragraph. Read on.').waitFor(SOON);
    await ann.goto(workspace.current.home());
    await bob.getByRole('list', { name: 'Others at this page' }).waitFor({ state: 'detached', ...SOON });
  }, 240_000);

  it('take over what others write in the source editor, and go on after their connection was lost', async () => {
    const { organization } = workspace.current;
    const at = await shared();
    const ann = await workspace.current.signedIn(organization.admin, at.write);
    const change = { operation: 'update_page', page: at.id, document: { markdown: 'First paragraph.\n\nNew words.' } };
    await at.space.write(change);
    await ann.locator('.cm-content').getByText('New words.').waitFor(SOON);
    await ann.context().setOffline(true);
    const later = 'First paragraph.\n\nNew words.\n\nLater words.';
    await at.space.write({ ...change, document: { markdown: later } });
    await ann.waitForTimeout(1000);
    await ann.context().setOffline(false);
    await ann.locator('.cm-content').getByText('First paragraph.').click();
    await ann.keyboard.press('End');
    await ann.keyboard.type(' Ann was here.');
    await ann.locator('.cm-content').getByText('Later words.').waitFor({ timeout: 60_000 });
    await ann.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor({ timeout: 60_000 });
    await expectMarkdown(at, ['First paragraph. Ann was here.', 'New words.', 'Later words.']);
  }, 240_000);

  async function expectMarkdown({ space, id }: Shared, paragraphs: readonly string[]): Promise<void> {
    const { admin } = workspace.current.organization;
    const text = ['# Shared', ...paragraphs].join('\n\n');
    const read = async () =>
      succeeded(
        await admin.api.get<{ markdown: string }>(`/spaces/${space.id}/content/page/${id}`, {
          query: { format: 'markdown' },
        }),
      ).markdown.trim();
    for (let attempt = 0; attempt < 20 && (await read()) !== text; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await read()).toBe(text);
  }
});
