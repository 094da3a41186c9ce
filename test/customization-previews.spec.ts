import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { buildSpace, publish, seePreview, usePublicListener, type Made, type Site } from './published-site.js';

/* Looks of sites that administrators try before they save them. */

const app = useApp();
const listener = usePublicListener(app);

const titled = (title: string): object => ({ ...DEFAULT_CUSTOMIZATION, title });
const tokenOf = (url: string): string => new URL(url).searchParams.get('jwt_token') ?? '';

describe('a look that is not saved', () => {
  let workspace: Workspace;
  let site: Site;
  let siteSpace: string;
  let path: string;

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write({ operation: 'insert_page', title: 'First', document: { markdown: 'The first.' } });
    site = await publish(workspace, [space]);
    siteSpace = (await site.api.get<{ items: Made[] }>(`${site.path}/site-spaces`)).body.items[0]?.id ?? '';
    path = `${site.path}/customization/preview`;
  });

  const page = async (token?: string): Promise<string> =>
    (await listener.see(`${site.base}${token === undefined ? '' : `?jwt_token=${token}`}`)).body;
  const previewed = (url: string) => seePreview(listener, url);
  const tried = async (title: string, person: Person = workspace.admin): Promise<string> => {
    const { status, body } = await person.api.post<{ url: string }>(path, titled(title));
    expect(status).toBe(200);
    return body.url;
  };

  it('is shown to the person who tries it, and to nobody else', async () => {
    const other = await workspace.member('admin');
    const url = await tried('Quartz of today');
    const { body, headers } = await previewed(url);
    expect(body).toContain('Quartz of today');
    expect(String(headers['cache-control'])).toMatch(/no-store|private/);
    expect(await page()).not.toContain('Quartz');
    const others = await other.api.get<{ url: string }>(`${site.path}/publishing/preview`);
    expect((await previewed(others.body.url)).body).not.toContain('Quartz');
    // The claims of the site as it is saved belong to the same person, and show no draft.
    const plain = await site.api.get<{ url: string }>(`${site.path}/publishing/preview`);
    expect((await previewed(plain.body.url)).body).not.toContain('Quartz');
    expect((await site.api.get<{ title?: string }>(`${site.path}/customization`)).body.title).not.toBe(
      'Quartz of today',
    );
  });

  it('takes the place of the former one, also on pages that were made of that', async () => {
    const first = await tried('Feldspar');
    expect((await previewed(first)).body).toContain('Feldspar');
    const second = await tried('Mica');
    for (const url of [first, second]) {
      const { body } = await previewed(url);
      expect([body.includes('Mica'), body.includes('Feldspar')]).toEqual([true, false]);
    }
  });

  it('of one space of a site changes that space alone', async () => {
    const ofSpace = `${site.path}/site-spaces/${siteSpace}/customization/preview`;
    const { status, body } = await site.api.post<{ url: string }>(ofSpace, { title: 'Basalt' });
    expect(status).toBe(200);
    expect((await previewed(body.url)).body).toContain('Basalt');
    expect(await page()).not.toContain('Basalt');
    expect((await site.api.post(`${site.path}/site-spaces/nothing/customization/preview`, {})).status).toBe(404);
  });

  it('ends after an hour, with the rights of its maker, and with their membership', async () => {
    const maker = await workspace.member('admin');
    const url = await tried('Gneiss', maker);
    expect((await previewed(url)).body).toContain('Gneiss');
    await workspace.admin.api.patch(`/orgs/${workspace.id}/members/${maker.id}`, { role: 'read' });
    expect((await maker.api.post(path, titled('Schist'))).status).toBe(403);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${maker.id}`);
    expect(await page(tokenOf(url))).not.toContain('Gneiss');
    const rows = await app.current.database.query<{ userId: string }>(
      'SELECT user_id AS "userId" FROM customization_draft WHERE organization_id = $1',
      [workspace.id],
    );
    expect(rows.map(({ userId }) => userId)).toEqual([workspace.admin.id]);
    const own = await tried('Slate');
    app.current.setTime(new Date(Date.now() + 3601_000));
    try {
      expect((await previewed(own)).body).not.toContain('Slate');
    } finally {
      app.current.setTime(undefined);
    }
  });

  it('is checked as if it were saved: the same faults at the same fields', async () => {
    const wrong = { ...titled('Marble'), favicon: { icon: 3 }, header: { links: 'none' } };
    const [saved, tested] = [await site.api.put(`${site.path}/customization`, wrong), await site.api.post(path, wrong)];
    expect([tested.status, tested.body]).toEqual([400, saved.body]);
    const link = { title: 'Link', to: { kind: 'space', space: 'nowhere' }, links: [] };
    const foreign = { ...titled('Marble'), header: { ...DEFAULT_CUSTOMIZATION.header, links: [link] } };
    const [kept, asked] = [
      await site.api.put(`${site.path}/customization`, foreign),
      await site.api.post(path, foreign),
    ];
    expect([asked.status, asked.body]).toEqual([400, kept.body]);
  });

  it('of two calls at once is one of both', async () => {
    const titles = ['Onyx', 'Opal', 'Jasper', 'Topaz'];
    const urls = await Promise.all(titles.map((title) => tried(title)));
    const shown = new Set<string>();
    for (const url of urls) {
      const { body } = await previewed(url);
      const found = titles.filter((title) => body.includes(title));
      expect(found).toHaveLength(1);
      shown.add(found[0] ?? '');
    }
    expect(shown.size).toBe(1);
  });
});
