import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readSpecification } from '../src/formats/openapi/reading/read-specification.js';
import { SpecificationReader } from '../src/formats/openapi/reading/specification-reader.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { PAINT_PDF } from '../src/publishing/pdf/paint-pdf-task.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { usePublicListener } from './published-site.js';
import { useSpecificationServer } from './specification-server.js';

const app = useApp();
const server = useSpecificationServer();
usePublicListener(app);
const HOUR = 3_600_000;

interface Spec {
  readonly id: string;
  readonly slug: string;
  readonly sourceURL?: string;
  readonly processingState: string;
  readonly visibility: string;
  readonly updatedAt: string;
  readonly lastVersion?: string;
  readonly lastProcessedAt?: string;
  readonly lastProcessErrorCode?: string;
  readonly failOn?: string;
  readonly lastProcessedWarningCount?: number;
  readonly lastProcessedErrors?: readonly {
    readonly message: string;
    readonly code: string;
    readonly pointer?: string;
    readonly line?: number;
  }[];
  readonly lastProcessedErrorCount: number;
  readonly permissions: object;
  readonly urls: { readonly location: string; readonly app: string; readonly published?: string };
}
interface Version {
  readonly id: string;
  readonly url: string;
  readonly urls: { readonly location: string };
}
interface Content {
  readonly filesystem: readonly { readonly specification: Readonly<Record<string, unknown>> }[];
  readonly url: string;
  readonly urls: { readonly source: string; readonly public: string | null };
}
interface List<Item> {
  readonly items: readonly Item[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

const pets = (summary = 'List pets') => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1', description: 'All about pets.' },
  tags: [{ name: 'pet' }],
  paths: { '/pets': { get: { tags: ['pet'], summary, responses: { 200: { description: 'ok' } } } } },
  webhooks: { petBorn: { post: { responses: { 200: { description: 'ok' } } } } },
  components: { schemas: { Pet: { type: 'object', properties: { parent: { $ref: '#/components/schemas/Pet' } } } } },
});
const filesOf = (specification: object) => [
  { dir: './', isEntrypoint: true, references: [], filename: 'openapi.json', specification },
];
const text = (value: object = pets()) => ({ text: JSON.stringify(value) });

afterEach(() => app.current.setTime(undefined));

/** From now on reads in this thread, which compiles the schemas but once; what is alike in a thread is tried before. */
function readHere(of: TestApp = app.current): void {
  const read: SpecificationReader['read'] = ({ text: source, base, maxLength, tolerant }) =>
    readSpecification(source, {
      base,
      maxLength,
      tolerant,
      fetch: () => Promise.reject(new Error('nothing is fetched')),
    });
  Object.assign(of.get(SpecificationReader), { read });
}

const drain = (of: TestApp = app.current) => of.get(Jobs).drain();

function registry({ id }: { readonly id: string }, { api }: Person) {
  const base = `/orgs/${id}/openapi`;
  return {
    put: (slug: string, source: object) => api.put<Spec>(`${base}/${slug}`, { source }),
    get: async (slug: string) => (await api.get<Spec>(`${base}/${slug}`)).body,
    at: (path: string) => `${base}/${path}`,
    versions: async (slug: string) => (await api.get<List<Version>>(`${base}/${slug}/versions`)).body,
    content: async (slug: string, version = 'latest') =>
      (await api.get<Content>(`${base}/${slug}/versions/${version}/content`)).body,
  };
}

async function processed(workspace: Workspace, slug: string, source: object): Promise<Spec> {
  const { put, get } = registry(workspace, workspace.admin);
  expect([200, 201]).toContain((await put(slug, source)).status);
  await drain();
  return get(slug);
}

/** Lets hours pass, by the clock and in the database, which tells what is due. */
async function refreshed(hours: number): Promise<void> {
  app.current.setTime(new Date(Date.now() + hours * HOUR));
  await app.current.database.execute(`UPDATE openapi_spec SET due_at = due_at - $1 * interval '1 hour'`, [hours]);
  await app.current.get(Jobs).enqueue('openapi.refresh', {});
  await drain();
}

interface Change {
  readonly effect: string;
  readonly code: string;
  readonly operation?: object;
  readonly message: string;
}
interface Counted extends Version {
  readonly changes?: Readonly<Record<string, number>>;
}

/** Pets whose operation takes parameters. */
const petsWith = (parameters: readonly object[], summary?: string) => ({
  ...pets(),
  paths: { '/pets': { get: { summary, parameters, responses: { 200: { description: 'ok' } } } } },
});
const parameter = (name: string, required = false) => ({ name, in: 'query', required, schema: { type: 'string' } });

