import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

interface Block {
  type: string;
  data: Record<string, unknown>;
  meta?: { id?: string };
  nodes?: Block[];
  fragments?: Block[];
}
interface Document {
  nodes: Block[];
}

const TEXT = '# One\n\n## Setup\n\nA\n\n### Setup\n\nB\n';
const COVER = { ref: { kind: 'url', url: 'https://example.com/cover.png' }, yPos: 0 };

async function siteOf(layout: object | null) {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide');
  const [page = ''] = await space.write({
    operation: 'insert_page',
    layout,
    cover: COVER,
    document: { markdown: TEXT },
  });
  const site = await publish(workspace, [space]);
  return { workspace, space, page, html: (await listener.see(site.base)).body };
}

describe('the layout of a page', () => {
  it('shows actions, links of headings and the cover as usual where nothing is said', async () => {
    const { html } = await siteOf(null);
    expect(html).toContain('class="page-actions"');
    expect(html.match(/<a class="anchor"/g)).toHaveLength(2);
    expect(html).toMatch(/<figure class="cover cover-hero at-50">/);
  });

  it('hides page actions and links of headings, whose ids stay', async () => {
    const { html } = await siteOf({ actions: false, anchors: false });
    expect(html).not.toContain('class="page-actions"');
    expect(html).not.toContain('class="anchor"');
    expect(html).toContain('id="setup"');
    expect(html).toContain('id="setup-1"');
  });

  it('has the actions in their order: the first as a button, the others in a menu, and none where none is listed', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write({ operation: 'insert_page', document: { markdown: TEXT } });
    const site = await publish(workspace, [space]);
    const actionsWith = async (items: readonly string[], more: object = {}) => {
      const settings = { ...DEFAULT_CUSTOMIZATION, ...more, pageActions: { items } };
      expect((await site.api.put(`${site.path}/customization`, settings)).status).toBe(200);
      const { body } = await listener.see(site.base);
      const shown = /<div class="page-actions">(.*?)<\/details><\/div>|<div class="page-actions">(.*?)<\/div>/s.exec(
        body,
      );
      const [button, menu] = (shown?.[1] ?? shown?.[2] ?? '').split('<summary');
      const titlesIn = (html = '') =>
        [
          ...html.matchAll(/<(?:a|button) [^>]*>(?:<svg class="i [^>]*><path [^>]*><\/path><\/svg><span>)?([^<]+)</g),
        ].map(([, title]) => title);
      return [titlesIn(button), titlesIn(menu)];
    };
    expect(await actionsWith(['external-ai', 'markdown'])).toEqual([
      ['Open in ChatGPT'],
      ['Open in Claude', 'Copy page', 'View as Markdown'],
    ]);
    expect(await actionsWith(['markdown', 'pdf', 'mcp'])).toEqual([
      ['Copy page'],
      ['View as Markdown', 'Download this page as PDF', 'Download all pages as PDF', 'MCP'],
    ]);
    expect(await actionsWith(['mcp'])).toEqual([['MCP'], []]);
    expect(await actionsWith(['mcp', 'assistant'], { ai: { mode: 'assistant' } })).toEqual([['MCP'], ['Ask']]);
    // No repository is known, so nobody can edit there.
    expect(await actionsWith(['git'])).toEqual([[], []]);
    expect(await actionsWith([], { ai: { mode: 'assistant' } })).toEqual([[], []]);
    const { body } = await listener.see(site.base);
    expect([body.includes('page-actions'), body.includes('ask-link')]).toEqual([false, true]);
  });

  it('puts the cover into the background of the page, and masks it', async () => {
    const { html } = await siteOf({ coverSize: 'background', coverMask: 'radial' });
    expect(html).toMatch(/<main[^>]*><figure class="cover cover-background mask-radial at-50">/);
  });

  it('is read and written in frontmatter', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const layout = [
      '  cover:',
      '    visible: true',
      '    size: background',
      '    mask: radial',
      '  tags:',
      '    visible: false',
      '  actions:',
      '    visible: false',
      '  anchors:',
      '    visible: false',
    ].join('\n');
    const [page = ''] = await space.write({
      operation: 'insert_page',
      title: 'One',
      document: { markdown: `---\nlayout:\n${layout}\n---\n\n# One\n\nText\n` },
    });
    const { body } = await workspace.admin.api.get<{ layout: object }>(`/spaces/${space.id}/content/page/${page}`);
    expect(body.layout).toMatchObject({
      coverSize: 'background',
      coverMask: 'radial',
      tags: false,
      actions: false,
      anchors: false,
    });
  });

  it('is refused with what it cannot have', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    for (const [layout, path] of [
      [{ coverMask: 'square' }, 'coverMask'],
      [{ coverSize: 'tiny' }, 'coverSize'],
      [{ actions: 'no' }, 'actions'],
    ] as const) {
      const { status, body } = await workspace.admin.api.post<{ error: { details: { path: string }[] } }>(
        `/spaces/${space.id}/content`,
        { changes: [{ operation: 'insert_page', title: 'One', layout }] },
      );
      expect([status, body.error.details[0]?.path]).toEqual([400, `changes.0.layout.${path}`]);
    }
  });
});

describe('blocks that can be linked to', () => {
  const RICH = [
    '# One',
    '## Setup',
    '### Setup',
    '<details><summary>More of it</summary>\n\nHidden\n\n</details>',
    '{% tabs %}\n{% tab title="Linux" %}\n## Setup\n\nA\n{% endtab %}\n{% tab title="Mac" %}\nB\n{% endtab %}\n{% endtabs %}',
    '## Chosen <a href="#own" id="own"></a>',
  ].join('\n\n');

  it('carry the ids of the published page in documents that are read, which are not kept', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await buildSpace(workspace, 'Guide');
    const [page = ''] = await space.write({ operation: 'insert_page', title: 'One', document: { markdown: RICH } });
    const url = `/spaces/${space.id}`;
    const { body } = await api.get<{ document: Document; documentId: string }>(`${url}/content/page/${page}`);
    const idsOf = (block: Block): string[] => [
      ...(block.meta?.id === undefined ? [] : [block.meta.id]),
      ...[...(block.fragments ?? []), ...(block.nodes ?? [])].flatMap(idsOf),
    ];
    const ids = body.document.nodes.flatMap(idsOf);
    expect(ids.toSorted()).toEqual(['linux', 'mac', 'more-of-it', 'own', 'setup', 'setup-1', 'setup-2']);
    const site = await publish(workspace, [space]);
    const html = (await listener.see(site.base)).body;
    for (const id of ids) expect(html).toContain(` id="${id}"`);
    const { body: head } = await api.get<{ revision: string }>(url);
    const others = [`${url}/revisions/${head.revision}/page/${page}/document`, `${url}/documents/${body.documentId}`];
    for (const other of others) expect((await api.get<Document>(other)).body.nodes).toEqual(body.document.nodes);

    await space.write({ operation: 'update_page', page, title: 'Two', document: { document: body.document } });
    const after = await api.get<{ documentId: string }>(`${url}/content/page/${page}`);
    expect(after.body.documentId).toBe(body.documentId);
    const stored = await app.current.database.one<{ json: string }>(
      `SELECT body::text AS json FROM document WHERE space_id = $1 AND hash = decode($2, 'hex')`,
      [space.id, body.documentId],
    );
    expect(stored?.json).not.toContain('"meta"');
  });
});
