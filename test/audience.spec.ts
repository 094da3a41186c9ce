import { describe, expect, it } from '@jest/globals';
import { Database } from '../src/common/database.js';
import { placeOf } from '../src/publishing/domain/place.js';
import { Visits, type Entered, type Visit, type VisitorPayload } from '../src/publishing/visits.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';

const app = useApp();

interface Made {
  readonly id: string;
  readonly basename: string;
  readonly urls: { readonly published?: string };
}

/** A published site of one space without sections. */
async function buildSite(settings: Readonly<Record<string, unknown>> = {}, title = 'Guide'): Promise<{ workspace: Workspace; api: Client; path: string; site: Made; space: string }> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const space = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title })).body.id;
  const site = (await api.post<Made>(`/orgs/${workspace.id}/sites`, { title: 'Manual', spaces: [space], ...settings })).body;
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  expect((await api.post(`${path}/publish`)).status).toBe(200);
  return { workspace, api, path, site, space };
}

const enter = (path: string, payload: VisitorPayload = {}, host = 'localhost'): Promise<Entered | undefined> => app.current.get(Visits).enter({ host, path }, payload);

function visitOf(entered: Entered | undefined): Visit {
  if (entered?.entrance && 'visit' in entered.entrance) return entered.entrance.visit;
  throw new Error(`nobody was let in: ${JSON.stringify(entered)}`);
}

describe('visits', () => {
  it('find a site by its basename, its hostname and its proxy', async () => {
    const { api, path, site } = await buildSite();
    const own = await enter(`/${site.basename.toUpperCase()}/a/b%20c/`);
    expect(own).toMatchObject({ siteBasePath: `/${site.basename}`, path: 'a/b c' });
    expect(visitOf(own).site.id).toBe(site.id);
    expect(visitOf(own).rows.siteSpaces).toMatchObject([{ title: 'Guide', isDefault: true, route: `/${site.basename}` }]);
    expect(await enter('/no-such-site')).toBeUndefined();
    expect(await enter(`/${site.basename}/%E0%A4%A`)).toBeUndefined();

    await app.current.database.execute('UPDATE site SET hostname = $2 WHERE id = $1', [site.id, 'docs.acme.example.com']);
    expect(await enter('/a', {}, 'docs.acme.EXAMPLE.com:8443')).toMatchObject({ siteBasePath: '', path: 'a' });
    await api.patch(path, { proxy: `acme.example.com/${site.basename}-docs` });
    expect(await enter(`/${site.basename}-docs/a`, {}, 'acme.example.com')).toMatchObject({ siteBasePath: `/${site.basename}-docs`, path: 'a' });
    expect(await enter(`/${site.basename}/a`, {}, 'acme.example.com')).toMatchObject({ siteBasePath: `/${site.basename}-docs`, path: 'a' });
    expect(await enter(`/${site.basename}-docs/a`, {}, 'other.example.com')).toBeUndefined();
  });

  it('never let a hostname or proxy take the place of another site on the own host of the installation', async () => {
    const victim = await buildSite();
    const thief = await buildSite();
    await app.current.database.execute('UPDATE site SET hostname = $2, proxy = $3 WHERE id = $1', [thief.site.id, 'localhost', `localhost/${victim.site.basename}`]);
    expect(visitOf(await enter(`/${victim.site.basename}`)).site.id).toBe(victim.site.id);
  });

  it('see every change of a site at the next request, by one statement while nothing changes', async () => {
    const { api, path, site, space, workspace } = await buildSite();
    const statements = countStatements();
    const first = visitOf(await enter(`/${site.basename}`));
    await statements.during(1, async () => {
      expect(visitOf(await enter(`/${site.basename}`)).stamp).toBe(first.stamp);
    });
    let { stamp } = first;
    const changed = async (): Promise<Visit> => {
      const visit = visitOf(await enter(`/${site.basename}`));
      expect(visit.stamp).not.toBe(stamp);
      stamp = visit.stamp;
      return visit;
    };
    await api.patch(path, { title: 'Changed' });
    expect((await changed()).site.title).toBe('Changed');
    await api.patch(`/spaces/${space}`, { title: 'Handbook' });
    expect((await changed()).rows.siteSpaces[0]?.title).toBe('Handbook');
    const other = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'API' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: other, title: 'Reference' })).body.id;
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook', 'Reference']);
    const group = (await api.post<Made>(`${path}/section-groups`, { title: 'Group', sections: [section] })).body.id;
    expect((await changed()).rows.groups).toMatchObject([{ id: group }]);
    await api.patch(`${path}/section-groups/${group}`, { title: 'Products' });
    expect((await changed()).rows.groups).toMatchObject([{ title: 'Products' }]);
    await api.delete(`/spaces/${other}`);
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook']);
    await api.post(`/spaces/${other}/restore`);
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook', 'Reference']);
    await api.delete(`${path}/sections/${section}`);
    expect((await changed()).rows.sections).toHaveLength(1);
    const customization = (await api.get(`${path}/customization`)).body;
    await api.put(`${path}/customization`, { ...customization, title: 'Shown' });
    expect((await changed()).site.customization).toMatchObject({ title: 'Shown' });
    await api.post(`${path}/unpublish`);
    expect((await enter(`/${site.basename}`))?.entrance).toBeUndefined();
  });

  it('tell what each space holds now, without a new stamp', async () => {
    const { api, site, space } = await buildSite({}, 'Live');
    const before = visitOf(await enter(`/${site.basename}`));
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const written = await api.post<{ revision: string }>(`/spaces/${space}/content`, { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'Hello' } }] });
    expect(written.status).toBe(200);
    const after = visitOf(await enter(`/${site.basename}`));
    const now = await api.get<{ revision: string }>(`/spaces/${space}`);
    expect(after.rows.siteSpaces[0]?.revisionId).toBe(now.body.revision);
    expect(after.rows.siteSpaces[0]?.revisionId).not.toBe(before.rows.siteSpaces[0]?.revisionId);
    expect(after.stamp).toBe(before.stamp);
  });
});

