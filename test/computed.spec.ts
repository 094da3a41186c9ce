import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { Document } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { Exporter } from '../src/authoring/interchange/exporter.service.js';
import { Importer } from '../src/authoring/interchange/importer.service.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { differences, portableItems } from '../src/authoring/interchange/portable-content.js';
import { SpaceContents } from '../src/authoring/interchange/space-content.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

const PETS = {
  openapi: '3.1.0',
  info: {
    title: 'Pets',
    version: '1',
    description: '# About\n\nAll **about** [pets](https://pets.example.com) and [orders](orders.md).',
  },
  tags: [
    {
      name: 'pet',
      'x-page-title': 'Our pets',
      'x-page-icon': 'paw',
      'x-page-description': 'Those that we have',
      description: 'They have *names*.',
    },
    { name: 'store' },
  ],
  paths: {
    '/pets': {
      get: { tags: ['pet'], summary: 'List pets', operationId: 'listPets' },
      post: { tags: ['pet'], operationId: 'addPet' },
      delete: { tags: ['pet'], summary: 'Secret', 'x-internal': true },
    },
    '/orders': { get: { tags: ['store'], summary: 'List orders' } },
    '/health': { get: {} },
  },
  webhooks: { petBorn: { post: { summary: 'A pet is born' } } },
  components: { schemas: { Pet: { type: 'object' }, Order: { type: 'object' } } },
};

interface Page {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly slug?: string;
  readonly path?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly pages?: readonly Page[];
  readonly documentId?: string;
  readonly computedSeed?: string;
  readonly computed?: { readonly props: object; readonly dependencies: { readonly spec: object } };
  readonly document: Document;
  readonly markdown: string;
}

interface Fault {
  readonly error: { readonly details?: readonly { readonly path: string; readonly message: string }[] };
}

const source = (spec = 'pets', props: object = { models: true }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});
const file = (name: string, content: string | Uint8Array, ref = 'spec') => ({
  operation: 'insert_files',
  files: [{ ref, name, contentType: 'application/yaml', base64: Buffer.from(content).toString('base64') }],
});
const computedPage = (more: object = {}) => ({
  operation: 'insert_page',
  type: 'computed',
  title: 'Reference',
  computed: source(),
  ...more,
});

async function newSpace({ id, admin }: Workspace, facts: object = {}): Promise<string> {
  return (
    await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
      title: 'API',
      editMode: 'live',
      empty: true,
      ...facts,
    })
  ).body.id;
}

