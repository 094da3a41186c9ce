import type { Router } from 'express';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESS_LEVELS, atLeast, type AccessLevel } from '../src/kernel/common/roles.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { Client } from './client.js';
import { ROWS, type Row } from './permissions/rows.js';
import { buildWorld, clientFor, type Ids, type World } from './permissions/world.js';

const app = useApp();

const WITHOUT_TOKEN = ['no token', 'revoked token', 'expired token'] as const;
/** The member with a custom role: the base is `read`. */
const ADDED: readonly string[] = [
  'space:edit',
  'space:propose',
  'site:manageRedirects',
  'organization:viewConversations',
];
const COLUMNS = [...WITHOUT_TOKEN, 'outsider', ...ACCESS_LEVELS, 'custom role'] as const;
type Column = (typeof COLUMNS)[number];

/** Paths that are no operations: the documentation and what operators look at. */
const OUTSIDE = /^\/(docs|openapi\.json|healthz|readyz|metrics)/;

/** Method and path below `/v1` of everything that the router answers. */
function operations(): string[] {
  const { router } = app.current.nest.getHttpAdapter().getInstance() as { router: Router };
  return router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const { methods } = route as unknown as { methods: Record<string, boolean> };
    return [route.path].flat().flatMap((path) => {
      const text = String(path);
      if (!text.startsWith('/v1') || OUTSIDE.test(text)) return [];
      const template =
        text
          .slice('/v1'.length)
          .replace(/[:*](\w+)/g, '{$1}')
          .replace(/\/$/, '') || '/';
      return Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`);
    });
  });
}

/** The permissions that operations ask for, by method and path, as the published document has them. */
async function permissionsOfOperations(): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(`${app.current.url}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { 'x-permission'?: string }>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-permission': permission = '' }]) => [
        `${method.toUpperCase()} ${path.replace(/^\/v1/, '') || '/'}`,
        permission,
      ]),
    ),
  );
}

/** True where a custom role opens what its base does not. */
function isAdded(operation: string, row: Row, permissions: ReadonlyMap<string, string>): boolean {
  return ADDED.includes(row.needs ?? permissions.get(operation) ?? '') && !['open', 'anybody'].includes(row.least);
}

/** The status of a row for a caller, from the few facts that it gives. */
function expected(operation: string, row: Row, column: Column, permissions: ReadonlyMap<string, string>): number {
  if (column === 'custom role')
    return isAdded(operation, row, permissions) ? row.ok : expected(operation, row, 'read', permissions);
  if (row.least === 'open') return row.ok;
  if (WITHOUT_TOKEN.some((name) => name === column)) return 401;
  if (column === 'outsider') return row.outsider ?? (row.least === 'anybody' ? row.ok : 404);
  const least: AccessLevel = row.least === 'anybody' ? 'none' : row.least;
  if (column === 'none') return row.guest ?? (least === 'none' ? row.ok : operation.includes('/orgs/') ? 403 : 404);
  return atLeast(column as AccessLevel, least) ? row.ok : (row.denied ?? 403);
}

