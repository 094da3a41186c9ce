import { describe, expect, it } from '@jest/globals';
import type { DataObject } from '../src/kernel/common/expressions/tree.js';
import { claimsKey } from '../src/publishing/published-sites/domain/visitor.js';
import { matchingSections } from '../src/authoring/search/domain/matching-sections.js';
import { SiteSearch } from '../src/publishing/published-sites/search/site-search.service.js';
import { SiteStructures } from '../src/publishing/sites/structure.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client, type Answer } from './client.js';

const app = useApp();
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface Thing {
  id: string;
}
interface Hit extends Thing {
  title: string;
  pages: { id: string; title: string; path: string; sections: { body: string; path: string }[] }[];
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Refusal {
  error: { details?: { path: string }[] };
}

interface Built {
  readonly workspace: Workspace;
  readonly api: Client;
  readonly path: string;
  readonly spaces: string[];
  readonly siteSpaces: string[];
  readonly write: (space: number, ...changes: object[]) => Promise<string[]>;
  readonly find: (query: string, more?: object) => Promise<string[]>;
  /** What a reader with claims finds: titles of pages with the texts shown, and the count. */
  readonly read: (claims: DataObject, query: string) => Promise<{ found: string[]; count: number; bodies: string }>;
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);
const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

/** A site with a section for each title. */
async function buildSite(...titles: string[]): Promise<Built> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const { body: site } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, { title: 'Manual' });
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  const spaces: string[] = [];
  for (const title of titles) {
    const { body } = await api.post<Thing>(`/orgs/${workspace.id}/spaces`, {
      title,
      empty: true,
      editMode: 'live',
      language: 'en',
    });
    spaces.push(body.id);
    await api.post(`${path}/sections`, { spaceId: body.id, title: `${title} section` });
  }
  const { items } = (await api.get<List<Thing & { space: Thing }>>(`${path}/site-spaces`)).body;
  return {
    workspace,
    api,
    path,
    spaces,
    siteSpaces: spaces.map((space) => items.find((item) => item.space.id === space)?.id ?? ''),
    write: async (space, ...changes) => {
      const { body } = await api.post<{ changes: { page: Thing | string }[] }>(`/spaces/${spaces[space]}/content`, {
        changes,
      });
      return body.changes.map((change) => (typeof change.page === 'string' ? change.page : change.page.id));
    },
    find: async (query, more = { scope: { mode: 'all' } }) => {
      const answer = await api.post<List<Hit>>(`${path}/search`, { query, ...more });
      expect(answer.status).toBe(200);
      return answer.body.items.flatMap((space) => space.pages.map(({ title }) => `${space.title}: ${title}`));
    },
    read: async (claims, query) => {
      const rows = await app.current.get(SiteStructures).rows(workspace.admin.id, site.id);
      const visitor = { claims: { unsigned: {}, ...claims } };
      const found = await app.current
        .get(SiteSearch)
        .find(
          { id: site.id, organizationId: workspace.id, ...rows, reader: { visitor, claimsKey: claimsKey(visitor) } },
          query,
          { mode: 'all' },
          {},
        );
      return {
        found: found.items.flatMap(({ hit }) => hit.pages.map(({ title }) => title)),
        count: found.count,
        bodies: JSON.stringify(found.items),
      };
    },
  };
}

