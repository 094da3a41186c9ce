import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

interface Page {
  id: string;
  title: string;
  path: string;
  pages: Page[];
  markdown?: string;
  document?: { nodes: Block[] };
  [name: string]: unknown;
}
interface Block {
  key?: string;
  type?: string;
  data?: { ref?: object; [name: string]: unknown };
  nodes?: Block[];
  leaves?: { text: string }[];
  fragments?: Block[];
}
interface Written {
  revision: string;
  changeRequest?: { object: string; revision: string };
  changes: {
    object: string;
    ref?: string;
    page: { id: string; object: string; urls: { location: string } } | string;
  }[];
  insertedFiles?: { id: string; name: string }[];
}

const BYTES = Buffer.from('words').toString('base64');
const TEXT = { contentType: 'text/plain', base64: BYTES };

/** A space with live edits, or a change request of one; the rules of writing are the same at both. */
async function place(kind: 'space' | 'request') {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Rules',
    empty: true,
    editMode: 'live',
  });
  const space = `/spaces/${made.body.id}`;
  const request =
    kind === 'request'
      ? (await admin.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Rules' })).body.id
      : undefined;
  const base = request === undefined ? space : `${space}/change-requests/${request}`;
  const write = async (...changes: object[]): Promise<Written> => {
    const { status, body } = await admin.api.post<Written>(
      `${base}/content`,
      { changes },
      { query: { compat: false } },
    );
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  const fault = async (...changes: object[]) => {
    const { status, body } = await admin.api.post<{ error: { details: { path: string }[] } }>(`${base}/content`, {
      changes,
    });
    return [status, body.error?.details?.[0]?.path];
  };
  const page = async (pageId: string, format = 'document') =>
    (await admin.api.get<Page>(`${base}/content/page/${pageId}`, { query: { format } })).body;
  const tree = async () => {
    const { body } = await admin.api.get<{ pages: Page[] }>(`${base}/content/pages`);
    const shape = (each: Page): unknown => (each.pages.length > 0 ? [each.path, each.pages.map(shape)] : each.path);
    return body.pages.map(shape);
  };
  return { api: admin.api, space, base, write, fault, page, tree };
}

const idOf = (written: Written, at = 0): string => {
  const page = written.changes[at]?.page ?? '';
  return typeof page === 'string' ? page : page.id;
};

/** The inlines of the first block, texts as they are and everything else as its data. */
function inlines({ document }: Page): unknown[] {
  return (document?.nodes[0]?.nodes ?? []).flatMap((node) =>
    node.leaves ? node.leaves.map(({ text }) => text).filter((text) => text !== '') : [node.data?.ref ?? node.type],
  );
}

describe.each(['space', 'request'] as const)('the rules of writing into a %s', (kind) => {
  it('insert_page stands at the end of the root unless `into` and `at` say otherwise', async () => {
    const { write, tree, fault } = await place(kind);
    const made = await write(
      { operation: 'insert_page', title: 'B' },
      { operation: 'insert_page', title: 'C', into: null },
      { operation: 'insert_page', title: 'A', at: 0 },
    );
    await write(
      { operation: 'insert_page', title: 'Two', into: idOf(made) },
      { operation: 'insert_page', title: 'Three', into: idOf(made), at: 99 },
      { operation: 'insert_page', title: 'One', into: idOf(made), at: 0 },
    );
    expect(await tree()).toEqual(['a', ['b', ['b/one', 'b/two', 'b/three']], 'c']);
    for (const at of [-1, 1.5, '1', null])
      expect(await fault({ operation: 'insert_page', title: 'X', at })).toEqual([400, 'changes.0.at']);
    expect(await fault({ operation: 'insert_page', title: 'X', into: 'nothing' })).toEqual([400, 'changes.0.into']);
  });

  it('documents are given in one form, and a field of another name is no form', async () => {
    const { write, fault } = await place(kind);
    const made = idOf(await write({ operation: 'insert_page', title: 'Empty', document: {} }));
    const both = { markdown: 'Words', document: { object: 'document', data: {}, nodes: [] } };
    for (const change of [
      { operation: 'insert_page', title: 'X' },
      { operation: 'update_page', page: made },
      { operation: 'insert_reusable_content', title: 'X' },
    ]) {
      expect(await fault({ ...change, document: both })).toEqual([400, 'changes.0.document']);
      expect(await fault({ ...change, document: { mardown: 'Words' } })).toEqual([400, 'changes.0.document.mardown']);
    }
  });

  it('titles come from front matter, then from the first heading, then from `title`, then from nowhere', async () => {
    const { write, page } = await place(kind);
    const made = await write(
      {
        operation: 'insert_page',
        title: 'Given',
        document: { markdown: '---\ntitle: Front\ndescription: Said here\nicon: bell\n---\n\n# Heading\n\nText' },
        description: 'Said there',
        icon: 'gear',
      },
      { operation: 'insert_page', title: 'Given', document: { markdown: '# Heading\n\nText' } },
      { operation: 'insert_page', title: 'Given', document: { markdown: 'Text\n\n# Later heading' } },
      { operation: 'insert_page', document: { markdown: 'Text' } },
      { operation: 'insert_page', title: 'Given', document: { markdown: '---\ntitle: Front\n---\n\nText' } },
    );
    const pages = await Promise.all([0, 1, 2, 3, 4].map((at) => page(idOf(made, at), 'markdown')));
    expect(pages.map(({ title }) => title)).toEqual(['Front', 'Heading', 'Given', 'Untitled page', 'Front']);
    expect(pages[0]).toMatchObject({ description: 'Said here', icon: 'bell' });
    expect(pages[2]?.markdown).toBe('# Given\n\nText\n\n# Later heading\n');
    await write({
      operation: 'update_page',
      page: idOf(made, 1),
      title: 'Overridden',
      hidden: false,
      document: { markdown: '---\nhidden: true\ndescription: New\n---\n\n# From the text' },
    });
    expect(await page(idOf(made, 1))).toMatchObject({ title: 'From the text', description: 'New', hidden: true });
  });

  it('update_page keeps what it does not name, the parent too, and `into: null` is the root', async () => {
    const { write, page, tree, fault } = await place(kind);
    const made = await write(
      { operation: 'insert_page', ref: 'a', title: 'A' },
      {
        operation: 'insert_page',
        into: 'a',
        title: 'B',
        icon: 'gear',
        description: 'Kept',
        document: { markdown: 'Kept' },
      },
      { operation: 'insert_page', into: 'a', title: 'C' },
    );
    const [a, b] = [idOf(made), idOf(made, 1)];
    await write({ operation: 'update_page', page: b, title: 'Beta' });
    expect(await page(b, 'markdown')).toMatchObject({
      title: 'Beta',
      icon: 'gear',
      description: 'Kept',
      path: 'a/beta',
      markdown: '# Beta\n\nKept\n',
    });
    await write({ operation: 'update_page', page: b, at: 1 });
    expect(await tree()).toEqual([['a', ['a/c', 'a/beta']]]);
    await write({ operation: 'update_page', page: b, into: null, at: 0 });
    expect(await tree()).toEqual(['beta', ['a', ['a/c']]]);
    expect(await fault({ operation: 'update_page', page: a, into: a })).toEqual([400, 'changes.0.into']);
    expect(
      await fault({ operation: 'update_page', page: b, into: a }, { operation: 'update_page', page: a, into: b }),
    ).toEqual([400, 'changes.1.into']);
    expect(await fault({ operation: 'update_page', page: 'nothing', title: 'X' })).toEqual([400, 'changes.0.page']);
  });

  it('empty texts remove emoji, icon and condition', async () => {
    const { write, page } = await place(kind);
    const given = { emoji: '1f680', icon: 'gear', condition: 'visitor.claims.isBetaUser' };
    const id = idOf(await write({ operation: 'insert_page', title: 'A', ...given }));
    expect(await page(id)).toMatchObject(given);
    await write({ operation: 'update_page', page: id, emoji: '', icon: '', condition: '' });
    for (const name of Object.keys(given)) expect(await page(id)).not.toHaveProperty(name);
  });

  it('icons are names: other texts are refused, and left where front matter has them', async () => {
    const { write, page, fault } = await place(kind);
    const icon = '"><b>';
    expect(await fault({ operation: 'insert_page', title: 'A', icon })).toEqual([400, 'changes.0.icon']);
    const document = { markdown: `---\nicon: '${icon}'\n---\n\nText` };
    const id = idOf(await write({ operation: 'insert_page', title: 'A', document }));
    expect(await page(id)).not.toHaveProperty('icon');
  });

  it('slugs follow titles, and one that a sibling has is refused with the index of its change', async () => {
    const { write, tree, fault } = await place(kind);
    const made = await write(
      { operation: 'insert_page', title: 'One' },
      { operation: 'insert_page', title: 'One' },
      { operation: 'insert_page', title: 'Two', slug: 'second' },
    );
    expect(await tree()).toEqual(['one', 'one-1', 'second']);
    expect(
      await fault({ operation: 'insert_page', title: 'X' }, { operation: 'insert_page', title: 'X', slug: 'second' }),
    ).toEqual([400, 'changes.1.slug']);
    expect(
      await fault(
        { operation: 'insert_page', title: 'X' },
        { operation: 'insert_page', title: 'Y' },
        { operation: 'update_page', page: idOf(made), slug: 'SECOND' },
      ),
    ).toEqual([400, 'changes.2.slug']);
    await write(
      { operation: 'insert_page', title: 'Second', into: idOf(made), slug: 'second' },
      { operation: 'insert_page', title: 'Second' },
    );
    expect(await tree()).toEqual([['one', ['one/second']], 'one-1', 'second', 'second-1']);
    expect(await fault({ operation: 'update_page', page: idOf(made, 1), into: idOf(made), slug: 'second' })).toEqual([
      400,
      'changes.0.slug',
    ]);
  });

  it('links name pages and files in every way there is, and are kept as they are written where they lead nowhere', async () => {
    const { write, page } = await place(kind);
    const made = await write(
      { operation: 'insert_page', ref: 'guide', title: 'Guide' },
      {
        operation: 'insert_page',
        ref: 'setup',
        into: 'guide',
        title: 'Set up',
        document: { markdown: '## First steps' },
      },
      { operation: 'insert_files', files: [{ name: 'notes.txt', ...TEXT }] },
    );
    const [guide, setup, file] = [idOf(made), idOf(made, 1), made.insertedFiles?.[0]?.id ?? ''];
    const targets = {
      './new.md': { kind: 'page', page: expect.any(String) },
      './picture': { kind: 'file', file: expect.any(String) },
      [`/pages/${setup}`]: { kind: 'page', page: setup },
      [`/pages/${setup}#first-steps`]: { kind: 'anchor', anchor: 'first-steps', page: setup },
      '/pages/guide/set-up': { kind: 'page', page: setup },
      '/pages/guide/set-up.md#first-steps': { kind: 'anchor', anchor: 'first-steps', page: setup },
      '/pages/guide/README.md': { kind: 'page', page: guide },
      'guide.md': { kind: 'page', page: guide },
      'guide/set-up.md': { kind: 'page', page: setup },
      'guide/README.md': { kind: 'page', page: guide },
      [`/files/${file}`]: { kind: 'file', file },
      '#here': { kind: 'anchor', anchor: 'here' },
      'https://example.com/a?b#c': { kind: 'url', url: 'https://example.com/a?b#c' },
      './nothing.md': { kind: 'url', url: './nothing.md' },
      './nothing': { kind: 'url', url: './nothing' },
      '/pages/nothing': { kind: 'url', url: '/pages/nothing' },
      '/files/nothing': { kind: 'url', url: '/files/nothing' },
      'data:text/plain,x': 'words',
    };
    const entries = Object.entries(targets);
    const written = await write(
      { operation: 'insert_page', ref: 'new', title: 'New' },
      { operation: 'insert_files', files: [{ ref: 'picture', name: 'picture.txt', ...TEXT }] },
      ...entries.map(([target]) => ({
        operation: 'insert_page',
        title: 'Link',
        document: { markdown: `[words](${target})` },
      })),
      {
        operation: 'insert_page',
        into: guide,
        title: 'Inner',
        document: { markdown: '[words](set-up.md) and [words](../guide.md) and [words](./new.md)' },
      },
    );
    const found = await Promise.all(
      entries.map(async ([target], at) => [target, inlines(await page(idOf(written, at + 1)))]),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(entries.map(([target, ref]) => [target, [ref]])));
    expect(inlines(await page(idOf(written, 1)))).toEqual([{ kind: 'page', page: idOf(written) }]);
    expect(inlines(await page(idOf(written, 2)))).toEqual([{ kind: 'file', file: written.insertedFiles?.[0]?.id }]);
    expect(inlines(await page(idOf(written, entries.length + 1)))).toEqual([
      { kind: 'page', page: setup },
      ' and ',
      { kind: 'page', page: guide },
      ' and ',
      { kind: 'page', page: idOf(written) },
    ]);
  });

  it('a link to a page that is not there is reported, and leads there when its page is read again with it', async () => {
    const { write, page, api, base } = await place(kind);
    const gone = '[words](later.md#part), ![picture](./gone.png), {% include "/reusable-contents/gone" %}';
    const id = idOf(await write({ operation: 'insert_page', title: 'Early', document: { markdown: gone } }));
    const markdown = async (): Promise<string> =>
      (await api.get<{ markdown: string }>(`${base}/content/page/${id}`, { query: { format: 'markdown' } })).body
        .markdown;
    expect(await markdown()).toContain('[words](later.md#part), ![picture](./gone.png)');
    const { body: report } = await api.get<{ items: { targetReference?: { kind: string; url?: string } }[] }>(
      `${base}/links`,
      { query: { status: 'broken' } },
    );
    expect(report.items.map(({ targetReference }) => targetReference?.url)).toEqual(
      expect.arrayContaining(['later.md#part', './gone.png']),
    );
    const later = idOf(await write({ operation: 'insert_page', title: 'Later' }));
    await write({ operation: 'update_page', page: id, document: { markdown: await markdown() } });
    expect(inlines(await page(id))[0]).toEqual({ kind: 'anchor', anchor: 'part', page: later });
  });

  it('leaves a data address where it is, and makes no file of it', async () => {
    const { write, page, api, base } = await place(kind);
    const id = idOf(
      await write({
        operation: 'insert_page',
        title: 'A',
        document: { markdown: `Before\n\n![A dot](data:image/png;base64,${BYTES})\n\nAfter` },
      }),
    );
    expect((await page(id)).document?.nodes[1]?.nodes?.[0]?.data?.ref).toEqual({
      kind: 'url',
      url: `data:image/png;base64,${BYTES}`,
    });
    expect((await api.get<{ count: number }>(`${base}/content/files`)).body.count).toBe(0);
  });

  it('insert_files takes 1 to 20 files, each by address or in base64 with its type', async () => {
    const { write, fault } = await place(kind);
    const many = (count: number) => ({
      operation: 'insert_files',
      files: Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, ...TEXT })),
    });
    expect((await write(many(20))).insertedFiles?.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, at) => `${at}.txt`),
    );
    for (const count of [0, 21]) expect(await fault(many(count))).toEqual([400, 'changes.0.files']);
    const one = (file: object) => ({ operation: 'insert_files', files: [{ name: 'a.txt', ...TEXT }, file] });
    expect(await fault(one({ name: 'b.txt', ...TEXT, url: 'https://example.com/' }))).toEqual([
      400,
      'changes.0.files.1.base64',
    ]);
    expect(await fault(one({ name: 'b.txt' }))).toEqual([400, 'changes.0.files.1.base64']);
    expect(await fault(one({ name: 'b.txt', base64: BYTES }))).toEqual([400, 'changes.0.files.1.contentType']);
    expect(await fault(one({ name: '', ...TEXT }))).toEqual([400, 'changes.0.files.1.name']);
    expect(await fault(one({ name: 'x'.repeat(257), ...TEXT }))).toEqual([400, 'changes.0.files.1.name']);
    expect(await fault(one({ name: 'b.txt', url: `https://example.com/${'x'.repeat(2048)}` }))).toEqual([
      400,
      'changes.0.files.1.url',
    ]);
    const bytes = Buffer.alloc(1024 ** 2);
    expect(
      (await write(one({ name: 'b.bin', contentType: 'application/x-zeros', base64: bytes.toString('base64') })))
        .insertedFiles?.[1],
    ).toMatchObject({ contentType: 'application/x-zeros', size: bytes.length });
    expect(
      await fault(
        one({
          name: 'b.bin',
          contentType: 'application/x-zeros',
          base64: Buffer.alloc(1024 ** 2 + 1).toString('base64'),
        }),
      ),
    ).toEqual([400, 'changes.0.files.1.base64']);
    expect(
      await fault({
        operation: 'insert_files',
        files: [
          { ref: 'r', name: 'a', ...TEXT },
          { ref: 'r', name: 'b', ...TEXT },
        ],
      }),
    ).toEqual([400, 'changes.0.ref']);
  });

  it('tells of each page that was touched once, in the order in which the batch first touched it', async () => {
    const { write, api, base } = await place(kind);
    const made = await write(
      { operation: 'insert_page', title: 'A' },
      { operation: 'insert_page', title: 'B' },
      { operation: 'insert_page', title: 'C' },
    );
    const [a, b, c] = [0, 1, 2].map((at) => idOf(made, at));
    const { changes } = await write(
      { operation: 'update_page', page: c, title: 'Cherries' },
      { operation: 'insert_page', ref: 'd', title: 'D' },
      { operation: 'update_page', page: a, title: 'Apples' },
      { operation: 'update_page', page: 'd', title: 'Dates' },
      { operation: 'update_page', page: c, into: 'd' },
      { operation: 'insert_page', ref: 'e', title: 'E' },
      { operation: 'delete_page', page: 'e' },
      { operation: 'delete_page', page: b },
    );
    const pointer = (id: unknown) => ({
      object: 'page',
      id,
      urls: { location: expect.stringMatching(new RegExp(`${base}/content/page/`)) },
    });
    expect(changes).toEqual([
      { object: 'updated_page', page: pointer(c) },
      { object: 'created_page', ref: 'd', page: pointer(expect.any(String)) },
      { object: 'updated_page', page: pointer(a) },
      { object: 'deleted_page', page: b },
    ]);
    const [touched] = changes;
    const location = typeof touched?.page === 'object' ? touched.page.urls.location : '';
    expect((await api.get(location.slice(location.indexOf('/v1') + 3))).body).toMatchObject({
      id: c,
      title: 'Cherries',
    });
    const plain = await api.post(`${base}/content`, { changes: [{ operation: 'insert_page', title: 'F' }] });
    if (kind === 'request') expect(plain.body).toMatchObject({ object: 'change-request', status: 'draft' });
    else expect(plain.body).toMatchObject({ revision: expect.any(String), changes: [{ object: 'created_page' }] });
  });
});

