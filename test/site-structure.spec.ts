import { describe, expect, it } from '@jest/globals';
import { faultOfParent, membersOf } from '../src/publishing/sites/domain/structure.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import type { Answer, Client } from './client.js';

const app = useApp();
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface Thing {
  id: string;
}
interface SiteSpace extends Thing {
  title: string;
  path: string;
  section?: string;
  default: boolean;
}
interface Branch extends Thing {
  object: string;
  title: string;
  children?: Branch[];
  siteSpaces?: SiteSpace[];
}
interface Refusal {
  error: { details?: { path: string }[] };
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);
const section = (id: string | undefined) => ({ type: 'site-section', id: id ?? '' });
const group = (id: string | undefined) => ({ type: 'site-section-group', id: id ?? '' });
const siteSpace = (id: string | undefined) => ({ type: 'site-space', id: id ?? '' });

/** A site with a section for each title, and groups as asked. */
async function buildSections(...titles: string[]) {
  const {
    id: organization,
    admin: { api },
  } = await buildOrganization(app.current);
  const { body: site } = await api.post<Thing>(`/orgs/${organization}/sites`, { title: 'Manual' });
  const path = `/orgs/${organization}/sites/${site.id}`;
  const space = async (title: string) =>
    (await api.post<Thing>(`/orgs/${organization}/spaces`, { title, empty: true })).body.id;
  const sections: Record<string, string> = {};
  for (const title of titles)
    sections[title] = (
      await api.post<Thing>(`${path}/sections`, { spaceId: await space(title), title: `${title} section` })
    ).body.id;
  const tree = async () =>
    (await api.get<{ structure: Branch[] }>(`${path}/structure`)).body.structure.map(shape).join(' ');
  return {
    api,
    path,
    space,
    sections,
    tree,
    sort: (item: object, position: object = {}) => api.patch<Refusal>(`${path}/structure/sort`, { item, position }),
  };
}

/** `a [b c]`: a section, then a group of two. */
function shape(branch: Branch): string {
  return branch.children === undefined ? branch.title.charAt(0) : `[${branch.children.map(shape).join(' ')}]`;
}