describe('the search of a site', () => {
  it('finds pages of the site spaces that are meant, those of the current one first', async () => {
    const { workspace, api, path, spaces, siteSpaces, write, find } = await buildSite('Guide', 'Reference');
    await write(0, page('Install', 'Use the turbine.'), page('More', 'Nothing of that'));
    await write(1, page('Turbine', 'All about it.'));
    const { body: variant } = await api.post<Thing>(`/orgs/${workspace.id}/spaces`, {
      title: 'Old',
      empty: true,
      editMode: 'live',
    });
    await api.post(`/spaces/${variant.id}/content`, { changes: [page('Turbine of old', 'It was slow.')] });
    const { items: sections } = (await api.get<List<Thing>>(`${path}/sections`)).body;
    const { body: old } = await api.post<Thing>(`${path}/site-spaces`, {
      spaceId: variant.id,
      sectionId: sections[1]?.id,
    });
    expect((await find('turbine')).sort()).toEqual(['Guide: Install', 'Old: Turbine of old', 'Reference: Turbine']);
    expect(await find('turbine', {})).toEqual(['Reference: Turbine', 'Guide: Install']);
    expect(await find('turbine', { scope: { mode: 'default', currentSiteSpace: siteSpaces[0] } })).toEqual([
      'Guide: Install',
      'Reference: Turbine',
    ]);
    expect(await find('turbine', { scope: { mode: 'default', currentSiteSpace: old.id } })).toEqual([
      'Old: Turbine of old',
      'Guide: Install',
    ]);
    expect(await find('turbine', { scope: { mode: 'specific', siteSpaceIds: [old.id] } })).toEqual([
      'Old: Turbine of old',
    ]);
    expect(await find('turbine', { mode: 'current', siteSpaceId: siteSpaces[0] })).toEqual([
      'Guide: Install',
      'Reference: Turbine',
    ]);
    expect(await find('turbine', { mode: 'specific', siteSpaceIds: [siteSpaces[0]] })).toEqual(['Guide: Install']);
    expect(await find('turbine', { siteSpaceIds: [siteSpaces[1]] })).toEqual(['Reference: Turbine']);
    expect(await find('turbine', { mode: 'all' })).toHaveLength(3);
    expect(await find('turbnie')).toHaveLength(3);
    const first = await api.post<List<Hit>>(
      `${path}/search`,
      { query: 'turbine', scope: { mode: 'all' } },
      { query: { limit: 2 } },
    );
    expect([first.body.count, first.body.items.length]).toEqual([3, 2]);
    const rest = await api.post<List<Hit>>(
      `${path}/search`,
      { query: 'turbine', scope: { mode: 'all' } },
      { query: { limit: 2, page: first.body.next?.page } },
    );
    expect(rest.body.items).toHaveLength(1);
    expect(
      (
        await api.post(
          `${path}/search`,
          { query: 'turbine', scope: { mode: 'all', currentSiteSpace: 'x' } },
          { query: { page: 'x' } },
        )
      ).status,
    ).toBe(400);
    await write(0, page('Late', 'Another turbine'));
    expect(await find('turbine', { scope: { mode: 'specific', siteSpaceIds: [siteSpaces[0]] } })).toEqual(
      expect.arrayContaining(['Guide: Late']),
    );
    await api.delete(`/spaces/${spaces[0]}`);
    expect((await find('turbine')).sort()).toEqual(['Old: Turbine of old', 'Reference: Turbine']);
  });

  it('never shows what the caller cannot read, and names what is wrong', async () => {
    const { workspace, api, path, spaces, write } = await buildSite('Guide', 'Secret');
    await write(0, page('Install', 'Use the turbine.'));
    await write(1, page('Turbine', 'All about it.'));
    await api.patch(`/spaces/${spaces[1]}`, { defaultLevel: null });
    const reader = await workspace.member('read');
    const found = await reader.api.post<List<Hit>>(`${path}/search`, { query: 'turbine', scope: { mode: 'all' } });
    expect(found.body).toMatchObject({ count: 1, items: [{ id: spaces[0] }] });
    for (const [body, at] of [
      [{}, 'query'],
      [{ query: ' ' }, 'query'],
      [{ query: 'x'.repeat(513) }, 'query'],
      [{ query: 'a', scope: { mode: 'some' } }, 'scope.mode'],
      [{ query: 'a', scope: { mode: 'specific' } }, 'scope.siteSpaceIds'],
      [{ query: 'a', scope: { mode: 'specific', siteSpaceIds: [UNKNOWN] } }, 'scope.siteSpaceIds.0'],
      [{ query: 'a', scope: { mode: 'default', currentSiteSpace: UNKNOWN } }, 'scope.currentSiteSpace'],
      [{ query: 'a', mode: 'current' }, 'siteSpaceId'],
    ] as const) {
      const answer = await api.post<Refusal>(`${path}/search`, body);
      expect([body, answer.status, pathsAt(answer)]).toEqual([body, 400, [at]]);
    }
    expect((await (await workspace.member('none')).api.post(`${path}/search`, { query: 'turbine' })).status).toBe(404);
  });
});

