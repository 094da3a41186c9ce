import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyOrder, computedBody } from '../src/authoring/content/domain/computed/computed-page-body.js';
import { apiPages, singlePages, type ApiPage } from '../src/authoring/content/domain/computed/api-pages.js';
import { derivedId, expandPage, sourceOfDerived } from '../src/authoring/content/domain/computed/expansion.js';
import { outlineOf, type ApiOutline } from '../src/authoring/content/domain/computed/outline.js';
import type { ComputedSource } from '../src/formats/document/computed-source.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { ComputedReading } from '../src/authoring/content/computed-pages.js';
import { numberedSlug } from '../src/authoring/content/domain/slug.js';
import { compareSiblings, type Item } from '../src/authoring/content/domain/content-item.js';
import { planImport } from '../src/authoring/interchange/domain/plan.js';
import { roundTrip } from '../src/authoring/interchange/domain/round-trip.js';
import { pageAtFormerAddress } from '../src/publishing/published-sites/pages/domain/former-addresses.js';
import { buildSpaceTree, type SpaceTree } from '../src/publishing/published-sites/pages/domain/space-tree.js';
import { rounds, seed } from './property/content-generators.js';

const SOURCE: ComputedSource = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
};
const WHEN = new Date('2026-01-01T00:00:00Z');
const PAGE: Item = {
  kind: 'page',
  id: 'Source0123456789Abcd',
  parentId: '',
  position: 'a0',
  type: 'computed',
  slug: null,
  title: 'Reference',
  props: { computed: SOURCE },
  hash: null,
  createdAt: WHEN,
  updatedAt: WHEN,
};
const RUNS = { numRuns: rounds(100), seed };

function outline(specification: object): ApiOutline {
  const read = outlineOf({ openapi: '3.1.0', ...specification });
  if (!read) throw new Error('it is a specification');
  return read;
}

const get = (tag?: string, more: object = {}) => ({ get: { ...(tag !== undefined && { tags: [tag] }), ...more } });
const shape = (pages: readonly ApiPage[]): unknown[] =>
  pages.map(({ name, children }) => (children.length === 0 ? name : [name, shape(children)]));
const flat = (pages: readonly ApiPage[]): ApiPage[] => pages.flatMap((page) => [page, ...flat(page.children)]);
const expand = (read: ApiOutline, taken: string[] = [], props: ComputedSource['props'] = SOURCE.props) =>
  expandPage(PAGE, { ...SOURCE, props }, read, new Set(taken));

describe('reading a specification', () => {
  it.each([
    ['Swagger 2.0', { swagger: '2.0', paths: { '/a': get() }, definitions: { A: {} } }, ['operations', 'models']],
    ['a version that YAML reads as a number', { swagger: 2, paths: { '/a': get() } }, ['operations']],
    ['OpenAPI 3.0', { openapi: '3.0.3', components: { schemas: { A: {} } } }, ['models']],
    ['OpenAPI 3.1 of webhooks only', { openapi: '3.1.0', webhooks: { born: { post: {} } } }, ['webhooks']],
    ['webhooks of an older version', { openapi: '3.0.0', 'x-webhooks': { born: { post: {} } } }, ['webhooks']],
    ['nothing but a version', { openapi: '3.1.0' }, []],
    [
      'parts of the wrong kind',
      { openapi: '3.1.0', info: [], tags: {}, paths: 'x', webhooks: 7, components: { schemas: [] } },
      [],
    ],
  ])('understands %s', (_, specification, names) => {
    const read = outlineOf(specification);
    expect(read && shape(apiPages(read))).toEqual(names);
  });

  it.each([
    null,
    undefined,
    7,
    'openapi: 3.0.0',
    [],
    {},
    { openapi: '4.0.0' },
    { swagger: '1.2' },
    { openapi: {} },
    { openapi: '30' },
  ])('takes %j for none', (specification) => {
    expect(outlineOf(specification)).toBeNull();
  });

  it('follows references inside of it, not in circles and not outside', () => {
    const read = outline({
      paths: {
        '/here': { $ref: '#/components/pathItems/here' },
        '/twice': { $ref: '#/components/pathItems/again' },
        '/escaped': { $ref: '#/paths/~1plain' },
        '/plain': get(),
        '/circle': { $ref: '#/components/pathItems/circle' },
        '/outside': { $ref: 'https://example.com/paths.yaml#/a' },
        '/file': { $ref: './paths.yaml' },
        '/prototype': { $ref: '#/__proto__/constructor' },
        'x-extra': get(),
      },
      components: {
        pathItems: {
          here: get(),
          again: { $ref: '#/components/pathItems/here' },
          circle: { $ref: '#/components/pathItems/circle' },
        },
      },
    });
    expect(read.untagged.map(({ path }) => path)).toEqual(['/here', '/twice', '/escaped', '/plain']);
  });

  it('leaves out what is internal, and calls the rest as it calls itself', () => {
    const read = outline({
      paths: {
        '/a': {
          get: { summary: 'List' },
          post: { operationId: 'addA' },
          put: {},
          delete: { 'x-internal': true },
          patch: { 'x-gitbook-ignore': true },
        },
        '/b': { 'x-internal': true, get: {} },
      },
      components: { schemas: { Shown: {}, Hidden: { 'x-internal': true } } },
    });
    expect(read.untagged.map(({ title }) => title)).toEqual(['List', 'PUT /a', 'addA']);
    expect(read.schemas).toEqual(['Shown']);
  });

  it('throws at nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (info, tags, paths) => {
        const read = outlineOf({
          openapi: '3.1.0',
          info,
          tags,
          paths,
          webhooks: paths,
          'x-tagGroups': tags,
          components: info,
        });
        expect(read && apiPages(read)).toBeInstanceOf(Array);
      }),
      RUNS,
    );
  });
});

