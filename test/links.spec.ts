import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { readLinkTarget } from '../src/formats/document/link-target.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { publish, usePublicListener, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

interface Location {
  kind: string;
  organization?: { id: string };
  space?: { id: string };
  versionContext?: { type: string; changeRequest: { id: string; description?: object } };
  page?: { id: string; title: string; path?: string; pages?: unknown[]; document?: unknown; urls?: { app: string } };
  internalLocation?: { type: string; anchor?: string; node?: string };
  file?: { id: string; name: string };
  reusableContent?: { id: string };
  url?: string;
  user?: { id: string };
  collection?: { id: string };
}
interface Usage {
  status: string;
  relation: string;
  targetReference?: Location;
  locationReferences: Location[];
}
interface Report<Item = Usage> {
  items: Item[];
  count: number;
  next?: { page: string };
  stats: { total: number; broken: { total: number; changeRequest?: number } };
}

async function get<Body>(person: Person, url: string, query: Record<string, string | number> = {}): Promise<Body> {
  const { status, body } = await person.api.get<Body>(url, { query });
  expect([url, status, body]).toEqual([url, 200, body]);
  return body;
}
const report = (person: Person, url: string, query: Record<string, string | number> = {}) =>
  get<Report>(person, `${url}/links`, query);
const backlinks = (
  person: Person,
  url: string,
  kind: 'page' | 'files',
  id: string,
  query: Record<string, string | number> = {},
) => get<Report<Location>>(person, `${url}/content/${kind}/${id}/backlinks`, query);

async function send<Body = { id: string }>(
  person: Person,
  method: 'post' | 'put' | 'patch',
  url: string,
  body?: object,
): Promise<Body> {
  const answer = await person.api[method]<Body>(url, body);
  expect([url, answer.status < 300, answer.body]).toEqual([url, true, answer.body]);
  return answer.body;
}

async function makeSpace({ id, admin }: Workspace, title = 'Docs', more: object = {}): Promise<string> {
  return `/spaces/${(await send(admin, 'post', `/orgs/${id}/spaces`, { title, empty: true, editMode: 'live', ...more })).id}`;
}

interface Written {
  changes: { page: string | { id: string } }[];
}

/** The ids of the pages that the changes touch, in their order. */
async function write(person: Person, url: string, ...changes: object[]): Promise<string[]> {
  const written = await send<Written>(
    person,
    'post',
    `${url}/content${url.includes('change-requests') ? '?compat=false' : ''}`,
    { changes },
  );
  return written.changes.map(({ page }) => (typeof page === 'string' ? page : page.id));
}
const insert = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const rewrite = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes });
const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
const inline = (type: string, ref: object) => ({
  object: 'inline',
  type,
  isVoid: type !== 'link',
  data: { ref },
  ...(type === 'link' && { nodes: [text('there')] }),
});
const documentOf = (...nodes: object[]) => ({ document: { object: 'document', data: { schemaVersion: 8 }, nodes } });
const linksTo = (...refs: object[]) =>
  documentOf(paragraph(text('See '), ...refs.flatMap((ref) => [inline('link', ref), text(' ')])));

/** What a location is of, in one word. */
const name = (location?: Location): string | undefined =>
  location &&
  [
    location.page?.title ??
      location.file?.name ??
      location.url ??
      location.reusableContent?.id ??
      location.user?.id ??
      location.collection?.id ??
      location.space?.id,
    location.internalLocation?.anchor,
  ]
    .filter(Boolean)
    .join('#');
const facts = ({ items }: Report) =>
  items
    .map(
      ({ status, relation, targetReference, locationReferences }) =>
        `${status} ${relation} ${name(targetReference) ?? '-'} <- ${locationReferences
          .map((each) => name(each))
          .sort()
          .join()}`,
    )
    .sort();

