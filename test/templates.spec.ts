import { describe, expect, it } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import { paragraph, block, document, inline, plain } from '../src/formats/document/build.js';
import type { ContentRef, Document, Node } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { planImport } from '../src/authoring/interchange/domain/plan.js';
import { parsedDocument } from '../src/authoring/interchange/domain/plan-pages.js';
import { roundTrip } from '../src/authoring/interchange/domain/round-trip.js';
import { fillReferences } from '../src/authoring/templates/domain/content-refs.js';
import { ContentHtml } from '../src/authoring/rendering/content-html.js';
import { type Template, TemplateLibrary } from '../src/authoring/templates/template-library.js';
import { TemplatePreviews } from '../src/authoring/templates/template-previews.service.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();
const KNOWN = ['api-reference', 'changelog', 'knowledge-base', 'product-documentation'];

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly slug?: string;
  readonly path?: string;
  readonly target?: unknown;
  readonly pages?: readonly Shown[];
}

interface Fault {
  readonly error: {
    readonly message: string;
    readonly details?: readonly { readonly path: string; readonly message: string }[];
  };
}

const templates = async () => [...(await new TemplateLibrary().all()).values()];
const titles = (pages: readonly Shown[]): string[] =>
  pages.flatMap((page) => [page.title, ...titles(page.pages ?? [])]);
const everyPage = (pages: readonly Shown[]): Shown[] => pages.flatMap((page) => [page, ...everyPage(page.pages ?? [])]);
const pagesOf = async (person: Person, place: string) =>
  (await person.api.get<{ pages: Shown[] }>(`${place}/content/pages`)).body.pages;

async function newSpace({ id, admin }: Workspace, facts: object = {}): Promise<string> {
  return (
    await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
      title: 'Guide',
      editMode: 'live',
      empty: true,
      ...facts,
    })
  ).body.id;
}