describe('a new version of a specification', () => {
  it('names the webhook and the shared schema that changed', async () => {
    const workspace = await buildOrganization(app.current);
    const { at, versions } = registry(workspace, workspace.admin);
    const shared = {
      200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
    };
    const version = (properties: object, webhooks: object) => ({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { get: { responses: shared } }, '/pets/first': { get: { responses: shared } } },
      components: { schemas: { Pet: { type: 'object', properties } } },
      webhooks,
    });
    const name = { type: 'string' };
    await processed(workspace, 'Pets', text(version({ name, age: name }, {})));
    const adopted = { post: { responses: { 200: { description: 'ok' } } } };
    await processed(workspace, 'Pets', text(version({ name }, { adopted })));
    const { id } = (await versions('Pets')).items[0] as Counted;
    const { body } = await workspace.admin.api.get<List<object>>(at(`Pets/versions/${id}/changes`));
    expect(body.items).toContainEqual(expect.objectContaining({ webhook: { name: 'adopted', method: 'post' } }));
    expect(body.items).toContainEqual(expect.objectContaining({ schema: 'Pet' }));
  });

  it('has its changes against the version before, counted and page by page', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const { at, versions } = registry(workspace, workspace.admin);
    await processed(workspace, 'Pets', text(petsWith([parameter('gone')])));
    const first = (await versions('Pets')).items[0] as Counted;
    expect(first).not.toHaveProperty('changes');
    const changesOf = (id: string, more = '') =>
      api.get<List<Change>>(at(`Pets/versions/${id}/changes${more}`)).then(({ body }) => body);
    expect(await changesOf(first.id)).toMatchObject({ items: [], count: 0 });

    const now = petsWith([parameter('limit', true), parameter('q'), parameter('r')], 'All pets');
    await processed(workspace, 'Pets', text(now));
    const second = (await versions('Pets')).items[0] as Counted;
    expect(second.changes).toEqual({ breaking: 1, dangerous: 1, compatible: 2, documentation: 1 });
    const all = await changesOf(second.id);
    expect(all.items.map(({ effect, code }) => `${effect} ${code}`)).toEqual([
      'breaking required-parameter-added',
      'dangerous parameter-removed',
      'compatible parameter-added',
      'compatible parameter-added',
      'documentation description-changed',
    ]);
    expect(all.items[0]).toEqual({
      object: 'openapi-change',
      effect: 'breaking',
      code: 'required-parameter-added',
      operation: { method: 'get', path: '/pets' },
      place: 'query parameter limit',
      message: 'A required parameter was added',
      pointer: '/paths/~1pets/get/parameters/0',
    });
    const some = await changesOf(second.id, '?limit=3');
    const rest = await changesOf(second.id, `?limit=3&page=${encodeURIComponent(some.next?.page ?? '')}`);
    expect([...some.items, ...rest.items]).toEqual(all.items);
    expect(rest.next).toBeUndefined();
    expect((await changesOf(second.id, '?effect=compatible')).items).toEqual(all.items.slice(2, 4));
    expect((await api.get(at(`Pets/versions/${second.id}/changes?effect=bad`))).status).toBe(400);
    expect((await api.get(at('Pets/versions/nothing/changes'))).status).toBe(404);
    expect((await api.get(at(`Other/versions/${second.id}/changes`))).status).toBe(404);
    const stranger = await buildOrganization(app.current);
    expect((await stranger.admin.api.get(at(`Pets/versions/${second.id}/changes`))).status).toBe(404);
    const events = await app.current.database.query<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM event WHERE organization_id = $1 AND type = 'openapi_version_created' ORDER BY id`,
      [workspace.id],
    );
    expect(events.map(({ payload }) => [payload['versionId'], payload['breaking'], payload['documentation']])).toEqual([
      [first.id, undefined, undefined],
      [second.id, 1, 1],
    ]);
  });

  it('is compared although PDFs take all threads for tasks of minutes', async () => {
    const workspace = await buildOrganization(app.current);
    await processed(workspace, 'Pets', text(petsWith([])));
    const over = new AbortController();
    const { signal } = over;
    const begun = (): Promise<never> =>
      new Promise((_, end) => signal.addEventListener('abort', () => end(new Error('It is over'))));
    const workers = app.current.get(WorkerPool);
    const pdfs = Promise.allSettled(
      [workspace.id, 'another'].map((party) => workers.runPrepared(PAINT_PDF, begun, { party, signal })),
    );
    try {
      await processed(workspace, 'Pets', text(petsWith([parameter('q')])));
    } finally {
      over.abort();
      await pdfs;
    }
    const [latest] = (await registry(workspace, workspace.admin).versions('Pets')).items as Counted[];
    expect(latest?.changes).toMatchObject({ compatible: 1 });
  });

  it('is refused where its source says so, and only reported where it does not', async () => {
    const workspace = await buildOrganization(app.current);
    const { versions } = registry(workspace, workspace.admin);
    const source = (value: object, failOn?: string) => ({ ...text(value), ...(failOn && { failOn }) });
    const first = await processed(workspace, 'Pets', source(petsWith([parameter('q')]), 'breaking'));
    expect([first.lastProcessErrorCode, first.failOn]).toEqual([undefined, 'breaking']);
    const narrower = petsWith([parameter('q', true)]);
    const refused = await processed(workspace, 'Pets', source(narrower, 'breaking'));
    expect(refused).toMatchObject({
      lastVersion: first.lastVersion,
      lastProcessErrorCode: 'BREAKING_CHANGES',
      lastProcessedErrorCount: 1,
      lastProcessedErrors: [
        {
          code: 'parameter-became-required',
          message: 'GET /pets (query parameter q): It is required now',
          pointer: '/paths/~1pets/get/parameters/0',
        },
      ],
    });
    // A parameter that is gone is worse than `breaking` allows nothing but: it passes, and is refused by `dangerous`.
    const without = petsWith([]);
    expect((await processed(workspace, 'Pets', source(without, 'dangerous'))).lastProcessErrorCode).toBe(
      'BREAKING_CHANGES',
    );
    expect((await processed(workspace, 'Pets', source(without, 'breaking'))).lastProcessErrorCode).toBeUndefined();
    const reported = await processed(workspace, 'Pets', source(petsWith([parameter('q', true)])));
    expect([reported.lastProcessErrorCode, reported.failOn]).toEqual([undefined, undefined]);
    expect(((await versions('Pets')).items[0] as Counted).changes).toMatchObject({ breaking: 1 });
    expect((await registry(workspace, workspace.admin).put('Pets', source(without, 'never'))).status).toBe(400);
  });

  it('is compared also where its names are such as no database keeps', async () => {
    const workspace = await buildOrganization(app.current);
    const named = (name: string, responses: object = { 200: { description: 'ok' } }) => ({
      ...pets(),
      paths: { [`/${name}`]: { get: { responses } } },
    });
    await processed(workspace, 'Pets', text(named('a')));
    const name = `b${String.fromCharCode(0, 0xd800)} \u202e😀`;
    const odd = await processed(workspace, 'Pets', { ...text(named(name, {})), tolerant: true });
    expect(odd.lastProcessedErrors).toBeUndefined();
    expect(odd.processingState).toBe('complete');
    const { body } = await workspace.admin.api.get<List<Change>>(
      registry(workspace, workspace.admin).at(`Pets/versions/${odd.lastVersion}/changes`),
    );
    expect(body.items.map(({ code }) => code)).toEqual(['operation-removed', 'operation-added']);
  });
});

const FAULTY =
  'openapi: 3.0.3\ninfo: {title: Pets, version: 1.0}\npaths:\n  /pets:\n    get:\n      security: [{key: []}]\n      responses:\n        "200": {description: ok, content: {application/json: {schema: null}}}\n';

describe('a specification with faults that do not stop reading', () => {
  it('is accepted where its source says so, with warnings that stay until it is read again', async () => {
    const workspace = await buildOrganization(app.current);
    const refused = await processed(workspace, 'Pets', { text: FAULTY });
    expect([refused.lastVersion, refused.lastProcessErrorCode, refused.lastProcessedErrorCount]).toEqual([
      undefined,
      'PARSE_ERROR',
      2,
    ]);
    expect(refused).not.toHaveProperty('lastProcessedWarnings');
    const accepted = await processed(workspace, 'Pets', { text: FAULTY, tolerant: true });
    expect(accepted).toMatchObject({
      lastVersion: expect.any(String),
      lastProcessedErrorCount: 0,
      lastProcessedWarningCount: 3,
      lastProcessedWarnings: [
        { code: 'wrong-type', pointer: '/info/version', line: 2, instead: 'is shown as "1.0"' },
        { code: 'wrong-type', line: 8, instead: 'is left out' },
        { code: 'undeclared-security-scheme', pointer: '/paths/~1pets/get/security/0/key', line: 6 },
      ],
    });
    expect(accepted).not.toHaveProperty('lastProcessErrorCode');
    const { content } = registry(workspace, workspace.admin);
    expect((await content('Pets')).filesystem[0]?.specification).toMatchObject({
      info: { version: '1.0' },
      paths: { '/pets': { get: { responses: { 200: { content: { 'application/json': {} } } } } } },
    });
    const strict = await processed(workspace, 'Pets', { text: FAULTY, tolerant: false });
    expect([strict.lastVersion, strict.lastProcessErrorCode]).toEqual([accepted.lastVersion, 'PARSE_ERROR']);
    const right = FAULTY.replace('1.0', '"1"').replace('schema: null', '').replace('security: [{key: []}]', '');
    expect(await processed(workspace, 'Pets', { text: right })).not.toHaveProperty('lastProcessedWarnings');
    const wrong = await workspace.admin.api.put<{ error: { details: { path: string }[] } }>(
      `/orgs/${workspace.id}/openapi/Pets`,
      { source: { text: FAULTY, tolerant: 'yes' } },
    );
    expect([wrong.status, wrong.body.error.details[0]?.path]).toEqual([400, 'source.tolerant']);
  });
});

describe('an installation that is tolerant', () => {
  const tolerant = useApp({ OPENAPI_TOLERANT: 'true' });

  it('accepts such faults unless a source says otherwise', async () => {
    readHere(tolerant.current);
    const workspace = await buildOrganization(tolerant.current);
    const { put, get } = registry(workspace, workspace.admin);
    const outcomes: unknown[] = [];
    for (const more of [{}, { tolerant: true }, { tolerant: false }]) {
      await put('Pets', { text: FAULTY, ...more });
      await drain(tolerant.current);
      const { lastProcessErrorCode, lastProcessedWarningCount } = await get('Pets');
      outcomes.push(lastProcessErrorCode ?? lastProcessedWarningCount);
    }
    expect(outcomes).toEqual([3, 3, 'PARSE_ERROR']);
  });
});

describe('a specification', () => {
  it('lists its versions page by page, the newest first', async () => {
    const workspace = await buildOrganization(app.current);
    const { put, at } = registry(workspace, workspace.admin);
    await put('Pets', text());
    await drain();
    const first = (await put('Pets', text())).body.lastVersion;
    const all = await workspace.admin.api.get<List<Version>>(at('Pets/versions'));
    expect(all.body.items.map(({ id }) => id)).toEqual([first]);
    const second = (
      await processed(workspace, 'Pets', {
        text: 'openapi: 3.0.3\ninfo: {title: Pets, version: 2022-01-01}\npaths: {}\n',
      })
    ).lastVersion;
    const newest = await workspace.admin.api.get<List<Version>>(at('Pets/versions'), { query: { limit: 1 } });
    const oldest = await workspace.admin.api.get<List<Version>>(at('Pets/versions'), {
      query: { limit: 1, page: newest.body.next?.page },
    });
    expect([newest, oldest].map(({ body }) => body.items.map(({ id }) => id))).toEqual([[second], [first]]);
    expect(oldest.body.next).toBeUndefined();
  });

  it('tells where its content comes from, and where everybody can read it', async () => {
    const url = server.give('/public-pets.json', JSON.stringify(pets()));
    const workspace = await buildOrganization(app.current);
    const { at, content } = registry(workspace, workspace.admin);
    await processed(workspace, 'given', text());
    await processed(workspace, 'fetched', { url });
    const given = await content('given');
    expect(given.urls).toEqual({ source: given.url, public: null });
    expect((await content('fetched')).urls).toEqual({ source: url, public: null });
    for (const slug of ['given', 'fetched'])
      expect((await workspace.admin.api.patch(at(slug), { visibility: 'public' })).status).toBe(200);
    const shown = await content('given');
    expect(await (await fetch(shown.urls.public ?? '')).json()).toEqual(pets());
    expect((await content('fetched')).urls).toEqual({ source: url, public: url });
  });

  it('is registered, read in the background, and kept version by version', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const { get, at, versions, content, put } = registry(workspace, admin);
    const made = await admin.api.post<Spec>(at('').replace(/\/$/, ''), { slug: 'Pet-Store', source: text() });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        object: 'openapi-spec',
        slug: 'Pet-Store',
        processingState: 'pending',
        visibility: 'private',
        permissions: { view: true, edit: true },
      }),
    ]);
    expect(made.body).not.toHaveProperty('lastVersion');
    expect((await admin.api.get(at('Pet-Store/versions/latest'))).status).toBe(404);
    expect((await admin.api.get(at('Pet-Store/versions/latest/content'))).status).toBe(404);
    expect((await admin.api.post(at('').replace(/\/$/, ''), { slug: 'Pet-Store', source: text() })).status).toBe(409);
    await drain();
    const first = await get('Pet-Store');
    expect(first).toMatchObject({
      id: made.body.id,
      processingState: 'complete',
      lastVersion: expect.any(String),
      lastProcessedAt: expect.any(String),
    });
    expect(first).not.toHaveProperty('lastProcessErrorCode');
    expect((await content('Pet-Store')).filesystem).toEqual(filesOf(pets()));
    const sent = await admin.api.get<{ text: string; format: string }>(at('Pet-Store/versions/latest/content/raw'));
    expect(sent.body).toMatchObject(text());

    await processed(workspace, 'Pet-Store', text());
    expect((await versions('Pet-Store')).count).toBe(1);
    await processed(workspace, 'Pet-Store', {
      text: 'openapi: 3.0.3\ninfo: {title: Pets, version: 2022-01-01}\npaths: {}\n',
    });
    const listed = await versions('Pet-Store');
    expect([listed.count, listed.items[1]?.id]).toEqual([2, first.lastVersion]);
    const latest = await admin.api.get<Version>(at('Pet-Store/versions/latest'));
    expect(latest.body).toEqual(listed.items[0]);
    expect((await admin.api.get(at(`Pet-Store/versions/${first.lastVersion}`))).body).toEqual(listed.items[1]);
    expect((await content('Pet-Store', first.lastVersion)).filesystem).toEqual(filesOf(pets()));
    expect((await content('Pet-Store')).filesystem).toEqual(
      filesOf({ openapi: '3.0.3', info: { title: 'Pets', version: '2022-01-01' }, paths: {} }),
    );
    expect(await (await fetch(latest.body.url)).json()).toEqual(
      (await content('Pet-Store')).filesystem[0]?.specification,
    );
    const raw = await admin.api.get<{ text: string; format: string }>(at('Pet-Store/versions/latest/content/raw'));
    expect([raw.status, raw.body.format, JSON.parse(raw.body.text)]).toMatchObject([
      200,
      'json',
      { openapi: expect.any(String) },
    ]);
    expect((await admin.api.get(at('Nothing/versions/latest/content/raw'))).status).toBe(404);
    const known = await admin.api.get(at('Pet-Store/versions/latest/content'));
    expect(
      (
        await admin.api.get(at('Pet-Store/versions/latest/content'), {
          headers: { 'If-None-Match': known.headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(304);

    expect((await admin.api.get(at('nothing'))).status).toBe(404);
    expect((await admin.api.get(at('nothing/versions'))).status).toBe(404);
    expect((await admin.api.get(at('Pet-Store/versions/nothing/content'))).status).toBe(404);
    expect((await admin.api.delete(at('Pet-Store'))).status).toBe(204);
    expect((await admin.api.delete(at('Pet-Store'))).status).toBe(204);
    expect((await admin.api.get(at('Pet-Store'))).status).toBe(404);
    expect((await put('Pet-Store', text())).status).toBe(201);
  });

  it('is listed page by page, to members only, and changed by creators', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const { put, at } = registry(workspace, admin);
    for (const slug of ['one', 'two', 'three']) expect((await put(slug, text())).status).toBe(201);
    const list = at('').replace(/\/$/, '');
    const seen: string[] = [];
    for (let page: string | undefined, more = true; more; more = page !== undefined) {
      const { body } = await admin.api.get<List<Spec>>(list, { query: { limit: 2, page } });
      expect(body.count).toBe(3);
      seen.push(...body.items.map(({ slug }) => slug));
      page = body.next?.page;
    }
    expect(seen).toEqual(['three', 'two', 'one']);
    const reader = await workspace.member('read');
    expect((await registry(workspace, reader).get('one')).permissions).toEqual({ view: true, edit: false });
    expect((await registry(workspace, reader).put('one', text())).status).toBe(403);
    expect((await reader.api.patch(at('one'), { visibility: 'public' })).status).toBe(403);
    expect((await reader.api.delete(at('one'))).status).toBe(403);
    const outsider = (await buildOrganization(app.current)).admin;
    expect((await outsider.api.get(at('one'))).status).toBe(404);
    expect((await outsider.api.get(at('one/versions/latest/content'))).status).toBe(404);
    expect((await registry(workspace, outsider).put('one', text())).status).toBe(404);
    expect((await outsider.api.delete(at('one'))).status).toBe(404);
  });

  it('is refused where it has no slug, no source or an address that is never reached', async () => {
    const workspace = await buildOrganization(app.current);
    const { put, at } = registry(workspace, workspace.admin);
    for (const slug of ['a--b', '-a', 'a_b', 'x'.repeat(101)]) {
      expect([slug, (await put(slug, text())).status]).toEqual([slug, 400]);
      expect([
        slug,
        (await workspace.admin.api.post(at('').replace(/\/$/, ''), { slug, source: text() })).status,
      ]).toEqual([slug, 400]);
    }
    for (const source of [
      {},
      { text: '' },
      { url: 'ftp://example.com/a' },
      { url: 'http://10.0.0.1/a.json' },
      { url: 'http://169.254.169.254/latest' },
      { url: 'http://[::1]/a' },
      { url: 'https://a:b@example.com/' },
      { url: 'https://example.com/', text: 'x' },
    ]) {
      expect([source, (await put('pets', source)).status]).toEqual([source, 400]);
    }
    expect((await workspace.admin.api.patch(at('pets'), { visibility: 'public' })).status).toBe(404);
    await put('pets', text());
    expect((await workspace.admin.api.patch(at('pets'), { visibility: 'everybody' })).status).toBe(400);
    expect(
      (await workspace.admin.api.patch(at('pets'), { visibility: 'public' }, { headers: { 'If-Match': '"99.x"' } }))
        .status,
    ).toBe(412);
  });

  it('is made once by 50 callers at the same time', async () => {
    const workspace = await buildOrganization(app.current);
    const { put, versions, get } = registry(workspace, workspace.admin);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => put('pets', text(pets(`Version ${index}`)))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(49).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await drain();
    expect(await get('pets')).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) });
    expect((await versions('pets')).count).toBe(1);
  });

  it('is served to everybody while it is public, and to nobody while it is not', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const { get, at } = registry(workspace, admin);
    const { id } = await processed(workspace, 'pets', text());
    const visibility = async (to: string) => (await admin.api.patch<Spec>(at('pets'), { visibility: to })).body;
    const published = (await visibility('public')).urls.published ?? '';
    const answer = await fetch(published);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('access-control-allow-origin'),
      await answer.json(),
    ]).toEqual([200, 'application/json; charset=utf-8', '*', pets()]);
    await processed(workspace, 'pets', text(pets('Newer')));
    expect(await (await fetch(published)).json()).toEqual(pets('Newer'));
    expect((await get('pets')).urls.published).toBe(published);
    expect((await visibility('private')).urls).not.toHaveProperty('published');
    expect((await fetch(published)).status).toBe(404);
    const { url } = (await admin.api.get<Version>(at('pets/versions/latest'))).body;
    expect([
      (await fetch(url)).status,
      (await fetch(url.split('?')[0] ?? '')).status,
      (await fetch(url.replace(/\/~files\/\w+/, `/~files/${id}`))).status,
    ]).toEqual([200, 404, 403]);
  });

  it('brings along the documents that it refers to, and nothing from where it may not reach', async () => {
    const workspace = await buildOrganization(app.current);
    const { content } = registry(workspace, workspace.admin);
    const schema = {
      openapi: '3.1.0',
      info: { title: 'Parts', version: '1' },
      paths: { '/parts': { $ref: './parts/paths.yaml#/parts' } },
      components: { schemas: { Part: { $ref: 'parts/schemas.yaml#/Part' } } },
    };
    const url = server.give('/whole.json', JSON.stringify(schema));
    server.give(
      '/parts/paths.yaml',
      'parts:\n  get:\n    tags: [part]\n    summary: List parts\n    responses:\n      "200":\n        description: ok\n        content:\n          application/json:\n            schema: {$ref: "schemas.yaml#/Part"}\n',
    );
    server.give(
      '/parts/schemas.yaml',
      'Part:\n  type: object\n  properties:\n    of: {$ref: "#/Part"}\n    whole: {$ref: "../whole.json#/components/schemas/Part"}\n',
    );
    const parts = await processed(workspace, 'parts', { url });
    expect([parts.lastProcessedErrors, parts.lastProcessedErrorCount, typeof parts.lastVersion]).toEqual([
      undefined,
      0,
      'string',
    ]);
    const whole = (await content('parts')).filesystem[0]?.specification;
    expect(whole).toMatchObject({
      paths: { '/parts': { $ref: '#/x-ext/d1/parts' } },
      components: { schemas: { Part: { $ref: '#/x-ext/d2/Part' } } },
      'x-ext': {
        d2: { Part: { properties: { of: { $ref: '#/x-ext/d2/Part' }, whole: { $ref: '#/components/schemas/Part' } } } },
      },
    });
    const inwards = server.give(
      '/inwards-reference.json',
      JSON.stringify({
        ...schema,
        paths: {},
        components: { schemas: { Key: { $ref: 'http://10.0.0.7/secret.json' } } },
      }),
    );
    expect(await processed(workspace, 'inwards', { url: inwards })).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [
        { code: 'unresolved-reference', message: expect.stringMatching(/10\.0\.0\.7.*not allowed/) },
      ],
    });
    expect(await processed(workspace, 'text', text(schema))).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [
        { pointer: '/paths/~1parts/$ref', message: expect.stringContaining('absolute addresses only') },
      ],
    });
  });
});

describe('an address', () => {
  beforeAll(() => readHere());

  it('is asked again after six hours with what it said before, and at once by PUT', async () => {
    const workspace = await buildOrganization(app.current);
    const { put, get, versions } = registry(workspace, workspace.admin);
    const body = { current: JSON.stringify(pets()) };
    const url = server.give('/conditional.json', (response, headers) => {
      const etag = `"${body.current.length}"`;
      if (headers['if-none-match'] === etag && headers['if-modified-since'] === 'Sun, 01 Nov 2026 00:00:00 GMT')
        response.writeHead(304).end();
      else response.writeHead(200, { ETag: etag, 'Last-Modified': 'Sun, 01 Nov 2026 00:00:00 GMT' }).end(body.current);
    });
    const first = await processed(workspace, 'pets', { url });
    expect(first).toMatchObject({ sourceURL: url, processingState: 'complete', lastVersion: expect.any(String) });
    await refreshed(5);
    expect(server.times('/conditional.json')).toBe(1);
    await refreshed(7);
    const second = await get('pets');
    expect([server.times('/conditional.json'), second.lastVersion, second.updatedAt]).toEqual([
      2,
      first.lastVersion,
      first.updatedAt,
    ]);
    expect(Date.parse(second.lastProcessedAt ?? '')).toBeGreaterThan(Date.parse(first.lastProcessedAt ?? ''));
    body.current = JSON.stringify(pets('Something else'));
    await refreshed(14);
    expect((await get('pets')).lastVersion).not.toBe(first.lastVersion);
    expect((await versions('pets')).count).toBe(2);
    app.current.setTime(undefined);
    expect(await put('pets', { url })).toMatchObject({ status: 200, body: { processingState: 'pending' } });
    await drain();
    expect(server.times('/conditional.json')).toBe(4);
    // Another address was not asked before.
    await processed(workspace, 'pets', { url: server.give('/other.json', JSON.stringify(pets())) });
    expect(server.asked.at(-1)?.headers).not.toHaveProperty('if-none-match');
  });

  it('lists its first fifty faults and counts all', async () => {
    const workspace = await buildOrganization(app.current);
    const paths = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`/${at}`, { get: { tags: 'none' } }]));
    const faulty = await processed(workspace, 'faulty', text({ ...pets(), paths }));
    expect([faulty.lastProcessedErrors?.length, faulty.lastProcessedErrorCount]).toEqual([50, 60]);
  });

  it('3b-24 that fails leaves the last good version, and says why', async () => {
    const workspace = await buildOrganization(app.current);
    const good = await processed(workspace, 'pets', text());
    const reasons: [string, string, RegExp][] = [
      [server.url('/missing.json'), 'FETCH_ERROR', /status 404/],
      [
        server.give('/broken.json', '{"openapi": "3.1.0",\n "info": }'),
        'PARSE_ERROR',
        /^line 2: this is not valid JSON/,
      ],
      [server.give('/page.html', '<!doctype html><p>Log in</p>'), 'PARSE_ERROR', /web page/],
      [
        server.give('/bomb.json', gzipSync(Buffer.alloc(64 * 1024 ** 2, ' ')), { 'Content-Encoding': 'gzip' }),
        'FETCH_ERROR',
        /larger than 20971520 bytes/,
      ],
      [
        server.give('/inwards.json', (response) =>
          response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
        ),
        'FETCH_ERROR',
        /not allowed/,
      ],
      [
        server.give('/circle.json', (response) => response.writeHead(302, { Location: '/circle.json' }).end()),
        'FETCH_ERROR',
        /redirects more than 3 times/,
      ],
    ];
    for (const [url, code, message] of reasons) {
      const spec = await processed(workspace, 'pets', { url });
      expect(spec).toMatchObject({
        processingState: 'complete',
        lastVersion: good.lastVersion,
        lastProcessErrorCode: code,
        lastProcessedErrors: [{ message: expect.stringMatching(message), code: expect.any(String) }],
      });
    }
    expect(await processed(workspace, 'pets', text(pets('Good again')))).not.toHaveProperty('lastProcessErrorCode');
  });
});

describe('pages', () => {
  beforeAll(() => readHere());

  it('follow the versions of the registry, before files of the same name, and links know of it', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const space = `/spaces/${(await admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'API', editMode: 'live', empty: true })).body.id}`;
    const ref = { kind: 'openapi', spec: 'pets' };
    const computed = { type: 'builtin:openapi', props: { models: true }, dependencies: { spec: { ref } } };
    expect(
      (
        await admin.api.post(`${space}/content`, {
          changes: [{ operation: 'insert_page', type: 'computed', title: 'Reference', computed }],
        })
      ).status,
    ).toBe(200);
    interface Page {
      readonly slug?: string;
      readonly path: string;
      readonly computed?: { dependencies: { spec: { value: object | null } } };
    }
    const pages = async () => (await admin.api.get<{ pages: Page[] }>(`${space}/content/pages`)).body.pages;
    interface Usage {
      readonly status: string;
      readonly targetReference?: { kind: string; openAPISpec?: Spec };
    }
    const links = async () => (await admin.api.get<List<Usage>>(`${space}/links`)).body.items;
    expect([(await pages()).length, (await links())[0]?.status]).toEqual([1, 'broken']);
    const spec = await processed(workspace, 'pets', text());
    const shown = await pages();
    expect(shown.map(({ slug }) => slug)).toEqual(['info', 'pet', 'webhooks', 'models']);
    expect(shown[1]?.computed?.dependencies.spec.value).toEqual({
      object: 'openapi-spec',
      id: spec.id,
      slug: 'pets',
      lastVersion: spec.lastVersion,
    });
    expect(await links()).toEqual([
      expect.objectContaining({
        status: 'ok',
        targetReference: expect.objectContaining({
          kind: 'openapi',
          openAPISpec: expect.objectContaining({ id: spec.id, slug: 'pets' }),
        }),
      }),
    ]);
    const markdown = async () =>
      (await admin.api.get<{ markdown: string }>(`${space}/content/path/pet`, { query: { format: 'markdown' } })).body
        .markdown;
    expect(await markdown()).toContain('## [List pets]');
    await processed(workspace, 'pets', text(pets('List all of them')));
    expect(await markdown()).toContain('## [List all of them]');
    await processed(workspace, 'pets', { text: 'nothing' });
    expect(await markdown()).toContain('## [List all of them]');
    await admin.api.delete(`/orgs/${workspace.id}/openapi/pets`);
    expect((await pages()).length).toBe(1);
  });
});

describe('processing', () => {
  beforeAll(() => readHere());

  it('goes on for others while one organization has many slow addresses', async () => {
    const [slow, quick] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const held: (() => void)[] = [];
    const url = server.give('/slow.json', (response) => held.push(() => response.end(JSON.stringify(pets()))));
    for (let index = 0; index < 3; index++) await registry(slow, slow.admin).put(`slow-${index}`, { url });
    await registry(quick, quick.admin).put('quick', text());
    const jobs = app.current.get(Jobs);
    jobs.start();
    const { get } = registry(quick, quick.admin);
    for (let tries = 0; tries < 100 && (await get('quick')).processingState !== 'complete'; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await get('quick')).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) });
    // One lane for each organization: no more than one of its addresses is asked at a time.
    expect(held).toHaveLength(1);
    const letGo = setInterval(() => held.splice(0).forEach((answer) => answer()), 20);
    const all = async () => (await slow.admin.api.get<List<Spec>>(`/orgs/${slow.id}/openapi`)).body.items;
    for (
      let tries = 0;
      tries < 200 && (await all()).some(({ processingState }) => processingState !== 'complete');
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    clearInterval(letGo);
    expect((await all()).map(({ processingState, lastVersion }) => [processingState, typeof lastVersion])).toEqual(
      Array(3).fill(['complete', 'string']),
    );
    expect(server.times('/slow.json')).toBe(3);
  });

  it('is done once although two servers look for work', async () => {
    const second = await TestApp.start({}, app.current.databaseUrl);
    try {
      readHere(second);
      const workspaces = [await buildOrganization(app.current), await buildOrganization(app.current)];
      const given = workspaces.flatMap((workspace) =>
        [0, 1, 2].map((number) => ({
          ...registry(workspace, workspace.admin),
          slug: `once-${number}`,
          path: `/${workspace.id}/${number}.json`,
        })),
      );
      const drainBoth = () => Promise.all([drain(), drain(second)]);
      await Promise.all(
        given.map(async ({ put, slug, path }) => {
          const url = server.give(
            path,
            (response) => void setTimeout(() => response.end(JSON.stringify(pets(path))), 30),
          );
          expect((await put(slug, { url })).status).toBe(201);
          await drainBoth();
        }),
      );
      const isRead = async ({ get, slug }: (typeof given)[number]) => (await get(slug)).processingState === 'complete';
      for (const each of given)
        for (let tries = 0; tries < 100 && !(await isRead(each)); tries++)
          await drainBoth().then(() => new Promise((resolve) => setTimeout(resolve, 50)));
      expect(given.map(({ path }) => server.times(path))).toEqual(given.map(() => 1));
      for (const { get, versions, slug } of given)
        expect([(await get(slug)).processingState, (await versions(slug)).count]).toEqual(['complete', 1]);
    } finally {
      await second.close();
    }
  });
});