describe('lists of links', () => {
  it('are paged, each of them, in the space and in a change request', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    await write(admin, url, {
      operation: 'insert_files',
      files: [{ name: 'plan.txt', contentType: 'text/plain', base64: 'cGxhbg==' }],
    });
    const file = (await get<{ items: { id: string }[] }>(admin, `${url}/content/files`)).items[0]?.id ?? '';
    const [target] = await write(admin, url, insert('Target', 'Words'));
    const refs = [
      { kind: 'page', page: target },
      { kind: 'file', file },
      { kind: 'page', page: 'NoSuchPage' },
    ];
    const [home] = await write(
      admin,
      url,
      ...['One', 'Two', 'Three'].map((title) => ({ operation: 'insert_page', title, document: linksTo(...refs) })),
    );
    const request = `${url}/change-requests/${(await send(admin, 'post', `${url}/change-requests`, { subject: 'More' })).id}`;
    await write(admin, request, { operation: 'insert_page', title: 'Four', document: linksTo(...refs) });
    const lists = [url, request].flatMap((place) => [
      `${place}/links`,
      `${place}/content/page/${home}/links`,
      `${place}/content/page/${target}/backlinks`,
      `${place}/content/files/${file}/backlinks`,
    ]);
    for (const list of lists) {
      const whole = await get<Report<unknown>>(admin, list);
      expect([list, whole.count, whole.items.length]).toEqual([
        list,
        list.endsWith('/backlinks') && list.startsWith(request) ? 4 : 3,
        whole.count,
      ]);
      const found: unknown[] = [];
      for (let page: string | undefined = ''; page !== undefined;) {
        const { items, next }: Report<unknown> = await get<Report<unknown>>(admin, list, {
          limit: 1,
          ...(page !== '' && { page }),
        });
        found.push(...items);
        page = next?.page;
      }
      expect([list, found]).toEqual([list, whole.items]);
    }
    for (const list of lists.filter((each) => each.endsWith('/links')))
      expect([list, (await get<Report>(admin, list, { status: 'broken' })).count]).toEqual([list, 1]);
  });
});