describe('the templates of the package', () => {
  it('are what the list says, each with its placeholders', async () => {
    const organization = await buildOrganization(app.current);
    const { id, admin } = organization;
    await newSpace(organization, { empty: undefined, template: { id: 'changelog' } });
    const { status, body } = await admin.api.get<{
      items: { id: string; title: string; contentRefs: { name: string; description: string }[] }[];
    }>(`/orgs/${id}/templates`);
    expect(status).toBe(200);
    expect(body.items.map((item) => item.id)).toEqual(KNOWN);
    expect(body.items.at(-1)).toMatchObject({
      title: 'Product documentation',
      contentRefs: expect.arrayContaining([{ name: 'support', description: expect.any(String) }]),
    });
    expect((await (await organization.member('none')).api.get(`/orgs/${id}/templates`)).status).toBe(200);
    expect((await (await buildOrganization(app.current)).admin.api.get(`/orgs/${id}/templates`)).status).toBe(404);
  });

  it('are looked at with their pages as they will be read, without what only the place of use has', async () => {
    const { id, admin, member } = await buildOrganization(app.current);
    interface Page {
      readonly id: string;
      readonly type: string;
      readonly title: string;
      readonly depth: number;
      readonly html: string;
    }
    const path = `/orgs/${id}/templates/product-documentation`;
    const { status, body } = await admin.api.get<{ title: string; contentRefs: object[]; pages: Page[] }>(path);
    expect([status, body.title]).toEqual([200, 'Product documentation']);
    expect(body.pages.filter(({ depth }) => depth > 0).length).toBeGreaterThan(3);
    const ids = new Set(body.pages.map((page) => page.id));
    const html = body.pages.map((page) => page.html).join('');
    const linked = [...html.matchAll(/href="#([A-Za-z0-9]{20})"/g)].map(([, page = '']) => page);
    expect(linked.length).toBeGreaterThan(5);
    expect(linked.filter((page) => !ids.has(page))).toEqual([]);
    expect(html).toContain('src="data:image/svg+xml;base64,');
    expect(html).not.toMatch(/content-ref:|pictures\.invalid|<p> helps/);
    for (const page of body.pages)
      expect([page.title, page.html !== '']).toEqual([page.title, page.type === 'document']);
    // The same ids each time: an address of the workspace can name a page.
    expect((await admin.api.get<{ pages: Page[] }>(path)).body.pages.map((page) => page.id)).toEqual([...ids]);
    expect((await (await member('none')).api.get(path)).status).toBe(200);
    expect((await admin.api.get(`/orgs/${id}/templates/..%2Fdocs`)).status).toBe(404);
    expect((await admin.api.get(`/orgs/${id}/templates/constructor`)).status).toBe(404);
    expect((await (await buildOrganization(app.current)).admin.api.get(path)).status).toBe(404);
  });

  it('are shown with large pictures too, which are made smaller', async () => {
    const canvas = createCanvas(1200, 300);
    const context = canvas.getContext('2d');
    const noise = context.createImageData(1200, 300);
    for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
    context.putImageData(noise, 0, 0);
    const photo = canvas.toBuffer('image/jpeg', 100);
    const drawing = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--${'x'.repeat(200_000)}--></svg>`);
    expect(photo.length).toBeGreaterThan(100_000);
    const file = (path: string, bytes: Buffer) => [path, { size: bytes.length, read: async () => bytes }] as const;
    const template: Template = {
      ...{ id: 'pictures', title: 'Pictures', description: '', contentRefs: {} },
      files: new Map([
        file('README.md', Buffer.from('# Pictures\n\n![](photo.jpg)\n\n![](drawing.svg)\n')),
        file('photo.jpg', photo),
        file('drawing.svg', drawing),
      ]),
    };
    const library = { all: async () => new Map([['pictures', template]]) } as unknown as TemplateLibrary;
    const previews = new TemplatePreviews(library, app.current.get(ContentHtml), app.current.get(WorkerPool));
    const html = (await previews.of('pictures')).pages.map((page) => page.html).join('');
    const [, smaller = ''] = /src="data:image\/webp;base64,([^"]+)"/.exec(html) ?? [];
    expect(Buffer.from(smaller, 'base64').length).toBeGreaterThan(100);
    expect(Buffer.from(smaller, 'base64').length).toBeLessThan(photo.length);
    expect(html).toContain(`src="data:image/svg+xml;base64,${drawing.toString('base64')}"`);
    expect(html).not.toContain('pictures.invalid');
  });

  it('are Markdown that loses nothing on the way in and out', async () => {
    for (const { id, files } of await templates()) {
      const { pages, differing, checks, problems } = await roundTrip(files);
      expect({ id, differing, problems }).toEqual({ id, differing: [], problems: [] });
      expect(pages).toBeGreaterThan(7);
      expect(
        [...checks].filter(
          ([, check]) => check.missing.length + check.surplus.length + check.missingWords.length + check.verbatim > 0,
        ),
      ).toEqual([]);
    }
  });

  it('use the placeholders that they name, and no others', async () => {
    for (const { id, files, contentRefs } of await templates()) {
      const texts = await Promise.all(
        [...files]
          .filter(([path]) => path.endsWith('.md'))
          .map(async ([, file]) => (await file.read()).toString('utf8')),
      );
      const used = texts.flatMap((text) => [...text.matchAll(/content-ref:(\w+)/g)].map((match) => match[1]));
      expect({ id, used: [...new Set(used)].sort() }).toEqual({ id, used: Object.keys(contentRefs).sort() });
    }
  });

  it('give valid documents whether their placeholders are filled or not', async () => {
    for (const { files, contentRefs } of await templates()) {
      const plan = await planImport(files, { newId: () => 'x' });
      const all: Record<string, ContentRef> = Object.fromEntries(
        Object.keys(contentRefs).map((name) => [name, { kind: 'url', url: `https://example.com/${name}` }]),
      );
      for (const page of plan.pages) {
        const read = parsedDocument((await plan.readPage(page)).json);
        for (const filled of [fillReferences(read, {}), fillReferences(read, all)]) {
          expect(validateDocument(filled)).toEqual([]);
          expect(JSON.stringify(filled)).not.toContain('content-ref:');
        }
      }
    }
  });
});

describe('placeholders', () => {
  const placeholder = { kind: 'url', url: 'content-ref:support' } as const;
  const to = { kind: 'url', url: 'https://example.com' } as const;
  const line = (...nodes: Node[]) => document([paragraph(...nodes)]);
  const link = inline('link', { ref: placeholder }, [plain('our support')]);
  const button = inline('button', { label: 'Help', kind: 'primary', ref: placeholder });

  it.each<[string, Document, Document, Document]>([
    [
      'a link',
      line(plain('Ask '), link, plain('.')),
      line(plain('Ask '), inline('link', { ref: to }, [plain('our support')]), plain('.')),
      line(plain('Ask our support.')),
    ],
    [
      'a button',
      line(button),
      line(inline('button', { label: 'Help', kind: 'primary', ref: to })),
      line(plain('Help')),
    ],
    [
      'a block that only refers',
      document([block('content-ref', { ref: placeholder }), paragraph(plain('a'))]),
      document([block('content-ref', { ref: to }), paragraph(plain('a'))]),
      line(plain('a')),
    ],
    [
      'no placeholder',
      line(inline('link', { ref: to }, [plain('a')])),
      line(inline('link', { ref: to }, [plain('a')])),
      line(inline('link', { ref: to }, [plain('a')])),
    ],
  ])('%s', (_, template, filled, unfilled) => {
    expect(fillReferences(template, { support: to })).toEqual(filled);
    expect(fillReferences(template, {})).toEqual(unfilled);
  });
});

