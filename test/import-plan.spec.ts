import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { planExport } from '../src/authoring/interchange/domain/export.js';
import { readRepositoryConfig } from '../src/authoring/interchange/domain/gitbook-yaml.js';
import { type ImportPlan, planImport } from '../src/authoring/interchange/domain/plan.js';
import { parsedDocument } from '../src/authoring/interchange/domain/plan-pages.js';
import type { SourceFile } from '../src/authoring/interchange/domain/plan-model.js';
import { normalizePath, relativePath } from '../src/authoring/interchange/domain/repository-paths.js';
import { roundTrip } from '../src/authoring/interchange/domain/round-trip.js';
import { readSummary } from '../src/authoring/interchange/domain/summary.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';

const HANDBOOK = resolve('test/fixtures/handbook');

function folder(files: Record<string, string>): Map<string, SourceFile> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, { size: text.length, read: async () => Buffer.from(text) }]),
  );
}

function plan(files: ReadonlyMap<string, SourceFile>): Promise<ImportPlan> {
  let last = 0;
  return planImport(files, { newId: () => `id${(last += 1)}` });
}

/** The tree in short: indentation, type, title, slug. */
function outline({ pages }: ImportPlan): string[] {
  const depth = (parent: string | undefined): number =>
    parent === undefined ? 0 : 1 + depth(pages.find((page) => page.id === parent)?.parent);
  return pages.map(
    (page) =>
      `${'  '.repeat(depth(page.parent))}${page.type} ${page.title} /${page.slug ?? ''}${page.hidden ? ' hidden' : ''}`,
  );
}

async function handbook(): Promise<ImportPlan> {
  return plan((await readFolder(HANDBOOK)).files);
}

it('takes a table of contents in a folder below for no page', async () => {
  const files = {
    'SUMMARY.md': '* [A](a.md)\n',
    'a.md': '# A\n',
    'other/SUMMARY.md': '* [B](b.md)\n',
    'other/b.md': '# B\n',
  };
  expect(outline(await plan(folder(files)))).toEqual(['document A /a', 'document B /b hidden']);
});

describe('the handbook', () => {
  it('has the tree of its table of contents', async () => {
    expect(outline(await handbook())).toEqual([
      'document Welcome to the Teahouse /readme',
      'document Opening hours /opening-hours',
      'group Guides /guides',
      '  document Guides /guides',
      '    document First brew /first-brew',
      '    document Water (and why it matters) /water-quality',
      '    document Drafts /drafts',
      '      document Cold brew /cold-brew',
      'group Reference /reference',
      '  document Words and marks /text',
      '  document Blocks /blocks',
      '  document Tables /tables',
      '  document Kettle API /api',
      '  link The kettle shop /',
      'document Changes /changes',
      'document Not in the table of contents /unlisted hidden',
    ]);
  });

  it('resolves links, covers, files, includes, redirects and variables', async () => {
    const made = await handbook();
    const page = (path: string) => made.pages.find((each) => each.path === path);
    const home = page('README.md');
    const brew = page('guides/first-brew.md');
    if (home === undefined || brew === undefined) throw new Error('pages missing');
    const { json, attributes, files } = await made.readPage(home);
    expect(json).toContain(JSON.stringify({ kind: 'page', page: brew.id }));
    expect(json).toContain(
      JSON.stringify({ kind: 'anchor', page: page('guides/water quality.md')?.id, anchor: 'hard-water' }),
    );
    expect(json).toContain(JSON.stringify({ kind: 'reusable-content', reusableContent: made.reusableContents[0]?.id }));
    const leaf = made.files.find((file) => file.name === 'leaf.svg');
    expect(attributes).toMatchObject({
      description: 'How we brew, written down.',
      icon: 'mug-hot',
      cover: { ref: { kind: 'file', file: leaf?.id }, yPos: 12.5, height: 300 },
      layout: { width: 'wide', cover: true, coverSize: 'full', description: false, pagination: false },
      variables: { kettle: 'K-200', litres: 1.7, induction: true },
      metaLinks: { alternates: [{ kind: 'page', page: page('opening-hours.md')?.id }] },
    });
    expect(parsedDocument(json).data.frontmatter).toEqual({ 'reviewed by': 'Mira' });
    expect(files).toEqual(
      expect.arrayContaining(
        made.files
          .filter((file) => ['menu.pdf', 'dot.png', 'leaf.svg'].includes(file.name) && file.asset)
          .map((file) => file.id),
      ),
    );
    expect(made.variables).toEqual({ phone: '+49 30 123', seats: 24 });
    expect(made.reusableContents.map((content) => content.title)).toEqual(['Safety']);
    expect(made.redirects).toEqual([
      { from: 'old/start', target: { kind: 'page', page: brew.id } },
      { from: 'help', target: { kind: 'anchor', page: page('reference/api.md')?.id, anchor: 'errors' } },
      { from: 'shop', target: { kind: 'url', url: 'https://shop.example.com/' } },
    ]);
    expect(made.pages.find((each) => each.type === 'link')?.target).toEqual({
      kind: 'url',
      url: 'https://shop.example.com/kettles',
    });
  });

  it('reports every problem with file and line', async () => {
    const { problems } = await roundTrip((await readFolder(HANDBOOK)).files);
    expect(problems.map(({ file, line, level }) => `${level} ${file}:${line ?? ''}`)).toEqual([
      'notice team/unlisted.md:',
      'warning reference/text.md:31',
      'notice reference/text.md:25',
      'notice reference/blocks.md:74',
      'notice reference/blocks.md:78',
      'notice reference/blocks.md:82',
      'notice reference/blocks.md:84',
      'notice reference/blocks.md:90',
      'notice reference/api.md:24',
      'notice reference/api.md:25',
    ]);
  });
});

