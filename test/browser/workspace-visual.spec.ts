import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Block, Document } from '../../src/formats/document/types.js';
import { codeText, lineText } from '../../src/formats/document/text.js';
import { everyConstruct } from '../every-construct.js';
import { buildSpace, type Space } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';
import { show, succeeded, useWorkspace } from './workspace.js';

const DOCS = join(import.meta.dirname, '../../docs');
const PHONE = { viewport: { width: 380, height: 800 } };
/** The time of a frame at 60 of them a second. */
const FRAME_MS = 1000 / 60;
const CURSOR_MS = 150;
const ID = 'AbCdEfGh0123456789Xy';
const NOWHERE = { file: ID, page: ID, space: ID, collection: ID, user: ID, reusableContent: ID };
/** Each level of headings follows the one above it. */
function withoutSmallHeadings(document: Document): Document {
  return { ...document, nodes: document.nodes.filter(({ data }) => !('level' in data)) };
}

const DARK = { colorScheme: 'dark' } as const;

describeInBrowser('the visual editor', (browsing) => {
  const workspace = useWorkspace(browsing);

  interface Opened {
    readonly space: Space;
    readonly id: string;
    readonly page: Page;
    readonly address: string;
  }

  /** A page in the visual editor of an administrator. */
  async function opened(
    document: { readonly markdown: string } | { readonly document: Document },
    options?: object,
  ): Promise<Opened> {
    const { organization } = workspace.current;
    const space = await buildSpace(organization, 'Handbook');
    const [id = ''] = await space.write(
      { operation: 'insert_page', title: 'Guide', document },
      { operation: 'insert_page', title: 'Install it', document: { markdown: 'Run it.' } },
    );
    const address = workspace.current.home(`/s/${space.id}/~/pages/${id}?edit=true`);
    const page = await workspace.current.signedIn(organization.admin, address, options);
    await page.getByRole('button', { name: 'Visual editor' }).click();
    await page.locator('.visual-text').waitFor();
    return { space, id, page, address };
  }

  const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page', exact: true });
  /** Puts the cursor into a text, and gives the editor the moment that people give it. */
  async function putCursorIn(page: Page, words: string): Promise<void> {
    await text(page).getByText(words).click();
    await page.waitForTimeout(CURSOR_MS);
  }

  const saved = async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+s');
    await page.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor();
  };

  async function documentOf({ space, id }: Opened): Promise<Document> {
    const { admin } = workspace.current.organization;
    return succeeded(
      await admin.api.get<{ document: Document }>(`/spaces/${space.id}/content/page/${id}`, {
        query: { format: 'document' },
      }),
    ).document;
  }

  async function revisionOf({ space }: Opened): Promise<string> {
    const { admin } = workspace.current.organization;
    return succeeded(await admin.api.get<{ revision: string }>(`/spaces/${space.id}`)).revision;
  }

  const words = (block: Block | undefined): string => lineText(block?.nodes ?? []);
  const json = (block: Block | undefined): string => JSON.stringify(block);

  it('opens and closes a page of the documentation without a new revision', async () => {
    const at = await opened({ markdown: readFileSync(join(DOCS, 'guides/write.md'), 'utf8') });
    const before = await revisionOf(at);
    await text(at.page).click();
    await at.page.keyboard.press('ArrowDown');
    await at.page.getByRole('button', { name: 'Markdown', exact: true }).click();
    await at.page.locator('.cm-content').waitFor();
    await at.page.keyboard.press('Control+Shift+E');
    await text(at.page).waitFor();
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
    const before = await documentOf(at);
    const first = before.nodes.find(({ type }) => type === 'paragraph');
    await text(page).locator('> p').first().click();
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
    await text(page).locator('.block-hint[data-look=success]').waitFor();
    await page.keyboard.press('Control+a');
    await saved(page);
    const after = await documentOf(at);
    const kept = before.nodes.map(json);
    expect(after.nodes.map(json).slice(0, kept.length)).toEqual(kept);
    const [typed, hint] = after.nodes.slice(kept.length);
    expect(words(typed)).toBe('Typed boldly with code. See Install it');
    expect(json(typed)).toContain('{"object":"mark","type":"bold"}');
    expect(json(typed)).toContain('"kind":"page"');
    expect(hint?.type).toBe('hint');
    await text(page).locator('> p').first().click();
    await page.waitForTimeout(CURSOR_MS);
    await page.keyboard.press('Alt+ArrowDown');
    await saved(page);
    const moved = await documentOf(at);
    const place = after.nodes.findIndex(({ key }) => key === first?.key);
    expect(moved.nodes.findIndex(({ key }) => key === first?.key)).toBe(place + 1);
    expect(moved.nodes.map(json).sort()).toEqual(after.nodes.map(json).sort());
    await show(page, at.address);
    await text(page).getByText('Typed boldly with code.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('article .hint.success').waitFor();
  });

  it('makes blocks of the signs of Markdown while they are typed, and takes them back', async () => {
    const at = await opened({ markdown: 'Before\n' });
    const { page } = at;
    await text(page).click();
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
    await saved(page);
    const { nodes } = await documentOf(at);
    expect(nodes.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['heading-2', 'list-unordered', 'list-ordered', 'list-tasks', 'blockquote', 'code']),
    );
    const code = nodes.find((each): each is Block<'code'> => each.type === 'code');
    expect(code && [codeText(code), code.data.syntax]).toEqual(['one();\ntwo();', 'js']);
    await browsing.take(page, 'visual-markdown');
    for (let index = 0; index < 200 && (await text(page).locator('h2').count()) > 0; index += 1)
      await page.keyboard.press('Control+z');
    expect(await text(page).locator('h2').count()).toBe(0);
  });

  it('pastes HTML and Markdown, marks what is selected and sets links by a dialog', async () => {
    const at = await opened({ markdown: 'First paragraph\n' });
    const { page } = at;
    const paste = (type: string, content: string) =>
      page.evaluate<undefined>(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(content)});
        document.querySelector('.visual-text').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`);
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await paste(
      'text/html',
      '<h2>From elsewhere</h2><p>With <b>bold</b> and <a href="javascript:alert(1)">a trap</a></p><ul><li>item</li></ul>',
    );
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Enter');
    await paste('text/plain', '## From Markdown\n\n{% hint style="danger" %}\nMind it\n{% endhint %}\n');
    await text(page).locator('.block-hint[data-look=danger]').waitFor();
    await text(page).getByText('First paragraph').dblclick();
    await page.getByRole('toolbar', { name: 'Marks of the text' }).getByRole('button', { name: 'Italic' }).click();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Page or address').fill('https://example.com/');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take it' }).click();
    await saved(page);
    const { nodes } = await documentOf(at);
    const [paragraph] = nodes;
    expect(json(paragraph)).toContain('"url":"https://example.com/"');
    expect(json(paragraph)).toContain('{"object":"mark","type":"italic"}');
    const all = JSON.stringify(nodes);
    expect(nodes.map(({ type }) => type)).toEqual(expect.arrayContaining(['list-unordered', 'heading-2', 'hint']));
    expect(all).not.toContain('javascript:');
  });

  it('shows what others write meanwhile, and settles a block that both changed', async () => {
    const at = await opened({ markdown: 'One apple a day.\n\nTwo birds in the bush.\n\nThree.\n' });
    const { page, space, id } = at;
    const theirs = { markdown: 'One apple a day.\n\nTwo birds in the hand.\n\nThree.\n' };
    await space.write({ operation: 'update_page', page: id, document: theirs });
    await putCursorIn(page, 'One apple');
    await page.keyboard.press('Home');
    await page.keyboard.type('Mine: ');
    await saved(page);
    await text(page).getByText('Two birds in the hand.').waitFor();
    expect((await documentOf(at)).nodes.map(words)).toEqual([
      'Mine: One apple a day.',
      'Two birds in the hand.',
      'Three.',
    ]);
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
    await text(page).getByText('One pear a day.').waitFor();
    await saved(page);
    const after = (await documentOf(at)).nodes.map(words);
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
    await text(next).getByText('One apple a day. Not lost.').waitFor();
    await saved(next);
    expect((await documentOf(at)).nodes.map(words)).toEqual(['One apple a day. Not lost.']);
  });

  it('keeps what is typed while Markdown is pasted, and what is pasted without a connection', async () => {
    const at = await opened({ markdown: 'First\n' });
    const { page } = at;
    const paste = (content: string) =>
      page.evaluate<undefined>(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(content)});
        document.querySelector('.visual-text').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`);
    const rendering = '**/content/render';
    await putCursorIn(page, 'First');
    await page.keyboard.press('End');
    await page.route(rendering, async (route) => {
      await page.keyboard.type(' typed meanwhile');
      await route.continue();
    });
    await paste('## Pasted\n\nText\n');
    await text(page).locator('h2').waitFor();
    await text(page).getByText('First typed meanwhile').waitFor();
    await page.unroute(rendering);
    await page.route(rendering, (route) => route.abort());
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await paste('**Not** lost\n');
    await text(page).getByText('**Not** lost').waitFor();
    await saved(page);
    expect((await documentOf(at)).nodes.map(words)).toEqual([
      'First typed meanwhile',
      'Pasted',
      expect.stringContaining('Text'),
      '**Not** lost',
    ]);
  });

  it('keeps a text that was left behind until the other editor has it, and another tab in its own editor', async () => {
    const at = await opened({ markdown: 'One apple a day.\n' });
    const { page } = at;
    await putCursorIn(page, 'One apple');
    const other = await page.context().newPage();
    await other.goto(at.address);
    await text(other).waitFor();
    await other.getByRole('button', { name: 'Markdown', exact: true }).click();
    await other.locator('.cm-content').waitFor();
    expect(await text(page).isVisible()).toBe(true);
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
    await text(other).getByText('One apple a day. Not lost.').waitFor();
    await saved(other);
    expect((await documentOf(at)).nodes.map(words)).toEqual(['One apple a day. Not lost.']);
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
    await text(page).locator('.picture img').waitFor();
    await saved(page);
    await page.reload();
    await text(page).getByText('Above').waitFor();
    await text(page).locator('.picture img').waitFor();
  });

  it('adds rows and columns to a table by its bar and by Tab, and moves blocks by their handle', async () => {
    const at = await opened({ markdown: 'Above\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nBelow\n' });
    const { page } = at;
    const before = await documentOf(at);
    await text(page).getByRole('cell', { name: '2' }).click();
    await page.waitForTimeout(CURSOR_MS);
    const bar = page.getByRole('toolbar', { name: 'Rows and columns of the table' });
    await bar.getByRole('button', { name: 'Add column' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'visual-table');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await page.keyboard.press('Tab');
    await page.keyboard.type('next');
    await text(page).getByText('Below').hover();
    const handle = page.getByRole('button', { name: 'Move the block, or do more with it' });
    await handle.click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await text(page).getByText('Above').hover();
    await handle.dragTo(text(page).getByText('Below'), { targetPosition: { x: 200, y: 22 } });
    await saved(page);
    const after = await documentOf(at);
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

  it('types in a page of 300 blocks with a small part of the time of a frame', async () => {
    const blocks = Array.from({ length: 300 }, (_, index) =>
      index % 10 === 0 ? `## Part ${index}` : `* Point ${index} of **many**\n* [and](https://example.com) another`,
    );
    const { page } = await opened({ markdown: blocks.join('\n\n') });
    await putCursorIn(page, 'Part 150');
    await page.keyboard.press('End');
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpu = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    await page.keyboard.type(' warm');
    const before = await cpu();
    const typed = ' words that are typed into the middle of a long page';
    await page.keyboard.type(typed);
    const milliseconds = (1000 * ((await cpu()) - before)) / typed.length;
    process.stdout.write(`a key in a page of 300 blocks takes ${milliseconds.toFixed(1)} ms of CPU\n`);
    expect(milliseconds).toBeLessThan(FRAME_MS);
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
    await text(page).getByText('x^2').dblclick();
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
    await text(page).getByText('A formula').click();
    await page.waitForTimeout(CURSOR_MS);
    await insert('card of', 'Card of a page');
    await dialog.getByRole('button', { name: /Install it/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await text(page).locator('.block-content-ref').waitFor();
    await insert('reusable', 'Reusable content');
    await dialog.getByRole('button', { name: /Hours/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await text(page).getByText('Nine to five.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await text(page).locator('.block-reusable-content').click();
    await insert('file download', 'File');
    await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await text(page).getByText('notes.txt').waitFor();
    await saved(page);
    const { nodes } = await documentOf(at);
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
