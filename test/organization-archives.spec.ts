import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { ARCHIVED, LEFT_OUT } from '../src/operations/organization-archives/archived-tables.js';
import { toFile } from '../src/operations/organization-archives/archive-sink.js';
import { openArchive } from '../src/operations/organization-archives/archive-source.js';
import type { OrganizationImportReport } from '../src/operations/organization-archives/import-organization.js';
import { VALUE_CHECKS } from '../src/operations/organization-archives/row-checks.js';
import { OrganizationArchives } from '../src/operations/organization-archives/organization-archives.service.js';
import { TestApp, useApp } from './app.js';
import { Client } from './client.js';
import { rowsIn, sumsOf } from './organization-rows.js';
import { useEngine } from './translation-engine.js';
import { ROWS } from './permissions/rows.js';
import {
  adaptiveSchema,
  buildWorld,
  publication,
  repository,
  verifiedPage,
  type Ids,
  type World,
} from './permissions/world.js';
import { buildSpace, type Made } from './published-site.js';

const app = useApp();
let other: TestApp;
let world: World;
let folder: string;
let archive: string;

const OPERATOR = { ids: 'kept', isTrusted: true, userId: undefined } as const;

const importInto = async (target: TestApp, path = archive, options: object = {}): Promise<OrganizationImportReport> =>
  target.get(OrganizationArchives).import(await openArchive(path), { ...OPERATOR, ...options });

/** Somebody's client on an installation, who has proved the address there. */
async function clientOn(target: TestApp, email: string): Promise<Client> {
  const row = await target.database.one<{ id: string }>(
    'UPDATE account SET email_verified = true WHERE email = $1 RETURNING id',
    [email],
  );
  const { secret } = await target.get(Tokens).issue(row?.id ?? '', { name: 'test' });
  return new Client(target.url, secret);
}

const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
const inline = (type: string, ref: object, nodes: object[] = []) => ({
  object: 'inline',
  type,
  isVoid: type === 'mention',
  data: { ref },
  nodes,
});
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes });
const documentOf = (...nodes: object[]) => ({ object: 'document', data: {}, nodes });