describe('link reports', () => {
  it('name each target once, with its status and its places', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const api = (await admin.api.get<{ urls: { location: string; app: string } }>(url)).body.urls;
    const { files } =
      (await write(admin, url, {
        operation: 'insert_files',
        files: [{ name: 'plan.txt', contentType: 'text/plain', base64: 'cGxhbg==' }],
      }),
      await get<{ files: { id: string }[] }>(admin, `${url}/content`));
    const file = files[0]?.id ?? '';
    const [target] = await write(
      admin,
      url,
      insert('Target', '## Part one\n\nWords\n\n#### Deep one\n\nMore', { ref: 'target' }),
    );
    await write(admin, url, {
      operation: 'insert_reusable_content',
      title: 'Hours',
      document: { markdown: `Nine to five, see [it](/pages/${target})` },
    });
    const reusable =
      (await get<{ reusableContents: { id: string }[] }>(admin, `${url}/content`)).reusableContents[0]?.id ?? '';
    const gone = { kind: 'page', page: 'NoSuchPage' };
    const [home, other] = await write(
      admin,
      url,
      {
        operation: 'insert_page',
        title: 'Home',
        document: documentOf(
          paragraph(
            text('a'),
            inline('link', { kind: 'page', page: target }),
            inline('link', { kind: 'page', page: target }),
            inline('mention', { kind: 'user', user: admin.id }),
          ),
          paragraph(
            text('b'),
            inline('link', { kind: 'anchor', page: target, anchor: 'part-one' }),
            inline('link', { kind: 'anchor', page: target, anchor: 'deep-one' }),
            inline('link', { kind: 'anchor', page: target, anchor: 'no-such' }),
          ),
          paragraph(
            text('c'),
            inline('link', gone),
            inline('link', { kind: 'url', url: '../gone.md' }),
            inline('link', { kind: 'url', url: 'https://example.com/' }),
            inline('link', { kind: 'url', url: api.app }),
          ),
          paragraph(
            text('d'),
            inline('link', { kind: 'anchor', anchor: 'nowhere' }),
            inline('link', { kind: 'url', url: `${api.location}x` }),
            inline('link', { kind: 'url', url: `${new URL(api.location).origin}0/v1` }),
          ),
          {
            object: 'block',
            type: 'reusable-content',
            isVoid: true,
            data: { ref: { kind: 'reusable-content', reusableContent: reusable } },
            nodes: [],
          },
          {
            object: 'block',
            type: 'openapi-operation',
            isVoid: true,
            data: { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' },
            nodes: [],
          },
        ),
        cover: { ref: { kind: 'file', file }, yPos: 0 },
        metaLinks: { canonical: { kind: 'page', page: target }, alternates: [{ kind: 'page', page: 'NoAlternate' }] },
      },
      { operation: 'insert_page', title: 'Shortcut', type: 'link', target: gone },
    );
    const all = await report(admin, url);
    expect(facts(all)).toEqual(
      [
        'broken dependsOn - <- Home',
        'broken reference - <- Home',
        'broken reference - <- Home,Shortcut',
        'broken reference ../gone.md <- Home',
        'broken reference Home#nowhere <- Home',
        'broken reference Target#no-such <- Home',
        `in-app reference ${api.app} <- Home`,
        `in-app reference ${api.location}x <- Home`,
        `ok dependsOn ${reusable} <- Home`,
        `ok reference Target <- ${reusable},Home,Home,Home`,
        'ok reference Target#deep-one <- Home',
        'ok reference Target#part-one <- Home',
        `ok reference ${admin.id} <- Home`,
        `ok reference ${new URL(api.location).origin}0/v1 <- Home`,
        'ok reference https://example.com/ <- Home',
        'ok reference plan.txt <- Home',
      ].sort(),
    );
    expect([all.count, all.stats]).toEqual([16, { total: 20, broken: { total: 7 } }]);
    for (const status of ['ok', 'broken', 'in-app']) {
      const some = await report(admin, url, { status });
      expect(facts(some)).toEqual(facts(all).filter((fact) => fact.startsWith(`${status} `)));
      expect([some.count, some.stats]).toEqual([some.items.length, all.stats]);
    }
    const embedded = all.items.find(
      ({ targetReference }) => targetReference?.kind === 'page' && !targetReference.internalLocation,
    );
    expect(embedded?.targetReference).toMatchObject({
      kind: 'page',
      organization: { object: 'organization', id: org.id },
      space: { object: 'space' },
      page: { id: target, path: 'target', pages: [] },
    });
    expect(embedded?.targetReference?.versionContext).toBeUndefined();
    expect(
      embedded?.locationReferences.map(({ internalLocation }) => internalLocation?.type ?? 'attribute').sort(),
    ).toEqual(['attribute', 'attribute', 'node', 'node']);
    expect(JSON.stringify(all)).not.toContain('"nodes"');

    const ofPage = await get<Report>(admin, `${url}/content/page/${home}/links`);
    expect(ofPage.items).toHaveLength(16);
    expect(ofPage.stats).toEqual({ total: 18, broken: { total: 6 } });
    expect((await get<Report>(admin, `${url}/content/page/${other}/links`, { status: 'broken' })).items).toHaveLength(
      1,
    );
    expect((await get<Report>(admin, `${url}/content/page/${target}/links`)).count).toBe(0);
    expect(await backlinks(admin, url, 'files', file)).toMatchObject({
      count: 1,
      items: [{ kind: 'page', page: { id: home } }],
    });
    expect((await backlinks(admin, url, 'page', target ?? '')).items.map((each) => name(each))).toEqual([
      ...Array.from({ length: 6 }, () => 'Home'),
      reusable,
    ]);
    expect((await backlinks(admin, url, 'page', home ?? '')).count).toBe(0);
    for (const path of ['links', 'backlinks'])
      expect((await admin.api.get(`${url}/content/page/NoSuchPage/${path}`)).status).toBe(404);
    expect((await admin.api.get(`${url}/content/files/NoSuchFile/backlinks`)).status).toBe(404);
  });

  it('follow what happens to the targets', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const [group, target] = await write(
      admin,
      url,
      insert('Group', '', { ref: 'group' }),
      insert('Target', '## Part', { ref: 'target', into: 'group' }),
    );
    const [home] = await write(admin, url, {
      operation: 'insert_page',
      title: 'Home',
      document: linksTo({ kind: 'page', page: target }, { kind: 'anchor', page: target, anchor: 'part' }),
    });
    const seen = async () => facts(await report(admin, url));
    const fine = ['ok reference Target <- Home', 'ok reference Target#part <- Home'];
    expect(await seen()).toEqual(fine);
    await write(admin, url, { operation: 'update_page', page: target, into: null, slug: 'elsewhere' });
    expect(await seen()).toEqual(fine);
    expect((await report(admin, url)).items[0]?.targetReference?.page?.path).toBe('elsewhere');
    const before = (await get<{ id: string }>(admin, `${url}/content`)).id;
    await write(admin, url, rewrite(target, '## Another'));
    expect(await seen()).toEqual(['broken reference Target#part <- Home', 'ok reference Target <- Home']);
    await write(admin, url, { operation: 'revert_page', page: target, revision: before });
    expect(await seen()).toEqual(fine);
    await write(
      admin,
      url,
      { operation: 'update_page', page: target, into: group },
      { operation: 'delete_page', page: group },
    );
    expect(await seen()).toEqual(['broken reference - <- Home', 'broken reference - <- Home']);
    await write(admin, url, { operation: 'revert_page', page: target, revision: before });
    expect(await seen()).toEqual(fine);
    await write(admin, url, { operation: 'delete_page', page: home });
    expect(await report(admin, url)).toMatchObject({ items: [], count: 0, stats: { total: 0, broken: { total: 0 } } });
    expect(
      await app.current.database.query('SELECT * FROM link_target WHERE space_id = $1', [url.split('/')[2]]),
    ).toEqual([]);
  });

  it('know the anchors of what a page shows, and of its tabs and expandables', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    await write(admin, url, {
      operation: 'insert_reusable_content',
      title: 'Shared',
      document: { markdown: '## From afar' },
    });
    const reusable =
      (await get<{ reusableContents: { id: string }[] }>(admin, `${url}/content`)).reusableContents[0]?.id ?? '';
    const markdown = `# The title\n\n{% include "/reusable-contents/${reusable}" %}\n\n{% tabs %}\n{% tab title="First tab" %}\nx\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>More of it</summary>\n\nx\n\n</details>\n\n`;
    const anchors = ['from-afar', 'first-tab', 'more-of-it', 'absent'];
    const [page] = await write(
      admin,
      url,
      insert('Page', markdown + anchors.map((anchor) => `[x](#${anchor})`).join(' ')),
    );
    expect(facts(await get<Report>(admin, `${url}/content/page/${page}/links`, { status: 'broken' }))).toEqual([
      'broken reference The title#absent <- The title',
    ]);
    const { id } = await send(admin, 'post', `${url}/change-requests`, { subject: 'x' });
    const request = `${url}/change-requests/${id}`;
    await write(admin, request, {
      operation: 'update_reusable_content',
      reusableContent: reusable,
      document: { markdown: '## Renamed' },
    });
    expect(facts(await report(admin, request, { status: 'broken' }))).toEqual([
      'broken reference The title#absent <- The title',
      'broken reference The title#from-afar <- The title',
    ]);
    expect((await report(admin, request)).stats.broken).toEqual({ total: 2, changeRequest: 1 });
  });

  it('find specifications by the names of files, as the place has them', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const ref = { kind: 'openapi', spec: 'petstore' };
    const file = (title: string) => ({
      operation: 'insert_files',
      files: [
        { name: title, contentType: 'application/yaml', base64: Buffer.from('openapi: 3.1.0').toString('base64') },
      ],
    });
    const operation = {
      object: 'block',
      type: 'openapi-operation',
      isVoid: true,
      data: { ref, path: '/pets', method: 'get' },
      nodes: [],
    };
    await write(
      admin,
      url,
      {
        operation: 'insert_page',
        title: 'API',
        type: 'computed',
        computed: { type: 'builtin:openapi', props: { models: true }, dependencies: { spec: { ref } } },
      },
      file('petstore.txt'),
      file('store.yaml'),
    );
    const [home] = await write(admin, url, {
      operation: 'insert_page',
      title: 'Home',
      document: documentOf(operation),
    });
    const [fine, gone] = ['ok dependsOn - <- API,Home', 'broken dependsOn - <- API,Home'].map((fact) => [fact]);
    expect(facts(await report(admin, url))).toEqual(gone);
    await write(admin, url, file('petstore.yml'));
    const found = await report(admin, url);
    expect([facts(found), found.stats]).toEqual([fine, { total: 2, broken: { total: 0 } }]);
    expect((await report(admin, url, { status: 'broken' })).count).toBe(0);
    expect(facts(await get<Report>(admin, `${url}/content/page/${home}/links`))).toEqual(['ok dependsOn - <- Home']);

    const id = (await get<{ files: { id: string; name: string }[] }>(admin, `${url}/content`)).files.find(
      (each) => each.name === 'petstore.yml',
    )?.id;
    const [renaming, deleting] = [
      await send(admin, 'post', `${url}/change-requests`, {}),
      await send(admin, 'post', `${url}/change-requests`, {}),
    ].map((request) => `${url}/change-requests/${request.id}`);
    await write(admin, renaming ?? '', { operation: 'update_file', file: id, name: 'pets.yml' });
    const renamed = await report(admin, renaming ?? '', { brokenContext: 'change-request' });
    expect([facts(renamed), renamed.stats.broken]).toEqual([gone, { total: 2, changeRequest: 2 }]);
    expect(facts(await report(admin, url))).toEqual(fine);
    await write(admin, renaming ?? '', file('petstore.json'));
    expect(facts(await report(admin, renaming ?? ''))).toEqual(fine);
    // Primary moves on: the change requests still stand where they were.
    await write(admin, url, { operation: 'delete_files', files: [id] });
    expect(facts(await report(admin, url))).toEqual(gone);
    expect(facts(await report(admin, deleting ?? ''))).toEqual(fine);
    await write(admin, deleting ?? '', { operation: 'delete_files', files: [id] });
    expect((await report(admin, deleting ?? '')).stats.broken).toEqual({ total: 2, changeRequest: 2 });
  });

  it('are those of a change request with its own documents, on the revision that it stands on', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    await write(admin, url, {
      operation: 'insert_files',
      files: [{ name: 'plan.txt', contentType: 'text/plain', base64: 'cGxhbg==' }],
    });
    const file = (await get<{ files: { id: string }[] }>(admin, `${url}/content`)).files[0]?.id ?? '';
    const [target, doomed] = await write(admin, url, insert('Target', '## Part'), insert('Doomed', 'x'));
    const [home, aside] = await write(
      admin,
      url,
      {
        operation: 'insert_page',
        title: 'Home',
        document: linksTo(
          { kind: 'page', page: target },
          { kind: 'page', page: doomed },
          { kind: 'page', page: 'NoSuchPage' },
        ),
      },
      {
        operation: 'insert_page',
        title: 'Aside',
        document: linksTo({ kind: 'page', page: doomed }),
        cover: { ref: { kind: 'file', file }, yPos: 0 },
      },
    );
    const { id, ...created } = await send<{ id: string; subject?: string }>(admin, 'post', `${url}/change-requests`, {
      subject: 'Proposal',
    });
    expect(created.subject).toBe('Proposal');
    const request = `${url}/change-requests/${id}`;
    await send(admin, 'patch', request, { description: documentOf(paragraph(text('Why'))).document });
    expect(facts(await report(admin, request))).toEqual(facts(await report(admin, url)));
    await write(
      admin,
      request,
      { operation: 'delete_page', page: doomed },
      {
        operation: 'update_page',
        page: home,
        document: linksTo(
          { kind: 'page', page: target },
          { kind: 'page', page: 'NoSuchPage' },
          { kind: 'page', page: 'NeverWas' },
        ),
      },
    );
    await write(admin, request, insert('Added', 'x', { document: linksTo({ kind: 'page', page: 'NoSuchPage' }) }));
    // Primary moves on: the change request still stands where it was.
    await write(
      admin,
      url,
      { operation: 'delete_page', page: target },
      { operation: 'update_page', page: aside, document: linksTo({ kind: 'url', url: 'https://example.com/' }) },
    );

    const own = await report(admin, request);
    expect(facts(own)).toEqual([
      'broken reference - <- Added,Home',
      'broken reference - <- Aside',
      'broken reference - <- Home',
      'ok reference Target <- Home',
      'ok reference plan.txt <- Aside',
    ]);
    expect([own.count, own.stats]).toEqual([5, { total: 6, broken: { total: 4, changeRequest: 3 } }]);
    expect(
      own.items.flatMap(({ locationReferences }) => locationReferences.map(({ versionContext }) => versionContext)),
    ).toEqual(
      own.items.flatMap(({ locationReferences }) =>
        locationReferences.map(() => ({
          type: 'changeRequest',
          changeRequest: expect.objectContaining({ id, object: 'change-request', subject: 'Proposal' }),
        })),
      ),
    );
    expect(own.items[0]?.locationReferences[0]?.versionContext?.changeRequest.description).toBeUndefined();
    expect(own.items[0]?.locationReferences[0]?.page?.urls?.app).toContain('/~/changes/1/');
    expect(facts(await report(admin, request, { brokenContext: 'change-request' }))).toEqual([
      'broken reference - <- Added',
      'broken reference - <- Aside',
      'broken reference - <- Home',
    ]);
    expect(facts(await report(admin, request, { brokenContext: 'space', status: 'broken' }))).toEqual([
      'broken reference - <- Home',
    ]);
    expect((await report(admin, request, { brokenContext: 'space', status: 'ok' })).count).toBe(0);
    expect((await get<Report>(admin, `${request}/content/page/${home}/links`)).stats).toEqual({
      total: 3,
      broken: { total: 2, changeRequest: 1 },
    });
    expect(
      (await backlinks(admin, request, 'page', target ?? '')).items.map((each) => [
        name(each),
        each.versionContext?.type,
      ]),
    ).toEqual([['Home', 'changeRequest']]);
    expect(await backlinks(admin, request, 'files', file)).toMatchObject({
      count: 1,
      items: [{ page: { id: aside }, versionContext: { type: 'changeRequest' } }],
    });
    expect((await admin.api.get(`${request}/content/page/${doomed}/backlinks`)).status).toBe(404);
    expect((await admin.api.get(`${url}/content/page/${target}/backlinks`)).status).toBe(404);
    expect((await admin.api.get(`${url}/change-requests/99/links`)).status).toBe(404);
    expect((await admin.api.get(`${url}/links`, { query: { status: 'fine' } })).status).toBe(400);
  });
});