describe('applying a template', () => {
  it('adds its pages after what is there, in one revision, with links between them', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await newSpace(organization);
    await api.post(`/spaces/${space}/content`, {
      changes: [
        { operation: 'insert_page', title: 'Welcome' },
        { operation: 'set_variables', variables: { product: 'Ours' } },
      ],
    });
    const before = await api.get<{ id: string }>(`/spaces/${space}/content`);
    const applied = await api.post(`/spaces/${space}/content/template`, {
      id: 'product-documentation',
      params: { contentRefs: { support: { kind: 'url', url: 'https://help.example.com' } } },
    });
    expect([applied.status, applied.body]).toEqual([204, undefined]);
    const after = await api.get<{
      parents: string[];
      pages: Shown[];
      files: { name: string }[];
      reusableContents: { title: string }[];
      variables: object;
    }>(`/spaces/${space}/content`);
    expect(after.body.parents).toEqual([before.body.id]);
    expect(after.body.pages.slice(0, 3).map(({ title, path, type }) => [title, path, type])).toEqual([
      ['Welcome', 'welcome', 'document'],
      ['Welcome', 'welcome-1', 'document'],
      ['Getting started', 'getting-started', 'group'],
    ]);
    expect(after.body.files.map(({ name }) => name)).toEqual(['how-it-works.svg']);
    expect(after.body.reusableContents.map(({ title }) => title)).toEqual(['Need help']);
    expect(after.body.variables).toEqual({ product: 'Ours', supportEmail: 'support@example.com' });
    // The links of the navigation had nothing to lead to.
    expect(titles(after.body.pages)).not.toContain('API reference');
    const limits = await api.get<{ markdown: string }>(`/spaces/${space}/content/path/reference/limits`, {
      query: { format: 'markdown' },
    });
    expect(limits.body.markdown).toContain('[tell us](https://help.example.com)');
    const quickstart = await api.get<{ markdown: string }>(`/spaces/${space}/content/path/getting-started/quickstart`, {
      query: { format: 'markdown' },
    });
    expect(quickstart.body.markdown).toContain('url="../guides/your-first-project.md"');
    expect(quickstart.body.markdown).toContain('{% stepper %}');
  });

  it('writes into a change request, also of a locked space, which takes none itself', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await newSpace(organization, { editMode: 'locked' });
    const { number } = (await api.post<{ number: number }>(`/spaces/${space}/change-requests`, {})).body;
    expect((await api.post(`/spaces/${space}/content/template`, { id: 'changelog' })).status).toBe(409);
    expect(
      (await api.post(`/spaces/${space}/content/template`, { id: 'changelog', changeRequestId: String(number) }))
        .status,
    ).toBe(204);
    expect(await pagesOf(organization.admin, `/spaces/${space}`)).toEqual([]);
    expect(titles(await pagesOf(organization.admin, `/spaces/${space}/change-requests/${number}`))).toContain(
      'Deprecations',
    );
    expect((await api.post<{ result: string }>(`/spaces/${space}/change-requests/${number}/merge`)).body.result).toBe(
      'merge',
    );
    expect(titles(await pagesOf(organization.admin, `/spaces/${space}`))).toContain('Deprecations');
    expect(
      (await api.post(`/spaces/${space}/content/template`, { id: 'changelog', changeRequestId: 'missing' })).status,
    ).toBe(404);
  });

  it('names what is wrong, and writes nothing then', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await newSpace(organization);
    const foreign = await newSpace(await buildOrganization(app.current));
    const refs = (contentRefs: object) => ({ id: 'changelog', params: { contentRefs } });
    const nowhere = 'has no target that you can see';
    for (const [body, path, message] of [
      [{ id: 'blog' }, 'id', expect.stringContaining(KNOWN.join(', '))],
      [{ id: 'toString' }, 'id', expect.stringContaining('no such template')],
      [
        refs({ feedback: { kind: 'nothing' } }),
        'params.contentRefs.feedback.kind',
        expect.stringContaining('must be one of'),
      ],
      [refs({ feedback: 'https://example.com' }), 'params.contentRefs.feedback.kind', expect.anything()],
      [
        refs({ nobody: { kind: 'url', url: 'https://example.com' } }),
        'params.contentRefs.nobody',
        expect.stringContaining('documentation, feedback'),
      ],
      [
        refs({ feedback: { kind: 'url', url: 'javascript:alert(1)' } }),
        'params.contentRefs.feedback.url',
        'must not be an address of the scheme javascript',
      ],
      [refs({ feedback: { kind: 'space', space: foreign } }), 'params.contentRefs.feedback', nowhere],
      [refs({ feedback: { kind: 'space', space: 'Missing0123456789Xyz' } }), 'params.contentRefs.feedback', nowhere],
      [
        refs({ feedback: { kind: 'collection', collection: 'Missing0123456789Xyz' } }),
        'params.contentRefs.feedback',
        nowhere,
      ],
      [refs({ feedback: { kind: 'user', user: 'Missing0123456789Xyz' } }), 'params.contentRefs.feedback', nowhere],
      [refs({ feedback: { kind: 'page', page: 'Missing0123456789Xyz' } }), 'params.contentRefs.feedback', nowhere],
      [
        refs({ feedback: { kind: 'file', file: 'Missing0123456789Xyz', space: foreign } }),
        'params.contentRefs.feedback',
        nowhere,
      ],
      [refs({ feedback: { kind: 'translation', translation: 'x' } }), 'params.contentRefs.feedback', nowhere],
    ] as const) {
      const refused = await api.post<Fault>(`/spaces/${space}/content/template`, body);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details).toEqual([{ path, message }]);
    }
    expect(await pagesOf(organization.admin, `/spaces/${space}`)).toEqual([]);
  });

  it('fills references to what the caller sees', async () => {
    const organization = await buildOrganization(app.current);
    const { id, admin } = organization;
    const [space, other] = [await newSpace(organization), await newSpace(organization)];
    const collection = (await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'All' })).body.id;
    const insert = { changes: [{ operation: 'insert_page', title: 'There' }] };
    const page =
      (await admin.api.post<{ changes: { page: { id: string } }[] }>(`/spaces/${other}/content`, insert)).body
        .changes[0]?.page.id ?? '';
    const contentRefs = {
      dashboard: { kind: 'user', user: admin.id },
      support: { kind: 'collection', collection },
      documentation: { kind: 'page', page, space: other },
      openapi: { kind: 'openapi', spec: 'petstore' },
    };
    expect(
      (await admin.api.post(`/spaces/${space}/content/template`, { id: 'api-reference', params: { contentRefs } }))
        .status,
    ).toBe(204);
    const links = everyPage(await pagesOf(admin, `/spaces/${space}`)).filter(({ type }) => type === 'link');
    expect(links.map(({ title, target }) => [title, target])).toEqual([
      ['Guides', contentRefs.documentation],
      ['OpenAPI specification', contentRefs.openapi],
    ]);
  });

  it('takes the right to edit', async () => {
    const organization = await buildOrganization(app.current);
    const space = await newSpace(organization);
    const reader = await organization.member('read');
    expect((await reader.api.post(`/spaces/${space}/content/template`, { id: 'changelog' })).status).toBe(403);
    const outsider = await buildOrganization(app.current);
    expect((await outsider.admin.api.post(`/spaces/${space}/content/template`, { id: 'changelog' })).status).toBe(404);
  });
});