/** References of every kind, history, discussion, and somebody who has left. */
async function enrich({ workspace, ids }: World): Promise<void> {
  const { api } = workspace.admin;
  const ok = async <Body>(answer: Promise<{ status: number; body: Body }>): Promise<Body> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const writer = await workspace.member('edit');
  const [first, second] = [await buildSpace(workspace, 'First', 'en'), await buildSpace(workspace, 'Second', 'de')];
  const [target = ''] = await second.write({
    operation: 'insert_page',
    title: 'Ziel',
    document: { markdown: '## Eins\n\nText.' },
  });
  const [start = '', child = ''] = await first.write(
    {
      operation: 'insert_page',
      title: 'Start',
      document: { markdown: 'Hello **you**, 漢 \\t.\n\n## Second\n\nText.' },
    },
    { operation: 'insert_page', title: 'Child', document: { markdown: '| a | b |\n| - | - |\n| 1 | 2 |' } },
  );
  await first.write({
    operation: 'update_page',
    page: child,
    title: 'Renamed',
    slug: 'renamed',
    document: {
      document: documentOf(
        paragraph(
          text('To '),
          inline('link', { kind: 'page', page: start }, [text('the start')]),
          text(', '),
          inline('link', { kind: 'page', page: target, space: second.id }, [text('another space')]),
          text(', '),
          inline('mention', { kind: 'user', user: writer.id }),
          text(` and ${second.id} itself.`),
        ),
      ),
    },
  });
  const request = (await ok(writer.api.post<Made>(`/spaces/${first.id}/change-requests`, { subject: 'Theirs' }))).id;
  const at = `/spaces/${first.id}/change-requests/${request}`;
  await ok(
    writer.api.post(`${at}/content`, {
      changes: [{ operation: 'update_page', page: start, document: { markdown: 'Hello **all**.' } }],
    }),
  );
  await ok(api.post(`${at}/reviews`, { status: 'approved', comment: { markdown: 'Yes.' } }));
  await ok(api.post(`${at}/merge`));
  await ok(api.post(`/spaces/${first.id}/content`, { changes: [{ operation: 'delete_page', page: start }] }));
  useEngine(app.current, ['fr']);
  await ok(
    api.post(`/orgs/${workspace.id}/translations`, { source: { space: first.id, language: 'en' }, language: 'fr' }),
  );
  await app.current.get(Jobs).drain();
  const trashed = await buildSpace(workspace, 'Thrown away');
  await ok(api.delete(`/spaces/${trashed.id}`));
  await ok(api.put(`/orgs/${workspace.id}/search/synonyms`, { groups: [{ words: ['page', 'leaf'] }] }));
  await ok(
    api.patch(`/orgs/${workspace.id}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [writer.id] }] },
    }),
  );
  await ok(api.delete(`/orgs/${workspace.id}/members/${ids['leaverId'] ?? writer.id}`)).catch(() => undefined);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-archives-'));
  archive = join(folder, 'organization.tar.gz');
  world = await buildWorld(app.current);
  for (const make of [publication, adaptiveSchema, repository, verifiedPage])
    world = { ...world, ids: { ...(await make(world)), ...world.ids } };
  await enrich(world);
  await app.current.get(Jobs).drain();
  other = await TestApp.start();
  await toFile(archive, (sink) => app.current.get(OrganizationArchives).export(world.workspace.id, sink));
}, 60_000);

afterAll(async () => {
  await other?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the tables of an archive', () => {
  it('are all tables that there are', async () => {
    const rows = await app.current.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> 'migration' ORDER BY 1`,
    );
    expect([...Object.keys(ARCHIVED), ...Object.keys(LEFT_OUT)].sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('have a check for each column with JSON', async () => {
    const rows = await app.current.database.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public' AND data_type IN ('json', 'jsonb') AND table_name = ANY ($1) ORDER BY 1, 2`,
      [Object.keys(ARCHIVED)],
    );
    expect(rows.length).toBeGreaterThan(25);
    expect(
      rows.filter(
        ({ table, column }) =>
          VALUE_CHECKS[table]?.[column] === undefined && ARCHIVED[table]?.documents?.includes(column) !== true,
      ),
    ).toEqual([]);
  });
});

/**
 * Operations that show what an archive leaves out (ways in and tests of them, connections, runs of imports, custom
 * hostnames), answers that are made for the one who asks, templates, which each server makes from its own texts, and
 * those that do not end.
 */
const NOT_COMPARED =
  /^GET (\/|\/orgs|\/user.*|\/auth\/.*|.*(invites?|imports?|git|pull-request|deliveries|sessions|stream|tests|custom-hostnames|subdomains|email-domains|preview|pdf|urls\/|templates\/).*)$/;
/** Properties that are of the installation, or new with it: secrets, hostnames, and how rare a word is in its index. */
const OF_THE_PLACE: ReadonlySet<string> = new Set([
  ...['hostname', 'hasClientSecret', 'active', 'lastDelivery', 'privateKey', 'score', 'location', 'urls', 'url'],
  ...['downloadURL', 'source', 'acsURL', 'startURL', 'redirectURL', 'entityID', 'basename', 'lastSeenAt', 'position'],
]);

type Answers = Map<string, unknown>;

const COMPARED = Object.keys(ROWS).filter((name) => name.startsWith('GET ') && !NOT_COMPARED.test(name));

/** The parameters of an operation by name. */
const named = (operation: string, ids: Ids): Ids => {
  const place = operation.includes('/change-requests/') ? 'request' : 'space';
  return { ...ids, commentId: ids[`${place}CommentId`] ?? '', commentReplyId: ids[`${place}ReplyId`] ?? '' };
};