describe('3b-1 the permission matrix', () => {
  let world: World;
  let cells = 0;
  let permissions: ReadonlyMap<string, string>;
  const people = new Map<Column, Person>();

  function personOf(column: Column): Person {
    const person = people.get(column);
    if (!person) throw new Error(`nobody is ${column}`);
    return person;
  }

  beforeAll(async () => {
    const built = await buildWorld(app.current);
    for (const role of ACCESS_LEVELS) people.set(role, await built.workspace.member(role));
    const outsider = (await buildOrganization(app.current)).admin;
    people.set('outsider', outsider);
    const holder = await built.workspace.member('read');
    const { api } = built.workspace.admin;
    const role = { title: 'Writer', base: 'read', permissions: ADDED };
    const { body: made } = await api.post<{ id: string }>(`/orgs/${built.workspace.id}/custom-roles`, role);
    await api.patch(`/orgs/${built.workspace.id}/members/${holder.id}`, { customRole: made.id });
    people.set('custom role', holder);
    permissions = await permissionsOfOperations();
    const { id } = built.workspace.admin;
    const tokens = app.current.get(Tokens);
    const [revoked, expired] = [
      await tokens.issue(id, { name: 'revoked' }),
      await tokens.issue(id, { name: 'expired' }),
    ];
    await tokens.revoke(id, revoked.row.id);
    await app.current.database.execute(`UPDATE api_token SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.row.id,
    ]);
    const someone = { id: '', email: '' };
    people.set('no token', { ...someone, api: new Client(app.current.url, undefined) });
    people.set('revoked token', { ...someone, api: new Client(app.current.url, revoked.secret) });
    people.set('expired token', { ...someone, api: new Client(app.current.url, expired.secret) });
    world = { ...built, ids: { ...built.ids, adminId: people.get('admin')?.id ?? '', outsiderId: outsider.id } };
  }, 60_000);

  it('has a row for every operation, and no row for another', () => {
    expect([...new Set(operations())].sort()).toEqual(Object.keys(ROWS).sort());
  });

  /** Sends one row's request for the person of a column, on the things that were prepared for it. */
  async function ask(operation: string, row: Row, column: Column, prepared: Ids): Promise<number> {
    const person = personOf(column);
    const ids: Ids = { ...world.ids, ...prepared };
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const body = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(ids) : row.body;
    const api = await clientFor(row, app.current, person);
    cells++;
    const { status } = await api.send(method, path, body, {
      ...(row.query && { query: typeof row.query === 'function' ? row.query(ids) : row.query }),
      ...(row.raw && { raw: row.raw.bytes }),
      headers: { ...(row.raw && { 'Content-Type': row.raw.type }), ...row.headers?.({ ...world, person }) },
    });
    return status;
  }

  it.each(Object.entries(ROWS))(
    '%s',
    async (operation, row) => {
      const answers: Partial<Record<Column, number>> = {};
      const wanted = Object.fromEntries(
        COLUMNS.map((column) => [column, expected(operation, row, column, permissions)]),
      );
      const isRefused = (column: Column) => (wanted[column] ?? 0) >= 400 && wanted[column] !== row.ok;
      const prepare = preparation(row, world);
      // Refused requests leave the things as they are, so one preparation serves them all, at once.
      const refused = await Promise.all(
        COLUMNS.filter(isRefused).map(async (column) => ({ column, prepared: await prepare(personOf(column)) })),
      );
      const before = await eventsOf(world);
      await Promise.all(
        refused.map(async ({ column, prepared }) => {
          answers[column] = await ask(operation, row, column, prepared);
        }),
      );
      const after = await eventsOf(world);
      for (const column of COLUMNS.filter((each) => !isRefused(each)))
        answers[column] = await ask(operation, row, column, await prepare(personOf(column), true));
      expect({ answers, events: after }).toEqual({ answers: wanted, events: before });
    },
    60_000,
  );

  it('was run in full', () => {
    expect(cells).toBe(operations().length * COLUMNS.length);
  });
});

/**
 * Makes the things of a row for a person: once for all persons where they do not follow from the person,
 * and anew where `anew` says so.
 */
function preparation({ prepare }: Row, world: World): (person: Person, anew?: boolean) => Promise<Ids> {
  let shared: Promise<Ids> | undefined;
  let isPersonal = false;
  let line = Promise.resolve<Ids>({});
  const make = async (person: Person): Promise<Ids> => {
    const seen = { ...world };
    Object.defineProperty(seen, 'person', {
      get() {
        isPersonal = true;
        return person;
      },
    });
    return (await prepare?.(seen)) ?? {};
  };
  return (person, anew = false) => {
    line = line.then(() => {
      if (anew || isPersonal) return make(person);
      shared ??= make(person);
      return shared;
    });
    return line;
  };
}

/** State changes of the organization so far: what is refused must not add any. */
async function eventsOf({ workspace }: World): Promise<string> {
  const row = await app.current.database.one<{ count: string }>(
    'SELECT count(*) AS count FROM event WHERE organization_id = $1',
    [workspace.id],
  );
  return row?.count ?? '';
}
