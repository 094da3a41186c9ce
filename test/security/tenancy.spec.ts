import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/kernel/common/ids.js';
import { useApp } from '../app.js';
import { buildOrganization, type Person } from '../build.js';
import type { Answer } from '../client.js';
import { isRecord, resolved, type Media, type OpenApiDocument, type Schema } from '../contract/json-schema.js';
import { ROWS, type Row } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';
import { usePublicListener } from '../published-site.js';
import { REPORTS_EACH, referencesOf, type Reference } from './tenancy/references.js';

/*
 * Two organizations, and two of everything in one of them. Ids of the one in requests of the other must be answered as ids
 * that nobody ever had, with the same bytes, and change nothing. The operations are those of the permission matrix, which
 * has every operation that there is.
 */

const app = useApp();
usePublicListener(app);

/** Parameters that are names and no ids: another owner may use the same. */
const NAMES: ReadonlySet<string> = new Set([
  'pagePath',
  'subdomain',
  'emailDomain',
  'accountName',
  'repositoryName',
  'projectId',
  'source',
  'secret',
  'resourceTypeId',
  'schemaId',
  'templateId',
]);
/** Operations that make what their path names. */
const MAKES: ReadonlySet<string> = new Set([
  'PUT /orgs/{organizationId}/openapi/{specSlug}',
  'PUT /spaces/{spaceId}/presence/{client}',
]);
/** Every member of the organization may be one of a team, and has a role on its things or none. */
const ANY_MEMBER = /\/teams\/\{teamId\}\/members\/|\/users\/\{userId\}\/explanation$/;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  /** The parameters that are ids. */
  readonly owned: readonly string[];
  readonly row: Row;
}

const OPERATIONS: readonly Operation[] = Object.entries(ROWS).map(([name, row]) => {
  const [method = '', template = ''] = name.split(' ');
  return {
    name,
    method,
    template,
    owned: [...template.matchAll(/\{(\w+)\}/g)]
      .map(([, parameter = '']) => parameter)
      .filter((parameter) => !NAMES.has(parameter)),
    row,
  };
});

/** The status of what is not there: removing it is a success, but not in SCIM. */
function absence({ method, template }: Operation, parameter: string): number {
  return method === 'DELETE' && template.endsWith(`{${parameter}}`) && !template.includes('/scim/v2/') ? 204 : 404;
}

/** References that are used up. */
const REMOVES = /changes\[\]\.files$/;

/** What can be hidden from members. */
const HIDEABLE: ReadonlySet<string> = new Set([
  'spaceId',
  'anchorSpaceId',
  'collectionId',
  'targetId',
  'pageId',
  'fileId',
  'reusableContentId',
  'revisionId',
  'changeRequestId',
]);

let mine: World;
/** Other things of the same organization. */
let beside: World;
let theirs: World;
/** Administers both organizations, so that nothing is hidden from them but by the mixture. */
let both: Person;

const publishedDocument = async (): Promise<OpenApiDocument> =>
  (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;

/** Everything that is stored, as one text that differs after any change; who was seen when is no change. */
async function stored(where = 'true'): Promise<string> {
  const { database } = app.current;
  const tables = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('organization_member_total', 'rate_limit_lease', 'job') ORDER BY 1`,
  );
  const sums: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ sum: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended((to_jsonb(t) - ARRAY['last_seen_at', 'last_used_at'])::text, 0)), 0) AS sum FROM "${name}" t WHERE ${where}`,
    );
    sums.push(`${name} ${row?.sum ?? ''}`);
  }
  return sums.join('\n');
}

const send = ({ api }: Person, { method, template, row }: Operation, ids: Ids, bodyIds: Ids = ids): Promise<Answer> => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  const body = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(bodyIds) : row.body;
  const query = typeof row.query === 'function' ? row.query(bodyIds) : row.query;
  return api.send(method, path, body, {
    ...(query && { query }),
    ...(row.raw && { raw: row.raw.bytes, headers: { 'Content-Type': row.raw.type } }),
  });
};