/** Where ROUNDS is given; the scenario and the round trip read them as well. */
const CORPORA = (process.env['ROUNDS'] === undefined ? [] : ['elsa', 'fluentd']).map((name) => ({
  name,
  path: resolve('../shared/corpora', name),
}));

describe('a repository imported, exported and imported again', () => {
  it.each([{ name: 'the handbook', path: HANDBOOK }, ...CORPORA])(
    'is the same, and nothing of $name is missing',
    async ({ name, path }) => {
      if (!existsSync(path)) {
        console.warn(`skipped: ${name} is not there`);
        return;
      }
      const start = performance.now();
      const trip = await roundTrip((await readFolder(path)).files);
      const checks = [...trip.checks];
      const sum = (key: 'facts' | 'words' | 'verbatim' | 'characters'): number =>
        checks.reduce((total, [, check]) => total + check[key], 0);
      const wrong = checks.flatMap(([page, { missing, surplus, missingWords }]) =>
        [...missing, ...surplus, ...missingWords].map(({ what }) => `${page} ${what}`),
      );
      const share = sum('verbatim') / sum('characters');
      console.info(
        `${name}: ${trip.pages} pages, ${trip.differing.length} differing, ${sum('facts')} typed nodes, ${sum('words')} words, ${(share * 100).toFixed(3)} % verbatim, ${Math.round(performance.now() - start)} ms`,
      );
      expect(trip.differing).toEqual([]);
      expect(checks.length).toBeGreaterThan(10);
      // The handbook has constructs on purpose that are not understood.
      expect(wrong).toEqual(name === 'the handbook' ? ['reference/blocks.md hint\tpurple'] : []);
      if (name !== 'the handbook') expect(share).toBeLessThanOrEqual(0.005);
    },
    300_000,
  );
});

