import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface Hit {
  id: string;
  title: string;
  path: string;
  description: string;
  score: number;
  rank: number;
  sections: { id: string; title: string; body: string; score: number; urls: { app: string } }[];
  ancestors: { title: string }[];
  urls: { app: string };
}

interface Found {
  items: { type: string; id: string; title: string; score: number; pages: Hit[] }[];
  count: number;
  next?: { page: string };
}

async function makeSpace(
  { admin, id }: Workspace,
  title: string,
  pages: Readonly<Record<string, string>>,
  more: object = {},
): Promise<string> {
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title,
    empty: true,
    editMode: 'live',
    ...more,
  });
  const changes = Object.entries(pages).map(([name, markdown]) => ({
    operation: 'insert_page',
    title: name,
    document: { markdown },
  }));
  const written = await admin.api.post(`/spaces/${made.body.id}/content`, { changes });
  expect(written.status).toBe(200);
  return made.body.id;
}

const search = async (
  person: Person,
  organization: string,
  query: string,
  more: Record<string, string | number> = {},
) => (await person.api.get<Found>(`/orgs/${organization}/search`, { query: { query, ...more } })).body;
const idsOf = (found: Found) => found.items.map(({ id }) => id);

/** Words are rarer or more frequent in an organization than in one of its spaces: scores and the order of pages may differ. */
const inOrder = (pages: readonly Hit[]): Hit[] =>
  pages
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ sections, ...page }) => ({
      ...page,
      score: 0,
      rank: 0,
      sections: sections.map((section) => ({ ...section, score: 0 })),
    }));

/** Spaces without content, beside those of a test. */
async function fill({ id, admin }: Workspace, count: number): Promise<void> {
  await app.current.database.execute(
    `INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at)
     SELECT 'Z' || lpad(n::text, 5, '0') || right($1, 14), $1, 'Filler', 'V', 'r', $2, now(), now() FROM generate_series(1, $3) n`,
    [id, admin.id, count],
  );
}

