import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { type Ending, Stage } from './faults/processes.js';
import { buildSpace, publish, type Site, type Space } from './published-site.js';

type Row = Readonly<Record<string, unknown>>;

const app = useApp();
let stage: Stage;
let workspace: Workspace;
let space: Space;
let whole: Space;
let site: Site;
/** Pages of the space: one with a broken link and one with a missing anchor, and one that is whole. */
let pages: string[];

const environment = (): Record<string, string> => ({
  DATABASE_URL: app.current.databaseUrl,
  DATA_DIR: app.current.config.dataDir,
  SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
  PUBLIC_URL: 'https://docs.example.com',
  API_URL: 'https://api.example.com',
  LOG_LEVEL: 'error',
});
const run = (...words: string[]): Promise<Ending> => stage.finish(words, { env: environment() });

async function rowsOf(name: string, ...words: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toHaveLength(2);
  return (JSON.parse(stdout) as Record<string, Row[]>)[name] ?? [];
}

const linkTo = (target: object): object => ({
  object: 'document',
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      key: 'block1',
      isVoid: false,
      data: {},
      nodes: [
        {
          object: 'inline',
          type: 'link',
          isVoid: false,
          data: { ref: target },
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] }],
        },
      ],
    },
  ],
});

beforeAll(async () => {
  stage = await Stage.open();
  workspace = await buildOrganization(app.current);
  space = await buildSpace(workspace, 'Pottery', 'de');
  whole = await buildSpace(workspace, 'Glazes');
  await whole.write({ operation: 'insert_page', title: 'Glaze', document: { markdown: 'No links.' } });
  const [clay = ''] = await space.write({
    operation: 'insert_page',
    title: 'Clay',
    document: { markdown: 'Clay is dug.' },
  });
  pages = [
    clay,
    ...(await space.write(
      {
        operation: 'insert_page',
        title: 'Gone',
        document: { document: linkTo({ kind: 'page', page: 'AAAAAAAAnobodyhasit0' }) },
      },
      {
        operation: 'insert_page',
        title: 'Anchor',
        document: { document: linkTo({ kind: 'anchor', page: clay, anchor: 'kiln' }) },
      },
    )),
  ];
  site = await publish(workspace, [space, whole], 'public', 'Workshop');
}, 120_000);
afterAll(() => stage.close());