describe('trees', () => {
  it('of a folder without a table of contents follow the folders', async () => {
    const made = await plan(
      folder({
        'b.md': '# Bee',
        'README.md': 'no title',
        'a/README.md': '# The A',
        'a/10.md': '# Ten',
        'a/9.md': '# Nine',
        'c/d/e.md': 'x',
        '.hidden/x.md': '# X',
        'img.png': '',
      }),
    );
    expect(outline(made)).toEqual([
      'document README /readme',
      'document The A /a',
      '  document Nine /9',
      '  document Ten /10',
      'document Bee /b',
      'document C /c',
      '  document D /d',
      '    document E /e',
    ]);
  });

  it('of a table of contents take what is there and report the rest', async () => {
    const made = await plan(
      folder({
        'SUMMARY.md':
          '# S\n\n* [A](a.md)\n  * [B](./b.md)\n* [A again](a.md)\n* [Part](a.md#x)\n* [Gone](gone.md)\n* Group\n  * [C](c.md)\n\nstray\n',
        'a.md': '# Another title',
        'b.md': '',
        'c.md': '',
        'README.md': '# Home',
      }),
    );
    expect(outline(made)).toEqual([
      'document README /readme',
      'document A /a',
      '  document B /b',
      'link A again /',
      'link Part /',
      'document Gone /gone',
      'group Group /group',
      '  document C /c',
    ]);
    const [, a] = made.pages;
    expect(made.pages.filter((page) => page.type === 'link').map((page) => page.target)).toEqual([
      { kind: 'page', page: a?.id },
      { kind: 'anchor', page: a?.id, anchor: 'x' },
    ]);
    expect(made.problems.map(({ file, line, level }) => `${level} ${file}:${line ?? ''}`)).toEqual([
      'notice SUMMARY.md:11',
      'notice SUMMARY.md:5',
      'error SUMMARY.md:7',
      'notice SUMMARY.md:',
    ]);
    // The title is that of the table of contents; the page's own heading is not lost.
    expect(parsedDocument((await made.readPage(made.pages[1] ?? (a as never))).json).data.heading).toMatchObject({
      title: 'A',
      nodes: [{ leaves: [{ text: 'Another title' }] }],
    });
  });

  it('siblings with the same name get paths of their own', async () => {
    const made = await plan(folder({ 'SUMMARY.md': '* [A](x/a.md)\n* [B](y/a.md)\n', 'x/a.md': '', 'y/a.md': '' }));
    expect(made.pages.map((page) => page.slug)).toEqual(['a', 'a-1']);
    expect(made.problems).toContainEqual(expect.objectContaining({ file: 'y/a.md', level: 'notice' }));
  });

  it('groups are headings, and a rule ends one', () => {
    expect(
      readSummary('# S\n\n* [a](a.md)\n\n## G\n\n* [b](b.md "B")\n\n***\n\n* [c](c%20d.md)\n').groups.map(
        ({ title, entries }) => [title, entries.map((entry) => [entry.title, entry.target, entry.linkTitle])],
      ),
    ).toEqual([
      [undefined, [['a', 'a.md', undefined]]],
      ['G', [['b', 'b.md', 'B']]],
      [undefined, [['c', 'c%20d.md', undefined]]],
    ]);
  });
});

describe('targets', () => {
  it('are found by path, without extension, as folders, escaped, in other case, redirected', async () => {
    const names = [
      '../b/c.md',
      '../b/c',
      '../b/',
      '/b/c.md',
      '..%2Fb/c.md',
      '../B/C.MD',
      '../old',
      '#x',
      '../b/c.md#x%20y',
      '../i%20j.png',
      '.gitbook/assets/z.png',
      '../../out.md',
      'https://e.f',
      'mailto:a@b.c',
      '//e.f/g',
      'gone.md',
      '../b/c.md?q=1',
    ];
    const made = await plan(
      folder({
        '.gitbook.yaml': 'redirects:\n  old: b/c.md\n',
        'a/p.md': names.map((name) => `[x](<${name}>)`).join('\n\n'),
        'b/c.md': '',
        'b/README.md': '',
        'i j.png': '',
        '.gitbook/assets/z.png': '',
      }),
    );
    const id = (path: string): string | undefined =>
      [...made.pages, ...made.files].find((each) => each.path === path)?.id;
    const page = made.pages.find((each) => each.path === 'a/p.md');
    if (page === undefined) throw new Error('page missing');
    const { json, problems } = await made.readPage(page);
    const document = parsedDocument(json);
    const refs = document.nodes.map((node) => (node.nodes?.[0] as { data: { ref: unknown } }).data.ref);
    const c = { kind: 'page', page: id('b/c.md') };
    const url = (value: string): unknown => ({ kind: 'url', url: value });
    expect(refs).toEqual([
      c,
      c,
      { kind: 'page', page: id('b/README.md') },
      c,
      c,
      c,
      c,
      { kind: 'anchor', anchor: 'x' },
      { kind: 'anchor', page: id('b/c.md'), anchor: 'x y' },
      { kind: 'file', file: id('i j.png') },
      { kind: 'file', file: id('.gitbook/assets/z.png') },
      url('../../out.md'),
      url('https://e.f'),
      url('mailto:a@b.c'),
      url('//e.f/g'),
      url('gone.md'),
      c,
    ]);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [23, '../../out.md leads nowhere'],
      [31, 'gone.md leads nowhere'],
    ]);
  });

  it.each([
    ['a/../b', 'b'],
    ['./a//b/', 'a/b'],
    ['..', undefined],
    ['a/../../b', undefined],
    ['', ''],
  ])('the path %s is %s', (path, normal) => {
    expect(normalizePath(path)).toBe(normal);
  });

  it.each([
    ['', 'a.md', 'a.md'],
    ['a', 'a/b.md', 'b.md'],
    ['a/b', 'c.md', '../../c.md'],
    ['a/b', 'a/c/d.md', '../c/d.md'],
  ])('from %s to %s is %s', (from, to, way) => {
    expect(relativePath(from, to)).toBe(way);
  });
});