describe('relative links that were kept as they were written', () => {
  const hrefs = (html: string) =>
    [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>there/g)].map(([, href = '']) =>
      href.replace(/^https?:\/\/[^/]+/, ''),
    );

  it('lead to what comes later, wherever they are read, and nowhere when it has gone', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const id = url.split('/')[2] ?? '';
    const [home, group, inner] = await write(
      admin,
      url,
      insert('Home', '[there](guide/later.md#part)'),
      { operation: 'insert_page', type: 'group', title: 'Guide', ref: 'guide' },
      insert('Inner', '[there](later.md) [there](../home.md)', { into: 'guide' }),
    );
    const html = async (page: string | undefined) =>
      hrefs((await get<{ html: string }>(admin, `${url}/content/page/${page}/html`)).html);
    const markdown = async (page: string | undefined) =>
      (await get<{ markdown: string }>(admin, `${url}/content/page/${page}`, { format: 'markdown' })).markdown;
    const space: Space = { id, write: () => Promise.resolve([]) };
    const site = await publish(org, [space]);
    const published = async (path: string) => {
      const { body } = await listener.see(`${site.base}${path}`);
      return hrefs(/<main.*<\/main>/s.exec(body)?.[0] ?? '').map((href) => href.replace(site.base, ''));
    };
    const broken = [
      'broken reference guide/later.md#part <- Home',
      'broken reference later.md <- Inner',
      'ok reference ../home.md <- Inner',
    ];
    expect(facts(await report(admin, url))).toEqual(broken);
    expect([await html(home), await published(''), await published('/guide/inner')]).toEqual([[], [], ['']]);

    const [later] = await write(admin, url, insert('Later', '## Part', { into: group }));
    const fine = [
      'ok reference ../home.md <- Inner',
      'ok reference guide/later.md#part <- Home',
      'ok reference later.md <- Inner',
    ];
    expect(facts(await report(admin, url))).toEqual(fine);
    expect((await report(admin, url, { status: 'broken' })).count).toBe(0);
    expect(facts(await report(admin, `${url}/content/page/${inner}`))).toEqual([fine[0], fine[2]]);
    expect((await backlinks(admin, url, 'page', later ?? '')).items.map((each) => name(each)).sort()).toEqual([
      'Home',
      'Inner',
    ]);
    expect((await html(home))[0]).toMatch(/guide\/later.*#part$/);
    expect([await published(''), await published('/guide/inner')]).toEqual([
      ['/guide/later#part'],
      ['/guide/later', ''],
    ]);
    expect(await markdown(home)).toContain('[there](guide/later.md#part)');

    // The page that links moves: its words lead from its new folder.
    await write(admin, url, { operation: 'update_page', page: inner, into: null });
    expect(facts(await report(admin, url))).toEqual([broken[1], fine[0], fine[1]]);
    await write(admin, url, { operation: 'update_page', page: later, into: null });
    expect(facts(await report(admin, url))).toEqual([broken[0], fine[0], fine[2]]);
    expect([await published(''), await published('/inner')]).toEqual([[], ['/later', '']]);
    await write(admin, url, { operation: 'update_page', page: later, slug: 'other' });
    expect(facts(await report(admin, url))).toEqual(broken);
    expect((await backlinks(admin, url, 'page', later ?? '')).count).toBe(0);
    expect(await published('/inner')).toEqual(['']);

    // A page that readers may not see is, for them, not there.
    await write(admin, url, {
      operation: 'update_page',
      page: later,
      slug: 'later',
      condition: 'visitor.claims.isInsider',
    });
    expect(facts(await report(admin, url))).toEqual([broken[0], fine[0], fine[2]]);
    expect(await published('/inner')).toEqual(['']);
  });

  it('are those of a change request as it stands, and tell which it has broken', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const [home] = await write(admin, url, insert('Home', '[there](later.md)'));
    const request = `${url}/change-requests/${(await send(admin, 'post', `${url}/change-requests`, { subject: 'More' })).id}`;
    const [later] = await write(admin, request, insert('Later', '[there](missing.md)'));
    expect(facts(await report(admin, request))).toEqual([
      'broken reference missing.md <- Later',
      'ok reference later.md <- Home',
    ]);
    expect((await report(admin, request)).stats.broken).toEqual({ total: 1, changeRequest: 1 });
    expect((await backlinks(admin, request, 'page', later ?? '')).items.map((each) => name(each))).toEqual(['Home']);
    expect(facts(await report(admin, url))).toEqual(['broken reference later.md <- Home']);
    await send(admin, 'post', `${request}/merge`);
    expect(facts(await report(admin, url))).toEqual([
      'broken reference missing.md <- Later',
      'ok reference later.md <- Home',
    ]);
    const next = `${url}/change-requests/${(await send(admin, 'post', `${url}/change-requests`, { subject: 'Less' })).id}`;
    await write(
      admin,
      next,
      { operation: 'delete_page', page: later },
      { operation: 'update_page', page: home, title: 'Start' },
    );
    expect((await report(admin, next)).stats.broken).toEqual({ total: 1, changeRequest: 1 });
    expect(facts(await report(admin, next))).toEqual(['broken reference later.md <- Start']);
  });

  it('lead from the root where they stand in a reusable content', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    await write(admin, url, {
      operation: 'insert_reusable_content',
      title: 'Shared',
      document: { markdown: '[there](later.md)' },
    });
    const shared =
      (await get<{ reusableContents: { id: string }[] }>(admin, `${url}/content`)).reusableContents[0]?.id ?? '';
    const [, page] = await write(
      admin,
      url,
      { operation: 'insert_page', type: 'group', title: 'Guide', ref: 'guide' },
      insert('Inner', `{% include "/reusable-contents/${shared}" %}`, { into: 'guide' }),
      insert('Later', ''),
    );
    expect(facts(await report(admin, url)).filter((line) => line.includes('later'))).toEqual([
      `ok reference later.md <- ${shared}`,
    ]);
    const { html } = await get<{ html: string }>(admin, `${url}/content/page/${page}/html`);
    expect(hrefs(html)[0]).toMatch(/\/later/);
  });

  it('mean the same in reports as where they are read', async () => {
    const addresses = [
      ...['a.md', './a.md', '../a.md', '../../../a.md', '/a/b.md', 'a/', 'a/README.md', 'README.md', './', '../', '/'],
      ...['A/B.MD#C', 'a%20b.md', 'a%zz.md', 'a%c3%a4.md', '/pages/a/b', '/pages/a', 'a//b.md', './x', 'x', '', '#a'],
      ...['a.md#%C3%A4', 'a.md#', 'readme', 'x/readme/', 'a%2Fb.md', 'Ä.md'],
    ];
    for (const address of addresses) {
      const meant = readLinkTarget(address, 'one/two');
      const paths = meant.kind === 'page' ? meant.paths : [];
      const [row] = await app.current.database.query<{ path: string[]; name: string }>(
        `SELECT written_path(CASE WHEN d.path ~ '^/pages/.' THEN substr(d.path, 7) ELSE d.path END, ARRAY['one', 'two']) AS path, written_name($1) AS name
           FROM (SELECT url_decoded(split_part($1, '#', 1)) AS path) d`,
        [address],
      );
      if (paths[0] === undefined) continue;
      expect([address, row?.path.join('/')]).toEqual([address, paths[0]]);
      expect([address, ['', paths[0].split('/').at(-1)]]).toEqual([address, expect.arrayContaining([row?.name])]);
    }
  });
});

