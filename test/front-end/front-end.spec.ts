import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { readFolder } from '../../src/authoring/interchange/markdown-folder.js';
import { Importer } from '../../src/authoring/interchange/importer.service.js';
import { block, document, inline, paragraph, plain } from '../../src/formats/document/build.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { EVENTS_EXAMPLE } from '../../src/publishing/sites/insights/events.schema.js';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import type { Client } from '../client.js';
import { publish, usePublicListener, type Site } from '../published-site.js';
import { inWholeRuns } from '../whole.js';
import { type DocumentNode, flat, FrontEnd, type PageNode, wordsOf } from './front-end.js';

const app = useApp();
usePublicListener(app);

const SPECIFICATION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { summary: 'List pets', responses: { 200: { description: 'All pets' } } } } },
});

const FLAG = { type: 'boolean', description: 'Whether they test' };
const CLAIMS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    isBetaUser: FLAG,
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      additionalProperties: false,
      properties: {},
    },
  },
};

interface World {
  readonly workspace: Workspace;
  readonly api: Client;
  readonly space: string;
  readonly site: Site;
  /** The address of the site, with a share key where one is needed. */
  readonly address: string;
  /** The token of a visitor with these claims; undefined where nobody logs in. */
  readonly token: (claims: object) => Promise<string | undefined>;
  /** By the names that `furnish` gives them. */
  readonly people: Readonly<Record<'named' | 'secret' | 'unnamed', string>>;
}

/** Publishes a folder with pages that name people and specifications, one of them for testers only. */
async function build(folder: string, visibility: string): Promise<World> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const { space } = await app.current.get(Importer).importFolder({
    organizationId: workspace.id,
    userId: workspace.admin.id,
    title: 'Guide',
    source: await readFolder(folder),
  });
  const [named, secret, unnamed] = [
    (await workspace.member('read')).id,
    (await workspace.member('read')).id,
    (await workspace.member('read')).id,
  ];
  for (const slug of ['pets', 'plans', 'unused'])
    expect(
      (await api.put(`/orgs/${workspace.id}/openapi/${slug}`, { source: { text: SPECIFICATION } })).status,
    ).toBeLessThan(300);
  await app.current.get(Jobs).drain();
  const naming = (user: string, spec: string) =>
    document([
      paragraph(plain('Written by '), inline('mention', { ref: { kind: 'user', user } }), plain('.')),
      block('openapi-operation', { ref: { kind: 'openapi', spec }, path: '/pets', method: 'get' }),
    ]);
  await api.patch(`/spaces/${space}`, { editMode: 'live' });
  const written = await api.post(`/spaces/${space}/content`, {
    changes: [
      { operation: 'insert_page', title: 'Curators', document: { document: naming(named, 'pets') } },
      {
        operation: 'insert_page',
        title: 'For testers',
        condition: 'visitor.claims.isBetaUser == true',
        document: { document: naming(secret, 'plans') },
      },
    ],
  });
  expect([written.status, written.body]).toEqual([200, expect.anything()]);
  const site = await publish(workspace, [{ id: space, write: () => Promise.resolve([]) }], visibility);
  expect((await api.put(`${site.path}/adaptive-schema`, { jsonSchema: CLAIMS })).status).toBe(200);
  await api.patch(site.path, { adaptiveContent: { enabled: true } });
  const redirect = { source: '/formerly', destination: { kind: 'external', url: 'https://example.com/now' } };
  expect((await api.post(`${site.path}/redirects`, redirect)).status).toBe(201);
  const { urls } = (await api.get<{ urls: { published: string } }>(site.path)).body;
  const shared =
    visibility === 'share-link'
      ? (await api.post<{ urls: { published: string } }>(`${site.path}/share-links`, { name: 'Readers' })).body.urls
      : urls;
  const token = async (claims: object): Promise<string | undefined> => {
    if (visibility !== 'visitor-auth') return undefined;
    const { privateKey } = (await api.get<{ privateKey: string }>(`${site.path}/publishing/auth`)).body;
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
  };
  return { workspace, api, space, site, address: shared.published, token, people: { named, secret, unnamed } };
}

const opened = async ({ address, token }: World, claims: object = {}): Promise<FrontEnd> => {
  const jwtToken = await token(claims);
  return FrontEnd.open(app.current.url, address, jwtToken === undefined ? undefined : { jwtToken });
};