describe('revert_page', () => {
  it('goes back to what the change request stands on, or to a revision, or for some blocks only', async () => {
    const { api, space } = await place('space');
    const words = (...texts: string[]) => ({ markdown: texts.join('\n\n') });
    const made = await api.post<Written>(`${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'A', icon: 'gear', document: words('One', 'Two', 'Three') }],
    });
    const id = idOf(made.body);
    const { body: request } = await api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Proposal' });
    const base = `${space}/change-requests/${request.id}`;
    const write = async (...changes: object[]) =>
      expect((await api.post(`${base}/content`, { changes })).status).toBe(200);
    const read = async () =>
      (await api.get<Page>(`${base}/content/page/${id}`, { query: { format: 'markdown' } })).body;
    const blocks = (await api.get<Page>(`${base}/content/page/${id}`)).body.document?.nodes ?? [];
    await write({
      operation: 'update_page',
      page: id,
      title: 'Changed',
      icon: 'bell',
      document: words('One more', 'Two', 'Three more'),
    });
    const { body: changed } = await api.get<{ revision: string }>(base);
    await write({ operation: 'revert_page', page: id, block: [blocks[0]?.key] });
    expect(await read()).toMatchObject({
      title: 'Changed',
      icon: 'bell',
      markdown: expect.stringContaining('One\n\nTwo\n\nThree more\n'),
    });
    await write({ operation: 'revert_page', page: id });
    expect(await read()).toMatchObject({
      title: 'A',
      icon: 'gear',
      markdown: expect.stringContaining('One\n\nTwo\n\nThree\n'),
    });
    await write({ operation: 'revert_page', page: id, revision: changed.revision });
    expect(await read()).toMatchObject({
      title: 'Changed',
      markdown: expect.stringContaining('One more\n\nTwo\n\nThree more\n'),
    });
    await write({ operation: 'delete_page', page: id });
    await write({ operation: 'revert_page', page: id });
    expect(await read()).toMatchObject({ title: 'A', path: 'a' });
    const fault = async (change: object) =>
      (await api.post<{ error: { details?: { path: string }[] } }>(`${base}/content`, { changes: [change] })).body.error
        .details?.[0]?.path;
    expect(await fault({ operation: 'revert_page', page: 'nothing' })).toBe('changes.0.page');
    const { body: other } = await api.post<Written>(`${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Later' }],
    });
    expect(await fault({ operation: 'revert_page', page: idOf(other) })).toBe('changes.0.page');
    expect(
      (await api.post(`${base}/content`, { changes: [{ operation: 'revert_page', page: id, revision: 'nothing' }] }))
        .status,
    ).toBe(400);
  });
});