describe('links between spaces', () => {
  it('3b-9 tell nobody of what they cannot see', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const [open, secret] = [await makeSpace(org, 'Open'), await makeSpace(org, 'Secret', { language: 'de' })];
    await send(admin, 'patch', secret, { defaultLevel: null });
    const collection = await send(admin, 'post', `/orgs/${org.id}/collections`, { title: 'Shelf' });
    const hidden = await send(admin, 'post', `/orgs/${org.id}/collections`, { title: 'Hidden' });
    await send(admin, 'patch', `/collections/${hidden.id}`, { defaultLevel: null });
    const [secretId, openId] = [secret.split('/')[2], open.split('/')[2]];
    const [treasure] = await write(admin, secret, insert('Treasure', '## Map'));
    const refs = [
      { kind: 'page', page: treasure, space: secretId },
      { kind: 'anchor', page: treasure, space: secretId, anchor: 'map' },
      { kind: 'anchor', page: treasure, space: secretId, anchor: 'no-such' },
      { kind: 'page', page: 'NoSuchPage', space: secretId },
      { kind: 'page', page: 'NoSuchPage', space: 'NoSuchSpace' },
      { kind: 'space', space: secretId },
      { kind: 'collection', collection: collection.id },
      { kind: 'collection', collection: hidden.id },
    ];
    const [home] = await write(admin, open, { operation: 'insert_page', title: 'Home', document: linksTo(...refs) });
    await write(admin, secret, {
      operation: 'insert_page',
      title: 'Diary',
      document: linksTo({ kind: 'page', page: home, space: openId }),
    });
    expect(facts(await report(admin, open))).toEqual(
      [
        ...['broken', 'broken', 'broken'].map((status) => `${status} reference - <- Home`),
        ...['Treasure', 'Treasure#map', secretId, collection.id, hidden.id].map(
          (target) => `ok reference ${target} <- Home`,
        ),
      ].sort(),
    );
    expect(
      (await backlinks(admin, open, 'page', home ?? '')).items.map((each) => [
        name(each),
        each.space?.id,
        each.page?.urls?.app.includes(secretId ?? ''),
      ]),
    ).toEqual([['Diary', secretId, true]]);
    expect((await backlinks(admin, secret, 'page', treasure ?? '')).items.map((each) => name(each))).toEqual([
      'Home',
      'Home',
      'Home',
    ]);

    for (const reader of [await org.member('read'), await org.member('edit')]) {
      const seen = await report(reader, open);
      expect(facts(seen)).toEqual([
        ...Array.from({ length: 7 }, () => 'broken reference - <- Home'),
        `ok reference ${collection.id} <- Home`,
      ]);
      expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${secretId}|Treasure|Secret|${hidden.id}`));
      expect(seen.stats).toEqual({ total: 8, broken: { total: 7 } });
      expect(await backlinks(reader, open, 'page', home ?? '')).toMatchObject({ items: [], count: 0 });
      expect((await reader.api.get(`${secret}/links`)).status).toBe(404);
    }
    await admin.api.delete(secret);
    expect((await report(admin, open)).stats).toEqual({ total: 8, broken: { total: 6 } });
    expect((await backlinks(admin, open, 'page', home ?? '')).count).toBe(0);
    const outsider = (await buildOrganization(app.current)).admin;
    for (const path of ['links', `content/page/${home}/links`, `content/page/${home}/backlinks`])
      expect((await outsider.api.get(`${open}/${path}`)).status).toBe(404);
  });

  it('are known of a copy at once', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const [target] = await write(admin, url, insert('Target', '## Part'));
    await write(admin, url, {
      operation: 'insert_page',
      title: 'Home',
      document: linksTo(
        { kind: 'anchor', page: target, anchor: 'part' },
        { kind: 'page', page: target },
        { kind: 'page', page: 'NoSuchPage' },
      ),
    });
    const copy = `/spaces/${(await send(admin, 'post', `${url}/duplicate`)).id}`;
    expect(facts(await report(admin, copy))).toEqual(facts(await report(admin, url)));
  });
});

describe('pages of link lists', () => {
  it('give every item once, with the numbers of the whole list', async () => {
    const org = await buildOrganization(app.current);
    const { admin } = org;
    const url = await makeSpace(org);
    const [hub] = await write(admin, url, insert('Hub', 'x'));
    const markdown = (page: number) =>
      Array.from({ length: 30 }, (_, at) => `[a](https://example.com/${page}/${at}) [b](/pages/${hub})`).join('\n\n');
    await write(admin, url, ...Array.from({ length: 20 }, (_, page) => insert(`Page ${page}`, markdown(page))));
    const whole = await report(admin, url, { limit: 1000 });
    expect([whole.count, whole.stats]).toEqual([601, { total: 1200, broken: { total: 0 } }]);
    expect(JSON.stringify(whole).length).toBeLessThan(2_100_000);
    expect(whole.items.every(({ locationReferences }) => locationReferences.length <= 10)).toBe(true);
    const seen: Usage[] = [];
    for (
      let page: Report | undefined = await report(admin, url, { limit: 240 });
      page;
      page = page.next && (await report(admin, url, { limit: 240, page: page.next.page }))
    ) {
      expect([page.count, page.stats]).toEqual([601, whole.stats]);
      seen.push(...page.items);
    }
    expect(new Set(seen.map(({ targetReference }) => name(targetReference))).size).toBe(601);
    expect(seen).toHaveLength(601);
    expect(await report(admin, url, { limit: 0 })).toEqual({ items: [], count: 601, stats: whole.stats });

    const nodes: (string | undefined)[] = [];
    for (
      let page: Report<Location> | undefined = await backlinks(admin, url, 'page', hub ?? '', { limit: 1000 });
      page;
      page = page.next && (await backlinks(admin, url, 'page', hub ?? '', { limit: 1000, page: page.next.page }))
    ) {
      expect(page.count).toBe(600);
      expect(JSON.stringify(page).length).toBeLessThan(2_100_000);
      nodes.push(...page.items.map(({ page: found, internalLocation }) => `${found?.id} ${internalLocation?.node}`));
    }
    expect(new Set(nodes).size).toBe(600);
    const other = await report(admin, url, { limit: 1, status: 'ok' });
    expect((await admin.api.get(`${url}/links`, { query: { page: other.next?.page, limit: 1 } })).status).toBe(400);
  });
});