/** The world's change request is a draft, which no list shows that is not asked for drafts. */
const DRAFTS = 'GET /spaces/{spaceId}/change-requests?status=draft';

async function answer(client: Client, operation: string, ids: Ids): Promise<unknown> {
  const own = named(operation, ids);
  const path = operation.slice('GET '.length).replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? name);
  const query = ROWS[operation]?.query;
  const given = typeof query === 'function' ? query(own) : query;
  const { status, body } = await client.get(path, given && { query: given });
  // The tokens of these tests are lines of the audit log, which `ofBoth` leaves out.
  return { status, body: ofBoth(operation.endsWith('/audit-events') ? { ...body, count: 0 } : body) };
}

async function answersOf(client: Client, ids: Ids): Promise<Answers> {
  const found: Answers = new Map();
  for (const operation of [...COMPARED, DRAFTS]) found.set(operation, await answer(client, operation, ids));
  return found;
}

/** Actions of the tests, which the original does not have. */
const OF_THE_TESTS: ReadonlySet<string> = new Set(['token_created', 'organization_imported']);

/** An answer without what is of the installation, and without the lines of the audit log about the tests themselves. */
function ofBoth(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((each) => !OF_THE_TESTS.has((each as { action?: string } | null)?.action ?? '')).map(ofBoth);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (OF_THE_PLACE.has(name) ? [] : [[name, ofBoth(each)]])),
  );
}

const ID = /(?<![0-9A-Za-z])(?:A[0-9A-Za-z]{19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9A-Za-z])/g;

/** Which id of one organization is which of another, as their answers tell. */
class Pairs {
  readonly there = new Map<string, string>();
  private readonly here = new Map<string, string>();
  readonly faults: string[] = [];

  /** Compares two answers that are equal but for their ids. */
  compare(here: unknown, there: unknown, path: string): void {
    if (typeof here === 'string' && typeof there === 'string') this.texts(here, there, path);
    else if (typeof here === 'object' && here !== null && typeof there === 'object' && there !== null) {
      const [left, right] = [Object.entries(here), Object.entries(there)];
      if (left.length !== right.length) this.faults.push(`${path}: ${left.length} and ${right.length} parts`);
      for (const [at, [name, value]] of left.entries()) this.compare(value, right[at]?.[1], `${path}.${name}`);
    } else if (here !== there) this.faults.push(`${path}: ${JSON.stringify(here)} and ${JSON.stringify(there)}`);
  }

  private texts(here: string, there: string, path: string): void {
    // A document is named by its hash, which follows from the ids in it.
    if (path.endsWith('.documentId')) return this.pair(here, there, path);
    const [left, right] = [here.match(ID) ?? [], there.match(ID) ?? []];
    if (here.replace(ID, '') !== there.replace(ID, '') || left.length !== right.length)
      this.faults.push(`${path}: ${here.slice(0, 200)} and ${there.slice(0, 200)}`);
    else for (const [at, id] of left.entries()) this.pair(id, right[at] ?? '', path);
  }

  private pair(here: string, there: string, path: string): void {
    const [before, back] = [this.there.get(here) ?? there, this.here.get(there) ?? here];
    if (before !== there || back !== here) this.faults.push(`${path}: ${here} is ${before} and ${there}`);
    this.there.set(here, there);
    this.here.set(there, here);
  }
}

/** Parameters that are names, and stay. */
const NAMES: ReadonlySet<string> = new Set([
  'specSlug',
  'pagePath',
  'resourceTypeId',
  'schemaId',
  'siteQuestionId',
  'auditEventId',
  'reviewId',
  'hostname',
]);