describe('lists of the command line', () => {
  it('have all organizations, spaces, users and sites, with what is known of each', async () => {
    await buildOrganization(app.current);
    const [organizations, spaces, users, sites] = await Promise.all([
      rowsOf('organizations', 'org', 'list'),
      rowsOf('spaces', 'space', 'list', '--org', workspace.id),
      rowsOf('users', 'user', 'list'),
      rowsOf('sites', 'site', 'list'),
    ]);
    expect(organizations.find(({ id }) => id === workspace.id)).toEqual({
      id: workspace.id,
      title: 'Test organization',
      members: 1,
      admins: 1,
      spaces: 2,
      sites: 1,
      hostname: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(
      spaces.map(({ title, organization, language, pages: count, sites: shown, level, deletedAt }) => [
        title,
        organization,
        language,
        count,
        shown,
        level,
        deletedAt,
      ]),
    ).toEqual([
      ['Pottery', workspace.id, 'de', 3, 1, 'inherited', null],
      ['Glazes', workspace.id, null, 1, 1, 'inherited', null],
    ]);
    expect(users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: workspace.admin.id,
          email: workspace.admin.email,
          verified: true,
          disabled: false,
          organizations: 1,
        }),
      ]),
    );
    expect(sites).toEqual([
      expect.objectContaining({
        id: site.id,
        title: 'Workshop',
        organization: workspace.id,
        published: true,
        visibility: 'public',
        spaces: 2,
        address: 'https://docs.example.com/workshop',
      }),
    ]);
  });

  it('are read a part at a time, in the order of ids, and end with their reader', async () => {
    await app.current.database.execute(
      `INSERT INTO account (id, display_name, email, created_at)
       SELECT 'Z' || lpad(n::text, 19, '0'), 'Many', 'many' || n || '@example.com', now() FROM generate_series(1, 2500) AS n`,
    );
    const [users, text] = await Promise.all([rowsOf('users', 'user', 'list'), run('user', 'list')]);
    const ids = users.map(({ id }) => String(id));
    expect(ids.length).toBeGreaterThan(2500);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    const lines = text.stdout.trimEnd().split('\n');
    expect([lines.length, lines.filter((line) => line.startsWith('ID '))]).toEqual([
      ids.length + 1,
      [expect.stringMatching(/^ID +EMAIL +NAME/)],
    ]);
    const child = spawn(process.execPath, [stage.cli, 'user', 'list', '--json'], {
      env: { PATH: process.env['PATH'] ?? '', ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let fault = '';
    child.stderr.on('data', (chunk: Buffer) => (fault += chunk.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([...((await once(child, 'close')) as unknown[]), fault]).toEqual([0, null, '']);
  });

  it('say which organization is not there', async () => {
    const { code, stderr, stdout } = await run('site', 'list', '--org', 'nobody', '--json');
    expect([code, stderr, stdout]).toEqual([1, '{"error":{"message":"An organization nobody was not found"}}\n', '']);
  });
});

describe('publishing by the command line', () => {
  const isPublished = async (): Promise<boolean> =>
    (await workspace.admin.api.get<{ published: boolean }>(`/orgs/${workspace.id}/sites/${site.id}`)).body.published;

  it('takes a site off and publishes it again, and the audit log tells', async () => {
    const off = await run('unpublish', site.id, '--json');
    expect([off.code, JSON.parse(off.stdout), await isPublished()]).toEqual([
      0,
      { id: site.id, title: 'Workshop', published: false, address: 'https://docs.example.com/workshop' },
      false,
    ]);
    const on = await run('publish', site.id);
    expect([on.code, on.stdout, await isPublished()]).toEqual([
      0,
      'The site Workshop is published at https://docs.example.com/workshop\n',
      true,
    ]);
    const { body } = await workspace.admin.api.get<{
      items: { action: string; source: string; actor: { type: string } }[];
    }>(`/orgs/${workspace.id}/audit-events`, { query: { limit: 2 } });
    expect(body.items.map(({ action, source, actor }) => [action, source, actor.type])).toEqual([
      ['site_published', 'script', 'system'],
      ['site_unpublished', 'script', 'system'],
    ]);
  });
});

describe('links by the command line', () => {
  it('are listed where they are broken, with page and place, and end with 1', async () => {
    const [ofSpace, ofSite, ofOrganization, none] = await Promise.all([
      run('links', space.id, '--json'),
      run('links', '--site', site.id, '--json'),
      run('links', '--org', workspace.id),
      run('links', whole.id),
    ]);
    const [, gone = '', anchor = ''] = pages;
    const found = (JSON.parse(ofSpace.stdout) as { links: Row[] }).links;
    expect(ofSpace.code).toBe(1);
    expect([...found].sort((one, other) => String(one['title']).localeCompare(String(other['title'])))).toEqual([
      {
        space: space.id,
        kind: 'page',
        id: anchor,
        title: 'Anchor',
        path: 'anchor',
        node: 'block1',
        target: 'clay#kiln',
      },
      { space: space.id, kind: 'page', id: gone, title: 'Gone', path: 'gone', node: 'block1', target: null },
    ]);
    expect([ofSite.code, ofSite.stdout, ofOrganization.code]).toEqual([1, ofSpace.stdout, 1]);
    expect([none.code, none.stdout]).toEqual([0, 'No link is broken.\n']);
    expect(ofOrganization.stdout).toMatch(/^SPACE +KIND .*\n.* page +\w+ +(Gone|Anchor) /);
  });

  it('are those of one thing that is there', async () => {
    const endings = await Promise.all([
      run('links'),
      run('links', space.id, '--org', workspace.id),
      run('links', '--org', workspace.id, '--site', site.id),
      run('links', 'nobody'),
    ]);
    expect(endings.map(({ code }) => code)).toEqual([2, 2, 2, 1]);
    expect(endings[3]?.stderr).toBe('bindery: A space nobody was not found\n');
  });
});