async function write({ api }: Person, place: string, ...changes: object[]) {
  const { status, body } = await api.post<{ changes: { page: { id: string } }[]; insertedFiles: { id: string }[] }>(
    `${place}/content`,
    { changes },
    place.includes('change-requests') ? { query: { compat: false } } : {},
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  return { page: body.changes[0]?.page.id ?? '', file: body.insertedFiles?.[0]?.id ?? '' };
}

const tree = async (person: Person, place: string, query = {}) =>
  (await person.api.get<{ pages: Page[] }>(`${place}/pages`, { query })).body.pages;
const paths = (pages: readonly Page[]): string[] =>
  pages.flatMap((page) => [page.path ?? `(${page.type})`, ...paths(page.pages ?? [])]);
const GROUPS = ['info', 'pet', 'store', 'operations', 'webhooks', 'models'];
const EXPANDED = [
  'info',
  'pet',
  'pet/list-pets',
  'pet/add-pet',
  'store',
  'store/get-orders',
  'operations',
  'operations/get-health',
  'webhooks',
  'webhooks/post-pet-born',
  'models',
  'models/pet',
  'models/order',
];
const WITHOUT_MODELS = EXPANDED.filter((path) => !path.startsWith('models'));
const flat = (pages: readonly Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

describe('a computed page', () => {
  it('becomes the pages of its specification in its place, and stays one with computed=false', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    await write(
      admin,
      space,
      file('pets.yaml', stringify(PETS)),
      { operation: 'insert_page', title: 'Before' },
      computedPage(),
      { operation: 'insert_page', title: 'Store' },
    );
    const pages = await tree(admin, `${space}/content`);
    expect(pages.map(({ path }) => path)).toEqual([
      'before',
      ...GROUPS.map((slug) => (slug === 'store' ? 'store-1' : slug)),
      'store',
    ]);
    expect(paths(pages)).toContain('store-1/get-orders');
    expect(pages[2]).toMatchObject({
      type: 'document',
      title: 'Our pets',
      icon: 'paw',
      description: 'Those that we have',
      computed: { type: 'builtin:openapi', props: { doc: 'tag', page: 'pet' } },
    });
    expect(pages[2]?.documentId).toBeUndefined();
    expect(pages[2]?.computedSeed).toBe(pages[2]?.id);
    expect(pages[2]?.id).toMatch(/^[a-zA-Z0-9]{40}$/);
    expect(pages[2]?.computed?.dependencies.spec).toEqual({
      ref: { kind: 'openapi', spec: 'pets' },
      value: { object: 'openapi-spec', id: expect.any(String), slug: 'pets', lastVersion: expect.any(String) },
    });
    const plain = await tree(admin, `${space}/content`, { computed: false });
    expect(plain.map(({ type, title, computed }) => [type, title, computed])).toEqual([
      ['document', 'Before', undefined],
      ['computed', 'Reference', source()],
      ['document', 'Store', undefined],
    ]);
    const revision = await admin.api.get<{ id: string; pages: Page[] }>(`${space}/content`);
    expect(revision.body.pages).toEqual(pages);
    expect(await tree(admin, `${space}/revisions/${revision.body.id}`)).toHaveLength(8);
  });

  it('gives each page by its id and by its path, in both formats', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    await write(
      admin,
      space,
      file('pets.json', JSON.stringify(PETS)),
      { operation: 'insert_page', ref: 'guide', title: 'Guide' },
      computedPage({ into: 'guide' }),
    );
    const [guide] = await tree(admin, `${space}/content`);
    expect(paths(guide?.pages ?? [])).toEqual(EXPANDED.map((slug) => `guide/${slug}`));
    for (const shown of flat(guide?.pages ?? [])) {
      const byId = await admin.api.get<Page>(`${space}/content/page/${shown.id}`);
      const byPath = await admin.api.get<Page>(`${space}/content/path/${shown.path}`);
      expect(byId.body).toMatchObject({ ...shown, document: { object: 'document' } });
      expect(byPath.body).toEqual(byId.body);
      expect(validateDocument(byId.body.document)).toEqual([]);
      expect((await admin.api.get(`${space}/content/page/${shown.id}`, { query: { computed: false } })).status).toBe(
        404,
      );
      expect((await admin.api.get(`${space}/content/path/${shown.path}`, { query: { computed: false } })).status).toBe(
        404,
      );
    }
    const parent = await admin.api.get<Page>(`${space}/content/path/guide`);
    expect(parent.body.pages).toEqual(guide?.pages);
    const markdown = async (path: string) =>
      (await admin.api.get<Page>(`${space}/content/path/guide/${path}`, { query: { format: 'markdown' } })).body
        .markdown;
    expect(await markdown('info')).toBe(
      '# Pets\n\n# About\n\nAll **about** [pets](https://pets.example.com) and orders.\n',
    );
    expect(await markdown('pet')).toBe(
      '# Our pets\n\nThey have _names_.\n\n## [List pets](pet/list-pets.md)\n\n`GET /pets`\n\n## [addPet](pet/add-pet.md)\n\n`POST /pets`\n',
    );
    expect(await markdown('pet/list-pets')).toBe(
      '# List pets\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n',
    );
    expect(await markdown('operations')).toContain('## [GET /health](operations/get-health.md)');
    expect(await markdown('webhooks/post-pet-born')).toContain(
      '{% openapi-webhook spec="pets" name="petBorn" method="post" %}',
    );
    expect(await markdown('models')).toContain('## [Order](models/order.md)');
    expect(await markdown('models/order')).toContain('schemas="Order"');
    expect((await admin.api.get(`${space}/content/path/guide/nothing`)).status).toBe(404);
    expect((await admin.api.get(`${space}/content/path/guide/pet/deeper`)).status).toBe(404);
    expect((await admin.api.get(`${space}/content/page/${'x'.repeat(40)}`)).status).toBe(404);
  });

  it('is computed from its source alone, with the ids that its seed gives', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const space = `/spaces/${await newSpace(workspace)}`;
    await write(admin, space, file('pets.yaml', stringify(PETS)), computedPage());
    const compute = <Body = Fault>(kind: string, from: object, seed = 'any words', { api } = admin) =>
      api.post<Body>(`${space}/content/computed/${kind}`, { source: from, seed });
    const [placed] = await tree(admin, `${space}/content`, { computed: false });
    const shown = await tree(admin, `${space}/content`);
    const undated = (pages: readonly Page[]) => pages.map((page) => ({ ...page, createdAt: '', updatedAt: '' }));
    const same = await compute<{ pages: Page[]; files: []; reusableContents: [] }>('revision', source(), placed?.id);
    expect([same.status, same.body.files, same.body.reusableContents]).toEqual([200, [], []]);
    expect(undated(same.body.pages)).toEqual(undated(shown));
    const other = await compute<{ pages: Page[] }>('revision', source('pets', { models: false }));
    expect(paths(other.body.pages)).toEqual(WITHOUT_MODELS);
    expect((await compute<{ pages: Page[] }>('revision', source('pets', { models: false }))).body).toEqual(other.body);
    expect(other.body.pages[0]?.id).not.toBe(shown[0]?.id);
    for (const { id, computed = {}, computedSeed } of flat(shown)) {
      const document = await compute<Document>('document', computed, computedSeed);
      expect(document.status).toBe(200);
      expect(document.body).toEqual((await admin.api.get<Page>(`${space}/content/page/${id}`)).body.document);
    }

    const refusals = [
      await compute('revision', source('unknown')),
      await compute('document', source('unknown', { doc: 'models' })),
      await compute('document', source()),
      await compute('revision', { type: 'builtin:translation' }),
      await compute('revision', source(), ''),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.details?.[0]?.path])).toEqual([
      [404, undefined],
      [404, undefined],
      [400, 'source.props.doc'],
      [400, 'source.type'],
      [400, 'seed'],
    ]);
    const gone = await compute<Document>('document', source('pets', { doc: 'operations', page: 'unknown' }));
    expect([gone.status, gone.body.nodes]).toEqual([200, []]);
    const stranger = (await buildOrganization(app.current)).admin;
    expect((await compute('revision', source(), 'x', stranger)).status).toBe(404);
    expect((await compute('document', source(), 'x', stranger)).status).toBe(404);
  });

  it('is read alike in change requests and fixed revisions, each with the specification that it has', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const made = await write(admin, space, computedPage(), file('pets.yaml', stringify(PETS)));
    const first = (await admin.api.get<{ id: string }>(`${space}/content`)).body.id;
    const pet = (await tree(admin, `${space}/content`)).find(({ slug }) => slug === 'pet');
    const request = `${space}/change-requests/${(await admin.api.post<{ number: number }>(`${space}/change-requests`, {})).body.number}`;
    const next = {
      ...PETS,
      tags: [{ name: 'pet', 'x-page-title': 'Animals' }, { name: 'new' }],
      paths: { '/pets': { get: { tags: ['pet'], summary: 'List animals' } }, '/new': { put: { tags: ['new'] } } },
      webhooks: undefined,
    };
    await write(admin, request, {
      operation: 'update_file',
      file: made.file,
      contentType: 'application/yaml',
      base64: Buffer.from(stringify(next)).toString('base64'),
    });
    expect((await tree(admin, `${request}/content`)).map(({ path }) => path)).toEqual(['info', 'pet', 'new', 'models']);
    expect(paths(await tree(admin, `${space}/content`))).toEqual(EXPANDED);
    const inRequest = await admin.api.get<Page>(`${request}/content/page/${pet?.id}`);
    expect(inRequest.body).toMatchObject({ id: pet?.id, title: 'Animals' });
    expect((await admin.api.get<Page>(`${request}/content/path/new`)).body.title).toBe('New');
    expect((await admin.api.post<{ result: string }>(`${request}/merge`)).body.result).toBe('merge');
    expect((await admin.api.get<Page>(`${space}/content/page/${pet?.id}`)).body.title).toBe('Animals');
    const fixed = await admin.api.get<Page>(`${space}/revisions/${first}/page/${pet?.id}`);
    expect(fixed.body.title).toBe('Our pets');
    const document = await admin.api.get(`${space}/revisions/${first}/page/${pet?.id}/document`);
    expect(document.body).toEqual(fixed.body.document);
    expect((await admin.api.get<Page>(`${space}/revisions/${first}/path/webhooks`)).status).toBe(200);
    expect((await admin.api.get<Page>(`${space}/content/path/webhooks`)).status).toBe(404);
  });

  it('keeps ids and keys from version to version, and its ETag as long as nothing it uses has changed', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const made = await write(admin, space, computedPage(), file('pets.yaml', stringify(PETS)));
    const before = await admin.api.get<Page>(`${space}/content/path/pet`);
    const again = await admin.api.get(`${space}/content/path/pet`, {
      headers: { 'If-None-Match': before.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const paths2 = { '/first': { get: { tags: ['pet'], summary: 'New and first' } }, ...PETS.paths };
    await write(admin, space, {
      operation: 'update_file',
      file: made.file,
      contentType: 'application/yaml',
      base64: Buffer.from(stringify({ ...PETS, paths: paths2 })).toString('base64'),
    });
    const after = await admin.api.get<Page>(`${space}/content/path/pet`);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body.id).toBe(before.body.id);
    const keys = (page: Page) => page.document.nodes.map((node) => node.key);
    expect(keys(after.body)).toHaveLength(keys(before.body).length + 2);
    expect(keys(after.body)).toEqual(expect.arrayContaining(keys(before.body)));
  });

  it('stays and says so without its specification, and when that is broken', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const made = await write(admin, space, computedPage());
    const shown = async () =>
      (await tree(admin, `${space}/content`)).map(({ type, computed }) => [type, computed?.dependencies.spec]);
    const nothing = [['computed', { ref: { kind: 'openapi', spec: 'pets' }, value: null }]];
    expect(await shown()).toEqual(nothing);
    expect((await admin.api.get<Page>(`${space}/content/page/${made.page}`)).body).toMatchObject({
      type: 'computed',
      computed: { dependencies: { spec: { value: null } } },
    });
    const bomb = `a: &a [x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${'abcdefghi'.charAt(index) ? `*${'abcdefghi'.charAt(index)},`.repeat(9) : ''}]\n`).join('')}openapi: *j\n`;
    for (const text of [
      '',
      '[',
      '{"openapi": "3.0.0"',
      'openapi: [3',
      '7',
      'null',
      '{"openapi":"4.0.0"}',
      'swagger: "1.2"\n',
      bomb,
      `${'['.repeat(50_000)}`,
      `{"a":${'['.repeat(50_000)}`,
      '\u0000',
      Buffer.from([0xff, 0xfe, 0]),
    ]) {
      await write(admin, space, file('pets.yaml', text));
      expect(await shown()).toEqual(nothing);
    }
    await write(admin, space, file('pets.yml', stringify(PETS)));
    expect(paths(await tree(admin, `${space}/content`))).toEqual(EXPANDED);
  });

  it('is checked when it is written, with the path of what is wrong', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const { page } = await write(admin, space, { operation: 'insert_page', title: 'Written' });
    const cases: [object, string][] = [
      [computedPage({ computed: undefined }), 'computed'],
      [computedPage({ computed: { ...source(), type: 'builtin:translation' } }), 'computed.type'],
      [computedPage({ computed: { type: 'builtin:openapi' } }), 'computed.props'],
      [computedPage({ computed: source('pets', {}) }), 'computed.props.models'],
      [computedPage({ computed: source('pets', { models: 'yes' }) }), 'computed.props.models'],
      [computedPage({ computed: source('pets', { models: true, other: 1 }) }), 'computed.props.other'],
      [computedPage({ computed: source('no slug') }), 'computed.dependencies.spec.ref.spec'],
      [computedPage({ computed: { ...source(), dependencies: {} } }), 'computed.dependencies.spec'],
      [computedPage({ type: 'document' }), 'computed.props.doc'],
      [computedPage({ type: 'document', computed: source('pets', { doc: 'operations' }) }), 'computed.props.page'],
      [computedPage({ type: 'group' }), 'computed'],
      [{ operation: 'update_page', page, computed: source() }, 'computed.props.doc'],
      [{ operation: 'update_page', page, type: 'computed' }, 'computed'],
    ];
    for (const [change, path] of cases) {
      const refused = await admin.api.post<Fault>(`${space}/content`, { changes: [change] });
      expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, `changes.0.${path}`]);
    }
    const refused = await admin.api.post<Fault>(`/orgs/${organization.id}/spaces`, {
      computedSource: source('pets', {}),
    });
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, 'computedSource.props.models']);
  });

  it('shows in semantic changes, and can become an ordinary page', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const { page } = await write(admin, space, computedPage(), file('pets.yaml', stringify(PETS)));
    const changes = async () => {
      const { id } = (await admin.api.get<{ id: string }>(`${space}/content`)).body;
      return (await admin.api.get<{ changes: object[] }>(`${space}/revisions/${id}/changes`)).body.changes;
    };
    await write(admin, space, { operation: 'update_page', page, computed: source('pets', { models: false }) });
    expect(await changes()).toEqual([
      {
        type: 'page_edited',
        page: { id: page, type: 'computed', title: 'Reference' },
        attributes: { computed: { before: source(), after: source('pets', { models: false }) } },
      },
    ]);
    expect(paths(await tree(admin, `${space}/content`))).toEqual(WITHOUT_MODELS);
    await write(admin, space, { operation: 'update_page', page, type: 'document', document: { markdown: 'By hand.' } });
    expect(await changes()).toEqual([
      expect.objectContaining({
        type: 'page_edited',
        page: { id: page, type: 'document', title: 'Reference', path: 'reference' },
        attributes: expect.objectContaining({ computed: { before: source('pets', { models: false }) } }),
      }),
    ]);
    expect(paths(await tree(admin, `${space}/content`))).toEqual(['reference']);
  });
});

describe('a document that is computed', () => {
  it('has the body of one page of the specification, and keeps its own place and title', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    await write(admin, space, file('pets.yaml', stringify(PETS)));
    const of = (title: string, props: object) => ({ operation: 'insert_page', title, computed: source('pets', props) });
    await write(
      admin,
      space,
      of('Pets by hand', { doc: 'operations', page: 'pet' }),
      of('All models', { doc: 'models' }),
      of('Nothing', { doc: 'operations', page: 'nothing' }),
      of('About', { doc: 'info', page: 'info' }),
    );
    const read = async (path: string, query = {}) =>
      (await admin.api.get<Page>(`${space}/content/path/${path}`, { query })).body;
    expect(await read('pets-by-hand')).toMatchObject({
      title: 'Pets by hand',
      computedSeed: expect.any(String),
      computed: { dependencies: { spec: { value: { slug: 'pets' } } } },
    });
    const blocks = async (path: string) => (await read(path)).document.nodes.map((node) => node.type);
    expect(await blocks('pets-by-hand')).toEqual([
      'paragraph',
      'heading-2',
      'openapi-operation',
      'heading-2',
      'openapi-operation',
    ]);
    expect(await blocks('all-models')).toEqual(['heading-2', 'openapi-schemas', 'heading-2', 'openapi-schemas']);
    expect(await blocks('nothing')).toEqual([]);
    expect(await blocks('about')).toEqual(['heading-1', 'paragraph']);
    const uncomputed = await read('pets-by-hand', { computed: false });
    expect([uncomputed.document.nodes, uncomputed.computed?.dependencies.spec]).toEqual([
      [],
      { ref: { kind: 'openapi', spec: 'pets' } },
    ]);
  });
});

describe('an export', () => {
  it('keeps computed pages and documents, and an import makes them again', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const id = await newSpace({ admin, ...organization });
    await write(
      admin,
      `/spaces/${id}`,
      file('pets.yaml', stringify(PETS)),
      { operation: 'insert_page', title: 'Home' },
      computedPage({ icon: 'paw', hidden: true }),
      { operation: 'insert_page', title: 'Pets by hand', computed: source('pets', { doc: 'operations', page: 'pet' }) },
    );
    const folder = join(await mkdtemp(join(tmpdir(), 'bindery-computed-')), 'copy');
    try {
      expect((await app.current.get(Exporter).exportSpace(id, folder)).problems).toEqual([]);
      const copy = await app.current.get(Importer).importFolder({
        organizationId: organization.id,
        userId: admin.id,
        title: 'Copy',
        source: await readFolder(folder),
      });
      expect(copy.problems).toEqual([]);
      const contents = app.current.get(SpaceContents);
      expect(
        differences(portableItems(await contents.read(id)), portableItems(await contents.read(copy.space))),
      ).toEqual([]);
      expect(paths(await tree(admin, `/spaces/${copy.space}/content`))).toEqual(['home', ...EXPANDED, 'pets-by-hand']);
      const again = await app.current.get(Importer).importFolder({
        organizationId: organization.id,
        userId: admin.id,
        title: '',
        source: await readFolder(folder),
        target: { spaceId: copy.space, mode: 'replace' },
      });
      expect(again.changed).toBe(false);
    } finally {
      await rm(dirname(folder), { recursive: true, force: true });
    }
  });
});

describe('a space of a computed source', () => {
  it('is one computed page, in a revision of that type', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization }, { empty: undefined, computedSource: source() })}`;
    expect((await admin.api.get(`${space}/content`)).body).toMatchObject({
      type: 'computed',
      pages: [{ type: 'computed', title: 'API' }],
    });
    await write(admin, space, file('pets.yaml', stringify(PETS)));
    expect(paths(await tree(admin, `${space}/content`))).toEqual(EXPANDED);
  });
});

const GITBOOK = new URL('../node_modules/@gitbook/api/spec/openapi.yaml', import.meta.url);
(existsSync(GITBOOK) ? describe : describe.skip)('a large specification', () => {
  it('is read from a file as other clients give it', async () => {
    const { admin, ...organization } = await buildOrganization(app.current);
    const space = `/spaces/${await newSpace({ admin, ...organization })}`;
    const made = await write(
      admin,
      space,
      file('gitbook.yaml', readFileSync(GITBOOK)),
      computedPage({ computed: source('gitbook') }),
    );
    expect(made.file).not.toBe('');
    const pages = await tree(admin, `${space}/content`);
    expect(pages.length).toBeGreaterThan(20);
    for (const page of [pages[1], pages.at(-1)]) {
      const read = await admin.api.get<Page>(`${space}/content/page/${page?.id}`);
      expect(validateDocument(read.body.document)).toEqual([]);
      expect(read.body.document.nodes.length).toBeGreaterThan(0);
    }
  });
});