describe('beginning with a template', () => {
  it('makes a space of its pages only, locked or not', async () => {
    const organization = await buildOrganization(app.current);
    const made = await organization.admin.api.post<{ id: string; editMode: string }>(
      `/orgs/${organization.id}/spaces`,
      { title: 'Help', template: { id: 'knowledge-base' } },
    );
    expect([made.status, made.body.editMode]).toEqual([201, 'locked']);
    const pages = await pagesOf(organization.admin, `/spaces/${made.body.id}`);
    expect(pages[0]).toMatchObject({ title: 'How can we help?', path: 'how-can-we-help' });
    expect(titles(pages)).not.toContain('Untitled page');
  });

  it('makes no space where the template is at fault', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const faults: string[] = [];
    for (const body of [
      { template: { id: 'blog' } },
      {
        template: {
          id: 'changelog',
          params: { contentRefs: { feedback: { kind: 'page', page: 'Missing0123456789Xyz' } } },
        },
      },
      {
        template: { id: 'changelog' },
        computedSource: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
        },
      },
      { template: { id: 'changelog' }, parent: 'Missing0123456789Xyz' },
      { template: { id: 'changelog', params: { contentRefs: 7 } } },
    ]) {
      const refused = await admin.api.post<Fault>(`/orgs/${id}/spaces`, body);
      expect(refused.status).toBe(400);
      faults.push(refused.body.error.details?.[0]?.path ?? '');
    }
    expect(faults).toEqual([
      'template.id',
      'template.params.contentRefs.feedback',
      'template',
      'parent',
      'template.params.contentRefs',
    ]);
    expect((await admin.api.get<{ count: number }>(`/orgs/${id}/spaces`)).body.count).toBe(0);
  });

  it('makes a change request of its pages, or none', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const space = await newSpace(organization, { editMode: 'locked' });
    const made = await api.post<{ id: string; revision: string; revisionInitial: string }>(
      `/spaces/${space}/change-requests`,
      { subject: 'News', template: { id: 'changelog' } },
    );
    expect(made.status).toBe(201);
    expect(made.body.revision).not.toBe(made.body.revisionInitial);
    expect(titles(await pagesOf(organization.admin, `/spaces/${space}/change-requests/${made.body.id}`))).toContain(
      '2.1: shared views',
    );
    const refused = await api.post<Fault>(`/spaces/${space}/change-requests`, { template: { id: 'blog' } });
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, 'template.id']);
    expect(
      (await api.get<{ count: number }>(`/spaces/${space}/change-requests`, { query: { status: 'draft' } })).body.count,
    ).toBe(1);
  });
});

