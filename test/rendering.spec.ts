import { describe, expect, it } from '@jest/globals';
import { inline, paragraph, plain } from '../src/formats/document/build.js';
import type { Document } from '../src/formats/document/types.js';
import { Addresses } from '../src/kernel/common/addresses.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, type Made } from './published-site.js';
import { attributeOf, ReadHtml } from './rendered-html.js';

const app = useApp();

interface PageHtml {
  object: string;
  page: string;
  revision: string;
  html: string;
}

/** What elements carry for writers: published pages have none of it, and their checks know none. */
export function withoutNames(html: string): string {
  return html.replaceAll(/ data-(?:block|line|change|side|count)="[^"]*"/g, '');
}

async function newSpace() {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Docs');
  return { ...workspace, api: workspace.admin.api, ...space, organization: workspace.id };
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[link](javascript:alert(1))',
  '![image](javascript:alert(1))',
  '<a href="java&#10;script:alert(1)">link</a>',
  '<iframe src="https://evil.example"></iframe>',
  '<svg><script>alert(1)</script></svg>',
  '<style>* { display: none }</style>',
  '<details open ontoggle=alert(1)>x</details>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '{% embed url="javascript:alert(1)" %}',
  '{% hint style="info\\" onclick=alert(1)" %}\nx\n{% endhint %}',
  '`<b onclick=alert(1)>`',
  '$$\n\\href{javascript:alert(1)}{x}\n$$',
  '"><script>alert(1)</script>',
  '# "><img src=x onerror=alert(1)>',
].join('\n\n');

