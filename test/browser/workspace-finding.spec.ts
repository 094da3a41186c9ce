import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { VisualPage } from './visual-page.js';
import { useWorkspace } from './workspace.js';

const PHONE = { viewport: { width: 380, height: 800 } };
const MARKDOWN = [
  'One apple, **one** pear.',
  '{% hint style="info" %}\nNo one knows.\n{% endhint %}',
  '$$\none\n$$',
  'The end.',
].join('\n\n');

describeInBrowser('finding, counting and describing in the editors', (browsing) => {
  const workspace = useWorkspace(browsing);
  const bar = (page: Page) => page.getByRole('search', { name: 'Find in the text' });
  const status = (page: Page) => bar(page).getByRole('status');
  const field = (page: Page, name: string) => bar(page).getByRole('textbox', { name, exact: true });
  const press = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click();

  it('finds and replaces in the visual editor, by the keyboard', async () => {
    const at = await VisualPage.open(workspace.current, { markdown: MARKDOWN });
    const { page } = at;
    const before = await at.document();
    await at.putCursorIn('One apple');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('one');
    await status(page).getByText('1 of 3').waitFor();
    await bar(page).getByText('One block is shown as a whole').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'find-visual');
    await page.keyboard.press('Enter');
    await status(page).getByText('2 of 3').waitFor();
    await page.keyboard.press('Shift+Enter');
    await status(page).getByText('1 of 3').waitFor();
    await page.keyboard.press('F3');
    await status(page).getByText('2 of 3').waitFor();
    await press(page, 'Match case');
    await status(page).getByText('of 2').waitFor();
    await press(page, 'Match case');
    await field(page, 'Find').fill('nobody');
    await status(page).getByText('Not found').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toContain('visual-text');

    await page.keyboard.press('Control+h');
    await field(page, 'Find').fill('one');
    await field(page, 'Replace with').fill('two');
    await press(page, 'Replace all');
    await status(page).getByText('3 places replaced').waitFor();
    await page.keyboard.press('Escape');
    await at.save();
    expect(await at.words()).toEqual(['two apple, two pear.', expect.stringContaining(''), '', 'The end.']);
    const after = await at.document();
    expect(JSON.stringify(after.nodes[0])).toContain('"type":"bold"');
    expect(after.nodes.map(({ key }) => key)).toEqual(before.nodes.map(({ key }) => key));
    expect(JSON.stringify(after.nodes[1])).toContain('No two knows.');
    expect(after.nodes.slice(2)).toEqual(before.nodes.slice(2));
    // One step takes all of it back, also after the text was saved.
    await page.keyboard.press('Control+z');
    await at.save();
    expect((await at.document()).nodes).toEqual(before.nodes);
  });

  it('finds and replaces in the editor of Markdown in the same way', async () => {
    const at = await VisualPage.open(workspace.current, { markdown: MARKDOWN });
    const { page } = at;
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.getByRole('button', { name: 'Markdown', exact: true }).click();
    const source = page.locator('.cm-content');
    await source.getByText('One apple').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('one');
    await status(page).getByText('1 of 4').waitFor();
    await page.keyboard.press('Enter');
    await status(page).getByText('2 of 4').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'find-source');
    await page.keyboard.press('Control+h');
    await field(page, 'Replace with').fill('$1\\n');
    await press(page, 'Whole words');
    await press(page, 'Replace all');
    await status(page).getByText('4 places replaced').waitFor();
    await page.keyboard.press('Escape');
    await source.getByText('$1\\n apple, **$1\\n** pear.').waitFor();
    await page.keyboard.press('Control+z');
    await source.getByText('One apple, **one** pear.').waitFor();
    // The search ends with its editor.
    await page.keyboard.press('Control+f');
    await page.getByRole('button', { name: 'Visual editor' }).click();
    await at.text.waitFor();
    await bar(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+f');
    await status(page).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Markdown', exact: true }).click();
    await source.waitFor();
    expect(faults).toEqual([]);
  });

  it('counts the words and characters of the text and of what is selected', async () => {
    const at = await VisualPage.open(workspace.current, { markdown: 'One apple\n\n我爱北京\n' }, PHONE);
    const { page } = at;
    const count = page.locator('.word-count');
    await count.getByText('5 words, 13 characters', { exact: true }).waitFor();
    await at.text.getByText('One apple').dblclick({ position: { x: 8, y: 8 } });
    await count.getByText('Selected: 1 word, 3 characters', { exact: true }).waitFor();
    await at.putCursorIn('One apple');
    await page.keyboard.press('End');
    await page.keyboard.type(' more');
    await count.getByText('6 words, 18 characters', { exact: true }).waitFor();
    await page.keyboard.press('Control+f');
    await field(page, 'Find').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'find-phone');
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('has the details of a page above its text, in both editors', async () => {
    const at = await VisualPage.open(workspace.current, { markdown: 'One apple\n' });
    const { page, space } = at;
    await space.write({ operation: 'insert_tag', label: 'Beta' });
    await page.reload();
    const details = page.getByRole('button', { name: 'Details of the page' });
    await details.click();
    const form = page.getByRole('form', { name: 'Details of the page' });
    await form.getByLabel('Description', { exact: true }).fill('About apples');
    await form.getByLabel('Icon').fill('rocket');
    await form.getByRole('button', { name: 'Add a variable' }).click();
    await form.getByLabel('Name').fill('fruit');
    await form.getByLabel('Value fruit').fill('apple');
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'details');
    // The other editor has what is not saved yet.
    await page.getByRole('button', { name: 'Markdown', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    await page.getByText('Not saved yet').waitFor();
    // Nobody leaves without being asked; dialogs of the browser are answered with no here.
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForTimeout(1000);
    expect(await page.locator('.cm-content').isVisible()).toBe(true);
    await form.getByLabel('Outline of the page').click({ force: true });
    await form.getByRole('button', { name: 'Save the details' }).click();
    await page.getByText('The settings of the page are saved').waitFor();
    const { admin } = workspace.current.organization;
    const { body } = await admin.api.get<Record<string, unknown>>(`/spaces/${space.id}/content/page/${at.id}`);
    expect(body).toMatchObject({
      description: 'About apples',
      icon: 'rocket',
      variables: { fruit: 'apple' },
      layout: { outline: false, pagination: true },
    });
    await page.getByText('About apples').first().waitFor();
  });
});
