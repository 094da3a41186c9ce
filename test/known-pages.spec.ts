import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { PooledReads } from '../src/authoring/interchange/pooled-reads.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { GitPair } from './git-pair.js';
import { GitServer, type Entry } from './git-server.js';

/* A push is read as far as it changes something: the space says the same as if the whole repository were read anew. */

const app = useApp();
let server: GitServer;
let organization: Workspace;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FILES: Readonly<Record<string, Entry>> = {
  'README.md': '# Home\n\nSee [the guide](guide.md) and [more](more/one.md).\n',
  'guide.md':
    '---\nslug: the-guide\ndescription: How to\n---\n\n# Guide\n\n![A pixel](pixel.png)\n\nSee [two](more/two.md).\n',
  'more/one.md': '# One\n\nText of one.\n\n{% include "../.gitbook/includes/shared.md" %}\n',
  '.gitbook/includes/shared.md': '# Shared\n\nShared words.\n',
  'pixel.png': PIXEL,
};

beforeAll(async () => {
  server = await GitServer.start();
  app.current.get(GitTransport).httpsOnly = false;
  organization = await buildOrganization(app.current);
});
afterAll(() => server.stop());

const world = () => ({ app: app.current, organization, server });

interface Content {
  pages: { id: string; title: string; slug: string; description?: string; pages: Content['pages'] }[];
  files: { name: string }[];
}

/** The addresses of files, and the ids of reusable contents. */
const ADDRESSES = /http:\S+(?=\))|(?<=reusable-contents\/)\w+/g;

/** All that a space says, without its ids. */
async function said({ space }: GitPair): Promise<object> {
  const { api } = organization.admin;
  const { pages, files } = (await api.get<Content>(`/spaces/${space}/content`)).body;
  const { items } = (await api.get<{ items: { status: string }[] }>(`/spaces/${space}/links`)).body;
  const text = async (page: Content['pages'][0]): Promise<object> => ({
    title: page.title,
    slug: page.slug,
    description: page.description,
    markdown: (
      await api.get<{ markdown: string }>(`/spaces/${space}/content/page/${page.id}?format=markdown`)
    ).body.markdown.replaceAll(ADDRESSES, ''),
    pages: await Promise.all((page.pages ?? []).map(text)),
  });
  return {
    pages: await Promise.all(pages.map(text)),
    files: files.map(({ name }) => name),
    links: items.map(({ status }) => status).sort(),
  };
}

/** Pushes files, and returns the paths of those that were read as pages. */
async function push(pair: GitPair, files: Readonly<Record<string, Entry>>): Promise<string[]> {
  const reads = jest.spyOn(PooledReads.prototype, 'document');
  await pair.push(files);
  await pair.sync();
  // A group has no source.
  const paths = reads.mock.calls.map(([{ path }]) => path).filter((path) => path !== '');
  reads.mockRestore();
  return paths.sort();
}

async function begun(): Promise<GitPair> {
  const pair = await GitPair.make(world(), 'git', FILES);
  await pair.begin('git');
  return pair;
}

/** A space that reads the repository of another one for the first time says the same. */
async function expectSameAsNew(pair: GitPair): Promise<void> {
  const other = await GitPair.make(world(), 'git', await entries(pair));
  await other.begin('git');
  expect(await said(pair)).toEqual(await said(other));
}

async function entries(pair: GitPair): Promise<Record<string, Entry>> {
  const files = await pair.files();
  return { ...files, ...('pixel.png' in files && { 'pixel.png': PIXEL }) };
}

const INCLUDED = '.gitbook/includes/shared.md';

it('reads only the page that a push changes', async () => {
  const pair = await begun();
  expect(
    await push(pair, { 'more/one.md': '# One\n\nOther text.\n\nSee [the guide](../guide.md).\n', 'pixel.png': PIXEL }),
  ).toEqual([INCLUDED, 'more/one.md']);
  await expectSameAsNew(pair);
  expect(await push(pair, { 'README.md': '# Home\n\nNothing.\n', 'pixel.png': PIXEL })).toEqual([
    INCLUDED,
    'README.md',
  ]);
  await expectSameAsNew(pair);
});

it.each([
  ['a title, which other pages show', { 'more/one.md': '# Number one\n\nText.\n' }],
  ['a page that is new', { 'more/two.md': '# Two\n\nHere now.\n' }],
  ['a file that pages show', { 'pixel.png': Buffer.concat([PIXEL, Buffer.from([0])]) }],
  ['a text that pages include', { [INCLUDED]: '# Shared\n\nOther words.\n' }],
  ['a table of contents', { 'SUMMARY.md': '* [Start](README.md)\n* [The guide](guide.md)\n' }],
])('reads all pages after a change of %s', async (_, files: Readonly<Record<string, Entry>>) => {
  const pair = await begun();
  const read = await push(pair, { 'pixel.png': PIXEL, ...files });
  expect(read).toEqual(expect.arrayContaining(['README.md', 'guide.md', 'more/one.md']));
  if (!('pixel.png' in files)) await expectSameAsNew(pair);
});

it('reads all pages where the space has changed as well, and after a commit of the space', async () => {
  const pair = await begun();
  await pair.write('the-guide', (markdown) => `${markdown}\nFrom the space.\n`);
  const read = await push(pair, { 'more/one.md': '# One\n\nFrom git.\n', 'pixel.png': PIXEL });
  expect(read).toContain('README.md');
  expect((await pair.files())['guide.md']).toContain('From the space.');
  expect(await push(pair, { 'more/one.md': '# One\n\nFrom git again.\n', 'pixel.png': PIXEL })).toContain('guide.md');
  expect((await pair.page('the-guide')).markdown).toContain('From the space.');
  expect(await push(pair, { 'more/one.md': '# One\n\nOnce more.\n', 'pixel.png': PIXEL })).not.toContain('guide.md');
});