/** Reads all pages of the site, and expects what a member reads of them. */
async function readEverything({ api, space }: World, front: FrontEnd): Promise<void> {
  const profile = await front.get<{ site: { id: string }; structure: object }>(`${front.site}/published`);
  expect(profile.site.id).toBe(front.lookup.site);
  const { revision, permissions } = await front.get<{ revision: string; permissions: Record<string, boolean> }>(
    `/spaces/${space}`,
  );
  expect(permissions).toMatchObject({ view: true, edit: false, admin: false, comment: false });
  const at = `/spaces/${space}/revisions/${revision}`;
  const { pages } = await front.get<{ pages: PageNode[] }>(`${at}/pages`);
  expect((await front.get<{ id: string; pages: PageNode[] }>(`/spaces/${space}/content`)).id).toBe(revision);
  expect((await front.get<{ pages: PageNode[] }>(at)).pages).toEqual(pages);
  const broken: string[] = [];
  for (const page of flat(pages).filter(({ type }) => type === 'document')) {
    const shown = await front.page(revision, page);
    front.anchorsOf(shown);
    const { body } = await api.get<{ document: DocumentNode }>(`/spaces/${space}/content/page/${page.id}`, {
      query: { format: 'document' },
    });
    expect(wordsOf(shown)).toBe(wordsOf(body.document));
    for (const [path, status] of await front.targetsOf(shown)) {
      // A link that is broken for everybody leads readers nowhere either.
      if (status !== 200 && (await api.get(path)).status === 200) broken.push(`${page.path}: ${path} ${status}`);
    }
  }
  expect(broken).toEqual([]);
  const files = await front.all<{ id: string; downloadURL: string }>(`/spaces/${space}/content/files`);
  for (const { downloadURL } of files.slice(0, 5)) expect((await fetch(downloadURL)).status).toBe(200);
}

/** Asks for what a site offers beside its pages. */
async function useServices({ space, people }: World, front: FrontEnd): Promise<void> {
  const { site } = front;
  expect(await front.get(`${site}/redirect?source=/formerly`)).toMatchObject({ target: 'https://example.com/now' });
  const found = await front.post<{ items: { title: string }[] }>(`${site}/search`, {
    query: 'curators',
    scope: { mode: 'all' },
  });
  expect([found.status, JSON.stringify(found.body)]).toEqual([200, expect.stringContaining('Curators')]);
  expect((await front.post(`${site}/insights/events`, EVENTS_EXAMPLE)).status).toBe(204);
  const user = await front.get<Record<string, unknown>>(`/users/${people.named}`);
  expect(Object.keys(user).filter((key) => !['object', 'id', 'displayName', 'photoURL', 'urls'].includes(key))).toEqual(
    [],
  );
  const openapi = `/orgs/${front.lookup.organization}/openapi`;
  const { filesystem } = await front.get<{ filesystem: object[] }>(`${openapi}/pets/versions/latest/content`);
  expect(filesystem).toEqual([
    expect.objectContaining({
      dir: './',
      isEntrypoint: true,
      references: [],
      filename: 'openapi.json',
      specification: expect.objectContaining({ openapi: '3.1.0' }) as object,
    }),
  ]);
  const computed = (kind: string, spec: string, props: object) =>
    front.post<{ pages: PageNode[] }>(`/spaces/${space}/content/computed/${kind}`, {
      source: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
      seed: 'seed',
    });
  const pages = await computed('revision', 'pets', { models: false });
  expect([pages.status, pages.body.pages.map(({ path }) => path)]).toEqual([200, ['operations']]);
  expect((await computed('document', 'pets', { doc: 'operations', page: 'operations' })).status).toBe(200);
  expect((await computed('revision', 'unused', { models: false })).status).toBe(404);
  for (const path of [`/users/${people.unnamed}`, `${openapi}/unused/versions/latest/content`])
    expect([path, await front.statusOf(path)]).toEqual([path, 404]);
  for (const path of [`/spaces/${space}/change-requests`, `/orgs/${front.lookup.organization}/members`, openapi])
    expect([path, await front.statusOf(path)]).toEqual([path, 403]);
}

describe.each(['public', 'share-link', 'visitor-auth'])(
  'a front end with the token of a reader, on a site that is %s',
  (visibility) => {
    let world: World;
    beforeAll(async () => {
      world = await build('docs', visibility);
    }, 120_000);

    it('shows every page, and all that it links to', async () => {
      await readEverything(world, await opened(world));
    }, 120_000);

    it('follows redirects, searches, tells of visits, and names people and specifications that pages name', async () => {
      await useServices(world, await opened(world));
    });

    it('gets what only a hidden page has with the claims that show the page alone', async () => {
      const { space, people, api } = world;
      const { body } = await api.get<{ id: string; documentId: string }>(`/spaces/${space}/content/path/for-testers`);
      const paths = (front: FrontEnd): string[] => [
        `/spaces/${space}/content/page/${body.id}`,
        `/spaces/${space}/documents/${body.documentId}`,
        `/users/${people.secret}`,
        `/orgs/${front.lookup.organization}/openapi/plans/versions/latest`,
        `/orgs/${front.lookup.organization}/openapi/plans/versions/latest/content`,
      ];
      const front = await opened(world);
      expect(await Promise.all(paths(front).map((path) => front.statusOf(path)))).toEqual([404, 404, 404, 404, 404]);
      if (visibility !== 'visitor-auth') return;
      const tester = await opened(world, { isBetaUser: true });
      expect(await Promise.all(paths(tester).map((path) => tester.statusOf(path)))).toEqual([200, 200, 200, 200, 200]);
    });
  },
);

describe('a front end shows large documentations', () => {
  for (const name of ['elsa', 'fluentd']) {
    const folder = `../shared/corpora/${name}`;
    (existsSync(folder) ? inWholeRuns : it.skip)(
      name,
      async () => {
        const world = await build(folder, 'visitor-auth');
        const front = await opened(world);
        await readEverything(world, front);
        await useServices(world, front);
      },
      1_800_000,
    );
  }
});
