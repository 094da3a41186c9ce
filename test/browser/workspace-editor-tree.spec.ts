import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { everyConstruct } from '../every-construct.js';
import { describeInBrowser } from './browser.js';
import { putCursorIn, textOf, VisualPage } from './visual-page.js';
import { useWorkspace } from './workspace.js';

const ID = 'AbCdEfGh0123456789Xy';
const NOWHERE = { file: ID, page: ID, space: ID, collection: ID, user: ID, reusableContent: ID };
/** Others are told of what somebody does within this time. */
const SOON = { timeout: 20_000 };

/** A node of the tree that screen readers read. */
interface TreeNode {
  readonly role: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly children: readonly TreeNode[];
}

/** The accessibility tree of a page; nodes that say nothing give way to those in them. */
async function treeOf(page: Page): Promise<TreeNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const below = (id: string): TreeNode[] => {
    const node = byId.get(id);
    if (!node) return [];
    const children = (node.childIds ?? []).flatMap(below);
    const role = String(node.role?.value ?? '');
    if (node.ignored || role === 'none' || role === 'generic') return children;
    const properties = Object.fromEntries(
      (node.properties ?? []).map(({ name, value }) => [name, value.value as unknown]),
    );
    return [{ role, name: String(node.name?.value ?? ''), properties, children }];
  };
  return below(nodes[0]?.nodeId ?? '');
}

const all = (nodes: readonly TreeNode[]): TreeNode[] => nodes.flatMap((node) => [node, ...all(node.children)]);

function wordsOf({ role, name, children }: TreeNode): string {
  return role === 'StaticText' ? name : children.map(wordsOf).join('');
}

/** The nodes of the text of the page. */
async function textTree(page: Page): Promise<TreeNode[]> {
  const text = all(await treeOf(page)).find(({ role, name }) => role === 'textbox' && name === 'Text of the page');
  if (!text) throw new Error('the tree has no text of the page');
  return [text];
}

/** The text of every live region that is read out when it changes, without interrupting. */
async function announcements(page: Page): Promise<string[]> {
  const nodes = all(await treeOf(page)).filter(({ role }) => role === 'status');
  for (const { properties } of nodes) expect(properties['live']).toBe('polite');
  return nodes.map(wordsOf).filter((words) => words !== '');
}

/** Waits until something is announced. */
async function hear(page: Page, words: string): Promise<void> {
  await page
    .getByRole('status')
    .getByText(words, { exact: true })
    .or(page.locator('[role=status]', { hasText: words }))
    .first()
    .waitFor(SOON);
  expect((await announcements(page)).join('\n')).toContain(words);
}

describeInBrowser('the visual editor for screen readers', (browsing) => {
  const workspace = useWorkspace(browsing);

  it('has every block and every inline with its role and its name', async () => {
    const { page } = await VisualPage.open(workspace.current, { document: everyConstruct(NOWHERE) });
    await textOf(page).getByRole('math').first().waitFor();
    const nodes = all(await textTree(page));
    const [text] = nodes;
    expect(text?.properties).toMatchObject({ multiline: true, readonly: false, editable: 'richtext' });
    const named = nodes.map(({ role, name }) => `${role} ${name}`.trim());
    for (const level of [1, 2, 3, 5])
      expect(nodes.some(({ role, properties }) => role === 'heading' && properties['level'] === level)).toBe(true);
    expect(named).toEqual(
      expect.arrayContaining([
        ...['list', 'listitem', 'blockquote', 'table', 'paragraph', 'strong', 'emphasis', 'deletion'],
        ...['superscript', 'subscript', 'code', 'group Divider', 'separator'],
        ...['Information', 'Warning', 'Danger', 'Success'].map((style) => `group Hint: ${style}`),
        ...['group Condition', 'textbox Condition: Shown if', 'group Pictures', 'group Picture'],
        ...['group File', 'group Drawing', 'group Embedded content', 'group Formula', 'group Reusable content'],
        ...['group Operation of an API', 'group Schemas of an API', 'group Webhook of an API', 'group Card of a page'],
        ...['group Block of an integration', 'group Steps', 'group Step', 'group Columns', 'group Column'],
        ...['group Tabs', 'group Updates', 'group Update', 'group Table', 'columnheader Text'],
      ]),
    );
    expect(named.some((name) => /^group Tab: \S/.test(name))).toBe(true);
    expect(named.some((name) => /^group Expandable: \S/.test(name))).toBe(true);
    expect(named.some((name) => /^checkbox Done: \S/.test(name))).toBe(true);
    // Each node that takes the focus or is a picture has a name, and so has every frame of a block.
    const nameless = nodes.filter(
      ({ role, name, properties }) =>
        name === '' && (properties['focusable'] === true || ['group', 'img', 'image', 'link'].includes(role)),
    );
    expect(nameless.map(({ role }) => role)).toEqual([]);
  });

  it('names inlines that are more than words', async () => {
    const markdown =
      'Go to [Install it](install-it.md "mention"), $$x^2$$, :smile:, <code class="expression">space.vars.name</code> and <a href="https://example.com/" class="button primary">Go on</a>';
    const { page } = await VisualPage.open(workspace.current, { markdown });
    await textOf(page).getByRole('link', { name: 'Install it' }).waitFor();
    const named = all(await textTree(page)).map((node) => `${node.role} ${node.name || wordsOf(node)}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'link Install it',
        'link Go on',
        'code space.vars.name',
        expect.stringMatching(/^(?:image|img) 😄$/),
      ]),
    );
    expect(named.some((name) => /^(?:math|MathMLMath) x\^2$/.test(name))).toBe(true);
  });

  it('announces that the text is saved, that a block has moved, what is found, and who writes too', async () => {
    const at = await VisualPage.open(workspace.current, { markdown: 'One apple\n\nTwo birds\n\nThree' });
    const { page, space, id } = at;
    await at.putCursorIn('One apple');
    await page.keyboard.press('Alt+ArrowDown');
    await hear(page, 'Moved to place 2 of 3');
    await page.keyboard.press('Control+s');
    await hear(page, 'Saved');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('e');
    await hear(page, 'of 4');
    await page.keyboard.press('Escape');
    const { organization } = workspace.current;
    const colleague = await workspace.current.signedIn(await organization.member('edit'), at.address);
    await hear(page, 'writes this page too.');
    await colleague.close();

    const other = { markdown: 'Two birds\n\nOne pear\n\nThree' };
    await page.context().setOffline(true);
    await space.write({ operation: 'update_page', page: id, document: other });
    await putCursorIn(page, 'One apple');
    await page.keyboard.press('End');
    await page.keyboard.type('s and more');
    await page.keyboard.press('Control+s');
    await hear(page, 'No connection: your text is kept in this browser');
    await page.context().setOffline(false);
    await page.keyboard.press('Control+s');
    await hear(page, 'Somebody changed the same part');
  });
});
