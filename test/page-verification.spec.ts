import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, buildPerson, type Person, type Workspace } from './build.js';
import { inbox, kinds, settle } from './notification-desk.js';
import { buildSpace, publish, usePublicListener, type Made, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const NOW = new Date('2027-03-01T09:00:00.000Z');
const DAY = 24 * 3600 * 1000;
const inDays = (days: number): string => new Date(NOW.getTime() + days * DAY).toISOString();
const at = (days: number): void => app.current.setTime(new Date(NOW.getTime() + days * DAY));

interface Verification {
  readonly page: { readonly id: string; readonly title: string };
  readonly state: string;
  readonly owner?: { readonly type: string; readonly id: string; readonly title: string };
  readonly until: string;
  readonly note?: string;
  readonly verifiedBy: { readonly id: string; readonly email?: string };
  readonly verifiedAt: string;
}
interface List {
  readonly items: readonly Verification[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

beforeAll(() => at(0));
afterEach(() => at(0));

/** Tells of what is over, as the servers do by themselves. */
async function tell(on: TestApp = app.current): Promise<void> {
  await on.get(Jobs).enqueue('pages.tell-due-verifications', {});
  await on.get(Jobs).drain();
  await settle(on);
}

interface World {
  readonly workspace: Workspace;
  readonly space: Space;
  readonly verifications: string;
  readonly pages: readonly string[];
}

async function build(...titles: string[]): Promise<World> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Handbook');
  const pages = await space.write(
    ...titles.map((title) => ({ operation: 'insert_page', title, document: { markdown: `About ${title}` } })),
  );
  return { workspace, space, verifications: `/spaces/${space.id}/verifications`, pages };
}

const titles = ({ items }: List): string[] => items.map(({ page }) => page.title);
const dueOf = async (person: Person): Promise<string[]> =>
  (await inbox(person)).items.filter(({ kind }) => kind === 'verification_due').map(({ page }) => page?.title ?? '');
const events = async (spaceId: string, type: string): Promise<number> =>
  (
    await app.current.database.query<{ id: string }>('SELECT id FROM event WHERE space_id = $1 AND type = $2', [
      spaceId,
      type,
    ])
  ).length;

describe('the verification of a page', () => {
  it('is set, read, extended and removed by those who may review and see the page', async () => {
    const { workspace, space, verifications, pages } = await build('Holidays');
    const [page = ''] = pages;
    const url = `${verifications}/${page}`;
    const [reviewer, reader] = [await workspace.member('review'), await workspace.member('comment')];
    expect((await reader.api.get(url)).status).toBe(404);
    const made = await reviewer.api.put<Verification>(url, { until: inDays(30), note: 'Ask the works council' });
    expect(made).toMatchObject({
      status: 200,
      body: {
        object: 'page-verification',
        page: { id: page, title: 'Holidays' },
        state: 'verified',
        owner: { type: 'user', id: reviewer.id, title: expect.stringContaining('Person') },
        until: inDays(30),
        note: 'Ask the works council',
        verifiedBy: { id: reviewer.id },
        verifiedAt: NOW.toISOString(),
      },
    });
    expect((await reader.api.get(url)).body).toEqual(made.body);
    // A change of the page does not end it.
    await space.write({ operation: 'update_page', page, title: 'Vacations', document: { markdown: 'Changed' } });
    expect((await reader.api.get(url)).body).toMatchObject({ page: { title: 'Vacations' }, state: 'verified' });
    at(31);
    expect((await reader.api.get(url)).body).toMatchObject({ state: 'due' });
    const team = (await workspace.admin.api.put<Made>(`/orgs/${workspace.id}/teams`, { title: 'People' })).body.id;
    const again = await reviewer.api.put<Verification>(url, { owner: { type: 'team', id: team }, until: inDays(60) });
    expect(again.body).toMatchObject({ state: 'verified', owner: { type: 'team', id: team, title: 'People' } });
    expect([again.body.note, again.body.verifiedAt]).toEqual([undefined, inDays(31)]);
    expect((await reader.api.put(url, { until: inDays(60) })).status).toBe(403);
    expect((await reader.api.delete(url)).status).toBe(403);
    expect((await reviewer.api.delete(url)).status).toBe(204);
    expect((await reviewer.api.delete(url)).status).toBe(204);
    expect((await reviewer.api.get(url)).status).toBe(404);
    expect([
      await events(space.id, 'space_page_verified'),
      await events(space.id, 'space_page_verification_removed'),
    ]).toEqual([2, 1]);
  });

  it('refuses what is no page with a text, owners who do not see the page, and times that have passed', async () => {
    const { workspace, space, verifications, pages } = await build('Holidays');
    const [page = ''] = pages;
    const { api } = workspace.admin;
    const [group = ''] = await space.write({ operation: 'insert_page', type: 'group', title: 'Group' });
    const [stranger, other] = [await buildPerson(app.current), await buildOrganization(app.current)];
    const guest = await workspace.member('none');
    const team = (await other.admin.api.put<Made>(`/orgs/${other.id}/teams`, { title: 'Elsewhere' })).body.id;
    const until = inDays(1);
    const refused = async (body: object): Promise<unknown> => {
      const answer = await api.put<{ error: { details?: { path: string }[] } }>(`${verifications}/${page}`, body);
      return [answer.status, answer.body.error.details?.map(({ path }) => path)];
    };
    for (const id of [stranger.id, guest.id])
      expect(await refused({ until, owner: { type: 'user', id } })).toEqual([400, ['owner.id']]);
    expect(await refused({ until, owner: { type: 'team', id: team } })).toEqual([400, ['owner.id']]);
    expect(await refused({ until: NOW.toISOString() })).toEqual([400, ['until']]);
    expect(await refused({ until: 'tomorrow' })).toEqual([400, ['until']]);
    expect(await refused({})).toEqual([400, ['until']]);
    for (const id of [group, 'AbCdEfGh0123456789Xy'])
      expect((await api.put(`${verifications}/${id}`, { until })).status).toBe(404);
    expect((await stranger.api.get(verifications)).status).toBe(404);
    expect((await stranger.api.put(`${verifications}/${page}`, { until })).status).toBe(404);
    // Guests of the space answer for pages themselves only, and see no addresses.
    await api.post(`/spaces/${space.id}/permissions`, { role: 'review', users: [guest.id] });
    expect(
      await guest.api.put(`${verifications}/${page}`, { until, owner: { type: 'user', id: workspace.admin.id } }),
    ).toMatchObject({ status: 400 });
    await api.put(`${verifications}/${page}`, { until });
    const seen = await guest.api.get<Verification>(`${verifications}/${page}`);
    expect([seen.status, seen.body.verifiedBy.id, seen.body.verifiedBy.email]).toEqual([
      200,
      workspace.admin.id,
      undefined,
    ]);
    expect((await guest.api.put(`${verifications}/${page}`, { until })).status).toBe(200);
  });

  it('is listed by its end, and by whether it holds', async () => {
    const { workspace, verifications, pages } = await build('One', 'Two', 'Three', 'Four');
    const { api } = workspace.admin;
    for (const [index, days] of [3, 1, 2].entries())
      await api.put(`${verifications}/${pages[index] ?? ''}`, { until: inDays(days) });
    const list = async (query: Record<string, string | number> = {}): Promise<List> =>
      (await api.get<List>(verifications, { query })).body;
    expect(titles(await list())).toEqual(['Two', 'Three', 'One']);
    const first = await list({ limit: 2 });
    expect([titles(first), first.count]).toEqual([['Two', 'Three'], 3]);
    expect(titles(await list({ limit: 2, page: first.next?.page ?? '' }))).toEqual(['One']);
    at(1.5);
    expect([titles(await list({ state: 'due' })), titles(await list({ state: 'verified' }))]).toEqual([
      ['Two'],
      ['Three', 'One'],
    ]);
    expect((await api.get(verifications, { query: { state: 'gone' } })).status).toBe(400);
  });

  it('is unknown to those from whom the page is hidden', async () => {
    const { workspace, space, verifications, pages } = await build('Open', 'Secret');
    const [open = '', secret = ''] = pages;
    const [inside, outside] = [await workspace.member('create'), await workspace.member('create')];
    for (const page of pages) await inside.api.put(`${verifications}/${page}`, { until: inDays(1) });
    await inside.api.put(`/spaces/${space.id}/permissions/pages/${secret}`, { users: [inside.id] });
    expect(titles((await outside.api.get<List>(verifications)).body)).toEqual(['Open']);
    expect((await outside.api.get<List>(verifications)).body.count).toBe(1);
    expect((await outside.api.get(`${verifications}/${secret}`)).status).toBe(404);
    expect((await outside.api.put(`${verifications}/${secret}`, { until: inDays(2) })).status).toBe(404);
    expect((await outside.api.delete(`${verifications}/${secret}`)).status).toBe(204);
    expect((await outside.api.get(`${verifications}/${open}`)).status).toBe(200);
    expect(titles((await inside.api.get<List>(verifications)).body).sort()).toEqual(['Open', 'Secret']);
    // Nobody answers for what they do not see, nor is told of it.
    const owner = { type: 'user', id: outside.id };
    expect((await inside.api.put(`${verifications}/${secret}`, { until: inDays(2), owner })).status).toBe(400);
    await inside.api.delete(`/spaces/${space.id}/permissions/pages/${secret}`);
    expect((await inside.api.put(`${verifications}/${secret}`, { until: inDays(2), owner })).status).toBe(200);
    await inside.api.put(`/spaces/${space.id}/permissions/pages/${secret}`, { users: [inside.id] });
    at(3);
    await tell();
    expect([await dueOf(outside), await dueOf(inside)]).toEqual([[], ['Open']]);
  });

  it('stays with a page that is moved, deleted and restored, and is not that of a copy', async () => {
    const { workspace, space, verifications, pages } = await build('Parent', 'Child');
    const [parent = '', child = ''] = pages;
    const { api } = workspace.admin;
    await api.put(`${verifications}/${child}`, { until: inDays(1) });
    await space.write({ operation: 'update_page', page: child, into: parent });
    expect((await api.get(`${verifications}/${child}`)).status).toBe(200);
    const { id: revision } = (await api.get<Made>(`/spaces/${space.id}/content`)).body;
    await space.write({ operation: 'delete_page', page: child });
    expect((await api.get(`${verifications}/${child}`)).status).toBe(404);
    expect((await api.get<List>(verifications)).body.items).toEqual([]);
    // A page that is not there is not told of; it is once it is back.
    at(2);
    await tell();
    expect(await dueOf(workspace.admin)).toEqual([]);
    await api.post(`/spaces/${space.id}/revisions/${revision}/rollback`);
    expect((await api.get(`${verifications}/${child}`)).body).toMatchObject({ state: 'due' });
    await tell();
    expect(await dueOf(workspace.admin)).toEqual(['Child']);
    const copy = (await api.post<Made>(`/spaces/${space.id}/duplicate`)).body.id;
    expect((await api.get<List>(`/spaces/${copy}/verifications`)).body.items).toEqual([]);
  });
});

describe('the end of a verification', () => {
  it('is told once to the owner, by two servers as well, and again after the next one', async () => {
    const { workspace, space, verifications, pages } = await build('Prices');
    const [page = ''] = pages;
    const owner = await workspace.member('review');
    await owner.api.put(`${verifications}/${page}`, { until: inDays(10) });
    at(9);
    await tell();
    expect(await kinds(owner)).toEqual([]);
    at(11);
    const second = await TestApp.start({}, app.current.databaseUrl);
    try {
      second.setTime(new Date(NOW.getTime() + 11 * DAY));
      await Promise.all([tell(), tell(second)]);
      await tell();
      await tell(second);
    } finally {
      await second.close();
    }
    const told = await inbox(owner);
    expect(told.items).toMatchObject([
      { kind: 'verification_due', space: { id: space.id }, page: { id: page, title: 'Prices' } },
    ]);
    expect(told.items[0]).toMatchObject({ text: 'The verification of “Prices” in “Handbook” has run out' });
    expect(await events(space.id, 'space_page_verification_due')).toBe(1);
    expect(await kinds(workspace.admin)).toEqual([]);
    await owner.api.put(`${verifications}/${page}`, { until: inDays(12) });
    at(13);
    await tell();
    expect(await dueOf(owner)).toEqual(['Prices', 'Prices']);
  }, 60_000);

  it('is told to the members of a team, to nobody who has switched it off, and not where it is verified again', async () => {
    const { workspace, verifications, pages } = await build('Prices');
    const [page = ''] = pages;
    const { api } = workspace.admin;
    const [first, second] = [await workspace.member('read'), await workspace.member('read')];
    const team = (await api.put<Made>(`/orgs/${workspace.id}/teams`, { title: 'Sales' })).body.id;
    await api.put(`/orgs/${workspace.id}/teams/${team}/members`, { add: [first.id, second.id] });
    await second.api.put('/user/notification-settings', {
      kinds: { verification_due: { app: false, mail: false } },
    });
    await api.put(`${verifications}/${page}`, { owner: { type: 'team', id: team }, until: inDays(1) });
    at(2);
    await tell();
    expect([await dueOf(first), await dueOf(second), await dueOf(workspace.admin)]).toEqual([['Prices'], [], []]);
    await api.put(`${verifications}/${page}`, { owner: { type: 'team', id: team }, until: inDays(3) });
    at(4);
    await app.current.get(Jobs).enqueue('pages.tell-due-verifications', {});
    await app.current.get(Jobs).drain();
    await api.put(`${verifications}/${page}`, { owner: { type: 'team', id: team }, until: inDays(9) });
    await settle(app.current);
    expect(await dueOf(first)).toEqual(['Prices']);
  });

  it('comes at once where the owner leaves or the team is deleted; whoever verified the page is told', async () => {
    const { workspace, verifications, pages } = await build('Prices', 'Terms');
    const [prices = '', terms = ''] = pages;
    const { api } = workspace.admin;
    const owner = await workspace.member('review');
    const team = (await api.put<Made>(`/orgs/${workspace.id}/teams`, { title: 'Sales' })).body.id;
    await api.put(`${verifications}/${prices}`, { owner: { type: 'user', id: owner.id }, until: inDays(9) });
    await api.put(`${verifications}/${terms}`, { owner: { type: 'team', id: team }, until: inDays(8) });
    await api.delete(`/orgs/${workspace.id}/members/${owner.id}`);
    await api.delete(`/orgs/${workspace.id}/teams/${team}`);
    const due = (await api.get<List>(verifications, { query: { state: 'due' } })).body;
    expect(titles(due)).toEqual(['Terms', 'Prices']);
    expect(due.items.map((each) => each.owner)).toEqual([undefined, undefined]);
    await tell();
    expect((await dueOf(workspace.admin)).sort()).toEqual(['Prices', 'Terms']);
    await tell();
    expect((await dueOf(workspace.admin)).length).toBe(2);
  });
});

describe('a verification on a published page', () => {
  it('is shown where the site says so, to its end, and never after it', async () => {
    const { workspace, space, verifications, pages } = await build('Home', 'Other');
    const [page = '', other = ''] = pages;
    const { api } = workspace.admin;
    const site = await publish(workspace, [space]);
    const shown = async (path = ''): Promise<string | undefined> =>
      /<span>(Verified by [^]*?)<\/span>/
        .exec((await listener.see(`${site.base}${path}`)).body)?.[1]
        ?.replace(/<[^>]*>/g, '');
    await api.put(`${verifications}/${page}`, { until: inDays(10), note: 'Not for readers' });
    expect(await shown()).toBeUndefined();
    const settings = (await api.get<object>(`${site.path}/customization`)).body;
    expect(settings).toMatchObject({ pageVerification: { enabled: false } });
    await api.put(`${site.path}/customization`, { ...settings, pageVerification: { enabled: true } });
    const name = (await api.get<{ displayName: string }>('/user')).body.displayName;
    expect(await shown()).toBe(`Verified by ${name} until March 11, 2027`);
    expect(await shown('/other')).toBeUndefined();
    // It follows what is said, although no revision tells of it.
    await api.put(`${verifications}/${other}`, { until: inDays(5) });
    expect(await shown('/other')).toBe(`Verified by ${name} until March 6, 2027`);
    await api.patch(`/users/${workspace.admin.id}`, { displayName: 'Ada $& {date}' });
    expect(await shown()).toBe('Verified by Ada $&#x26; {date} until March 11, 2027');
    await api.delete(`${verifications}/${other}`);
    expect(await shown('/other')).toBeUndefined();
    at(11);
    expect(await shown()).toBeUndefined();
    at(0);
    expect(await shown()).toContain('until March 11, 2027');
    expect((await listener.see(`${site.base}`)).body).not.toContain('Not for readers');
    const { items } = (await api.get<{ items: Made[] }>(`${site.path}/site-spaces`)).body;
    const own = `${site.path}/site-spaces/${items[0]?.id ?? ''}/customization`;
    expect((await api.patch(own, { pageVerification: { enabled: false } })).status).toBe(200);
    expect(await shown()).toBeUndefined();
  });
});
