import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();
const STRICT = { Prefer: 'respond-async, handling=strict' };

const ignored = ({ headers }: { headers: Headers }): string | null => headers.get('x-ignored-fields');

describe('input that an operation does not know', () => {
  it('is ignored, and named in a header by its path', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces?colour=red`, {
      title: 'Docs',
      colour: 'red',
      editMode: 'live',
    });
    expect([made.status, ignored(made)]).toEqual([201, 'colour, colour']);
    const space = `/spaces/${made.body.id}`;
    const written = await admin.api.post(`${space}/content`, {
      changes: [
        { operation: 'insert_page', title: 'One', document: { markdown: 'Text' }, flavour: 'odd' },
        { operation: 'insert_page', title: 'Two', tittle: 'Three', layout: { cover: false } },
      ],
    });
    expect([written.body, written.status, ignored(written)]).toMatchObject([
      {},
      200,
      'changes.0.flavour, changes.1.tittle',
    ]);
    const listed = await admin.api.get(`/orgs/${id}/members`, { query: { serch: 'ada', limit: 5, role: 'admin' } });
    expect([listed.status, ignored(listed)]).toEqual([200, 'serch']);
    // Without a class for its query, an operation takes no parameter.
    expect(ignored(await admin.api.get('/user', { query: { expand: 'all' } }))).toBe('expand');
    for (let round = 0; round < 2; round++)
      expect(ignored(await admin.api.get(`/orgs/${id}/teams`, { query: { titel: 'a' } }))).toBe('titel');
    const removed = await admin.api.delete(`${space}?force=true`);
    expect([removed.status, ignored(removed)]).toEqual([204, 'force']);
    for (const known of [
      await admin.api.get(`/orgs/${id}/members`, { query: { search: 'ada', sort: 'name' } }),
      await admin.api.patch(`/orgs/${id}`, { title: 'Known' }),
    ])
      expect([known.status, ignored(known)]).toEqual([200, null]);
  });

  it('is named in ASCII and within bounds, whatever its names are', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const odd = { 'ü,\n': 1, [`${'y'.repeat(99)}😀`]: 1, ['x'.repeat(5000)]: 1 };
    const few = await admin.api.patch(`/orgs/${id}`, { title: 'All', ...odd });
    expect([few.status, ignored(few)]).toEqual([200, `%C3%BC%2C%0A, ${'y'.repeat(99)}%EF%BF%BD, ${'x'.repeat(100)}`]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, index]));
    const named = ignored(await admin.api.patch(`/orgs/${id}`, { title: 'All', ...many }));
    expect(named?.split(', ')).toEqual(Array.from({ length: 20 }, (_, index) => `field${index}`));
  });

  it('is refused with its paths where the caller wants strict handling, and nothing is done', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const refused = await admin.api.patch(`/orgs/${id}`, { title: 'New', titel: 'Newer' }, { headers: STRICT });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { code: 400, details: [{ path: 'titel', message: 'is not known to this operation' }] } },
    ]);
    expect((await admin.api.get(`/orgs/${id}`)).body).toMatchObject({ title: 'Test organization' });
    const query = await admin.api.get(`/orgs/${id}/members`, { query: { serch: 'a' }, headers: STRICT });
    expect([query.status, query.body]).toMatchObject([400, { error: { details: [{ path: 'serch' }] } }]);
    const done = await admin.api.patch(`/orgs/${id}`, { title: 'New' }, { headers: STRICT });
    expect([done.status, done.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    const lenient = await admin.api.patch(`/orgs/${id}`, { titel: 'A' }, { headers: { Prefer: 'handling=lenient' } });
    expect([lenient.status, ignored(lenient), lenient.headers.get('preference-applied')]).toEqual([200, 'titel', null]);
  });

  it('is found in customizations as well, however deep', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const site = await admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Site' });
    const path = `/orgs/${id}/sites/${site.body.id}/customization`;
    const { styling, ...more } = DEFAULT_CUSTOMIZATION;
    const body = { ...more, styling: { ...styling, colour: 'red' }, bogus: 1 };
    const put = await admin.api.put(path, body);
    expect([put.status, ignored(put)?.split(', ').sort()]).toEqual([200, ['bogus', 'styling.colour']]);
    expect((await admin.api.put(path, body, { headers: STRICT })).status).toBe(400);
    expect((await admin.api.put(path, DEFAULT_CUSTOMIZATION, { headers: STRICT })).status).toBe(200);
  });
});