describe('the pages of a specification', () => {
  it('take their looks from the extensions', () => {
    const [pets] = apiPages(
      outline({
        tags: [
          {
            name: 'pet',
            'x-page-title': 'Our pets',
            'x-page-slug': 'Animals',
            'x-page-icon': 'paw',
            'x-page-description': 'All',
          },
        ],
        paths: { '/a': get('pet') },
      }),
    );
    expect(pets).toMatchObject({ name: 'animals', title: 'Our pets', icon: 'paw', summary: 'All' });
  });

  it.each([
    [
      'parents by name',
      { tags: [{ name: 'a', parent: 'b' }, { name: 'b' }], paths: { '/a': get('a') } },
      [['b', ['a']]],
    ],
    [
      'parents as an extension',
      { tags: [{ name: 'a', 'x-parent': 'top' }], paths: { '/a': get('a') } },
      [['top', ['a']]],
    ],
    [
      'groups',
      {
        'x-tagGroups': [{ name: 'Animals', tags: ['a', 'b'] }],
        paths: { '/a': get('a'), '/b': get('b'), '/c': get('c') },
      },
      ['c', ['animals', ['a', 'b']]],
    ],
    [
      'circles',
      {
        tags: [
          { name: 'a', parent: 'b' },
          { name: 'b', parent: 'a' },
        ],
        paths: { '/a': get('a'), '/b': get('b') },
      },
      ['a', 'b'],
    ],
    ['tags that are their own parents', { tags: [{ name: 'a', parent: 'a' }], paths: { '/a': get('a') } }, ['a']],
    ['tags with nothing to say', { tags: [{ name: 'a' }, { name: 'b', description: 'Text' }] }, ['b']],
    [
      'tags that want the names of other pages',
      {
        info: { description: 'Text' },
        tags: [{ name: 'info' }, { name: 'Models' }],
        paths: { '/a': get('info'), '/b': get('Models'), '/c': get() },
        components: { schemas: { A: {} } },
      },
      ['info', 'info-1', 'models', 'operations', 'models-1'],
    ],
    ['names that are no slugs', { paths: { '/a': get('Über uns!'), '/b': get('../..') } }, ['uber-uns', 'page']],
  ])('know %s', (_, specification, names) => {
    expect(shape(apiPages(outline(specification)))).toEqual(names);
  });

  it('make way for the siblings of their source, and leave out models if they shall', () => {
    const read = outline({ paths: { '/a': get('pet') }, components: { schemas: { A: {} } } });
    expect(expand(read, ['pet']).map(({ slug }) => slug)).toEqual(['pet-1', 'get-a', 'models', 'a']);
    expect(expand(read, [], { models: false }).map(({ slug }) => slug)).toEqual(['pet', 'get-a']);
    const [pet] = expand(read);
    expect(expand(read, ['pet'])[0]?.id).toBe(pet?.id);
  });

  it('are those of tags with all of their operations where the source says so, with the same ids', () => {
    const read = outline({ paths: { '/a': get('pet') }, components: { schemas: { A: {} } } });
    const byTag = expand(read, [], { models: true, grouping: 'by-tag' });
    expect(byTag.map(({ props }) => (props['computed'] as ComputedSource).props)).toEqual([
      { doc: 'operations', page: 'pet' },
      { doc: 'models' },
    ]);
    expect(byTag.map(({ id }) => id)).toEqual(
      expand(read)
        .filter(({ parentId }) => parentId === '')
        .map(({ id }) => id),
    );
  });

  it('are one for each operation and schema, named by what stays where words change', () => {
    const read = outline({
      paths: {
        '/pets/{petId}': {
          get: { tags: ['pet'], operationId: 'getPetById', summary: 'One pet', deprecated: true },
          put: { tags: ['pet'], summary: 'Change a pet' },
          post: {
            tags: ['pet'],
            operationId: 'x',
            'x-page-slug': 'Adopt',
            'x-page-title': 'Adopt a pet',
            'x-page-icon': 'paw',
            'x-page-description': 'For good',
          },
          delete: { tags: ['other'], 'x-page-slug': 'adopt' },
        },
      },
      webhooks: { petBorn: { post: {} } },
      components: { schemas: { Pet: {}, pet: {} } },
    });
    expect(shape(singlePages(read))).toEqual([
      ['pet', ['get-pet-by-id', 'put-pets-pet-id', 'adopt']],
      ['other', ['adopt-1']],
      ['webhooks', ['post-pet-born']],
      ['models', ['pet', 'pet-1']],
    ]);
    const items = expand(read);
    expect(items.map(({ props }) => (props['computed'] as ComputedSource).props)).toEqual([
      { doc: 'tag', page: 'pet' },
      { doc: 'operation', page: 'get-pet-by-id', method: 'get', deprecated: true },
      { doc: 'operation', page: 'put-pets-pet-id', method: 'put' },
      { doc: 'operation', page: 'adopt', method: 'post' },
      { doc: 'tag', page: 'other' },
      { doc: 'operation', page: 'adopt-1', method: 'delete' },
      { doc: 'tag', page: 'webhooks' },
      { doc: 'operation', page: 'post-pet-born', method: 'hook' },
      { doc: 'tag', page: 'models' },
      { doc: 'models', page: 'pet' },
      { doc: 'models', page: 'pet-1' },
    ]);
    expect(items[3]).toMatchObject({
      title: 'Adopt a pet',
      slug: 'adopt',
      parentId: items[0]?.id,
      props: { icon: 'paw', description: 'For good' },
    });
    const bodies = items.map(({ id, props }) => computedBody(bodyOrder(props['computed'] as ComputedSource, read, id)));
    expect(bodies.map(({ nodes }) => nodes.map(({ type }) => type))).toEqual([
      ['heading-2', 'paragraph', 'heading-2', 'paragraph', 'heading-2', 'paragraph'],
      ['openapi-operation'],
      ['openapi-operation'],
      ['openapi-operation'],
      ['heading-2', 'paragraph'],
      ['openapi-operation'],
      ['heading-2', 'paragraph'],
      ['openapi-webhook'],
      ['heading-2', 'heading-2'],
      ['openapi-schemas'],
      ['openapi-schemas'],
    ]);
    expect(JSON.stringify(bodies[0])).toContain(JSON.stringify({ kind: 'page', page: items[1]?.id }));
    expect(items[1]?.id).toBe(derivedId(PAGE.id, 'operation get-pet-by-id'));
    // A page of its own has no pages below it that it could lead to.
    expect(JSON.stringify(computedBody(bodyOrder(items[0]?.props['computed'] as ComputedSource, read)))).not.toContain(
      '"link"',
    );
  });

  it('are grouped by path where many operations have no tag, and listed where one tag has many', () => {
    const many = (count: number, path: (index: number) => string, tag?: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), get(tag)]));
    const stripe = outline({
      paths: many(150, (index) => `/v1/${index === 7 ? 'alone' : `part_${index % 5}`}/x${index}`),
    });
    const [operations] = singlePages(stripe);
    expect(operations?.children.map(({ title, children }) => [title, children.length])).toEqual([
      ['Part 0', 30],
      ['Part 1', 30],
      ['Part 2', 29],
      ['Part 3', 30],
      ['Part 4', 30],
      ['GET /v1/alone/x7', 0],
    ]);
    const large = outline({ paths: many(1_200, (index) => `/r/${index}`, 'repos') });
    const [repos, ...others] = expand(large);
    const parts = others.slice(0, 4);
    expect(parts.map(({ title, slug }) => [title, slug])).toEqual([
      ['Repos 251–500', 'repos-2'],
      ['Repos 501–750', 'repos-3'],
      ['Repos 751–1000', 'repos-4'],
      ['Repos 1001–1200', 'repos-5'],
    ]);
    const listed = [repos, ...parts].flatMap((item) => {
      const { nodes } = computedBody(bodyOrder(item?.props['computed'] as ComputedSource, large, item?.id));
      return nodes.filter(({ type }) => type === 'heading-2').map((node) => JSON.stringify(node));
    });
    const single = others.slice(4);
    expect(single).toHaveLength(1_200);
    // Each of them once, with a heading and thereby an address in the overview.
    expect(listed).toHaveLength(1_200);
    for (const [index, { id }] of single.entries()) expect(listed[index]).toContain(`"page":"${id}"`);
  });

  it('are found at the addresses that they had in another group', () => {
    const paths = (count: number, prefix: string, tag?: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${prefix}/${index % 2 ? 'odd' : 'even'}/x${index}`,
          { get: { operationId: `get ${index}`, ...(tag !== undefined && { tags: [tag] }) } },
        ]),
      );
    const tree = (specification: object, props: ComputedSource['props'] = SOURCE.props) =>
      buildSpaceTree(
        [{ ...PAGE, id: 'Guides', type: 'document', slug: 'guides' }, ...expand(outline(specification), [], props)],
        () => true,
        [],
      );
    const few = tree({ paths: paths(100, '') });
    const many = tree({ paths: paths(101, '') });
    const deeper = tree({ paths: { ...paths(100, '/v1'), ...paths(101, '/v2') } });
    const tagged = tree({ paths: paths(101, '', 'things') });
    const byTag = tree({ paths: paths(101, '', 'things') }, { models: true, grouping: 'by-tag' });
    expect(few.byPath.has('operations/get-7')).toBe(true);
    const at = (found: SpaceTree, path: string) => pageAtFormerAddress(found, path)?.path;
    for (const [found, asked, now] of [
      [many, 'operations/get-7', 'operations/odd/get-7'],
      [few, 'operations/odd/get-7', 'operations/get-7'],
      [deeper, 'operations/odd/get-7', 'operations/v1/get-7'],
      [tagged, 'operations/odd/get-7', 'things/get-7'],
      [many, 'things/get-7', 'operations/odd/get-7'],
      [byTag, 'things/get-7', 'things'],
      [byTag, 'things/odd/favicon', undefined],
      [byTag, 'things/favicon.ico', undefined],
      [many, 'operations/get-700', undefined],
      [many, 'guides/get-7', undefined],
      [many, '', undefined],
      [many, '/get-7', undefined],
      [tagged, 'things/odd', undefined],
    ] as const)
      expect([asked, at(found, asked)]).toEqual([asked, now]);
  });

  it('keep their slugs where a group that is made of paths would take them', () => {
    const read = outline({
      paths: {
        ...Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`/users/x${index}`, get()])),
        '/alone': { get: { operationId: 'users' } },
      },
    });
    expect(
      expand(read)
        .filter(({ slug }) => slug?.startsWith('users'))
        .map(({ title, slug }) => [title, slug]),
    ).toEqual([
      ['Users', 'users-1'],
      ['users', 'users'],
    ]);
  });

  it('have no halves of characters and nothing else that cannot be stored, and titles of a bounded length', () => {
    const read = outline({
      paths: { '/a': get('b\0', { summary: 'x\ud800y\0', operationId: '🐾'.repeat(200) }), '/\ud800': get() },
      components: { schemas: { ['S'.repeat(500)]: {}, 'N\0': {} } },
    });
    const items = expand(read);
    expect(JSON.stringify(items)).not.toMatch(/\\ud[89a-f]|\\u0000/);
    expect(items.map(({ title }) => title)).toEqual(['Operations', 'xy', 'Models', 'S'.repeat(250)]);
    expect(numberedSlug('🐾'.repeat(100), 10)).toBe(`${'🐾'.repeat(97)}-10`);
  });

  it('are grouped by tag where those of all operations are too many for a place', async () => {
    const paths = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`/r/${index}`, get('repos')]));
    const large = outline({ paths });
    const specifications = {
      find: (_: unknown, slug: string) =>
        Promise.resolve({
          id: slug,
          slug,
          version: '1',
          changedAt: new Date(0),
          outline: () => Promise.resolve(large),
        }),
    };
    const reading = new ComputedReading({} as never, {} as never, specifications as never, {} as never);
    const computed = (props: object): object => ({
      type: 'builtin:openapi',
      props: { models: true, ...props },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'large' } } },
    });
    const items = await reading.expand([
      { ...PAGE, id: 'a'.repeat(20), position: 'a', props: { computed: computed({}) } },
      { ...PAGE, id: 'b'.repeat(20), position: 'b', props: { computed: computed({}) } },
    ]);
    const of = (id: string): Item[] => items.filter((item) => sourceOfDerived(item.id) === id.repeat(20));
    expect([of('a').length, of('b').length]).toEqual([6_024, 1]);
    expect(of('b')[0]).toMatchObject({ slug: 'repos-1', props: { computed: { props: { doc: 'operations' } } } });
  });

  it('are made of thousands of equal names in no time', () => {
    const read = outline({
      paths: Object.fromEntries(
        Array.from({ length: 9_000 }, (_, index) => [`/${index}`, get('a', { 'x-page-slug': 'a' })]),
      ),
      components: {
        schemas: Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`${'?'.repeat(index + 1)}`, {}])),
      },
    });
    const begin = performance.now();
    const items = expand(read);
    expect(performance.now() - begin).toBeLessThan(3_000);
    expect(items).toHaveLength(10_040);
    expect(new Set(items.map(({ parentId, slug }) => `${parentId} ${slug}`)).size).toBe(items.length);
  });

  it('have ids of their own, a place right behind their source, and valid bodies with every operation once', () => {
    const name = fc.constantFrom('pet', 'Pet', 'store', 'info', 'models', 'a b', '', '日本');
    const tag = fc.record(
      {
        name,
        parent: name,
        description: fc.constantFrom('', '# Text', '> a\n\n* b\n\n{% hint %}\n', '<b>x</b> [y](z.md) {{ a }}'),
        'x-page-slug': name,
      },
      { requiredKeys: ['name'] },
    );
    const operations = fc.dictionary(
      fc.constantFrom('/a', '/b', '/c/{d}'),
      fc.dictionary(
        fc.constantFrom('get', 'post', 'put'),
        fc.record({ tags: fc.array(name, { maxLength: 2 }), summary: fc.string() }, { requiredKeys: [] }),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(tag, { maxLength: 5 }),
        operations,
        fc.constantFrom('', 'About'),
        (tags, paths, description) => {
          const read = outline({ info: { title: 'T', description }, tags, paths, components: { schemas: { A: {} } } });
          const items = expand(read);
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
          for (const item of items) {
            expect([item.id, sourceOfDerived(item.id)]).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{40}$/), PAGE.id]);
            const body = computedBody(bodyOrder(item.props['computed'] as ComputedSource, read, item.id));
            expect(validateDocument(body)).toEqual([]);
            expect(computedBody(bodyOrder(item.props['computed'] as ComputedSource, read, item.id))).toEqual(body);
          }
          const after: Item = { ...PAGE, id: 'z', position: 'a00' };
          const top = items.filter(({ parentId }) => parentId === '');
          expect([...top, after, PAGE].sort(compareSiblings)).toEqual([PAGE, ...top, after]);
          const shown = items
            .flatMap((item) => computedBody(bodyOrder(item.props['computed'] as ComputedSource, read, item.id)).nodes)
            .flatMap((node) => (node.type === 'openapi-operation' ? [`${node.data.method} ${node.data.path}`] : []));
          expect(shown.sort()).toEqual(
            Object.entries(paths)
              .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
              .sort(),
          );
        },
      ),
      RUNS,
    );
  });

  it('are in the tree once each, whatever the tags are called', () => {
    const pages = flat(
      apiPages(
        outline({
          paths: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`/${index}`, get(`tag ${index % 7}`)])),
        }),
      ),
    );
    expect(
      pages
        .map(({ content }) => (content.kind === 'operations' ? content.operations.length : 0))
        .reduce((sum, count) => sum + count),
    ).toBe(50);
  });
});

describe('computed pages in a repository', () => {
  const files = (entries: Record<string, string>) =>
    new Map(
      Object.entries(entries).map(([path, text]) => [
        path,
        { size: text.length, read: () => Promise.resolve(Buffer.from(text)) },
      ]),
    );
  const fence = (yaml: string, indent = '') =>
    [
      '* ```yaml',
      ...yaml
        .trim()
        .split('\n')
        .map((line) => `  ${line}`),
      '  ```',
    ]
      .map((line) => indent + line)
      .join('\n');
  const SPEC =
    'type: builtin:openapi\ndependencies:\n  spec:\n    ref:\n      kind: openapi\n      spec: pet-store\nprops:\n  models: true\n  downloadLink: true\n';
  const FOLDER = files({
    'SUMMARY.md': `# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n${fence(`title: Pets\nicon: paw\nhidden: true\n${SPEC}`, '  ')}\n\n## Reference\n\n${fence(SPEC)}\n* [By hand](hand.md)\n`,
    'README.md': '# Home\n',
    'guide.md': '# Guide\n',
    'hand.md':
      '---\ncomputed:\n  type: builtin:openapi\n  props:\n    doc: operations\n    page: pet\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pet-store\n---\n\n# By hand\n',
  });

  it('are fences of YAML in the table of contents, and frontmatter', async () => {
    let last = 0;
    const plan = await planImport(FOLDER, { newId: () => String((last += 1)) });
    expect(plan.problems).toEqual([]);
    expect(
      plan.pages.map(({ type, title, parent, computed }) => [type, title, parent, computed?.source.props]),
    ).toEqual([
      ['document', 'Home', undefined, undefined],
      ['document', 'Guide', undefined, undefined],
      ['computed', 'Pets', '2', { models: true, downloadLink: true }],
      ['group', 'Reference', undefined, undefined],
      ['computed', 'Pet store', '4', { models: true, downloadLink: true }],
      ['document', 'By hand', '4', undefined],
    ]);
    const hand = plan.pages.at(-1);
    expect(hand && (await plan.readPage(hand)).attributes.computed?.props).toEqual({ doc: 'operations', page: 'pet' });
    const { differing, problems } = await roundTrip(FOLDER);
    expect([differing, problems]).toEqual([[], []]);
  });

  it('are reported where nothing can be computed', async () => {
    for (const [yaml, message] of [
      ['type: builtin:translation', 'type must be one of builtin:openapi'],
      ['a: [', 'no YAML'],
      ['7', 'cannot be computed'],
    ] as const) {
      const plan = await planImport(
        files({
          'SUMMARY.md': `# Table of contents\n\n* [Home](README.md)\n${fence(yaml)}\n`,
          'README.md': '# Home\n',
        }),
        { newId: () => 'x' },
      );
      expect([plan.pages.length, plan.problems]).toEqual([
        1,
        [
          expect.objectContaining({
            file: 'SUMMARY.md',
            level: 'warning',
            line: expect.any(Number),
            message: expect.stringContaining(message),
          }),
        ],
      ]);
    }
    const kept = await roundTrip(files({ 'README.md': '---\ncomputed: 7\n---\n\n# Home\n' }));
    expect(kept.differing).toEqual([]);
  });
});