describe('readers of a site', () => {
  it('do not find pages that are hidden from them, nor what lies below', async () => {
    const { api, spaces, write, find, read } = await buildSite('Guide');
    const [hidden, beta] = await write(
      0,
      page('Hidden', 'The turbine', { hidden: true }),
      page('Beta', 'A turbine', { condition: 'visitor.claims.beta == true' }),
      page('Open', 'One turbine'),
      page('Broken', 'turbine', { condition: 'visitor.claims.no.such.thing' }),
    );
    await write(0, page('Below', 'Some turbine', { into: beta }));
    expect((await find('turbine')).sort()).toEqual([
      'Guide: Below',
      'Guide: Beta',
      'Guide: Broken',
      'Guide: Hidden',
      'Guide: Open',
    ]);
    expect(await read({}, 'turbine')).toMatchObject({ found: ['Open'], count: 1 });
    expect((await read({ beta: true }, 'turbine')).found.sort()).toEqual(['Below', 'Beta', 'Open']);
    expect((await read({ beta: 'true' }, 'turbine')).found).toEqual(['Open']);
    await api.post(`/spaces/${spaces[0]}/content`, {
      changes: [{ operation: 'update_page', page: hidden, hidden: false }],
    });
    expect((await read({}, 'turbine')).found.sort()).toEqual(['Hidden', 'Open']);
    expect(await read({}, 'beta')).toMatchObject({ found: [], count: 0 });
  });

  it('do not find what stands in a part that is hidden from them, nor learn that it is there', async () => {
    const { write, find, read } = await buildSite('Guide');
    const text = [
      'Everybody sees the wheel.',
      '',
      '{% if visitor.claims.partner == true %}',
      '## Discount',
      '',
      'Partners pay less for the turbine.',
      '{% endif %}',
      '',
      '## Rest',
      '',
      'The end.',
    ].join('\n');
    await write(0, page('Prices', text), page('Other', 'A wheel and a turbine'));
    expect((await find('turbine')).sort()).toEqual(['Guide: Other', 'Guide: Prices']);
    expect(await read({}, 'turbine')).toMatchObject({ found: ['Other'], count: 1 });
    expect((await read({ partner: true }, 'turbine')).found.sort()).toEqual(['Other', 'Prices']);
    expect(await read({}, 'discount')).toMatchObject({ found: [], count: 0 });
    expect((await read({ partner: true }, 'discount')).bodies).toContain('pay less');
    // Words that must not be there tell nothing of what is hidden either.
    expect((await read({}, 'wheel -turbine')).found).toEqual(['Prices']);
    expect((await read({ partner: true }, 'wheel -turbine')).found).toEqual(['Prices']);
    const seen = await read({}, 'wheel');
    expect(seen.found.sort()).toEqual(['Other', 'Prices']);
    expect(seen.bodies).not.toContain('Partners');
    expect((await read({}, 'end')).bodies).toContain('#rest');
  });

  it('search with their tokens what the site shows them, and nothing else', async () => {
    const { api, path, spaces, siteSpaces, write } = await buildSite('Guide', 'Internal');
    await write(0, page('Install', 'Use the turbine.'), page('Hidden', 'The turbine', { hidden: true }));
    await write(1, page('Turbine', 'All about it.'));
    await api.patch(`${path}/site-spaces/${siteSpaces[1]}`, { condition: 'visitor.claims.staff == true' });
    const { body: site } = await api.post<{ urls: { published: string } }>(`${path}/publish`);
    const { body: found } = await api.post<{ apiToken: string }>('/urls/published', { url: site.urls.published });
    const reader = new Client(app.current.url, found.apiToken);
    const hits = await reader.post<List<Hit>>(`${path}/search`, { query: 'turbine', scope: { mode: 'all' } });
    expect(hits.body).toMatchObject({ count: 1, items: [{ id: spaces[0], pages: [{ title: 'Install' }] }] });
    const named = await reader.post<Refusal>(`${path}/search`, {
      query: 'turbine',
      scope: { mode: 'specific', siteSpaceIds: [siteSpaces[1]] },
    });
    expect([named.status, pathsAt(named)]).toEqual([400, ['scope.siteSpaceIds.0']]);
    for (const answer of [
      await reader.get(`${path}/redirects`),
      await reader.get(`${path}/permissions/aggregate`),
      await reader.get('/urls/content', { query: { url: site.urls.published } }),
    ])
      expect(answer.status).toBe(403);
  });

  it('shows the sections of pages in which most of the words stand', () => {
    const sections = [
      { title: '', body: 'Nothing' },
      { title: 'Über', body: 'Installing turbines' },
      { title: 'Install', body: '' },
    ];
    expect(matchingSections(sections, ['install', 'turbine']).map(({ title }) => title)).toEqual(['Über', 'Install']);
    expect(matchingSections(sections, ['absent']).map(({ body }) => body)).toEqual(['Nothing']);
  });
});