describe('.gitbook.yaml', () => {
  it.each([
    [undefined, { root: '', readme: 'README.md', summary: 'SUMMARY.md', problems: 0 }],
    [
      'root: ./docs/\nstructure:\n  readme: ./x.md\n',
      { root: 'docs', readme: 'x.md', summary: 'SUMMARY.md', problems: 0 },
    ],
    ['root: ../up\n', { root: '', readme: 'README.md', summary: 'SUMMARY.md', problems: 1 }],
    ['root: [', { root: '', readme: 'README.md', summary: 'SUMMARY.md', problems: 1 }],
    ['- a', { root: '', readme: 'README.md', summary: 'SUMMARY.md', problems: 1 }],
    ['redirects:\n  a: 1\n', { root: '', readme: 'README.md', summary: 'SUMMARY.md', problems: 1 }],
  ])('%j', (source, expected) => {
    const { root, readme, summary, problems } = readRepositoryConfig(source);
    expect({ root, readme, summary, problems: problems.length }).toEqual(expected);
  });
});

describe('export', () => {
  it('never writes two things to one path, whatever they are called', () => {
    const page = (id: string, slug: string, parent?: string) => ({
      id,
      parent,
      type: 'document' as const,
      title: 'T',
      slug,
    });
    const made = planExport({
      pages: [
        page('p1', 'readme'),
        page('p2', 'a'),
        page('p3', 'A'),
        page('p4', 'readme', 'p2'),
        page('p5', '..', 'p2'),
        page('p6', 'SUMMARY'),
      ],
      files: [
        { id: 'f1', name: 'x.png' },
        { id: 'f2', name: 'X.png' },
        { id: 'f3', name: '../../etc/passwd' },
        { id: 'f4', name: '.gitbook.yaml' },
      ],
      reusableContents: [
        { id: 'r1', title: 'Same' },
        { id: 'r2', title: 'same' },
      ],
    });
    const paths = [...made.paths.values(), ...made.texts.keys()].map((path) => path.toLowerCase());
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(normalizePath(path)).toBe(path);
  });
});

describe('readFolder', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'folder-'));
    await mkdir(join(root, 'docs/.git'), { recursive: true });
    await writeFile(join(root, 'secret.txt'), 'secret');
    await writeFile(join(root, 'docs/a.md'), '# A');
    await writeFile(join(root, 'docs/.git/config'), 'x');
    await symlink('../secret.txt', join(root, 'docs/link.md'));
    await symlink('..', join(root, 'docs/up'));
    await link(join(root, 'secret.txt'), join(root, 'docs/hard.md'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('lists plain files only and reports what it refuses', async () => {
    const { files, problems } = await readFolder(join(root, 'docs'));
    expect([...files.keys()]).toEqual(['a.md']);
    expect((await files.get('a.md')?.read())?.toString()).toBe('# A');
    expect(problems.map(({ file, level }) => `${level} ${file}`)).toEqual([
      'error hard.md',
      'error link.md',
      'error up',
    ]);
  });

  it('3b-28 does not read a file that was exchanged for a link since', async () => {
    const { files } = await readFolder(join(root, 'docs'));
    await rm(join(root, 'docs/a.md'));
    await symlink('../secret.txt', join(root, 'docs/a.md'));
    await expect(files.get('a.md')?.read()).rejects.toThrow();
  });

  it('keeps its limits', async () => {
    const { files, problems } = await readFolder(HANDBOOK, { maxFiles: 2, maxFileSize: 100 });
    expect(files.size).toBe(2);
    expect(problems.length).toBeGreaterThan(5);
  });
});