describe('a page as HTML', () => {
  it('is rendered as on published pages, and names its blocks', async () => {
    const { api, id, write, organization } = await newSpace();
    const [other = ''] = await write({ operation: 'insert_page', title: 'Other place', icon: 'rocket' });
    await write({
      operation: 'insert_files',
      files: [{ name: 'notes.txt', contentType: 'text/plain', base64: 'aGk=' }],
    });
    const { body: files } = await api.get<{ items: Made[] }>(`/spaces/${id}/content/files`);
    const file = files.items[0]?.id ?? '';
    const markdown = [
      'First **bold**',
      '## Steps',
      '* one\n* two',
      '| A | B |\n| - | - |\n| c | d |',
      '{% hint style="info" %}\nInside\n{% endhint %}',
      `[There](/pages/${other}) and [notes](/files/${file}) and [out](https://example.com/)`,
      '{% if visitor.claims.beta %}\nOnly beta\n{% endif %}',
    ].join('\n\n');
    const [page = ''] = await write({ operation: 'insert_page', title: 'Page', document: { markdown } });
    const { status, body, headers } = await api.get<PageHtml>(`/spaces/${id}/content/page/${page}/html`);
    expect([status, body.object, body.page]).toEqual([200, 'page-html', page]);
    const { body: revision } = await api.get<Made>(`/spaces/${id}/content`);
    expect(body.revision).toBe(revision.id);
    const { body: stored } = await api.get<{ document: { nodes: { key: string; type: string }[] } }>(
      `/spaces/${id}/content/page/${page}`,
    );
    const read = new ReadHtml(body.html);
    const named = read.elements.flatMap((element) => attributeOf(element, 'data-block') ?? []);
    for (const { key } of stored.document.nodes) expect(named).toContain(key);
    expect(new Set(named).size).toBe(named.length);
    for (const tag of ['li', 'td'])
      for (const element of read.all(tag)) expect(attributeOf(element, 'data-block')).toMatch(/^\w+$/);
    expect(new ReadHtml(withoutNames(body.html)).faults()).toEqual([]);
    expect(
      read.missing(['First', 'bold', 'Steps', 'one', 'two', 'c', 'Inside', 'Only beta', 'visitor.claims.beta']),
    ).toEqual([]);
    const links = read.all('a').map((element) => attributeOf(element, 'href') ?? '');
    expect(links.some((href) => href.endsWith(`/o/${organization}/s/${id}/other-place`))).toBe(true);
    expect(links.some((href) => href.includes(`/~files/${file}/notes.txt?`) && href.includes('signature='))).toBe(true);
    const etag = headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await api.get(`/spaces/${id}/content/page/${page}/html`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  it('is there in change requests and revisions, for groups, and nowhere else', async () => {
    const { api, id, write, member } = await newSpace();
    const [page = ''] = await write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Before' } });
    const [group = ''] = await write({ operation: 'insert_page', type: 'group', title: 'Group' });
    const { body: old } = await api.get<Made>(`/spaces/${id}/content`);
    const { body: request } = await api.post<Made>(`/spaces/${id}/change-requests`, { subject: 'Change' });
    await api.post(`/spaces/${id}/change-requests/${request.id}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: 'After' } }],
    });
    const html = async (place: string, of = page) =>
      (await api.get<PageHtml>(`/spaces/${id}/${place}/page/${of}/html`)).body.html;
    expect(await html('content')).toMatch(/^<p data-block="\w+">Before<\/p>$/);
    expect(await html(`change-requests/${request.id}/content`)).toMatch(/>After</);
    await write({ operation: 'update_page', page, document: { markdown: 'Later' } });
    expect(await html(`revisions/${old.id}`)).toMatch(/>Before</);
    expect(await html('content')).toMatch(/>Later</);
    expect(await html('content', group)).toBe('');
    const url = `/spaces/${id}/content/page`;
    expect((await api.get(`${url}/AbCdEfGh0123456789Xy/html`)).status).toBe(404);
    expect((await api.get(`${url}/${page}/html`, { query: { evaluated: 'maybe' } })).status).toBe(400);
    const guest = await member('none');
    expect((await guest.api.get(`${url}/${page}/html`)).status).toBe(404);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(`${url}/${page}/html`)).status).toBe(404);
  });

  it('shows titles of other spaces only to those who see them, and reusable contents without names', async () => {
    const { api, id, write, member, organization } = await newSpace();
    const hidden = await api.post<Made>(`/orgs/${organization}/spaces`, { title: 'Secret plans', empty: true });
    await api.patch(`/spaces/${hidden.body.id}`, { defaultLevel: null });
    await write({ operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Used again' } });
    const { body: all } = await api.get<{ reusableContents: Made[] }>(`/spaces/${id}/content`);
    const reusable = all.reusableContents[0]?.id ?? '';
    const nodes = [
      { object: 'block', type: 'content-ref', isVoid: true, data: { ref: { kind: 'space', space: hidden.body.id } } },
      {
        object: 'block',
        type: 'reusable-content',
        isVoid: true,
        data: { ref: { kind: 'reusable-content', reusableContent: reusable } },
      },
    ];
    const [page = ''] = await write({
      operation: 'insert_page',
      title: 'Page',
      document: { document: { object: 'document', data: { schemaVersion: 8 }, nodes } },
    });
    const url = `/spaces/${id}/content/page/${page}/html`;
    const seen = (await api.get<PageHtml>(url)).body.html;
    expect(seen).toContain('Secret plans');
    expect(seen).toMatch(/Used again/);
    expect(seen.match(/data-block/g)).toHaveLength(2);
    const reader = await member('read');
    const other = (await reader.api.get<PageHtml>(url)).body.html;
    expect(other).not.toContain('Secret plans');
    expect(other).not.toContain(hidden.body.id);
  });

  it('lets no untrusted markup out', async () => {
    const { api, id, write } = await newSpace();
    const [page = ''] = await write({ operation: 'insert_page', title: 'Page', document: { markdown: HOSTILE } });
    const { body } = await api.get<PageHtml>(`/spaces/${id}/content/page/${page}/html`);
    expect(new ReadHtml(withoutNames(body.html)).faults()).toEqual([]);
    const key = '"><script>alert(1)</script>';
    const node = { object: 'block', type: 'divider', key, isVoid: true, data: {} };
    const written = await api.post(`/spaces/${id}/content`, {
      changes: [
        {
          operation: 'update_page',
          page,
          document: { document: { object: 'document', data: { schemaVersion: 8 }, nodes: [node] } },
        },
      ],
    });
    const after = (await api.get<PageHtml>(`/spaces/${id}/content/page/${page}/html`)).body.html;
    expect(written.status).toBe(200);
    const [line, ...others] = new ReadHtml(after).elements;
    expect([line && attributeOf(line, 'data-block'), others]).toEqual([key, []]);
  });
});

interface PageDiff {
  object: string;
  change: string;
  attributes: { attribute: string; before?: unknown; after?: unknown }[];
  blocks?: {
    change: string;
    type?: string;
    count?: number;
    runs?: { change: string; text: string }[];
    rows?: object[];
  }[];
  html?: string;
  unified?: string;
}

/** A space with a page, and a change request that changes it. */
async function comparison(before: string, after: string, more: object = {}) {
  const space = await newSpace();
  const { api, id, write } = space;
  const [page = ''] = await write({ operation: 'insert_page', title: 'Page', document: { markdown: before } });
  const { body: request } = await api.post<Made>(`/spaces/${id}/change-requests`, { subject: 'Change' });
  const url = `/spaces/${id}/change-requests/${request.id}`;
  const edit = async (...changes: object[]) => {
    const { status, body } = await api.post(`${url}/content`, { changes });
    expect([status, body]).toEqual([200, body]);
  };
  await edit({ operation: 'update_page', page, document: { markdown: after }, ...more });
  const diff = async (query: Record<string, string | number> = {}, of = page, place = url) => {
    const { status, body } = await api.get<PageDiff>(`${place}/changes/${of}/diff`, { query });
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  return { ...space, page, url, edit, diff };
}

describe('a comparison of a page', () => {
  it('shows blocks, words, attributes and what is left out', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `Paragraph number ${index}`);
    const { diff } = await comparison(
      ['Run the setup now', ...many, 'Last one'].join('\n\n'),
      ['Run the installer now', ...many, 'Last one', 'More'].join('\n\n'),
      { title: 'New title', icon: 'gear', hidden: true },
    );
    const { object, change, attributes, blocks = [] } = await diff({ context: 1 });
    expect([object, change]).toEqual(['page-diff', 'changed']);
    expect(attributes).toEqual(
      expect.arrayContaining([
        { attribute: 'title', before: 'Page', after: 'New title' },
        { attribute: 'icon', after: 'gear' },
        { attribute: 'hidden', after: true },
      ]),
    );
    expect(blocks.map(({ change: how, count }) => count ?? how)).toEqual([
      'changed',
      'unchanged',
      8,
      'unchanged',
      'inserted',
    ]);
    expect(blocks[0]?.runs?.map((run) => [run.change, run.text])).toEqual([
      ['unchanged', 'Run the '],
      ['deleted', 'setup'],
      ['inserted', 'installer'],
      ['unchanged', ' now'],
    ]);
    const { html = '' } = await diff({ format: 'html', context: 0 });
    expect(html).toMatch(
      /^<div class="diff-block" data-change="changed" data-block="\w+" data-side="after"><p>Run the <del class="diff">setup<\/del><ins class="diff">installer<\/ins> now<\/p><\/div><div class="diff-skip" data-count="10"><\/div><div class="diff-block" data-change="inserted" data-block="\w+" data-side="after"><p>More<\/p><\/div>$/,
    );
    const { unified } = await diff({ format: 'unified', context: 0 });
    expect(unified).toContain('-Run the setup now\n+Run the installer now\n');
    expect(unified).toContain('-# Page\n+# New title\n');
    expect(unified).not.toContain('number 4');
  });

  it('shows changes inside of lists, tables, code, tabs, steps and hints, and moved blocks', async () => {
    const source = (...[word, row, code, style, tab]: readonly string[]) =>
      [
        '{% hint style="' + String(style) + '" %}\nBe careful\n{% endhint %}',
        `* one\n* two ${String(word)} words\n* three`,
        `| Name | Size |\n| --- | --- |\n${String(row)}| last | 9 |`,
        '```js\nfirst();\n' + String(code) + '\nlast();\n```',
        `{% tabs %}\n{% tab title="A" %}\nIn ${String(tab)}\n{% endtab %}\n{% endtabs %}`,
        `{% stepper %}\n{% step %}\n## Step ${String(word)}\n{% endstep %}\n{% endstepper %}`,
      ].join('\n\n');
    const { diff } = await comparison(
      source('old', '| alpha | 1 |\n', 'before();', 'info', 'here'),
      `Moved to the end\n\n${source('new', '| alpha | 2 |\n| beta | 3 |\n', 'after();', 'warning', 'there')}`,
    );
    const { html = '' } = await diff({ format: 'html' });
    expect(
      new ReadHtml(html.replaceAll(/<\/?(?:ins|del|dl|dt|dd)(?: class="[\w-]+")?>/g, ''))
        .faults()
        .filter((fault) => !fault.includes(' with data-')),
    ).toEqual([]);
    expect(html).toContain('<dt>style</dt><dd><del class="diff">info</del><ins class="diff">warning</ins></dd>');
    expect(html).toMatch(/two <del class="diff">old<\/del><ins class="diff">new<\/ins> words/);
    expect(html).toMatch(/<td[^>]*><del class="diff">1<\/del><ins class="diff">2<\/ins><\/td>/);
    expect(html).toMatch(
      /<tr data-change="inserted" data-side="after"><td[^>]*><ins class="diff">beta<\/ins><\/td><td[^>]*><ins class="diff">3<\/ins><\/td><\/tr>/,
    );
    expect(html).not.toMatch(/<tr data-change="\w+"[^>]*><td[^>]*>last/);
    expect(html).toMatch(/<span class="line" data-change="deleted" data-side="before">.*before/);
    expect(html).toMatch(/<span class="line" data-change="inserted" data-side="after">.*after/);
    expect(html).toMatch(/In <del class="diff">here<\/del><ins class="diff">there<\/ins>/);
    expect(html).toMatch(/Step <del class="diff">old<\/del><ins class="diff">new<\/ins>/);
    const moved = await comparison('First\n\nSecond\n\nThird', 'Second\n\nThird\n\nFirst');
    expect((await moved.diff()).blocks?.map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'moved']);
    expect((await moved.diff({ format: 'html' })).html).toMatch(/data-change="moved"[^>]*><p>First<\/p>/);
  });

  it('shows what differs in a reusable content, of a change request and of a revision', async () => {
    const { api, id, url, edit } = await comparison('Words', 'Words');
    await edit({ operation: 'insert_reusable_content', title: 'Notice', document: { markdown: 'Mind the gap' } });
    const { body: content } = await api.get<{ reusableContents: { id: string }[] }>(`${url}/content`);
    const reusable = content.reusableContents[0]?.id ?? '';
    const diff = async (place: string) => {
      const { body } = await api.get<PageDiff>(`${place}/changes/reusable-contents/${reusable}/diff`);
      const runs = body.blocks?.map((block) => block.runs?.map(({ change, text }) => `${change} ${text}`));
      return [body.object, body.change, body.attributes.map(({ attribute }) => attribute), runs];
    };
    expect(await diff(url)).toEqual(['reusable-content-diff', 'added', ['title'], [undefined]]);
    const { body: merged } = await api.post<{ revision: string }>(`${url}/merge`);
    expect((await diff(`/spaces/${id}/revisions/${merged.revision}`))[1]).toBe('added');
    const { body: next } = await api.post<Made>(`/spaces/${id}/change-requests`, { subject: 'Next' });
    const again = `/spaces/${id}/change-requests/${next.id}`;
    const document = { markdown: 'Mind the step' };
    await api.post(`${again}/content`, {
      changes: [{ operation: 'update_reusable_content', reusableContent: reusable, title: 'Warning', document }],
    });
    const words = ['unchanged Mind the ', 'deleted gap', 'inserted step'];
    expect(await diff(again)).toEqual(['reusable-content-diff', 'changed', ['title'], [words]]);
    const shown = async (format: string) =>
      (
        await api.get<{ html?: string; unified?: string }>(`${again}/changes/reusable-contents/${reusable}/diff`, {
          query: { format },
        })
      ).body;
    expect((await shown('html')).html).toContain('<del class="diff">gap</del><ins class="diff">step</ins>');
    expect((await shown('unified')).unified).toMatch(/^-Mind the gap\n\+Mind the step$/m);
    const none = await api.get(`${again}/changes/reusable-contents/${id}/diff`);
    expect([none.status, none.body]).toMatchObject([404, { error: { message: 'Reusable content not found' } }]);
  });

  it('tells added, deleted, moved and unchanged pages, those without a document, and those of revisions', async () => {
    const { api, id, write, page, url, edit, diff } = await comparison('Words', 'Words');
    expect((await diff()).change).toBe('unchanged');
    expect(await diff({ format: 'unified' })).toMatchObject({ unified: '', change: 'unchanged' });
    await edit({ operation: 'insert_page', title: 'Parent', type: 'group' });
    await edit({ operation: 'insert_page', title: 'Fresh', document: { markdown: 'Brand new' } });
    const { body: now } = await api.get<{ pages: (Made & { title: string })[] }>(`${url}/content/pages`);
    const named = (title: string) => now.pages.find((each) => each.title === title)?.id ?? '';
    expect(await diff({}, named('Parent'))).toMatchObject({ change: 'added', blocks: [] });
    const added = await diff({ format: 'html' }, named('Fresh'));
    expect([added.change, added.html]).toEqual([
      'added',
      expect.stringMatching(/data-change="inserted"[^>]*><p>Brand new/),
    ]);
    await edit({ operation: 'update_page', page, into: named('Parent') });
    const moved = await diff();
    expect(moved).toMatchObject({
      change: 'moved',
      attributes: [{ attribute: 'parent', after: { id: named('Parent'), title: 'Parent' } }],
    });
    await edit({ operation: 'delete_page', page });
    const deleted = await diff({ format: 'html' });
    expect([deleted.change, deleted.html]).toEqual([
      'deleted',
      expect.stringMatching(/data-change="deleted"[^>]*><p>Words/),
    ]);
    expect((await diff({ format: 'unified' })).unified).toContain('+++ /dev/null');
    await write({ operation: 'update_page', page, document: { markdown: 'Other words' } });
    const { body: revision } = await api.get<Made>(`/spaces/${id}/content`);
    const ofRevision = await diff({ format: 'html' }, page, `/spaces/${id}/revisions/${revision.id}`);
    expect(ofRevision.html).toContain('<ins class="diff">Other words</ins>');
  });

  it('is refused to those who do not see the space, and for pages that are nowhere', async () => {
    const { api, url, page, member } = await comparison('Words', 'Other');
    expect((await api.get(`${url}/changes/AbCdEfGh0123456789Xy/diff`)).status).toBe(404);
    expect((await api.get(`${url}/changes/${page}/diff`, { query: { format: 'pdf' } })).status).toBe(400);
    expect((await api.get(`${url}/changes/${page}/diff`, { query: { context: 1001 } })).status).toBe(400);
    expect((await (await member('read')).api.get(`${url}/changes/${page}/diff`)).status).toBe(200);
    expect((await (await member('none')).api.get(`${url}/changes/${page}/diff`)).status).toBe(404);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(`${url}/changes/${page}/diff`)).status).toBe(404);
  });

  it('lets no untrusted markup out', async () => {
    const { diff } = await comparison(HOSTILE, HOSTILE.replaceAll('alert(1)', 'alert(2)'), {
      description: '"><script>alert(1)</script>',
    });
    const { html = '' } = await diff({ format: 'html' });
    const read = new ReadHtml(html);
    const allowed = /^the element (ins|del|dl|dt|dd)$| with data-/;
    expect(read.faults().filter((fault) => !allowed.test(fault))).toEqual([]);
  });
});