describe('the template of a site', () => {
  interface Structure {
    readonly structure: readonly {
      readonly title: string;
      readonly siteSpaces: readonly { readonly space: Space }[];
    }[];
  }
  interface Space {
    readonly id: string;
    readonly title: string;
  }
  const newSite = async ({ id, admin }: Workspace): Promise<string> =>
    `/orgs/${id}/sites/${(await admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Docs' })).body.id}`;

  it('fills an empty site with sections that lead to each other, once', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const site = await newSite(workspace);
    const applied = await api.post(`${site}/template`);
    expect([applied.status, applied.body]).toMatchObject([200, { object: 'site', title: 'Docs' }]);
    const sections = (await api.get<Structure>(`${site}/structure`)).body.structure;
    expect(sections.map(({ title, siteSpaces }) => [title, siteSpaces.map(({ space }) => space.title)])).toEqual([
      ['Documentation', ['Documentation']],
      ['API reference', ['API reference']],
      ['Changelog', ['Changelog']],
    ]);
    const [guide, reference, news] = sections.map(({ siteSpaces }) => siteSpaces[0]?.space.id ?? '');
    for (const [from, targets] of [
      [guide, [reference, news]],
      [reference, [guide]],
      [news, [guide]],
    ] as const) {
      const pages = everyPage(await pagesOf(workspace.admin, `/spaces/${from}`));
      expect(pages.length).toBeGreaterThan(7);
      const documents = await Promise.all(
        pages
          .filter(({ type }) => type === 'document')
          .map(async ({ id }) => (await api.get(`/spaces/${from}/content/page/${id}`)).body['document']),
      );
      const words = JSON.stringify([pages, documents]);
      for (const space of targets) expect(words).toContain(`{"kind":"space","space":"${space}"}`);
      expect(words).not.toContain('content-ref:');
    }
    const again = await api.post<Fault>(`${site}/template`);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'The site has spaces already: only an empty one takes the template',
    ]);
    expect((await api.get<{ count: number }>(`/orgs/${workspace.id}/spaces`)).body.count).toBe(3);
  });

  it('needs the rights to administer the site and to create content', async () => {
    const workspace = await buildOrganization(app.current);
    const site = await newSite(workspace);
    const [creator, reader, admin] = [
      await workspace.member('create'),
      await workspace.member('read'),
      await workspace.member('read'),
    ];
    const grant = await workspace.admin.api.post(`${site}/permissions`, { role: 'admin', users: [admin.id] });
    expect(grant.status).toBe(204);
    const stranger = (await buildOrganization(app.current)).admin;
    const own = await creator.api.post<{ id: string }>(`/orgs/${workspace.id}/sites`, { title: 'Own' });
    const statuses = [
      (await reader.api.post(`${site}/template`)).status,
      (await stranger.api.post(`${site}/template`)).status,
      (await admin.api.post(`${site}/template`)).status,
      (await creator.api.post(`/orgs/${workspace.id}/sites/${own.body.id}/template`)).status,
    ];
    expect(statuses).toEqual([403, 404, 403, 200]);
    expect((await workspace.admin.api.get<{ count: number }>(`/orgs/${workspace.id}/spaces`)).body.count).toBe(3);
  });
});