beforeAll(async () => {
  mine = await buildWorld(app.current);
  beside = await buildWorld(app.current, mine.workspace);
  theirs = await buildWorld(app.current);
  both = mine.workspace.admin;
  await app.current.database.execute(
    `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
    [theirs.workspace.id, both.id],
  );
}, 60_000);

/** The ids of a world, with those of things that are made for one request. */
const idsFor = async ({ row }: Operation, world: World, person: Person): Promise<Ids> => ({
  ...world.ids,
  ...(await row.prepare?.({ ...world, person })),
});

const unknownFor = (parameters: readonly string[]): Ids =>
  Object.fromEntries(parameters.map((parameter) => [parameter, newId()]));

/** What is wrong with an answer that should be the one about an id that nobody has; undefined where nothing is. */
function difference(got: Answer, none: Answer, status: number): string | undefined {
  const [left, right] = [`${got.status} ${JSON.stringify(got.body)}`, `${none.status} ${JSON.stringify(none.body)}`];
  return left === right && got.status === status ? undefined : `${left}, and for an unknown id ${right}`;
}

describe('3b-1 what another organization owns', () => {
  it('is answered like what does not exist, by every operation', async () => {
    const { admin } = await buildOrganization(app.current);
    const world = { ...mine, ids: { ...mine.ids, outsiderId: admin.id } };
    const wrong: string[] = [];
    let asked = 0;
    for (const operation of OPERATIONS) {
      const { row, owned, name } = operation;
      if (owned.length === 0 || row.least === 'open' || row.least === 'anybody') continue;
      const ids = await idsFor(operation, world, admin);
      const answers = [
        await send(admin, operation, ids),
        await send(admin, operation, { ...ids, ...unknownFor(owned) }, ids),
      ] as const;
      asked++;
      const fault = difference(...answers, owned.length === 1 ? absence(operation, owned[0] ?? '') : 404);
      if (fault !== undefined) wrong.push(`${name}: ${fault}`);
    }
    expect({ wrong, many: asked > 200 }).toEqual({ wrong: [], many: true });
  }, 60_000);
});

describe('3b-2 ids of two owners in one path', () => {
  it('are answered like an id that nobody has, and change nothing', async () => {
    const mixed = OPERATIONS.filter(({ owned, name }) => owned.length > 1 && !MAKES.has(name));
    const tries: { operation: Operation; own: Ids; mixture: Ids; parameter: string }[] = [];
    for (const operation of mixed) {
      const [own, near, far] = [
        await idsFor(operation, mine, both),
        await idsFor(operation, beside, both),
        await idsFor(operation, theirs, both),
      ];
      const [first, ...others] = operation.owned;
      for (const [at, parameter] of others.entries()) {
        const rest = others.slice(at);
        tries.push({ operation, own, parameter, mixture: { [parameter]: far[parameter] ?? '' } });
        if (rest.length > 1)
          tries.push({
            operation,
            own,
            parameter,
            mixture: Object.fromEntries(rest.map((each) => [each, far[each] ?? ''])),
          });
        // In one organization, things of another space, site, team and so on.
        if ((at > 0 || first !== 'organizationId') && !(ANY_MEMBER.test(operation.template) && parameter === 'userId'))
          tries.push({ operation, own, parameter, mixture: { [parameter]: near[parameter] ?? '' } });
      }
    }
    const before = await stored();
    const wrong: string[] = [];
    const unknown = new Map<string, Answer>();
    for (const { operation, own, mixture, parameter } of tries) {
      const { name } = operation;
      const none =
        unknown.get(`${name} ${parameter}`) ?? (await send(both, operation, { ...own, [parameter]: newId() }, own));
      unknown.set(`${name} ${parameter}`, none);
      const fault = difference(
        await send(both, operation, { ...own, ...mixture }, own),
        none,
        absence(operation, parameter),
      );
      if (fault !== undefined) wrong.push(`${name} with ${JSON.stringify(mixture)}: ${fault}`);
    }
    expect({ wrong, many: tries.length > 300 }).toEqual({ wrong: [], many: true });
    expect(await stored()).toBe(before);
  }, 120_000);
});

/** Sends an operation with another body, or with more in its query. */
const ask = (person: Person, operation: Operation, isBody: boolean, given: object, ids: Ids): Promise<Answer> =>
  send(
    person,
    {
      ...operation,
      row: { ...operation.row, ...(isBody ? { body: given } : { query: { ...operation.row.query, ...given } }) },
    },
    ids,
  );

const masked = ({ status, body }: Answer, id: string): string =>
  `${status} ${(JSON.stringify(body) ?? '').replaceAll(id, '*')}`;

/** The answers about a reference to `id` and to what nobody has, with the ids left out. */
async function askedBoth(
  person: Person,
  { at, own, isBody, reference }: Named,
  id: string,
): Promise<readonly [status: number, got: string, none: string]> {
  const unknown = newId();
  const [got, none] = [
    await ask(person, at, isBody, reference.with(id, own), own),
    await ask(person, at, isBody, reference.with(unknown, own), own),
  ];
  return [got.status, masked(got, id), masked(none, unknown)];
}

/** A reference in a request of an organization. */
interface Named {
  readonly at: Operation;
  readonly name: string;
  readonly own: Ids;
  readonly isBody: boolean;
  readonly reference: Reference;
}

describe('3b-3 references of bodies and queries', () => {
  let named: Named[];
  /** The answers about ids that nobody has. */
  const unknown = new Map<string, string>();
  let document: OpenApiDocument;

  beforeAll(async () => {
    document = await publishedDocument();
    for (const each of [mine, beside, theirs]) Object.assign(each.ids, await neighbours(each));
    named = [];
    for (const { operation, name, in: place, reference } of referencesOf(document).found) {
      const at = OPERATIONS.find((each) => each.name === operation);
      if (!at) throw new Error(`no row ${operation}`);
      named.push({ at, name, own: await idsFor(at, mine, both), isBody: place === 'body', reference });
    }
  });

  it('are all known', () => {
    const { found, unclassified, unused } = referencesOf(document);
    expect({ unclassified, unused, many: found.length > 150 }).toEqual({ unclassified: [], unused: [], many: true });
  });

  it('to what belongs to another organization are answered like those to what does not exist, and change nothing', async () => {
    const sole = await mine.workspace.member('admin');
    const before = await stored();
    const wrong: string[] = [];
    for (const each of named) {
      const { name, reference, isBody } = each;
      // An organization that somebody administers is one to move to.
      const person = reference.to === 'organizationId' || reference.isPlace ? sole : both;
      const [status, got, none] = await askedBoth(person, each, theirs.ids[reference.to] ?? '');
      unknown.set(name, none);
      if (got !== none || (isBody && status !== 400 && status !== 404 && !REPORTS_EACH.test(name)))
        wrong.push(`${name}: ${got}, and for an unknown id ${none}`);
    }
    expect({ wrong, many: named.length > 150 }).toEqual({ wrong: [], many: true });
    expect(await stored()).toBe(before);
  }, 120_000);

  it('to what the caller does not see in their own organization are answered alike', async () => {
    const creator = await mine.workspace.member('create');
    const { api } = mine.workspace.admin;
    for (const path of ['spaceId', 'anchorSpaceId']
      .map((name) => `/spaces/${beside.ids[name] ?? ''}`)
      .concat(['collectionId', 'targetId'].map((name) => `/collections/${beside.ids[name] ?? ''}`))) {
      expect((await api.patch(path, { defaultLevel: null })).status).toBe(200);
    }
    expect(
      (
        await api.post(`/orgs/${mine.workspace.id}/sites/${mine.ids['siteId'] ?? ''}/permissions`, {
          role: 'admin',
          users: [creator.id],
        })
      ).status,
    ).toBe(204);
    const hidden = named.filter(({ reference }) => HIDEABLE.has(reference.to));
    const before = await stored();
    const wrong: string[] = [];
    let refused = 0;
    for (const each of hidden) {
      const [status, got, none] = await askedBoth(creator, each, beside.ids[each.reference.to] ?? '');
      if (status === 403) refused++;
      if (got !== none || (each.isBody && ![400, 403, 404].includes(status) && !REPORTS_EACH.test(each.name)))
        wrong.push(`${each.name}: ${got}, and for an unknown id ${none}`);
    }
    expect({ wrong, many: hidden.length > 60, mostlyAllowed: refused < 15 }).toEqual({
      wrong: [],
      many: true,
      mostlyAllowed: true,
    });
    expect(await stored()).toBe(before);
  }, 120_000);

  it('to what is their own do something else, so that none was refused for another reason', async () => {
    const same: string[] = [];
    for (const each of named
      .filter(({ isBody }) => isBody)
      .sort((left, right) => Number(REMOVES.test(left.name)) - Number(REMOVES.test(right.name)))) {
      const id = each.own[each.reference.to] ?? '';
      const got = masked(await ask(both, each.at, true, each.reference.with(id, each.own), each.own), id);
      if (got === unknown.get(each.name)) same.push(`${each.name}: ${got}`);
    }
    expect(same).toEqual([]);
  }, 120_000);
});

const CANARY = 'Set0By0Nobody0But0The0Server';
const ANCIENT = '1999-12-31T23:59:59.999Z';
/** What the server sets on one object or another, and names that its tables have. */
const FIXED = {
  id: CANARY,
  object: CANARY,
  organization: CANARY,
  organizationId: CANARY,
  organization_id: CANARY,
  spaceId: CANARY,
  space_id: CANARY,
  siteId: CANARY,
  userId: CANARY,
  user_id: CANARY,
  createdBy: CANARY,
  created_by: CANARY,
  postedBy: CANARY,
  author: CANARY,
  reviewer: CANARY,
  revision: CANARY,
  revisionId: CANARY,
  status: 'merged',
  number: 987_654_321,
  sequence: 987_654_321,
  version: 987_654_321,
  sso: true,
  plan: 'enterprise',
  role: 'admin',
  permissions: { admin: true },
  createdAt: ANCIENT,
  updatedAt: ANCIENT,
  deletedAt: ANCIENT,
  mergedAt: ANCIENT,
  joinedAt: ANCIENT,
  lastSeenAt: ANCIENT,
  position: CANARY,
  hash: CANARY,
  secret: CANARY,
  token: CANARY,
  emailVerified: true,
  disabled: true,
  constructor: CANARY,
} as const;
/** Members whose objects hold what clients name themselves. */
const FREE: ReadonlySet<string> = new Set([
  'document',
  'instructions',
  'jsonSchema',
  'redirects',
  'translations',
  'adaptiveContent',
  'raw',
]);

/** The same body with fields of the server in every object that it has, beside those that it may have. */
function withFixed(body: unknown, known: (path: string) => ReadonlySet<string>, path = ''): unknown {
  if (Array.isArray(body)) return body.map((each) => withFixed(each, known, `${path}[]`));
  if (!isRecord(body)) return body;
  const inner = Object.entries(body).map(
    ([name, value]) =>
      [name, FREE.has(name) ? value : withFixed(value, known, path === '' ? name : `${path}.${name}`)] as const,
  );
  const extra = Object.entries(FIXED).filter(([name]) => !known(path).has(name));
  return { ...Object.fromEntries(extra), ...Object.fromEntries(inner) };
}

describe('3b-10 fields that only the server sets', () => {
  it('are taken from no body, at any depth', async () => {
    const document = await publishedDocument();
    const wrong: string[] = [];
    let ignored = 0;
    for (const operation of OPERATIONS) {
      const { method, template, row, name } = operation;
      const published = document.paths[`/v1${template === '/' ? '' : template}`]?.[method.toLowerCase()];
      if (!published || row.raw || !['POST', 'PUT', 'PATCH'].includes(method)) continue;
      const { content } = resolved<{ content?: Record<string, Media> }>(document, published.requestBody ?? {});
      // Bytes have no fields.
      if (content && !Object.keys(content).some((type) => type.endsWith('json'))) continue;
      const schema = content?.['application/json']?.schema;
      const ids = await idsFor(operation, mine, both);
      const plain = await send(both, operation, ids);
      const again = await idsFor(operation, mine, both);
      const body = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(again) : (row.body ?? {});
      const got = await ask(
        both,
        operation,
        true,
        withFixed(body, (path) => new Set(schema ? fieldsAt(document, schema, path) : [])) as object,
        again,
      );
      if (got.status === plain.status) ignored++;
      else if (got.status !== 400) wrong.push(`${name}: ${got.status}, and ${plain.status} without them`);
      wrong.push(...taken(got.body, plain.body).map((path) => `${name}: ${path}`));
    }
    expect({ wrong, many: ignored > 90 }).toEqual({ wrong: [], many: true });
    // Tables of words are made from pages, and those of templates have one of these words.
    const found = async () =>
      (
        await stored(
          ['Set0By0Nobody', '1999-12-31', '987654321', 'enterprise']
            .map((text) => `t::text LIKE '%${text}%'`)
            .join(' OR '),
        )
      ).replace(/^(?:space_vocabulary|section_vector) .*$/gm, '');
    expect(await found()).not.toMatch(/ [1-9]\d* /);
    await mine.workspace.admin.api.put(`/orgs/${mine.workspace.id}/teams`, { title: CANARY });
    expect(await found()).toMatch(/^team 1 /m);
  }, 120_000);
});

/** The fields of a body's object at a path, such as `changes[]`. */
function fieldsAt(document: OpenApiDocument, schema: Schema, path: string): string[] {
  const { allOf = [], oneOf = [], anyOf = [], properties = {}, items } = resolved<Schema>(document, schema);
  const branches = [...allOf, ...oneOf, ...anyOf].flatMap((branch) => fieldsAt(document, branch, path));
  if (path === '') return [...branches, ...Object.keys(properties)];
  if (path.startsWith('[]'))
    return [...branches, ...(items ? fieldsAt(document, items, path.slice(2).replace(/^\./, '')) : [])];
  const [, first = '', rest = ''] = /^([^.[]+)\.?(.*)$/.exec(path) ?? [];
  const property = properties[first];
  return [...branches, ...(property ? fieldsAt(document, property, rest) : [])];
}

/** Where an answer has a value that was sent and that the answer without it did not have. */
function taken(got: unknown, plain: unknown, path = ''): string[] {
  if (Array.isArray(got))
    return got.flatMap((each, at) => taken(each, Array.isArray(plain) ? plain[at] : undefined, `${path}[${at}]`));
  if (!isRecord(got)) return [];
  return Object.entries(got).flatMap(([name, value]) => {
    const before = isRecord(plain) ? plain[name] : undefined;
    if (
      Object.hasOwn(FIXED, name) &&
      typeof value !== 'object' &&
      value === FIXED[name as keyof typeof FIXED] &&
      value !== before
    )
      return [`${path}.${name} is ${JSON.stringify(value)}`];
    return taken(value, before, `${path}.${name}`);
  });
}

/** The things that references need beside those of paths: neighbours to move to, and what is handed out once. */
async function neighbours({ workspace, ids }: World): Promise<Ids> {
  const { api } = workspace.admin;
  const upload = await api.post<{ key: string; url: string }>(`/orgs/${workspace.id}/storage/upload`, {
    kind: 'import_file',
    file: { name: 'a.md', type: 'text/markdown', size: 6 },
  });
  expect(
    (await fetch(upload.body.url, { method: 'PUT', body: '# Home', headers: { 'Content-Type': 'text/markdown' } }))
      .status,
  ).toBe(204);
  const site = `/orgs/${workspace.id}/sites/${ids['siteId'] ?? ''}`;
  const space = await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Neighbour', empty: true });
  const siteSpace = await api.post<{ id: string }>(`${site}/site-spaces`, { spaceId: space.body.id });
  const links = await api.get<{ items: { urls: { published?: string } }[] }>(`${site}/share-links`);
  const request = await api.get<{ revision: string }>(
    `/spaces/${ids['spaceId'] ?? ''}/change-requests/${ids['changeRequestId'] ?? ''}`,
  );
  const sections = await api.get<{ items: { id: string; siteSpaces: { id: string }[] }[] }>(`${site}/sections`);
  return {
    uploadKey: upload.body.key,
    requestRevisionId: request.body.revision,
    shareKey: links.body.items[0]?.urls.published?.split('/').at(-1) ?? '',
    anchorSpaceId: ids['spaceId'] ?? '',
    anchorSiteSpaceId: siteSpace.body.id,
    anchorSectionId: sections.body.items.find(({ id }) => id !== ids['siteSectionId'])?.id ?? '',
    sectionSiteSpaceId: sections.body.items.find(({ id }) => id === ids['siteSectionId'])?.siteSpaces[0]?.id ?? '',
  };
}