describe('the search in an organization', () => {
  it('finds spaces with their pages and sections, the best first, page by page', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const inText = await makeSpace(workspace, 'In text', {
      Overview: 'Words about nothing.\n\n## Details\n\nThe zeppelin is in the hangar.',
      Other: 'Nothing here',
    });
    const inHeading = await makeSpace(workspace, 'In heading', {
      Overview: 'Words.\n\n## Zeppelin hangars\n\nThey are large.',
    });
    const inTitle = await makeSpace(workspace, 'In title', {
      'Zeppelin manual': 'How to fly',
      Unrelated: 'Something else',
    });
    const found = await search(admin, id, 'zeppelin');
    expect(found.count).toBe(3);
    expect(idsOf(found)).toEqual([inTitle, inHeading, inText]);
    expect(found.items.map(({ title }) => title)).toEqual(['In title', 'In heading', 'In text']);
    expect(found.items.map(({ pages }) => pages.map(({ title }) => title))).toEqual([
      ['Zeppelin manual'],
      ['Overview'],
      ['Overview'],
    ]);
    expect(found.items[2]?.pages[0]).toMatchObject({
      path: 'overview',
      sections: [{ id: 'details', title: 'Details', body: 'The zeppelin is in the hangar.' }],
    });
    expect(found.items[2]?.pages[0]?.sections[0]?.urls.app).toContain(`/o/${id}/s/${inText}/overview#details`);

    const first = await search(admin, id, 'zeppelin', { limit: 2 });
    expect([idsOf(first), first.count]).toEqual([[inTitle, inHeading], 3]);
    const second = await search(admin, id, 'zeppelin', { limit: 2, page: first.next?.page ?? '' });
    expect([idsOf(second), second.count, second.next]).toEqual([[inText], 3, undefined]);
    await makeSpace(workspace, 'Later', { 'Zeppelin news': 'zeppelin zeppelin' });
    expect(await search(admin, id, 'zeppelin', { limit: 0 })).toEqual({ items: [], count: 4 });
    for (const query of [
      { query: 'hangar', page: first.next?.page ?? '' },
      { query: 'zeppelin', page: 'x.y' },
      { query: ' ' },
      { query: 'x'.repeat(513) },
      {},
    ]) {
      expect((await admin.api.get(`/orgs/${id}/search`, { query })).status).toBe(400);
    }
  });

  it('tells scores, and the place of each page among all that were found, whatever the page of the list', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    await makeSpace(workspace, 'Harbour', {
      Quay: 'A bollard',
      Bollards: 'The bollard stands.\n\n# Bollards\n\nBollard!',
    });
    const boats = await makeSpace(workspace, 'Boats', { Ropes: 'Ropes and a bollard', Sails: 'No word of it' });
    const [sails] = (
      await admin.api.get<{ pages: { id: string; title: string }[] }>(`/spaces/${boats}/content/pages`)
    ).body.pages.filter(({ title }) => title === 'Sails');
    await admin.api.post(`/spaces/${boats}/content`, {
      changes: [{ operation: 'update_page', page: sails?.id, description: 'Where to fasten a bollard' }],
    });
    const found = await search(admin, id, 'bollard');
    const pages = found.items.flatMap((space) => space.pages);
    expect(pages.map(({ title, description }) => [title, description])).toContainEqual([
      'Sails',
      'Where to fasten a bollard',
    ]);
    const ranked = pages.toSorted((one, other) => one.rank - other.rank);
    expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, at) => at + 1));
    const scores = ranked.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(ranked[0]?.title).toBe('Bollards');
    for (const space of found.items) {
      expect([space.type, space.score]).toEqual(['space', space.pages[0]?.score]);
      for (const { score, sections } of space.pages)
        expect(sections.every((section) => section.score > 0 && section.score <= score)).toBe(true);
    }
    const [first, second] = [await search(admin, id, 'bollard', { limit: 1 }), found];
    expect(first.items[0]?.pages).toEqual(second.items[0]?.pages);
    const inSpace = await admin.api.get<{ items: Hit[] }>(`/spaces/${found.items[0]?.id ?? ''}/search`, {
      query: { query: 'bollard', limit: 1 },
    });
    expect(inSpace.body.items.map(({ rank }) => rank)).toEqual([1]);
  });

  it('agrees with the search in each space, in few spaces as in many', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const many = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [`Anchor ${at}`, `Anchor number ${at} holds ${'firmly '.repeat(at)}`]),
    );
    const german = { Verzeichnisse: 'Alle Verzeichnisse der Anker', Anderes: 'Nichts davon' };
    const spaces = [
      await makeSpace(workspace, 'Harbour', {
        Ships: 'Ships and anchors\n\n# Anchor chains\n\nThe anchor is heavy.',
        Docks: 'A dock',
        ...many,
      }),
      await makeSpace(workspace, 'Hafen', german, { language: 'de' }),
      await makeSpace(workspace, 'Boats', { Boats: 'Boats have small anchors', Sails: 'running ships' }),
    ];
    for (const amount of [0, 220]) {
      await fill(workspace, amount);
      for (const query of [
        'anchor',
        'anchors heavy',
        '"small anchors"',
        'verzeichnis',
        'anch',
        'ships -boats',
        'ship or dock',
        'nowhere',
        '-boats',
      ]) {
        const found = await search(admin, id, query);
        const alone = new Map<string, Hit[]>();
        for (const space of spaces) {
          const { body } = await admin.api.get<{ items: Hit[] }>(`/spaces/${space}/search`, {
            query: { query, limit: 10 },
          });
          if (body.items.length > 0) alone.set(space, inOrder(body.items));
        }
        expect({ query, found: new Map(found.items.map((item) => [item.id, inOrder(item.pages)])) }).toEqual({
          query,
          found: alone,
        });
        expect(found.count).toBe(alone.size);
      }
    }
  });

  it('puts mistyped words right by the spaces that the caller can see', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const open = await makeSpace(workspace, 'Open', { Page: 'The tungsten filament' });
    const closed = await makeSpace(
      workspace,
      'Closed',
      { Page: 'A molybdenum filament and tungstan' },
      { language: 'zh' },
    );
    await admin.api.patch(`/spaces/${closed}`, { defaultLevel: null });
    const reader = await workspace.member('read');
    expect(idsOf(await search(admin, id, 'molibdenum'))).toEqual([closed]);
    expect(await search(reader, id, 'molibdenum')).toEqual({ items: [], count: 0 });
    expect(idsOf(await search(admin, id, 'filamnet')).sort()).toEqual([open, closed].sort());
    expect(idsOf(await search(reader, id, 'filamnet'))).toEqual([open]);
    expect(idsOf(await search(reader, id, 'tungstan'))).toEqual([open]);
    expect(idsOf(await search(admin, id, 'tungstan'))).toEqual([closed]);
  });

  it('3b-9 shows and counts only what the caller can see, as of now', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const { admin, id } = workspace;
    const open = await makeSpace(workspace, 'Open', { Page: 'The obelisk' });
    const closed = await makeSpace(workspace, 'Closed', { Obelisk: 'obelisk obelisk' });
    await makeSpace(other, 'Foreign', { Obelisk: 'obelisk' });
    await admin.api.patch(`/spaces/${closed}`, { defaultLevel: null });
    const [reader, guest] = [await workspace.member('read'), await workspace.member('none')];
    expect(await search(admin, id, 'obelisk')).toMatchObject({ count: 2, items: [{ id: closed }, { id: open }] });
    expect(await search(reader, id, 'obelisk')).toMatchObject({ count: 1, items: [{ id: open }] });
    expect(await search(guest, id, 'obelisk')).toEqual({ items: [], count: 0 });
    await admin.api.post(`/spaces/${closed}/permissions`, { role: 'read', users: [guest.id] });
    expect(await search(guest, id, 'obelisk')).toMatchObject({ count: 1, items: [{ id: closed, title: 'Closed' }] });
    const token = (await search(admin, id, 'obelisk', { limit: 1 })).next?.page ?? '';
    expect((await reader.api.get(`/orgs/${id}/search`, { query: { query: 'obelisk', page: token } })).status).toBe(400);
    expect((await other.admin.api.get(`/orgs/${id}/search`, { query: { query: 'obelisk' } })).status).toBe(404);
    expect((await admin.api.get(`/orgs/${newId()}/search`, { query: { query: 'obelisk' } })).status).toBe(404);

    await admin.api.delete(`/spaces/${open}`);
    expect(await search(reader, id, 'obelisk')).toEqual({ items: [], count: 0 });
    await admin.api.post(`/spaces/${open}/restore`);
    expect(await search(reader, id, 'obelisk')).toMatchObject({ count: 1 });
    await admin.api.patch(`/spaces/${open}`, { title: 'Renamed' });
    await admin.api.post(`/spaces/${open}/content`, {
      changes: [{ operation: 'insert_page', title: 'Menhir', document: { markdown: 'A stone' } }],
    });
    expect(await search(reader, id, 'menhir')).toMatchObject({
      count: 1,
      items: [{ title: 'Renamed', pages: [{ title: 'Menhir' }] }],
    });
    expect((await search(admin, id, `'; DROP TABLE space; --`)).count).toBe(0);
  });

  it('finds what an organization calls by other names', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const { admin, id } = workspace;
    const path = `/orgs/${id}/search/synonyms`;
    for (const each of [workspace, other]) await makeSpace(each, 'Imports', { Imports: 'The hopper holds jobs' });
    const titlesOf = async (each: Workspace, query: string) =>
      (await search(each.admin, each.id, query)).items.map(({ title }) => title);
    expect((await admin.api.get(path)).body).toEqual({ object: 'search-synonyms', groups: [] });
    expect(await titlesOf(workspace, 'waiting line')).toEqual([]);
    const groups = [{ words: ['hopper', 'waiting line', 'WL'] }];
    const { status, body } = await admin.api.put(path, { groups });
    expect([status, body]).toEqual([200, expect.objectContaining({ groups, updatedBy: admin.id })]);
    expect((await admin.api.get(path)).body).toEqual(body);
    for (const query of ['waiting line', 'wl', 'Waiting Lines'])
      expect(await titlesOf(workspace, query)).toEqual(['Imports']);
    expect(await titlesOf(other, 'waiting line')).toEqual([]);
    const space = (await search(admin, id, 'hopper')).items[0]?.id ?? '';
    expect((await admin.api.get<Found>(`/spaces/${space}/search`, { query: { query: 'wl' } })).body.count).toBe(1);
    for (const wrong of [
      { groups: [{ words: ['alone'] }] },
      { groups: [{ words: ['', 'x'] }] },
      { groups: [{ words: Array.from({ length: 21 }, (_, at) => `w${at}`) }] },
      { groups: Array.from({ length: 501 }, () => groups[0]) },
      {},
    ])
      expect([wrong, (await admin.api.put(path, wrong)).status]).toEqual([wrong, 400]);
    expect((await admin.api.put(path, { groups: [] })).status).toBe(200);
    expect(await titlesOf(workspace, 'wl')).toEqual([]);
  });

  it('lists a translation behind its original, unless the reader prefers its language', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const original = await makeSpace(workspace, 'Manual', { Config: 'Set turbine_speed here' }, { language: 'en' });
    const copy = await makeSpace(workspace, 'Handbuch', { Config: 'turbine_speed' }, { language: 'de' });
    const inOrder = async (language?: string) =>
      idsOf(
        (
          await admin.api.get<Found>(`/orgs/${id}/search`, {
            query: { query: 'turbine_speed' },
            ...(language !== undefined && { headers: { 'Accept-Language': language } }),
          })
        ).body,
      );
    expect(await inOrder()).toEqual([copy, original]);
    await app.current.database.execute(
      `INSERT INTO translation (id, organization_id, source_space_id, source_language, language, result_space_id, instructions, slugs, status, created_by, created_at, updated_at)
       VALUES ($1, $2, $3, 'en', 'de', $4, '{}', 'keep', 'completed', $5, now(), now())`,
      [newId(), id, original, copy, admin.id],
    );
    expect(await inOrder()).toEqual([original, copy]);
    expect(await inOrder('fr, de;q=0.5')).toEqual([original, copy]);
    expect(await inOrder('de-AT,de;q=0.9')).toEqual([copy, original]);
  });

  it('3b-9 ranks what can be seen, not what lies around it', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const text = `lighthouse ${'on the coast '.repeat(3)}`;
    const pages = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`Lighthouse ${at}`, `${text} ${at}`]));
    const crowd = await makeSpace(other, 'Crowd', pages);
    for (let each = 0; each < 24; each++) await other.admin.api.post(`/spaces/${crowd}/duplicate`);
    const own = await makeSpace(workspace, 'Own', { Page: 'A lighthouse of ours' });
    await fill(workspace, 220);
    expect(await search(workspace.admin, workspace.id, 'lighthouse')).toMatchObject({
      count: 1,
      items: [{ id: own, pages: [{ title: 'Page' }] }],
    });
  });
});
