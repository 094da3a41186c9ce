import fc from 'fast-check';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ACCESS_LEVELS, type AccessLevel } from '../../src/kernel/common/roles.js';
import { newId } from '../../src/kernel/common/ids.js';
import { useApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';

/*
 * The `permissions` of every object say what its operations then answer. Random organizations of callers, teams, nested
 * collections, spaces, sites and grants; for each caller and object each flag is held to two things: to a model of the rules
 * of precedence, and to what the operation behind the flag answers (403 and 404 are no, everything else is yes).
 */

const app = useApp();
const ROUNDS = Math.max(1, Math.ceil(Number(process.env['ROUNDS'] ?? 60) / 10));
const TEAMS = 2;

type Grant = { readonly to: 'user' | 'team'; readonly at: number; readonly role: AccessLevel };

interface Thing {
  readonly level: AccessLevel | null;
  readonly grants: readonly Grant[];
  /** Index of the caller who made it; beyond the callers it is somebody else. */
  readonly creator: number;
}

interface Plan {
  readonly callers: readonly { readonly role: AccessLevel; readonly teams: readonly ('member' | 'owner' | null)[] }[];
  readonly outer: Thing;
  readonly inner: Thing;
  readonly spaces: readonly (Thing & {
    readonly place: 'root' | 'outer' | 'inner';
    readonly site: readonly Grant[] | null;
  })[];
}

const level = fc.constantFrom(...ACCESS_LEVELS);
const grant = fc.record({ to: fc.constantFrom('user' as const, 'team' as const), at: fc.nat(1), role: level });
const thing = {
  level: fc.option(level, { nil: null, freq: 2 }),
  grants: fc.array(grant, { maxLength: 2 }),
  creator: fc.nat(5),
};
const plans: fc.Arbitrary<Plan> = fc.record({
  callers: fc.array(
    fc.record({
      role: level,
      teams: fc.array(fc.constantFrom('member' as const, 'owner' as const, null), {
        minLength: TEAMS,
        maxLength: TEAMS,
      }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  outer: fc.record(thing),
  inner: fc.record(thing),
  spaces: fc.array(
    fc.record({
      ...thing,
      place: fc.constantFrom('root' as const, 'outer' as const, 'inner' as const),
      site: fc.option(fc.array(grant, { maxLength: 2 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

// The model: the rules of precedence and of roles, as a person would write them down.
const rank = (role: AccessLevel) => ACCESS_LEVELS.indexOf(role);
const highest = (roles: readonly (AccessLevel | null)[]) =>
  roles.reduce((best, role) => (role !== null && (best === null || rank(role) > rank(best)) ? role : best), null);

/** What grants give a caller: the own one, of several the last, before the highest of the teams'. */
function granted(plan: Plan, caller: number, grants: readonly Grant[]): AccessLevel | null {
  const last = new Map(grants.map((each) => [`${each.to}${each.at}`, each]));
  const own = last.get(`user${caller}`);
  return (
    own?.role ??
    highest(
      [...last.values()].map(({ to, at, role }) =>
        to === 'team' && (plan.callers[caller]?.teams[at] ?? null) !== null ? role : null,
      ),
    )
  );
}

function roleOn(plan: Plan, caller: number, way: readonly Thing[], site: readonly Grant[] | null): AccessLevel {
  const own = plan.callers[caller]?.role ?? 'none';
  if (own === 'admin') return own;
  const [first, ...above] = way.map(
    (each) =>
      [granted(plan, caller, each.grants), each.level === null ? null : own === 'none' ? 'none' : each.level] as const,
  );
  const bySite = site && granted(plan, caller, site);
  const role = [...(first ?? []), bySite, ...above.flat(), own].find((each) => each !== null) ?? own;
  return way[0]?.creator === caller ? (highest([role, own, 'read']) ?? role) : role;
}

const reaches = (role: AccessLevel, least: AccessLevel) => rank(role) >= rank(least);
type Flags = Readonly<Record<string, boolean>>;

function spaceFlags(role: AccessLevel, isGuest: boolean): Flags {
  const may = (least: AccessLevel) => reaches(role, least);
  return {
    view: may('read'),
    access: may('read'),
    comment: may('comment'),
    edit: may('edit'),
    review: may('review'),
    merge: may('review'),
    admin: may('create'),
    viewInviteLinks: may('create') && !isGuest,
    triggerGitSync: may('create'),
    installIntegration: false,
  };
}
function collectionFlags(role: AccessLevel, isGuest: boolean): Flags {
  return {
    view: reaches(role, 'read'),
    create: reaches(role, 'create'),
    admin: reaches(role, 'create'),
    viewInviteLinks: reaches(role, 'create') && !isGuest,
  };
}
function organizationFlags(role: AccessLevel, owns: boolean): Flags {
  const isMember = reaches(role, 'read');
  return {
    view: true,
    access: true,
    listMembers: isMember,
    listTeams: isMember,
    createContent: reaches(role, 'create'),
    admin: role === 'admin',
    ownTeam: role === 'admin' || (isMember && owns),
    createOpenAPISpec: reaches(role, 'create'),
    ingestConversations: role === 'admin',
    viewConversations: reaches(role, 'edit'),
    reviewConversations: reaches(role, 'review'),
    viewBilling: false,
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  };
}

const yes = ({ status }: { readonly status: number }) => {
  if (status >= 500) throw new Error(`an operation answered ${status}`);
  return status !== 403 && status !== 404;
};

interface Built {
  readonly workspace: Workspace;
  readonly callers: readonly Person[];
  readonly teams: readonly string[];
  readonly outer: Linked;
  readonly inner: Linked;
  readonly spaces: readonly (Linked & { readonly request: string })[];
}
interface Linked {
  readonly id: string;
  readonly link: string;
}

async function build(plan: Plan): Promise<Built> {
  const workspace = await buildOrganization(app.current);
  const { api, id: founder } = workspace.admin;
  const run = (statement: string, values: readonly unknown[]) => app.current.database.execute(statement, values);
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await api.post<{ id: string }>(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const callers: Person[] = [];
  for (const { role } of plan.callers) callers.push(await workspace.member(role));
  const teams: string[] = [];
  for (let at = 0; at < TEAMS; at++) {
    const id = newId();
    await run(`INSERT INTO team (id, organization_id, title, created_at) VALUES ($1, $2, 'Team', now())`, [
      id,
      workspace.id,
    ]);
    for (const [caller, { teams: memberships }] of plan.callers.entries()) {
      const role = memberships[at];
      if (role)
        await run(
          'INSERT INTO team_member (organization_id, team_id, user_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
          [workspace.id, id, callers[caller]?.id, role],
        );
    }
    teams.push(id);
  }
  const give = async (kind: 'space' | 'collection' | 'site', id: string, grants: readonly Grant[]) => {
    for (const { to, at, role } of grants) {
      const [table, column, holder] =
        to === 'user' ? ['member_grant', 'user_id', callers[at]?.id] : ['team_grant', 'team_id', teams[at]];
      const organization = kind === 'space' ? ['', ''] : ['organization_id, ', '$4, '];
      await run(
        `INSERT INTO ${kind}_${table} (${organization[0] ?? ''}${kind}_id, ${column}, role, created_at) SELECT ${organization[1] ?? ''}$1, $2, $3::access_level, now() WHERE $4::text IS NOT NULL
         ON CONFLICT (${kind}_id, ${column}) DO UPDATE SET role = excluded.role`,
        [id, holder, role, workspace.id],
      );
    }
  };
  const finish = async (
    kind: 'space' | 'collection',
    id: string,
    { level: own, grants, creator }: Thing,
  ): Promise<Linked> => {
    const link = await made(`/orgs/${workspace.id}/link-invites`, { [kind]: id, level: 'read' });
    await run(`UPDATE ${kind} SET default_level = $2, created_by = $3 WHERE id = $1`, [
      id,
      own,
      callers[creator]?.id ?? founder,
    ]);
    await give(kind, id, grants);
    return { id, link };
  };
  const outer = await finish(
    'collection',
    await made(`/orgs/${workspace.id}/collections`, { title: 'Outer' }),
    plan.outer,
  );
  const inner = await finish(
    'collection',
    await made(`/orgs/${workspace.id}/collections`, { title: 'Inner', parent: outer.id }),
    plan.inner,
  );
  const spaces: (Linked & { request: string })[] = [];
  for (const each of plan.spaces) {
    const parent = { root: undefined, outer: outer.id, inner: inner.id }[each.place];
    const id = await made(`/orgs/${workspace.id}/spaces`, { title: 'Space', parent, empty: true });
    const request = await made(`/spaces/${id}/change-requests`, { subject: 'To merge' });
    if (each.site)
      await give('site', await made(`/orgs/${workspace.id}/sites`, { title: 'Site', spaces: [id] }), each.site);
    spaces.push({ ...(await finish('space', id, each)), request });
  }
  return { workspace, callers, teams, outer, inner, spaces };
}

async function allowedOnSpace(
  { workspace }: Built,
  { api }: Person,
  { id, link, request }: Built['spaces'][number],
): Promise<Flags> {
  const path = `/spaces/${id}`;
  return {
    view: yes(await api.get(`${path}/content`)),
    access: yes(await api.get(`${path}/content/pages`)),
    admin: yes(await api.patch(path, {})),
    viewInviteLinks: yes(await api.get(`/orgs/${workspace.id}/link-invites/${link}`)),
    edit: yes(await api.post(`${path}/change-requests`, { subject: 'Another' })),
    merge: yes(await api.post(`${path}/change-requests/${request}/merge`)),
    comment: yes(await api.post(`${path}/comments`, {})),
    review: yes(await api.post(`${path}/change-requests/${request}/reviews`, {})),
    triggerGitSync: yes(await api.post(`${path}/git/import`, {})),
  };
}

async function allowedOnCollection({ workspace }: Built, { api }: Person, { id, link }: Linked): Promise<Flags> {
  return {
    view: yes(await api.get(`/collections/${id}/spaces`)),
    admin: yes(await api.patch(`/collections/${id}`, {})),
    // A parent that cannot be seen is a fault of the body.
    create: (await api.post(`/orgs/${workspace.id}/collections`, { title: 'Within', parent: id })).status === 201,
    viewInviteLinks: yes(await api.get(`/orgs/${workspace.id}/link-invites/${link}`)),
  };
}

async function allowedInOrganization({ workspace, teams }: Built, { api, id }: Person): Promise<Flags> {
  const path = `/orgs/${workspace.id}`;
  const own: boolean[] = [];
  for (const team of teams) own.push(yes(await api.put(`${path}/teams/${team}/members`, { remove: [] })));
  return {
    view: yes(await api.get(path)),
    admin: yes(await api.patch(path, {})),
    ownTeam: own.some(Boolean),
    createContent: yes(await api.post(`${path}/spaces`, { title: 'Made', empty: true })),
    listMembers: yes(await api.get(`${path}/members`)),
    listTeams: yes(await api.get(`${path}/teams`, { query: { owner: id } })),
    createOpenAPISpec: yes(await api.post(`${path}/openapi`, {})),
    ingestConversations: yes(await api.post(`${path}/conversations`, [])),
    viewConversations: yes(await api.get(`${path}/conversations`)),
  };
}

async function allowedOnTeam({ workspace }: Built, { api }: Person, team: string): Promise<Flags> {
  const path = `/orgs/${workspace.id}/teams/${team}`;
  return { view: yes(await api.get(`${path}/members`)), admin: yes(await api.put(`${path}/members`, { remove: [] })) };
}

/** Holds the flags that an object shows to the model and to the operations; a hidden object has none and allows nothing. */
async function hold(who: object, person: Person, path: string, model: Flags, ask: () => Promise<Flags>): Promise<void> {
  const shown = await person.api.get<{ permissions: Flags }>(path);
  const allowed = await ask();
  if (model['view']) {
    expect({ ...who, path, flags: shown.body.permissions }).toEqual({ ...who, path, flags: model });
    expect({ ...who, path, allowed }).toEqual({
      ...who,
      path,
      allowed: Object.fromEntries(Object.keys(allowed).map((flag) => [flag, model[flag]])),
    });
  } else {
    expect({ ...who, path, status: shown.status, allowed }).toEqual({
      ...who,
      path,
      status: shown.status === 403 ? 403 : 404,
      allowed: Object.fromEntries(Object.keys(allowed).map((flag) => [flag, false])),
    });
  }
  tally.objects++;
  for (const flag of Object.values(model))
    if (flag) tally.yes++;
    else tally.no++;
}

const tally = { objects: 0, yes: 0, no: 0 };

describe('3b-8 the permissions of an object', () => {
  afterAll(() => {
    // Both answers must have occurred often, or nothing was shown.
    const flags = tally.yes + tally.no;
    if (tally.yes < flags / 10 || tally.no < flags / 10)
      throw new Error(`of ${flags} flags ${tally.yes} were true: the plans are too uniform`);
  });

  it('are what the model of the rules says and what the operations then allow', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const built = await build(plan);
        for (const [at, person] of built.callers.entries()) {
          const { role = 'none', teams = [] } = plan.callers[at] ?? {};
          const who = { caller: at, role };
          const isGuest = role === 'none';
          for (const [index, space] of built.spaces.entries()) {
            const planned = plan.spaces[index];
            if (!planned) continue;
            const way = [planned, ...{ root: [], outer: [plan.outer], inner: [plan.inner, plan.outer] }[planned.place]];
            await hold(
              who,
              person,
              `/spaces/${space.id}`,
              spaceFlags(roleOn(plan, at, way, planned.site), isGuest),
              () => allowedOnSpace(built, person, space),
            );
          }
          for (const [collection, way] of [
            [built.outer, [plan.outer]],
            [built.inner, [plan.inner, plan.outer]],
          ] as const) {
            await hold(
              who,
              person,
              `/collections/${collection.id}`,
              collectionFlags(roleOn(plan, at, way, null), isGuest),
              () => allowedOnCollection(built, person, collection),
            );
          }
          for (const [index, team] of built.teams.entries()) {
            const model = { view: !isGuest, admin: role === 'admin' || (!isGuest && teams[index] === 'owner') };
            await hold(who, person, `/orgs/${built.workspace.id}/teams/${team}`, model, () =>
              allowedOnTeam(built, person, team),
            );
          }
          await hold(who, person, `/orgs/${built.workspace.id}`, organizationFlags(role, teams.includes('owner')), () =>
            allowedInOrganization(built, person),
          );
        }
      }),
      { numRuns: ROUNDS, ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }) },
    );
  }, 600_000);
});
