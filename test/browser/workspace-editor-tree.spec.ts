import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Document } from '../../src/formats/document/types.js';
import { everyConstruct } from '../every-construct.js';
import { describeInBrowser } from './browser.js';
import { VisualPage } from './visual-page.js';
import { useWorkspace } from './workspace.js';

const ID = 'AbCdEfGh0123456789Xy';
const NOWHERE = { file: ID, page: ID, space: ID, collection: ID, user: ID, reusableContent: ID };

/** A node of the tree that screen readers read. */
interface TreeNode {
  readonly role: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly children: readonly TreeNode[];
}

/** The accessibility tree of a page; nodes that say nothing give way to those in them. */
async function treeOf(page: Page): Promise<TreeNode> {
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
    const properties = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value as unknown]));
    return [{ role, name: String(node.name?.value ?? ''), properties, children }];
  };
  const [root] = below(nodes[0]?.nodeId ?? '');
  if (!root) throw new Error('the page has no tree');
  return root;
}

const all = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(all)];

describeInBrowser('the visual editor for screen readers', (browsing) => {
  const workspace = useWorkspace(browsing);

  it('has every block with its role and name', async () => {
    const document: Document = everyConstruct(NOWHERE);
    const { page } = await VisualPage.open(workspace.current, { document });
    await page.waitForTimeout(1500);
    const nodes = all(await treeOf(page));
    const text = nodes.find(({ role, name }) => role === 'textbox' && name === 'Text of the page');
    const print = (node: TreeNode, depth: number): string =>
      ['InlineTextBox', 'StaticText'].includes(node.role) ? '' : `${' '.repeat(depth)}${node.role} ${JSON.stringify(node.name)} ${JSON.stringify(node.properties)}\n${node.children.map((each) => print(each, depth + 1)).join('')}`;
    process.stdout.write(text ? print(text, 0) : 'none');
    expect(text).toBeDefined();
  });
});
