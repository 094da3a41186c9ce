import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import type { Block, Document } from '../../src/formats/document/types.js';
import { codeText } from '../../src/formats/document/text.js';
import { everyConstruct } from '../every-construct.js';
import { until } from '../notification-desk.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { paste, putCursorIn, save, textOf, VisualPage, wordsOf } from './visual-page.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const DOCS = join(import.meta.dirname, '../../docs');
const PHONE = { viewport: { width: 380, height: 800 } };
const CURSOR_MS = 150;
/** Pixels between a block and its handle. */
const NEAR = 20;
const ID = 'AbCdEfGh0123456789Xy';
const NOWHERE = { file: ID, page: ID, space: ID, collection: ID, user: ID, reusableContent: ID };
/** Each level of headings follows the one above it. */
function withoutSmallHeadings(document: Document): Document {
  return { ...document, nodes: document.nodes.filter(({ data }) => !('level' in data)) };
}

const DARK = { colorScheme: 'dark' } as const;

describeInBrowser('the visual editor', (browsing) => {
  const workspace = useWorkspace(browsing);

  type Given = Parameters<typeof VisualPage.open>[1];
  const opened = (document: Given, options?: BrowserContextOptions): Promise<VisualPage> =>
    VisualPage.open(workspace.current, document, options);

  async function revisionOf({ space }: VisualPage): Promise<string> {
    const { admin } = workspace.current.organization;
    return succeeded(await admin.api.get<{ revision: string }>(`/spaces/${space.id}`)).revision;
  }

  const json = (block: Block | undefined): string => JSON.stringify(block);

  it('opens and closes a page of the documentation without a new revision', async () => {
    const at = await opened({ markdown: readFileSync(join(DOCS, 'guides/write.md'), 'utf8') });
    const before = await revisionOf(at);
    await textOf(at.page).click();
    await at.page.keyboard.press('ArrowDown');
    await at.page.getByRole('button', { name: 'Markdown', exact: true }).click();
    await at.page.locator('.cm-content').waitFor();
    await at.page.keyboard.press('Control+Shift+E');
    await textOf(at.page).waitFor();
    expect(await accessibilityFaults(at.page)).toEqual([]);
    await browsing.take(at.page, 'visual');
    expect(await at.page.getByText('in another tab').count()).toBe(0);
    await at.page.getByRole('button', { name: 'Done' }).click();
    await at.page.locator('article').waitFor();
    expect(await revisionOf(at)).toBe(before);
  });

  it('writes, marks, links, inserts and moves blocks, and leaves the others as they are', async () => {
    const at = await opened({ markdown: readFileSync(join(DOCS, 'guides/write.md'), 'utf8') });
    const { page } = at;
    const before = await at.document();
    const first = before.nodes.find(({ type }) => type === 'paragraph');
    await textOf(page).locator('> p').first().click();
    await page.waitForTimeout(CURSOR_MS);
    await page.keyboard.press('Control+End');
    // The page ends with a hint, which is left.
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Typed **boldly** with `code`. See [[install');
    await page.getByRole('option', { name: /Install it/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/success');
    await page.getByRole('option', { name: 'Hint: success' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'visual-slash');
    await page.keyboard.press('Enter');
    await textOf(page).locator('.block-hint[data-look=success]').waitFor();
    await page.keyboard.press('Control+a');
    await save(page);
    const after = await at.document();
    const kept = before.nodes.map(json);
    expect(after.nodes.map(json).slice(0, kept.length)).toEqual(kept);
    const [typed, hint] = after.nodes.slice(kept.length);
    expect(wordsOf(typed)).toBe('Typed boldly with code. See Install it');
    expect(json(typed)).toContain('{"object":"mark","type":"bold"}');
    expect(json(typed)).toContain('"kind":"page"');
    expect(hint?.type).toBe('hint');
    await textOf(page).locator('> p').first().click();
    await page.waitForTimeout(CURSOR_MS);
    await page.keyboard.press('Alt+ArrowDown');
    await save(page);
    const moved = await at.document();
    const place = after.nodes.findIndex(({ key }) => key === first?.key);
    expect(moved.nodes.findIndex(({ key }) => key === first?.key)).toBe(place + 1);
    expect(moved.nodes.map(json).sort()).toEqual(after.nodes.map(json).sort());
    await show(page, at.address);
    await textOf(page).getByText('Typed boldly with code.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('article .hint.success').waitFor();
  });

  it('makes blocks of the signs of Markdown while they are typed, and takes them back', async () => {
    const at = await opened({ markdown: 'Before\n' });
    const { page } = at;
    await textOf(page).click();
    await page.keyboard.press('Control+End');
    const typed = ['## Heading', '* one', 'two', '', '1. first', '', '[ ] task', '', '> quote'];
    for (const line of typed) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(line);
    }
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('```js');
    await page.keyboard.press('Enter');
    await page.keyboard.type('one();');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two();');
    await save(page);
    const { nodes } = await at.document();
    expect(nodes.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['heading-2', 'list-unordered', 'list-ordered', 'list-tasks', 'blockquote', 'code']),
    );
    const code = nodes.find((each): each is Block<'code'> => each.type === 'code');
    expect(code && [codeText(code), code.data.syntax]).toEqual(['one();\ntwo();', 'js']);
    await browsing.take(page, 'visual-markdown');
    for (let index = 0; index < 200 && (await textOf(page).locator('h2').count()) > 0; index += 1)
      await page.keyboard.press('Control+z');
    expect(await textOf(page).locator('h2').count()).toBe(0);
  });

  it('pastes HTML and Markdown, marks what is selected and sets links by a dialog', async () => {
    const at = await opened({ markdown: 'First paragraph\n' });
    const { page } = at;
    await textOf(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await paste(page, {
      'text/html':
        '<h2>From elsewhere</h2><p>With <b>bold</b> and <a href="javascript:alert(1)">a trap</a></p><ul><li>item</li></ul>',
    });
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Enter');
    await paste(page, { 'text/plain': '## From Markdown\n\n{% hint style="danger" %}\nMind it\n{% endhint %}\n' });
    await textOf(page).locator('.block-hint[data-look=danger]').waitFor();
    await textOf(page).getByText('First paragraph').dblclick();
    await page.getByRole('toolbar', { name: 'Marks of the text' }).getByRole('button', { name: 'Italic' }).click();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Page or address').fill('https://example.com/');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take it' }).click();
    await save(page);
    const { nodes } = await at.document();
    const [paragraph] = nodes;
    expect(json(paragraph)).toContain('"url":"https://example.com/"');
    expect(json(paragraph)).toContain('{"object":"mark","type":"italic"}');
    const all = JSON.stringify(nodes);
    expect(nodes.map(({ type }) => type)).toEqual(expect.arrayContaining(['list-unordered', 'heading-2', 'hint']));
    expect(all).not.toContain('javascript:');
  });

  it.each([
    ['word', 'heading-1 paragraph list-unordered list-ordered table paragraph'],
    ['google-docs', 'heading-1 paragraph list-unordered list-ordered list-tasks table paragraph heading-2'],
    [
      'notion',
      'heading-1 paragraph list-unordered list-ordered list-tasks expandable hint hint blockquote code table list-tasks paragraph',
    ],
  ])('pastes what %s copies with its headings, lists, tasks, tables and code', async (name, types) => {
    const at = await opened({ markdown: 'Begin here\n' });
    const { page } = at;
    const html = readFileSync(join(import.meta.dirname, `../fixtures/pasted/${name}.html`), 'utf8');
    await putCursorIn(page, 'Begin here');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await paste(page, { 'text/html': html, 'text/plain': 'words' });
    await textOf(page).locator('h1').waitFor();
    await save(page);
    const { nodes } = await at.document();
    expect(nodes.map(({ type }) => type).join(' ')).toBe(`paragraph ${types}`);
    // A few words go on in the line that they are pasted into.
    await putCursorIn(page, 'Begin here');
    await page.keyboard.press('End');
    await paste(page, {
      'text/html':
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><span style="font-weight:700">, now</span></b>',
      'text/plain': ', now',
    });
    await textOf(page).locator('p strong').getByText(', now').waitFor();
    await page.keyboard.type('!');
    await save(page);
    expect((await at.words())[0]).toBe('Begin here, now!');
  });

  it('pastes a part of a web page with its pictures', async () => {
    const at = await opened({ markdown: 'Begin here\n' });
    await putCursorIn(at.page, 'Begin here');
    await at.page.keyboard.press('End');
    await at.page.keyboard.press('Enter');
    await paste(at.page, {
      'text/html': '<p>Press <b>this</b>:</p><p><img src="https://pictures.invalid/a.png" alt="A button"></p>',
      'text/plain': 'Press this:',
    });
    await textOf(at.page).locator('strong').getByText('this').waitFor();
    await save(at.page);
    expect((await at.document()).nodes.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph']);
    expect(JSON.stringify(await at.document())).toContain('"url":"https://pictures.invalid/a.png"');
  });

  it('shows what others write meanwhile, and settles a block that both changed', async () => {
    const at = await opened({ markdown: 'One apple a day.\n\nTwo birds in the bush.\n\nThree.\n' });
    const { page, space, id } = at;
    const theirs = { markdown: 'One apple a day.\n\nTwo birds in the hand.\n\nThree.\n' };
    await space.write({ operation: 'update_page', page: id, document: theirs });
    await putCursorIn(page, 'One apple');
    await page.keyboard.press('Home');
    await page.keyboard.type('Mine: ');
    await save(page);
    await textOf(page).getByText('Two birds in the hand.').waitFor();
    expect(await at.words()).toEqual(['Mine: One apple a day.', 'Two birds in the hand.', 'Three.']);
    // An editor that is told at once takes it over before anything is typed.
    await page.route(/\/presence\/stream/, (route) => route.abort());
    await page.reload();
    await textOf(page).getByText('One apple').waitFor();
    const again = { markdown: 'Mine: One pear a day.\n\nTwo birds in the hand.\n\nThree.\n' };
    await space.write({ operation: 'update_page', page: id, document: again });
    await putCursorIn(page, 'One apple');
    await page.keyboard.press('End');
    await page.keyboard.type(' Or two.');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Settle' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Both', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save what is chosen' }).click();
    await textOf(page).getByText('One pear a day.').waitFor();
    await save(page);
    const after = await at.words();
    expect(after).toEqual(expect.arrayContaining(['Mine: One apple a day. Or two.', 'Mine: One pear a day.']));
    expect(after.slice(-2)).toEqual(['Two birds in the hand.', 'Three.']);
  });

  it('offers what was typed without a connection again, also in the editor of Markdown', async () => {
    const at = await opened({ markdown: 'One apple a day.\n' });
    const { page } = at;
    await putCursorIn(page, 'One apple');
    await page.context().setOffline(true);
    await page.keyboard.press('End');
    await page.keyboard.type(' Not lost.');
    await page.keyboard.press('Control+s');
    await page.getByText('No connection: your text is kept in this browser').waitFor();
    // A moment for the storage of the browser.
    await page.waitForTimeout(500);
    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.context().setOffline(false);
    await next.goto(workspace.current.at('/'));
    await next.evaluate<undefined>(`localStorage.setItem('bindery.form', '"source"')`);
    await next.goto(at.address);
    await next.locator('.cm-content').waitFor();
    await next.getByRole('button', { name: 'Go on with it' }).click();
    await textOf(next).getByText('One apple a day. Not lost.').waitFor();
    await save(next);
    expect(await at.words()).toEqual(['One apple a day. Not lost.']);
  });

  it('keeps what is typed while Markdown is pasted, and what is pasted without a connection', async () => {
    const at = await opened({ markdown: 'First\n' });
    const { page } = at;
    const rendering = '**/content/render';
    await putCursorIn(page, 'First');
    await page.keyboard.press('End');
    await page.route(rendering, async (route) => {
      await page.keyboard.type(' typed meanwhile');
      await route.continue();
    });
    await paste(page, { 'text/plain': '## Pasted\n\nText\n' });
    await textOf(page).locator('h2').waitFor();
    await textOf(page).getByText('First typed meanwhile').waitFor();
    await page.unroute(rendering);
    await page.route(rendering, (route) => route.abort());
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await paste(page, { 'text/plain': '**Not** lost\n' });
    await textOf(page).getByText('**Not** lost').waitFor();
    await page.keyboard.press('Enter');
    const picture = '<img src="https://pictures.invalid/a.png">';
    await paste(page, { 'text/html': `<p>With <b>layout</b></p>${picture}`, 'text/plain': 'With layout' });
    await textOf(page).locator('strong').getByText('layout').waitFor();
    await save(page);
    expect(await at.words()).toEqual([
      'First typed meanwhile',
      'Pasted',
      expect.stringContaining('Text'),
      '**Not** lost',
      'With layout',
    ]);
    // Nobody who leaves loses what is on its way.
    await page.unroute(rendering);
    await page.route(rendering, async (route) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await route.continue();
    });
    await putCursorIn(page, 'typed');
    await page.keyboard.press('Home');
    await paste(page, {
      'text/html': `<p>Late words</p><div>\n\n        of a page\n\n</div>${picture}`,
      'text/plain': 'Late',
    });
    await page.locator('article').getByText('of a page').waitFor();
    expect((await at.words()).slice(0, 2)).toEqual(['Late words', 'of a page']);
    expect(JSON.stringify(await at.document())).not.toContain('"type":"code"');
  });

  it('keeps a text that was left behind until the other editor has it, and another tab in its own editor', async () => {
    const at = await opened({ markdown: 'One apple a day.\n' });
    const { page } = at;
    await putCursorIn(page, 'One apple');
    const other = await page.context().newPage();
    await other.goto(at.address);
    await textOf(other).waitFor();
    await other.getByRole('button', { name: 'Markdown', exact: true }).click();
    await other.locator('.cm-content').waitFor();
    expect(await textOf(page).isVisible()).toBe(true);
    await page.context().setOffline(true);
    await page.keyboard.press('End');
    await page.keyboard.type(' Not lost.');
    await page.keyboard.press('Control+s');
    await page.getByText('No connection: your text is kept in this browser').waitFor();
    // A moment for the storage of the browser.
    await page.waitForTimeout(500);
    await page.close({ runBeforeUnload: false });
    await other.context().setOffline(false);
    const reading = /format=document/;
    await other.route(reading, (route) => route.abort());
    await other.goto(at.address);
    await other.getByRole('button', { name: 'Go on with it' }).click();
    await other.waitForTimeout(1000);
    await other.unroute(reading);
    await other.evaluate<undefined>(`localStorage.setItem('bindery.form', '"source"')`);
    await other.goto(at.address);
    await other.getByRole('button', { name: 'Go on with it' }).click();
    await textOf(other).getByText('One apple a day. Not lost.').waitFor();
    await save(other);
    expect(await at.words()).toEqual(['One apple a day. Not lost.']);
  });

  it('shows a picture that was uploaded, and again when it opens', async () => {
    const at = await opened({ markdown: 'Above\n' });
    const { page } = at;
    await putCursorIn(page, 'Above');
    await page.keyboard.press('End');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Picture or file' }).click();
    const pixel = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    await (await chooser).setFiles({ name: 'dot.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(pixel) });
    await textOf(page).locator('.picture img').waitFor();
    await save(page);
    await page.reload();
    await textOf(page).getByText('Above').waitFor();
    await textOf(page).locator('.picture img').waitFor();
  });

  it('acts on the block whose menu is open, though the menu lies over others and somebody else writes above it', async () => {
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];
    const at = await opened({ markdown: names.join('\n\n') });
    const { page } = at;
    await textOf(page).getByText('Second').hover();
    const handle = page.getByRole('button', { name: 'Move the block, or do more with it' });
    const topOf = async (element: typeof handle): Promise<number> => (await element.boundingBox())?.y ?? Infinity;
    await until(async () => Math.abs((await topOf(handle)) - (await topOf(textOf(page).getByText('Second')))) < NEAR);
    await handle.click();
    const remove = page.getByRole('menuitem', { name: 'Delete' });
    const box = await remove.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10, { steps: 20 });
    const markdown = ['New', ...names].join('\n\n');
    await at.space.write({ operation: 'update_page', page: at.id, document: { markdown } });
    await textOf(page).getByText('New').waitFor({ timeout: 30_000 });
    await page.mouse.move((box?.x ?? 0) + 12, (box?.y ?? 0) + 12, { steps: 5 });
    await remove.click();
    await save(page);
    expect(await at.words()).toEqual(['New', ...names.filter((name) => name !== 'Second')]);
  });

  it('adds rows and columns to a table by its bar and by Tab, and moves blocks by their handle', async () => {
    const at = await opened({ markdown: 'Above\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nBelow\n' });
    const { page } = at;
    const before = await at.document();
    await textOf(page).getByRole('cell', { name: '2' }).click();
    await page.waitForTimeout(CURSOR_MS);
    const bar = page.getByRole('toolbar', { name: 'Rows and columns of the table' });
    await bar.getByRole('button', { name: 'Add column' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'visual-table');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await page.keyboard.press('Tab');
    await page.keyboard.type('next');
    const handle = page.getByRole('button', { name: 'Move the block, or do more with it' });
    const showHandle = async (words: string): Promise<void> => {
      const block = textOf(page).getByText(words);
      await block.hover();
      const topOf = async (element: typeof block): Promise<number> => (await element.boundingBox())?.y ?? Infinity;
      await until(async () => Math.abs((await topOf(handle)) - (await topOf(block))) < NEAR);
    };
    await showHandle('Below');
    await handle.click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await showHandle('Above');
    await handle.dragTo(textOf(page).getByText('Below'), { targetPosition: { x: 200, y: 22 } });
    await save(page);
    const after = await at.document();
    expect(after.nodes.map(({ key }) => key)).toEqual(
      [before.nodes[2], before.nodes[0], before.nodes[1]].map((each) => each?.key),
    );
    const table = after.nodes[2] as Block<'table'>;
    const { markdown } = await (async () => {
      const { admin } = workspace.current.organization;
      return succeeded(
        await admin.api.get<{ markdown: string }>(`/spaces/${at.space.id}/content/page/${at.id}`, {
          query: { format: 'markdown' },
        }),
      );
    })();
    expect(table.data.view.columns.length).toBe(3);
    expect(markdown.replace(/ +/g, ' ')).toMatch(/\| 1 \| 2 \| 3 \|\n\| next \| \| \|/);
  });

  it('copies links with their addresses and formulas with their words for other programs', async () => {
    const at = await opened({ markdown: 'See [a site](https://example.com/x) and more\n\n$$\nx^2\n$$\n\nEnd\n' });
    const { page } = at;
    await at.putCursorIn('End');
    await page.keyboard.press('Control+a');
    const [html = '', plain] = await page.evaluate<string[]>(`(() => {
      const clipboardData = new DataTransfer();
      document.querySelector('.visual-text').dispatchEvent(
        new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return ['text/html', 'text/plain'].map((type) => clipboardData.getData(type));
    })()`);
    expect(html).toContain('<a href="https://example.com/x">a site</a>');
    expect(html).toContain('x^2');
    expect(html).not.toContain('math');
    expect(plain).toBe('See a site and more\n\nx^2\n\nEnd');
  });

  it('inserts a card of a page, a reusable content and a file by the menu, and changes a formula in a line', async () => {
    const at = await opened({ markdown: 'A formula $$x^2$$ here\n' });
    const { page, space } = at;
    await space.write({
      operation: 'insert_reusable_content',
      title: 'Hours',
      document: { markdown: 'Nine to five.' },
    });
    await page.reload();
    await textOf(page).getByText('x^2').dblclick();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Formula').fill('y^3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const insert = async (words: string, choice: string): Promise<void> => {
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type(`/${words}`);
      await page.getByRole('option', { name: choice }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    await textOf(page).getByText('A formula').click();
    await page.waitForTimeout(CURSOR_MS);
    await insert('card of', 'Card of a page');
    await dialog.getByRole('button', { name: /Install it/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await textOf(page).locator('.block-content-ref').waitFor();
    await insert('reusable', 'Reusable content');
    await dialog.getByRole('button', { name: /Hours/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await textOf(page).getByText('Nine to five.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await textOf(page).locator('.block-reusable-content').click();
    await page.waitForTimeout(CURSOR_MS);
    await insert('file download', 'File');
    await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await textOf(page).getByText('notes.txt').waitFor();
    await save(page);
    const { nodes } = await at.document();
    expect(nodes.map(({ type }) => type)).toEqual(['paragraph', 'content-ref', 'reusable-content', 'file']);
    expect(json(nodes[0])).toContain('"formula":"y^3"');
  });

  it.each([
    ['light', {}],
    ['dark', DARK],
    ['phone', PHONE],
  ])('shows every construct without a fault of accessibility: %s', async (name, options) => {
    const at = await opened({ document: withoutSmallHeadings(everyConstruct(NOWHERE)) }, options);
    const { page } = at;
    await page.waitForTimeout(1500);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, `visual-every-${name}`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