/** Asks the other for everything, as soon as it is known how it is called there. */
async function compareAll(
  here: Answers,
  there: Client,
  organizationId: string,
): Promise<Pairs & { readonly asked: number }> {
  const pairs = new Pairs();
  pairs.there.set(world.workspace.id, organizationId);
  const left = new Set([...COMPARED, DRAFTS]);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const operation of left) {
      const own = named(operation, world.ids);
      const parameters = [...operation.matchAll(/\{(\w+)\}/g)]
        .map(([, name = '']) => name)
        .filter((name) => !NAMES.has(name));
      if (!parameters.every((name) => pairs.there.has(own[name] ?? ''))) continue;
      left.delete(operation);
      const ids = Object.fromEntries(Object.entries(own).map(([name, id]) => [name, pairs.there.get(id) ?? id]));
      pairs.compare(here.get(operation), await answer(there, operation, ids), operation);
    }
  }
  pairs.faults.push(...[...left].map((operation) => `${operation} was not asked`));
  return Object.assign(pairs, { asked: COMPARED.length + 1 - left.size });
}

/** The next run of an imported translation changes nothing: it finds the content that the runs before have made. */
async function keepsTranslations(organizationId: string): Promise<void> {
  useEngine(other, ['fr']);
  const rows = await other.database.query<{ id: string; space: string }>(
    `SELECT id, result_space_id AS space FROM translation WHERE organization_id = $1 AND language = 'fr'`,
    [organizationId],
  );
  const pagesOf = () =>
    other.database.query<{ id: string }>(
      `SELECT id FROM content_item WHERE space_id = $1 AND line = '' AND kind = 'page' ORDER BY id`,
      [rows[0]?.space],
    );
  const before = await pagesOf();
  expect(before).not.toEqual([]);
  const api = await clientOn(other, world.workspace.admin.email);
  expect((await api.post(`/orgs/${organizationId}/translations/${rows[0]?.id ?? ''}/run`)).status).toBeLessThan(300);
  await other.get(Jobs).drain();
  expect(await pagesOf()).toEqual(before);
}

describe('an organization that is imported elsewhere', () => {
  let here: Answers;

  it('shows the same, with the same ids', async () => {
    const report = await importInto(other);
    expect(report).toMatchObject({
      organizationId: world.workspace.id,
      ids: 'kept',
      people: { known: 0, waiting: [] },
    });
    here = await answersOf(await clientOn(app.current, world.workspace.admin.email), world.ids);
    const there = await answersOf(await clientOn(other, world.workspace.admin.email), world.ids);
    expect(here.size).toBeGreaterThan(120);
    expect(Object.fromEntries(there)).toEqual(Object.fromEntries(here));
  });

  it('is there a second time with new ids, and the first stays as it is', async () => {
    const client = await clientOn(other, world.workspace.admin.email);
    const before = await sumsOf(other.database, world.workspace.id);
    const report = await importInto(other);
    expect(report).toMatchObject({ ids: 'new', people: { made: 0, waiting: [] } });
    expect(await sumsOf(other.database, world.workspace.id)).toEqual(before);
    const { faults, asked } = await compareAll(here, client, report.organizationId);
    expect(faults).toEqual([]);
    expect(asked).toBeGreaterThan(120);
    const first = new Set((await rowsIn(other.database, world.workspace.id)).map(({ id }) => id));
    const foreign = (await rowsIn(other.database, report.organizationId)).flatMap(({ name, row }) =>
      (row.match(ID) ?? []).filter((id) => first.has(id)).map((id) => `${name} names ${id}`),
    );
    expect(foreign).toEqual([]);
    await keepsTranslations(report.organizationId);
  });

  it('passes the checks of an archive that somebody brings', async () => {
    const row = await other.database.one<{ id: string }>('SELECT id FROM account WHERE email = $1', [
      world.workspace.admin.email,
    ]);
    const report = await importInto(other, archive, { ids: 'new', isTrusted: false, userId: row?.id });
    expect(report).toMatchObject({ ids: 'new', people: { made: 2, known: 1 }, missingFiles: [] });
  });
});
