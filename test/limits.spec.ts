import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp({ PAGES_PER_SPACE: '20', FILES_PER_SPACE: '3', BODY_LIMIT: '2mb' });

interface Failure {
  error?: { message: string; details?: { path: string; message: string }[] };
}
interface Written extends Failure {
  revision: string;
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}

async function space() {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Limits',
    empty: true,
    editMode: 'live',
  });
  const url = `/spaces/${made.body.id}`;
  const send = (...changes: object[]) => admin.api.post<Written>(`${url}/content`, { changes });
  const write = async (...changes: object[]) => {
    const { status, body } = await send(...changes);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const fault = async (...changes: object[]) => {
    const { status, body } = await send(...changes);
    return [status, body.error?.details?.[0]?.path, body.error?.details?.[0]?.message ?? body.error?.message];
  };
  return { api: admin.api, id: made.body.id, url, write, fault };
}

const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ operation: 'insert_page', title: `P${at}` }));
const files = (count: number) => ({
  operation: 'insert_files',
  files: Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, contentType: 'text/plain', base64: 'eA==' })),
});

describe('what a space holds', () => {
  it('is at most so many pages, however they come', async () => {
    const { api, url, write, fault } = await space();
    const made = await write(...pages(19));
    expect(await fault(...pages(2))).toEqual([409, undefined, 'A space holds at most 20 pages: this would make 21']);
    const full = await write(...pages(1));
    expect(await fault(...pages(1))).toEqual([409, undefined, expect.stringContaining('20 pages')]);
    await write({ operation: 'update_page', page: made.changes[0]?.page.id, title: 'Changed' });
    await write({ operation: 'delete_page', page: made.changes[0]?.page.id }, ...pages(1));
    expect(await fault({ operation: 'revert_page', page: made.changes[0]?.page.id, revision: made.revision })).toEqual([
      409,
      undefined,
      expect.any(String),
    ]);
    await write({ operation: 'delete_page', page: made.changes[1]?.page.id });
    expect((await api.post(`${url}/revisions/${full.revision}/rollback`)).status).toBe(200);
    expect(await fault(...pages(1))).toEqual([409, undefined, expect.any(String)]);
    // A change request may propose more than there is room for, but not be merged.
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Too much' });
    const at = `${url}/change-requests/${request.id}`;
    expect((await api.post(`${at}/content`, { changes: pages(20) })).status).toBe(200);
    expect((await api.post<Failure>(`${at}/content`, { changes: pages(1) })).body.error?.message).toBe(
      'A change request changes at most 20 pages: this would make 21',
    );
    expect((await api.post<Failure>(`${at}/merge`)).body.error?.message).toBe(
      'A space holds at most 20 pages: this would make 40',
    );
    expect((await api.get(at)).body).toMatchObject({ status: 'draft' });
    expect((await api.get<{ pages: object[] }>(`${url}/content/pages`)).body.pages).toHaveLength(20);
    // A copy is as full as the original.
    const { body: copy } = await api.post<{ id: string }>(`${url}/duplicate`);
    await api.patch(`/spaces/${copy.id}`, { editMode: 'live' });
    expect((await api.post(`/spaces/${copy.id}/content`, { changes: pages(1) })).status).toBe(409);
  });

  it('is at most so many files, reusable contents and variables', async () => {
    const { id, write, fault } = await space();
    const made = await write(files(3));
    expect(await fault(files(1))).toEqual([409, undefined, 'A space holds at most 3 files: this would make 4']);
    await write({ operation: 'delete_files', files: [made.insertedFiles?.[0]?.id] }, files(1));
    const names = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${from + at}`, at]));
    await write({ operation: 'set_variables', variables: names(0, 1000) });
    expect(await fault({ operation: 'set_variables', variables: names(1000, 1) })).toEqual([
      409,
      undefined,
      'A space holds at most 1000 variables: this would make 1001',
    ]);
    await write({ operation: 'set_variables', variables: { v0: null, v1000: true, v5: 'other' } });
    await app.current.database.execute(
      `INSERT INTO content_total (space_id, line, kind, count) VALUES ($1, '', 'reusable', 9999)`,
      [id],
    );
    await write({ operation: 'insert_reusable_content', title: 'The last one' });
    expect(await fault({ operation: 'insert_reusable_content', title: 'One more' })).toEqual([
      409,
      undefined,
      'A space holds at most 10000 reusable contents: this would make 10001',
    ]);
  });

  it('is counted as it is, whatever has happened to it', async () => {
    const { api, id, url, write } = await space();
    const made = await write(
      ...pages(5),
      files(2),
      { operation: 'set_variables', variables: { a: 1, b: 2 } },
      { operation: 'insert_reusable_content', title: 'Hours' },
    );
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Counted' });
    const at = `${url}/change-requests/${request.id}`;
    await api.post(`${at}/content`, {
      changes: [
        ...pages(2),
        { operation: 'delete_page', page: made.changes[0]?.page.id },
        { operation: 'update_page', page: made.changes[1]?.page.id, title: 'Other' },
      ],
    });
    await write(
      { operation: 'delete_page', page: made.changes[2]?.page.id },
      { operation: 'set_variables', variables: { a: null } },
    );
    await api.post(`${at}/update`);
    await api.post(`${at}/merge`);
    await api.post(`${url}/revisions/${made.revision}/rollback`);
    const { body: copy } = await api.post<{ id: string }>(`${url}/duplicate`);
    for (const each of [id, copy.id]) {
      const counted = await app.current.database.query(
        `SELECT line, kind, count::int AS count FROM content_total WHERE space_id = $1 AND count > 0 ORDER BY line, kind`,
        [each],
      );
      const rows = await app.current.database.query(
        'SELECT line, kind, count(*)::int AS count FROM content_item WHERE space_id = $1 GROUP BY line, kind ORDER BY line, kind',
        [each],
      );
      expect(counted).toEqual(rows);
      expect(rows.length).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('3b-26 a request', () => {
  it('is as large as BODY_LIMIT, with at most 50 changes', async () => {
    const { url, api, write, fault } = await space();
    const large = await api.post<Failure>(`${url}/content`, {
      changes: [{ operation: 'insert_page', title: 'A', document: { markdown: 'x'.repeat(2 * 1024 ** 2) } }],
    });
    expect([large.status, large.body.error?.message]).toEqual([413, expect.any(String)]);
    await write({ operation: 'insert_page', title: 'A', document: { markdown: 'word '.repeat(20_000) } });
    expect(await fault(...Array.from({ length: 51 }, () => ({ operation: 'insert_page' })))).toEqual([
      400,
      'changes',
      expect.stringContaining('50'),
    ]);
  });
});

describe('3b-26 a document', () => {
  it.each([
    ['a million nodes', `${'0,'.repeat(999_999)}0`, 'values'],
    [
      '10,000 levels',
      `${'{"object":"block","type":"blockquote","data":{},"nodes":['.repeat(10_000)}${']}'.repeat(10_000)}`,
      '100 levels',
    ],
  ])('of %s is refused at once', async (_, nodes, why) => {
    const { url, api } = await space();
    const raw = Buffer.from(
      `{"changes":[{"operation":"insert_page","title":"A","document":{"document":{"object":"document","data":{},"nodes":[${nodes}]}}}]}`,
    );
    const begin = process.cpuUsage();
    const { status, body } = await api.post<Failure>(`${url}/content`, undefined, {
      raw,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(why)]);
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(5);
  });
});

describe('a page', () => {
  it.each([
    ['title', 250],
    ['slug', 100],
    ['linkTitle', 100],
    ['description', 300],
    ['emoji', 50],
    ['icon', 50],
    ['condition', 1024],
  ])('takes %s of at most %i characters', async (name, most) => {
    const { write, fault } = await space();
    const value = (length: number) =>
      name === 'condition' ? `visitor.claims.${'x'.repeat(length - 15)}` : 'x'.repeat(length);
    await write({ operation: 'insert_page', title: 'A', [name]: value(most) });
    expect(await fault({ operation: 'insert_page', title: 'A', [name]: value(most + 1) })).toEqual([
      400,
      `changes.0.${name}`,
      expect.stringContaining(String(most)),
    ]);
  });

  it('takes no more from its Markdown than can be searched and listed', async () => {
    const { write, fault } = await space();
    const words = (length: number) =>
      Array.from({ length: length / 8 }, (_, at) => `w${String(at).padStart(6, '0')}`)
        .join(' ')
        .slice(0, length);
    await write({ operation: 'insert_page', document: { markdown: `# ${words(1000)}` } });
    for (const length of [1100, 80_000])
      expect(await fault({ operation: 'insert_page', document: { markdown: `# ${words(length)}` } })).toEqual([
        400,
        'changes.0.title',
        'has more than 1000 characters',
      ]);
    expect(
      await fault({
        operation: 'insert_page',
        title: 'A',
        document: { markdown: `---\ndescription: ${words(6000)}\n---\n` },
      }),
    ).toEqual([400, 'changes.0.description', 'has more than 5000 characters']);
    expect(
      await fault({
        operation: 'insert_page',
        title: 'A',
        variables: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`v${at}`, 'x'.repeat(250)])),
      }),
    ).toEqual([400, 'changes.0.variables', 'has more than 100000 characters']);
    expect(await fault({ operation: 'insert_page', title: 'A', variables: { long: 'x'.repeat(257) } })).toEqual([
      400,
      'changes.0.variables.long',
      expect.stringContaining('256'),
    ]);
    expect(await fault({ operation: 'set_variables', variables: { long: 'x'.repeat(257) } })).toEqual([
      400,
      'changes.0.variables.long',
      expect.stringContaining('256'),
    ]);
    // One section with more words than one vector of the index holds.
    await write({ operation: 'insert_page', title: 'Words', document: { markdown: words(400_000) } });
  });
});