interface Rendered {
  object: string;
  title?: string;
  html: string;
  document?: Document;
}

describe('Markdown that is being written', () => {
  it('is rendered with the lines of its source and with links of its place, and stored nowhere', async () => {
    const { api, id, write } = await newSpace();
    const [parent = ''] = await write({ operation: 'insert_page', title: 'Parent' });
    const [page = ''] = await write({ operation: 'insert_page', title: 'Page', into: parent });
    const before = (await api.get<Made>(`/spaces/${id}/content`)).body.id;
    const markdown =
      '---\nicon: gear\n---\n\n# The title\n\nFirst [up](../parent.md)\n\n\n* one\n* two\n\n```js\nx();\n```\n';
    const { status, body } = await api.post<Rendered>(`/spaces/${id}/content/render`, { markdown, page });
    expect([status, body.object, body.title]).toEqual([200, 'rendered-markdown', 'The title']);
    expect(body.html.match(/data-line="\d+"/g)).toEqual(['data-line="7"', 'data-line="10"', 'data-line="13"']);
    expect(body.html).toMatch(/^<p data-line="7">First <a href="[^"]+\/parent">up<\/a><\/p><ul data-line="10">/);
    expect((await api.get<Made>(`/spaces/${id}/content`)).body.id).toBe(before);
    const { body: request } = await api.post<Made>(`/spaces/${id}/change-requests`, { subject: 'Change' });
    const inRequest = await api.post<Rendered>(`/spaces/${id}/change-requests/${request.id}/content/render`, {
      markdown: '{% hint style="info" %}\nHello\n{% endhint %}',
    });
    expect(inRequest.body.html).toMatch(/^<div class="hint info" role="note" data-line="1">/);
  });

  it('is given as the document that a write would make, and a document is rendered with the keys of its blocks', async () => {
    const { api, id, write } = await newSpace();
    const [page = ''] = await write({ operation: 'insert_page', title: 'Page' });
    const url = `/spaces/${id}/content/render`;
    const markdown = '# The title\n\nSee [the page](page.md).\n';
    const { status, body } = await api.post<Rendered>(url, { markdown, format: 'document' });
    expect([status, body.title, body.html]).toEqual([200, 'The title', undefined]);
    const link = inline('link', { ref: { kind: 'page', page } }, [plain('the page')]);
    expect(body.document?.nodes).toEqual([paragraph(plain('See '), link, plain('.'))]);
    const named = { ...body.document, nodes: body.document?.nodes.map((block) => ({ ...block, key: 'own' })) };
    const rendered = await api.post<Rendered>(url, { document: named });
    expect(rendered.body.html).toMatch(/^<p data-block="own">See <a href="[^"]+\/page">the page<\/a>\.<\/p>$/);
    const faulty = { ...named, nodes: [{ object: 'block', type: 'hint', data: { style: 'loud' }, nodes: [] }] };
    for (const refused of [{}, { markdown, document: named }, { document: faulty }, { document: 'text' }])
      expect((await api.post(url, refused)).status).toBe(400);
  });

  it('is refused as writes refuse it, lets no markup out, and needs no more than the right to read', async () => {
    const { api, id, member } = await newSpace();
    const url = `/spaces/${id}/content/render`;
    const { body } = await api.post<Rendered>(url, { markdown: HOSTILE });
    expect(new ReadHtml(withoutNames(body.html)).faults()).toEqual([]);
    const refused = await api.post<{ error: { details: { path: string }[] } }>(url, { markdown: 'x\n'.repeat(21_000) });
    expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'markdown']);
    expect((await api.post(url, {})).status).toBe(400);
    expect((await api.post(url, { markdown: 'x', page: 'AbCdEfGh0123456789Xy' })).status).toBe(404);
    expect((await (await member('read')).api.post(url, { markdown: 'x' })).status).toBe(200);
    expect((await (await member('none')).api.post(url, { markdown: 'x' })).status).toBe(404);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.post(url, { markdown: 'x' })).status).toBe(404);
  });
});

describe('the style sheet of the workspace', () => {
  it('styles content in a shadow tree, light and dark, and is sent once', async () => {
    const { pathname } = new URL(app.current.get(Addresses).app('/content.css'));
    const url = new URL(pathname, app.current.url);
    const answer = await fetch(url);
    const css = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(css).toMatch(
      /^:host\{[^}]*--bg:#[^}]*\}@media \(prefers-color-scheme:dark\)\{:host\(:not\(\[data-theme\]\)\)\{/,
    );
    expect(css).toContain(':host([data-theme=dark]){');
    expect(css).toContain('.hint {');
    expect(css).toContain('ins.diff {');
    expect(css).not.toMatch(/:root|(?<!\()\[data-theme=dark\] &/);
    const again = await fetch(url, { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});