describe('places', () => {
  const siteSpace = (id: string, sectionId: string | null, isDefault = false) => ({ id, sectionId, siteSpacePath: id, isDefault });
  const rows = {
    sections: [
      { id: 'home', path: 'home', isDefault: true },
      { id: 'api', path: 'API', isDefault: false },
    ],
    siteSpaces: [siteSpace('en', 'home', true), siteSpace('fr', 'home'), siteSpace('v2', 'api', true), siteSpace('v1', 'api')],
  };
  const at = (path: string, given = rows) => {
    const place = placeOf(given, path);
    return place && [place.siteSpace.id, place.basePath, place.pathname];
  };

  it('give defaults no slug, and find the others by theirs', () => {
    expect(at('')).toEqual(['en', '', '']);
    expect(at('a/b')).toEqual(['en', '', 'a/b']);
    expect(at('fr/a')).toEqual(['fr', '/fr', 'a']);
    expect(at('api')).toEqual(['v2', '/API', '']);
    expect(at('api/v1/x')).toEqual(['v1', '/API/v1', 'x']);
    expect(at('home/a')).toEqual(['en', '', 'home/a']);
    expect(at('a', { sections: [], siteSpaces: [siteSpace('only', null, true)] })).toEqual(['only', '', 'a']);
    expect(at('', { sections: [], siteSpaces: [] })).toBeUndefined();
  });

  it('put the first in order at the root where the default is not seen, at its own address', () => {
    const hidden = { sections: rows.sections.slice(1), siteSpaces: rows.siteSpaces.filter(({ id }) => id === 'v1') };
    expect(at('', hidden)).toEqual(['v1', '/API/v1', '']);
    expect(at('api', hidden)).toEqual(['v1', '/API/v1', '']);
    expect(at('a/b', hidden)).toBeUndefined();
    expect(at('api/x', hidden)).toBeUndefined();
  });
});

function countStatements(): { during: (allowed: number, work: () => Promise<void>) => Promise<void> } {
  return {
    async during(allowed, work) {
      const database = app.current.get(Database);
      const asked: string[] = [];
      const original = database.query.bind(database);
      const one = database.one.bind(database);
      database.query = (text, values) => (asked.push(text), original(text, values));
      database.one = (text, values) => (asked.push(text), one(text, values));
      try {
        await work();
      } finally {
        Object.assign(database, { query: original, one });
      }
      expect(asked).toHaveLength(allowed);
    },
  };
}