describe('the order of a site', () => {
  it('takes sections and groups anywhere, into groups and out of them', async () => {
    const {
      api,
      path,
      sections: { a, b, c, d },
      tree,
      sort,
    } = await buildSections('a', 'b', 'c', 'd');
    const { body: outer } = await api.post<Thing>(`${path}/section-groups`, { title: 'Outer', sections: [b] });
    const { body: inner } = await api.post<Thing>(`${path}/section-groups`, {
      title: 'Inner',
      parent: outer.id,
      sections: [c],
    });
    expect(await tree()).toBe('a d [b [c]]');
    const moved = await sort(section(a), { after: section(b) });
    expect([moved.status, moved.body]).toEqual([
      200,
      expect.objectContaining({ object: 'site-section', id: a, sectionGroup: outer.id }),
    ]);
    expect(await tree()).toBe('d [b a [c]]');
    await sort(section(d), { before: section(c) });
    expect(await tree()).toBe('[b a [d c]]');
    expect((await sort(group(inner.id), { before: group(outer.id) })).body).toMatchObject({
      object: 'site-section-group',
      id: inner.id,
    });
    expect(await tree()).toBe('[d c] [b a]');
    await sort(section(a), { before: section(b) });
    await sort(section(c), { after: group(inner.id), before: group(outer.id) });
    expect(await tree()).toBe('[d] c [a b]');
    await sort(section(d));
    expect(await tree()).toBe('[] c [a b] d');
    expect(
      (await api.post(`${path}/section-groups/${inner.id}/move`, { position: { after: section(a) } })).body,
    ).toMatchObject({ id: inner.id, sectionGroup: outer.id });
    expect(await tree()).toBe('c [a [] b] d');
    expect((await api.post(`${path}/section-groups/${inner.id}/move`)).body).not.toHaveProperty('sectionGroup');
    expect(await tree()).toBe('c [a b] d []');
    expect((await api.patch(`${path}/section-groups/${outer.id}`, { parent: inner.id })).body).toMatchObject({
      sectionGroup: inner.id,
    });
    expect(await tree()).toBe('c d [[a b]]');
    await api.patch(`${path}/section-groups/${outer.id}`, { parent: null });
    expect(await tree()).toBe('c d [] [a b]');
  });

  it('refuses what is not there, is not beside, or would hold itself', async () => {
    const {
      api,
      path,
      sections: { a, b, c },
      tree,
      sort,
    } = await buildSections('a', 'b', 'c');
    const { body: outer } = await api.post<Thing>(`${path}/section-groups`, { title: 'Outer', sections: [b] });
    const { body: inner } = await api.post<Thing>(`${path}/section-groups`, {
      title: 'Inner',
      parent: outer.id,
      sections: [c],
    });
    const before = await tree();
    for (const item of [section(UNKNOWN), group(UNKNOWN), siteSpace(UNKNOWN), section(inner.id), group(a)])
      expect((await sort(item)).status).toBe(404);
    const bad: readonly (readonly [object, object, string])[] = [
      [section(a), { before: section(UNKNOWN) }, 'position.before'],
      [section(a), { after: group(UNKNOWN) }, 'position.after'],
      [section(a), { after: section(a) }, 'position.after'],
      [section(a), { before: section(inner.id) }, 'position.before'],
      [section(a), { before: section(b), after: section(c) }, 'position.after'],
      [group(outer.id), { before: section(b) }, 'position.before'],
      [group(outer.id), { after: section(c) }, 'position.after'],
      [section(a), { before: { type: 'page', id: b } }, 'position.before.type'],
      [section(a), { before: siteSpace(b) }, 'position.before'],
    ];
    for (const [item, position, at] of bad) {
      const answer = await sort(item, position);
      expect([position, answer.status, pathsAt(answer)]).toEqual([position, 400, [at]]);
    }
    expect(pathsAt(await api.patch<Refusal>(`${path}/section-groups/${outer.id}`, { parent: inner.id }))).toEqual([
      'parent',
    ]);
    expect(pathsAt(await api.patch<Refusal>(`${path}/section-groups/${outer.id}`, { parent: UNKNOWN }))).toEqual([
      'parent',
    ]);
    expect(
      pathsAt(await api.post<Refusal>(`${path}/section-groups/${outer.id}/move`, { position: { before: section(c) } })),
    ).toEqual(['position.before']);
    expect((await api.post(`${path}/section-groups/${UNKNOWN}/move`)).status).toBe(404);
    const stranger = await buildSections('x');
    expect(pathsAt(await sort(section(a), { before: section(stranger.sections['x']) }))).toEqual(['position.before']);
    expect((await stranger.api.patch(`${path}/structure/sort`, { item: section(a), position: {} })).status).toBe(404);
    expect(await tree()).toBe(before);
    let parent = inner.id;
    for (let depth = 3; depth <= 8; depth++)
      parent = (await api.post<Thing>(`${path}/section-groups`, { title: 'Deeper', parent })).body.id;
    expect(pathsAt(await api.post<Refusal>(`${path}/section-groups`, { title: 'Too deep', parent }))).toEqual([
      'parent',
    ]);
  });

  it('takes site spaces to other sections, with paths and defaults in order', async () => {
    const {
      api,
      path,
      space,
      sections: { a, b },
      sort,
    } = await buildSections('a', 'b');
    const add = async (title: string, sectionId: string | undefined) =>
      (await api.post<SiteSpace>(`${path}/site-spaces`, { spaceId: await space(title), sectionId })).body;
    const [more, same] = [await add('more', a), await add('same', a)];
    await add('same', b);
    const state = async () => {
      const { items } = (await api.get<{ items: SiteSpace[] }>(`${path}/site-spaces`)).body;
      return [a, b].map((id) =>
        items
          .filter((item) => item.section === id)
          .map((item) => `${item.path}${item.default ? '*' : ''}`)
          .join(' '),
      );
    };
    const idOf = async (sectionId: string | undefined, index: number) =>
      (await api.get<{ items: SiteSpace[] }>(`${path}/site-spaces`)).body.items.filter(
        (item) => item.section === sectionId,
      )[index]?.id;
    expect(await state()).toEqual(['a* more same', 'b* same']);
    const moved = await sort(siteSpace(same.id), { before: siteSpace(await idOf(b, 0)) });
    expect([moved.status, moved.body]).toEqual([
      200,
      expect.objectContaining({ object: 'site-space', id: same.id, section: b, path: 'same-1', default: false }),
    ]);
    expect(await state()).toEqual(['a* more', 'same-1 b* same']);
    await sort(siteSpace(await idOf(a, 0)), { after: siteSpace(same.id) });
    expect(await state()).toEqual(['more*', 'same-1 a b* same']);
    await sort(siteSpace(same.id));
    expect(await state()).toEqual(['more*', 'a b* same same-1']);
    await sort(siteSpace(more.id), { after: siteSpace(same.id) });
    expect(await state()).toEqual(['', 'a b* same same-1 more']);
    const wrong = await sort(siteSpace(more.id), { after: section(a) });
    expect([wrong.status, pathsAt(wrong)]).toEqual([400, ['position.after']]);
    const { body: structure } = await api.get<{ structure: Branch[] }>(`${path}/structure`);
    expect(structure.structure.map(({ siteSpaces }) => siteSpaces?.length)).toEqual([0, 5]);
  });

  it('stays one order of everything when many move at once', async () => {
    const { api, path, sections, sort } = await buildSections('a', 'b', 'c', 'd', 'e');
    const ids = Object.values(sections);
    const { body: made } = await api.post<Thing>(`${path}/section-groups`, {
      title: 'Group',
      sections: ids.slice(0, 2),
    });
    const random = seeded(7);
    const pick = () => ids[Math.floor(random() * ids.length)];
    const moves = Array.from({ length: 24 }, (_, turn) => {
      if (turn % 6 === 5) return sort(group(made.id), { before: section(pick()) });
      return sort(section(pick()), turn % 2 === 0 ? { before: section(pick()) } : { after: section(pick()) });
    });
    expect([...new Set((await Promise.all(moves)).map(({ status }) => status))].sort()).toEqual(
      expect.arrayContaining([200]),
    );
    const seen = (await flat(api, path)).filter((id) => id !== made.id);
    expect([...seen].sort()).toEqual([...ids].sort());
    const [row] = await app.current.database.query<{ places: number }>(
      `SELECT count(DISTINCT position)::int AS places FROM (SELECT position FROM site_section WHERE id = ANY ($1) UNION ALL SELECT position FROM site_section_group WHERE id = $2) p`,
      [ids, made.id],
    );
    expect(row?.places).toBe(ids.length + 1);
  });

  it('gathers members and measures the depth of groups', () => {
    const groups = [
      { id: 'g', parentId: null, position: '2' },
      { id: 'h', parentId: 'g', position: '1' },
    ];
    expect(
      membersOf(groups, [{ id: 's', groupId: 'h', position: '3' }], [{ id: 'l', groupId: null, position: '4' }]).map(
        ({ id, parentId }) => [id, parentId],
      ),
    ).toEqual([
      ['h', 'g'],
      ['g', null],
      ['s', 'h'],
      ['l', null],
    ]);
    expect([faultOfParent(groups, 'g', 'h'), faultOfParent(groups, 'g', 'g')]).toEqual([
      'lies in the group itself',
      'lies in the group itself',
    ]);
    expect([faultOfParent(groups, 'h', null), faultOfParent(groups, undefined, 'h')]).toEqual([undefined, undefined]);
  });
});

async function flat(api: Client, path: string): Promise<string[]> {
  const ids = (branches: readonly Branch[]): string[] =>
    branches.flatMap(({ id, children }) => [id, ...ids(children ?? [])]);
  return ids((await api.get<{ structure: Branch[] }>(`${path}/structure`)).body.structure);
}

/** Numbers from 0 to 1, the same each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
