import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Users } from '../../src/identity/users/users.service.js';
import { newId } from '../../src/kernel/common/ids.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { FileStorage } from '../../src/kernel/platform/storage/file-storage.js';
import { ARCHIVED, MEMBER_COLUMN } from '../../src/operations/organization-archives/archived-tables.js';
import { FolderSink, toFile } from '../../src/operations/organization-archives/archive-sink.js';
import { openArchive } from '../../src/operations/organization-archives/archive-source.js';
import type { OrganizationImportReport } from '../../src/operations/organization-archives/import-organization.js';
import { OrganizationArchives } from '../../src/operations/organization-archives/organization-archives.service.js';
import { withTexts } from '../../src/operations/organization-archives/row-values.js';
import { padding, tarHeader } from '../../src/operations/organization-archives/tar-header.js';
import { useApp } from '../app.js';
import { buildOrganization, buildPerson, type Workspace } from '../build.js';
import { rowsIn } from '../organization-rows.js';
import { buildSpace } from '../published-site.js';
import { address, reasonIn, tokenIn } from './login-pages.js';
import { IdentityProvider } from './saml/identity-provider.js';
import { Logins, type Provider } from './saml/logins.js';

/*
 * Archives come from anybody: nothing in one reaches another organization or somebody's account, and what is wrong with
 * one is told with its place.
 */

const app = useApp();
const idp = new IdentityProvider();
const logins = new Logins(idp);
let folder: string;
let whole: string;
let workspace: Workspace;
let theirs: { readonly id: string; readonly space: string };
let copies = 0;

type Row = Record<string, unknown>;

beforeAll(async () => {
  await idp.start();
  folder = await mkdtemp(join(tmpdir(), 'bindery-hostile-'));
  workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Space');
  await space.write(
    { operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } },
    { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }] },
  );
  const other = await buildOrganization(app.current);
  theirs = { id: other.id, space: (await buildSpace(other, 'Theirs')).id };
  whole = join(folder, 'whole');
  await app.current.get(OrganizationArchives).export(workspace.id, await FolderSink.open(whole));
});

afterAll(async () => {
  await idp.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the archive, and the paths of its rows by table. */
async function copied(): Promise<{ readonly path: string; readonly parts: Readonly<Record<string, string>> }> {
  const path = join(folder, `copy-${++copies}`);
  await cp(whole, path, { recursive: true });
  const tables = await readdir(join(path, 'rows'));
  return { path, parts: Object.fromEntries(tables.map((name) => [name.slice(4), `rows/${name}/000001.jsonl`])) };
}

interface End {
  rows: Record<string, number>;
  files: { count: number; bytes: number };
  missing: string[];
}

async function editEnd(path: string, edit: (end: End) => void): Promise<void> {
  const file = join(path, 'end.json');
  const end = JSON.parse(await readFile(file, 'utf8')) as End;
  edit(end);
  await writeFile(file, JSON.stringify(end));
}

/** Changes each row of a table of an archive. */
async function editRow(path: string, table: string, change: (row: Row) => Row): Promise<void> {
  const [part = ''] = (await readdir(join(path, 'rows'))).filter((name) => name.endsWith(`-${table}`));
  const file = join(path, 'rows', part, '000001.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(file, lines.map((line) => JSON.stringify(change(JSON.parse(line) as Row))).join('\n'));
}

/** Imports as somebody who may be anybody. */
const importAs = async (path: string, userId: string): Promise<OrganizationImportReport> =>
  app.current.get(OrganizationArchives).import(await openArchive(path), { ids: 'new', isTrusted: false, userId });

/** The message of an import of the archive after these changes of the first row of a table. */
async function faultAfter(table: string, change: (row: Row) => Row | string): Promise<string> {
  const { path, parts } = await copied();
  const file = join(path, parts[table] ?? '');
  const [first = '', ...others] = (await readFile(file, 'utf8')).split('\n');
  const changed = change(JSON.parse(first) as Row);
  const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
  await writeFile(file, [text, ...others].join('\n'));
  await editEnd(path, (end) => {
    end.rows[table] = (end.rows[table] ?? 0) + text.split('\n').length - 1;
  });
  return faultOf(path);
}

const count = async (): Promise<unknown> =>
  app.current.database.one('SELECT (SELECT count(*) FROM organization) + (SELECT count(*) FROM account) AS count');

async function faultOf(path: string): Promise<string> {
  const before = await count();
  const { error } = await importAs(path, workspace.admin.id).then(
    () => ({ error: new Error('imported') }),
    (error: Error & { status?: number }) => ({ error }),
  );
  expect(await count()).toEqual(before);
  return (error as { status?: number }).status === 400 ? error.message : `${String(error)} is no fault of the archive`;
}

const linkTo = (url: string): object => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url } }, nodes: [] }],
    },
  ],
});

describe('an archive', () => {
  it.each<[string, string, (row: Row) => Row | string, RegExp]>([
    [
      'a row of another organization',
      'member',
      (row) => ({ ...row, organization_id: theirs.id }),
      /rows\/\d+-member\/000001\.jsonl line 1: organization_id names no organization of the archive/,
    ],
    [
      'a row of a space of others',
      'content_item',
      (row) => ({ ...row, space_id: theirs.space }),
      /content_item.*line 1: space_id names no space/,
    ],
    [
      'an unknown person',
      'space',
      (row) => ({ ...row, created_by: newId() }),
      /space.*line 1: created_by names no account/,
    ],
    ['an unknown column', 'space', (row) => ({ ...row, owner: 'me' }), /space.*line 1: has the column owner/],
    ['an id that is none', 'space', (row) => ({ ...row, id: '../../etc' }), /space.*line 1: id is no id/],
    [
      'a value of another type',
      'space',
      (row) => ({ ...row, sequence: 'many' }),
      /space.*line 1: invalid input syntax for type bigint/,
    ],
    [
      'no value where one is needed',
      'space',
      (row) => ({ ...row, title: null }),
      /space.*line 1: null value in column "title"/,
    ],
    [
      'a list in the place of a text',
      'space',
      (row) => ({ ...row, title: ['a'] }),
      /space.*line 1: title must be a text/,
    ],
    [
      'a title without an end',
      'space',
      (row) => ({ ...row, title: 'x'.repeat(3000) }),
      /title must have at most 2048 characters/,
    ],
    ['half of a pair of code units', 'space', (row) => ({ ...row, title: '\u0000' }), /space.*line 1: /],
    ['a row that is no JSON', 'space', () => '{"id":', /space.*line 1: is no JSON object/],
    [
      'endless values',
      'space',
      (row) => JSON.stringify(row).replace(/^\{/, `{"merge_rules":[${'1,'.repeat(1_100_000)}1],`),
      /space.*line 1: has more than 1000000 values/,
    ],
    [
      'endless nesting',
      'space',
      (row) =>
        JSON.stringify(row)
          .replace(/^\{/, `{"merge_rules":${'['.repeat(20_000)}${']'.repeat(20_000)},`)
          .replace(/,"merge_rules":\{[^}]*\}/, ''),
      /space.*line 1: has more than 400 levels/,
    ],
    [
      'a document that is none',
      'document',
      (row) => ({ ...row, body: { object: 'document', nodes: [{ object: 'block', type: 'script' }] } }),
      /document.*line 1: body\./,
    ],
    [
      'an address in a document that browsers execute',
      'document',
      (row) => ({ ...row, body: linkTo('javascript:alert(1)') }),
      /document.*line 1: body\.nodes\.0\.nodes\.0\.data\.ref\.url must not/,
    ],
    [
      'the same document twice',
      'document',
      (row) => [row, { ...row, hash: `\\x${'00'.repeat(32)}` }].map((each) => JSON.stringify(each)).join('\n'),
      /^rows of document: duplicate key/,
    ],
    [
      'a file of others',
      'content_item',
      (row) => ({ ...row, kind: 'file', props: { contentType: 'text/plain', size: 1 }, hash: `\\x${'ab'.repeat(32)}` }),
      /content_item.*line 1: hash names a file that the archive does not have/,
    ],
    ['no attributes', 'content_item', (row) => ({ ...row, props: null }), /content_item.*line 1: props /],
    [
      'rules that are none',
      'organization',
      (row) => ({ ...row, merge_rules: { type: 'ask' } }),
      /organization.*line 1: merge_rules\.type must be one of/,
    ],
    [
      'a time that is none',
      'account',
      (row) => ({ ...row, created_at: '5' }),
      /account.*line 1: created_at is no time/,
    ],
    ['a time without an end', 'space', (row) => ({ ...row, created_at: 'infinity' }), /space.*: created_at is no time/],
    [
      'a time after all that answers can show',
      'revision',
      (row) => ({ ...row, created_at: '280000-01-01T00:00:00Z' }),
      /revision.*: created_at is no time/,
    ],
    [
      'a name that nothing stores',
      'account',
      (row) => ({ ...row, display_name: '\ud800' }),
      /account.*line 1: must be well-formed/,
    ],
    [
      'an address that browsers execute',
      'account',
      (row) => ({ ...row, photo_url: 'javascript:alert(1)' }),
      /account.*line 1: photo_url must not be/,
    ],
    [
      'a person without an address',
      'account',
      (row) => ({ ...row, email: 'nobody' }),
      /account.*line 1: email is no e-mail address/,
    ],
  ])('with %s is refused, and nothing of it stays', async (_, table, change, fault) => {
    expect(await faultAfter(table, change)).toMatch(fault);
  });

  it('with a row beyond the limits is refused before it is looked at, and one at the limits is not', async () => {
    /** The fault of the first space with this text as the JSON of its id. */
    const faultWith = (id: string): Promise<string> =>
      faultAfter('space', (row) => JSON.stringify({ ...row, id: '-' }).replace('"id":"-"', `"id":${id}`));
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const values = (number: number): string => `[${Array.from({ length: number }, () => '1').join(',')}]`;
    const [most, long] = [1_000_000, 10 * 1024 ** 2];
    expect(await faultWith(values(most))).toMatch(/space\/000001\.jsonl line 1: has more than 1000000 values$/);
    expect(await faultWith(values(most - 100))).toMatch(/id must be a text$/);
    expect(await faultWith(nested(400))).toMatch(/space\/000001\.jsonl line 1: has more than 400 levels$/);
    expect(await faultWith(nested(399))).toMatch(/id must be a text$/);
    expect(await faultWith(`"${'a'.repeat(long)}"`)).toMatch(/line 1: has more than 10485760 characters$/);
    expect(await faultAfter('space', (row) => ({ ...row, id: 'a'.repeat(long - 3000) }))).toMatch(/id is no id$/);
  }, 60_000);

  it('with entries that are too large, or more people than anybody may bring, is refused', async () => {
    const large = await copied();
    await writeFile(join(large.path, large.parts['space'] ?? ''), Buffer.alloc(11 * 1024 ** 2 + 1, ' '));
    expect(await faultOf(large.path)).toMatch(
      /space\/000001\.jsonl: has 11534337 bytes, and at most 11534336 are read$/,
    );
    const wordy = await copied();
    const file = join(wordy.path, 'organization.json');
    await writeFile(file, (await readFile(file, 'utf8')).padEnd(16 * 1024 ** 2 + 1));
    expect(await faultOf(wordy.path)).toMatch(
      /^organization\.json: has 16777217 bytes, and at most 16777216 are read$/,
    );
    const people = await copied();
    const accounts = join(people.path, people.parts['account'] ?? '');
    const [first = ''] = (await readFile(accounts, 'utf8')).split('\n');
    const person = JSON.parse(first) as Row;
    for (let part = 0; part < 4; part++) {
      const rows = Array.from({ length: 25_001 }, (_, index) =>
        JSON.stringify({ ...person, id: newId(), email: `p${part}-${index}@example.com` }),
      );
      await writeFile(accounts.replace('000001', `00000${part + 1}`), `${rows.join('\n')}\n`);
    }
    expect(await faultOf(people.path)).toMatch(
      /account\/000004\.jsonl line 24998: is one person too many: only an operator imports more than 100000$/,
    );
  }, 60_000);

  it('that is not whole, not known or not plain is refused', async () => {
    const describedBy = async (change: (description: Row) => Row): Promise<string> => {
      const { path } = await copied();
      const file = join(path, 'organization.json');
      await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Row)));
      return faultOf(path);
    };
    expect(await describedBy((row) => ({ ...row, version: 2 }))).toMatch(/is of version 2, and this release reads 1/);
    expect(await describedBy((row) => ({ ...row, format: 'zip' }))).toMatch(/^organization\.json: format/);
    expect(
      await describedBy((row) => ({
        ...row,
        tables: [...(row['tables'] as Row[]), { name: 'api_token', columns: ['id'] }],
      })),
    ).toMatch(/names the table api_token/);
    const withoutEnd = await copied();
    await rm(join(withoutEnd.path, 'end.json'));
    expect(await faultOf(withoutEnd.path)).toBe('the archive: is not whole: end.json is missing');
    const withoutRows = await copied();
    await rm(join(withoutRows.path, withoutRows.parts['revision'] ?? ''));
    expect(await faultOf(withoutRows.path)).toMatch(/^end\.json: tells of 2 rows of revision, and there are 0/);
    const linked = await copied();
    await symlink('/etc/passwd', join(linked.path, 'files', 'passwd'));
    expect(await faultOf(linked.path)).toBe('files/passwd: is no plain file');
    const stray = await copied();
    await writeFile(join(stray.path, 'files', 'readme.txt'), 'Hello');
    expect(await faultOf(stray.path)).toMatch(/^files\/readme\.txt: is no part of an archive/);
    const forged = await copied();
    const [file = ''] = await readdir(join(forged.path, 'files'));
    await writeFile(join(forged.path, 'files', file), 'b');
    expect(await faultOf(forged.path)).toBe(`files/${file}: has other bytes than its name says`);
  });

  it('with a circle of collections, groups of sections or pages is refused, which no read of it would end', async () => {
    const source = await buildOrganization(app.current);
    const { api } = source.admin;
    const home = `/orgs/${source.id}`;
    const make = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).body.id;
    const space = await buildSpace(source, 'Space');
    await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } });
    const above = await make(`${home}/collections`, { title: 'Above' });
    await make(`${home}/collections`, { title: 'Below', parent: above });
    const site = await make(`${home}/sites`, { title: 'Site' });
    await make(`${home}/sites/${site}/section-groups`, { title: 'Group' });
    const plain = join(folder, 'trees');
    await app.current.get(OrganizationArchives).export(source.id, await FolderSink.open(plain));
    for (const [table, fault, isChosen] of [
      ['collection', /^the archive: has collections that cannot be reached/, () => true],
      ['site_section_group', /^the archive: has groups of sections that cannot be reached/, () => true],
      ['content_item', /^the archive: has pages that cannot be reached/, (row: Row) => row['kind'] === 'page'],
    ] as const) {
      const path = join(folder, `circle-of-${table}`);
      await cp(plain, path, { recursive: true });
      const [part = ''] = (await readdir(join(path, 'rows'))).filter((name) => name.slice(4) === table);
      const file = join(path, 'rows', part, '000001.jsonl');
      const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      const circle = rows.map((line) => {
        const row = JSON.parse(line) as Row;
        return JSON.stringify(isChosen(row) ? { ...row, parent_id: row['id'] } : row);
      });
      await writeFile(file, circle.join('\n'));
      expect(await faultOf(path)).toMatch(fault);
    }
  });

  it('gives files the sizes that they have, and brings no long texts into memory or notes', async () => {
    const { path, parts } = await copied();
    const change = async (table: string, edit: (row: Row) => Row): Promise<void> => {
      const file = join(path, parts[table] ?? '');
      const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      await writeFile(file, rows.map((line) => JSON.stringify(edit(JSON.parse(line) as Row))).join('\n'));
    };
    await change('content_item', (row) =>
      row['kind'] === 'file' ? { ...row, props: { ...(row['props'] as object), size: 500 } } : row,
    );
    await change('account', (row) => ({
      ...row,
      email: address(),
      photo_url: `https://example.com/${'x'.repeat(5000)}`,
    }));
    await change('organization', (row) => ({ ...row, hostname: 'docs' }));
    const { organizationId, notes } = await importAs(path, workspace.admin.id);
    expect(notes).toContain('The organization has no subdomain: choose one again.');
    const { database } = app.current;
    expect(
      await database.query(
        `SELECT i.props ->> 'size' AS size FROM content_item i JOIN space s ON s.id = i.space_id WHERE s.organization_id = $1 AND i.kind = 'file'`,
        [organizationId],
      ),
    ).toEqual([{ size: '1' }]);
    expect(
      await database.query(
        'SELECT a.photo_url FROM member m JOIN account a ON a.id = m.user_id WHERE m.organization_id = $1 AND a.photo_url IS NOT NULL',
        [organizationId],
      ),
    ).toEqual([]);
  });

  it('is read by nobody else on the machine', async () => {
    const file = join(folder, 'private.tar.gz');
    await toFile(file, (sink) => app.current.get(OrganizationArchives).export(workspace.id, sink));
    for (const [path, mode] of [
      [file, 0o600],
      [join(whole, 'end.json'), 0o600],
      [join(whole, 'rows'), 0o700],
    ] as const)
      expect((await stat(path)).mode & 0o777).toBe(mode);
  });

  it('with two translations into one space, or of a space of others, is refused', async () => {
    const { path, parts } = await copied();
    const { tables } = JSON.parse(await readFile(join(path, 'organization.json'), 'utf8')) as { tables: Row[] };
    const place = tables.findIndex(({ name }) => name === 'translation');
    const part = `rows/${String(place).padStart(3, '0')}-translation`;
    const { id: space } = JSON.parse(
      (await readFile(join(path, parts['space'] ?? ''), 'utf8')).split('\n')[0] ?? '',
    ) as Row;
    const row = (source: unknown): Row => ({
      id: newId(),
      organization_id: workspace.id,
      created_by: workspace.admin.id,
      source_space_id: source,
      result_space_id: space,
      instructions: { object: 'document', data: {}, nodes: [] },
    });
    await mkdir(join(path, part));
    const write = (...rows: Row[]) =>
      writeFile(join(path, part, '000001.jsonl'), rows.map((each) => JSON.stringify(each)).join('\n'));
    await write(row(space), row(space));
    expect(await faultOf(path)).toMatch(/translation.*line 2: has the space of another translation/);
    await write(row(theirs.space));
    expect(await faultOf(path)).toMatch(/translation.*line 1: is between spaces that the archive does not have/);
  });

  it('comes in without the bytes of files that are missing or damaged, and open to the one who brings it', async () => {
    const [storage, archives] = [
      app.current.get(FileStorage as Type<FileStorage>),
      app.current.get(OrganizationArchives),
    ];
    const path = join(folder, 'damaged');
    const damaged = jest.spyOn(storage, 'get').mockResolvedValueOnce(Readable.from([Buffer.from('wrong')]));
    const { missing, files } = await archives.export(workspace.id, await FolderSink.open(path));
    damaged.mockRestore();
    expect([missing, files.count]).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/)], 0]);
    const [part = ''] = (await readdir(join(path, 'rows'))).filter((name) => name.endsWith('-organization'));
    const file = join(path, 'rows', part, '000001.jsonl');
    const row = JSON.parse(await readFile(file, 'utf8')) as Row;
    await writeFile(file, JSON.stringify({ ...row, ip_allow_list: ['192.0.2.0/24'] }));
    const report = await importAs(path, workspace.admin.id);
    expect(report.notes).toContain('All addresses reach the organization: set its list of addresses again.');
    expect((await workspace.admin.api.get(`/orgs/${report.organizationId}`)).status).toBe(200);
    expect(
      await app.current.database.query(
        `SELECT i.hash FROM content_item i JOIN space s ON s.id = i.space_id WHERE s.organization_id = $1 AND i.kind = 'file'`,
        [report.organizationId],
      ),
    ).toEqual([{ hash: null }]);
    await editEnd(path, (end) => end.missing.pop());
    expect(await faultOf(path)).toMatch(/^files\/\w+: has other bytes than its name says/);
    const cut = archives.import(await openArchive(path), {
      ids: 'new',
      isTrusted: true,
      userId: undefined,
      signal: AbortSignal.abort(new Error('stopped')),
    });
    await expect(cut).rejects.toThrow('stopped');
  });

  it('holds no address and no name while it is read, and takes those that are free at its end', async () => {
    const [from, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const sites = await Promise.all(
      [from, other].map(({ id, admin }) => admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Late' })),
    );
    const path = join(folder, 'late');
    await app.current.get(OrganizationArchives).export(from.id, await FolderSink.open(path));
    const email = `late-${newId()}@example.com`;
    const basename = `late-${newId().toLowerCase()}`;
    await editRow(path, 'account', (row) => ({ ...row, email }));
    await editRow(path, 'site', (row) => ({ ...row, basename }));

    const archive = await openArchive(path);
    const person = newId();
    let isTaken = false;
    // It would wait for the end of the import, which waits for it.
    const take = async (): Promise<void> => {
      if (isTaken) return;
      isTaken = true;
      const { database } = app.current;
      await database.execute(
        `INSERT INTO account (id, display_name, email, created_at) VALUES ($1, 'Late', upper($2), now())`,
        [person, email],
      );
      await database.execute('UPDATE site SET basename = $2 WHERE id = $1', [sites[1]?.body.id, basename]);
    };
    let readings = 0;
    const report = await app.current.get(OrganizationArchives).import(
      {
        read: (onEntry) => {
          readings++;
          return archive.read(async (name, size, bytes) => {
            await onEntry(name, size, bytes);
            if (readings === 2 && name.includes('-site/')) await take();
          });
        },
      },
      { ids: 'new', isTrusted: true, userId: workspace.admin.id },
    );
    expect([readings, isTaken, report.people]).toEqual([3, true, { made: 0, known: 1, waiting: [] }]);
    expect(report.notes).toContain(`The site Late is at ${basename}-1, because ${basename} is taken.`);
    const members = await app.current.database.query('SELECT user_id AS id FROM member WHERE organization_id = $1', [
      report.organizationId,
    ]);
    expect(members).toContainEqual({ id: person });
    const urls = await app.current.database.query('SELECT basename, proxy FROM site WHERE organization_id = $1', [
      report.organizationId,
    ]);
    expect(urls).toEqual([{ basename: `${basename}-1`, proxy: null }]);
  });

  it('gives its people their addresses, and one of two sites behind the same proxy', async () => {
    const from = await buildOrganization(app.current);
    for (const title of ['One', 'Two']) await from.admin.api.post(`/orgs/${from.id}/sites`, { title });
    const path = join(folder, 'proxies');
    await app.current.get(OrganizationArchives).export(from.id, await FolderSink.open(path));
    const email = `new-${newId()}@example.com`;
    await editRow(path, 'account', (row) => ({ ...row, email }));
    await editRow(path, 'site', (row) => ({ ...row, proxy: 'docs.example.com/late' }));
    const archives = app.current.get(OrganizationArchives);
    const options = { ids: 'new', isTrusted: true, userId: workspace.admin.id } as const;
    const report = await archives.import(await openArchive(path), options);
    expect(report.people.made).toBe(1);
    const { database } = app.current;
    expect(await database.query('SELECT email FROM account WHERE email = $1', [email])).toHaveLength(1);
    expect(await database.query(`SELECT FROM account WHERE email LIKE 'import %'`)).toHaveLength(0);
    expect(report.notes).toContainEqual(
      expect.stringMatching(/^The site (One|Two) has no proxy, because another site is at docs\.example\.com\/late\.$/),
    );
    expect(
      await database.query('SELECT proxy FROM site WHERE organization_id = $1 ORDER BY proxy', [report.organizationId]),
    ).toEqual([{ proxy: 'docs.example.com/late' }, { proxy: null }]);
  });

  it('in a damaged file is refused', async () => {
    const file = join(folder, 'cut.tar.gz');
    await toFile(file, async (sink) => {
      await app.current.get(OrganizationArchives).export(workspace.id, sink);
      expect(await readdir(folder)).not.toContain('cut.tar.gz');
    });
    await truncate(file, 3000);
    expect(await faultOf(file)).toMatch(/^the archive: /);
    await writeFile(file, 'no archive at all, but long enough to be one '.repeat(30));
    expect(await faultOf(file)).toMatch(/^the archive: cannot be read/);
  });

  it('that holds more than it may is refused while it is read', async () => {
    const file = join(folder, 'bomb.tar.gz');
    // Headers of headers, which are no entries.
    const header = tarHeader('x', 60_000);
    header.write('x', 156);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const one = Buffer.concat([
      header,
      Buffer.alloc(60_000, '30 comment=aaaaaaaaaaaaaaaaaa\n'),
      Buffer.alloc(padding(60_000)),
    ]);
    await writeFile(file, gzipSync(Buffer.concat(Array.from({ length: 50 }, () => one))));
    const opened = await openArchive(file, 1_000_000);
    await expect(opened.read(() => Promise.resolve())).rejects.toThrow('the archive: has more than 1000000 bytes');
  });
});

/** Somebody with everything that a member can have in an organization, by single sign-on and SCIM as well. */
async function furnish(id: string, space: string, person: string): Promise<void> {
  const { database } = app.current;
  const page = newId();
  const add = (statement: string, ...values: string[]) => database.execute(statement, values);
  await add(
    `INSERT INTO member (organization_id, user_id, role, sso, joined_at) VALUES ($1, $2, 'admin', true, now())`,
    id,
    person,
  );
  await add(`INSERT INTO scim_user (organization_id, user_id, owns_account) VALUES ($1, $2, true)`, id, person);
  await add(
    `INSERT INTO team_member (organization_id, team_id, user_id, created_at) SELECT organization_id, id, $2, now() FROM team WHERE organization_id = $1`,
    id,
    person,
  );
  await add(
    `INSERT INTO collection_member_grant (organization_id, collection_id, user_id, role, created_at)
     SELECT organization_id, id, $2, 'edit', now() FROM collection WHERE organization_id = $1`,
    id,
    person,
  );
  await add(
    `INSERT INTO site_member_grant SELECT organization_id, id, $2, 'edit', now() FROM site WHERE organization_id = $1`,
    id,
    person,
  );
  await add(
    `INSERT INTO space_member_grant (space_id, user_id, role, created_at) VALUES ($1, $2, 'edit', now())`,
    space,
    person,
  );
  await add(`INSERT INTO page_limit VALUES ($1, $2, now(), now())`, space, page);
  await add(`INSERT INTO page_member_grant VALUES ($1, $2, $3, now())`, space, page, person);
  await add(
    `INSERT INTO page_verification (space_id, page_id, user_id, until, verified_by, verified_at) VALUES ($1, $2, $3, now(), $3, now())`,
    space,
    page,
    person,
  );
  await add(
    `INSERT INTO requested_reviewer (space_id, change_request_id, user_id, requested_by, revision_id, created_at)
     SELECT space_id, id, $2, $2, id, now() FROM change_request WHERE space_id = $1`,
    space,
    person,
  );
}

/** Rows of an organization by which somebody would be a member, or have what members have. */
const rowsOfMember = async (organizationId: string, person: string): Promise<string[]> =>
  (await rowsIn(app.current.database, organizationId)).flatMap(({ name, row }) =>
    ARCHIVED[name]?.isOfMember === true && (JSON.parse(row) as Row)[MEMBER_COLUMN] === person ? [name] : [],
  );

describe('the values of a row', () => {
  it('keep fields that objects inherit, at any depth, and get no other prototype', () => {
    const row = JSON.parse('{"a": {"__proto__": {"b": ["c"]}, "constructor": "d"}, "e": [1, null, true]}') as Row;
    const made = withTexts(row, (text) => `${text}!`);
    expect(JSON.stringify(made)).toBe('{"a":{"__proto__":{"b":["c!"]},"constructor":"d!"},"e":[1,null,true]}');
    expect(Object.getPrototypeOf((made as { a: object }).a)).toBe(Object.prototype);
  });
});

describe('people of an archive', () => {
  it('get nothing in an organization that somebody else brings, and no provider of it signs in as one of them', async () => {
    const { database } = app.current;
    const source = await buildOrganization(app.current);
    const { api } = source.admin;
    const [stranger, importer, gone] = await Promise.all([1, 2, 3].map(() => buildPerson(app.current)));
    if (!stranger || !importer || !gone) throw new Error('nobody');
    // Made by the provider of another organization: nobody has proved the address, and there is no token any more.
    const unproven = { email: address(), displayName: 'Unproven', emailVerified: false };
    const { id: unprovenId } = await app.current.get(Users).create(unproven);
    const space = await buildSpace(source, 'Theirs');
    await api.post(`/spaces/${space.id}/change-requests`, { subject: 'Proposal' });
    for (const kind of ['collections', 'sites']) await api.post(`/orgs/${source.id}/${kind}`, { title: 'Mine' });
    await api.put(`/orgs/${source.id}/teams`, { title: 'Writers' });
    await logins.addProvider(source);
    for (const id of [stranger.id, unprovenId, importer.id, gone.id]) await furnish(source.id, space.id, id);
    const file = join(folder, 'brought.tar.gz');
    await toFile(file, (sink) => app.current.get(OrganizationArchives).export(source.id, sink));
    // The archive has a person without an account here, who is no other than those that have one.
    await database.execute('UPDATE account SET email = $2 WHERE id = $1', [gone.id, address()]);

    const begun = await importer.api.post<{ id: string }>('/organization-imports', undefined, {
      raw: await readFile(file),
      headers: { 'Content-Type': 'application/gzip' },
    });
    await app.current.get(Jobs).drain();
    const { body } = await importer.api.get<{ organization: string; waiting: string[] }>(
      `/organization-imports/${begun.body.id}`,
    );
    const { organization } = body;
    const { api: brought } = importer;
    expect(body).toMatchObject({
      status: 'completed',
      notes: expect.arrayContaining([expect.stringMatching(/: invite them\.$/)]),
    });
    expect([...body.waiting].sort()).toEqual([source.admin.email, stranger.email, unproven.email, gone.email].sort());

    const given = (await rowsOfMember(source.id, stranger.id)).sort();
    expect(given).toEqual(
      Object.keys(ARCHIVED)
        .filter((name) => ARCHIVED[name]?.isOfMember === true && name !== 'notification_settings')
        .sort(),
    );
    for (const id of [stranger.id, unprovenId, source.admin.id])
      expect(await rowsOfMember(organization, id)).toEqual([]);
    expect((await rowsOfMember(organization, importer.id)).sort()).toEqual(given);
    // The verifications stay, without owners, and say who has verified: authors who are nobody here.
    const verified = (await rowsIn(database, organization))
      .filter(({ name }) => name === 'page_verification')
      .map(({ row }) => JSON.parse(row) as Row);
    expect(verified.filter(({ user_id: owner }) => owner === null)).toHaveLength(3);
    for (const { id } of [stranger, { id: unprovenId }, gone])
      expect(verified).not.toContainEqual(expect.objectContaining({ verified_by: id }));
    expect((await stranger.api.get(`/orgs/${organization}`)).status).toBe(404);
    const theirOrganizations = await stranger.api.get<{ items: { id: string }[] }>('/orgs');
    expect(theirOrganizations.body.items.map(({ id }) => id)).toEqual([source.id]);

    const users = `/orgs/${organization}/scim/v2/Users`;
    const enable = { Operations: [{ op: 'replace', path: 'active', value: true }] };
    for (const [id, email] of [
      [stranger.id, stranger.email],
      [unprovenId, unproven.email],
    ] as const) {
      expect((await brought.post(users, { userName: email })).status).toBe(409);
      expect((await brought.patch(`${users}/${id}`, enable)).status).toBe(404);
      expect((await brought.post(`/orgs/${organization}/members/${id}/sso`)).status).toBe(404);
    }
    const [provider] = (await brought.get<{ items: Provider[] }>(`/orgs/${organization}/saml`)).body.items;
    if (!provider) throw new Error('no provider');
    for (const email of [stranger.email, unproven.email, importer.email]) {
      const { text } = await logins.login(provider, email);
      expect([tokenIn(text), reasonIn(text)]).toEqual([
        '',
        expect.stringContaining('There is an account for your address'),
      ]);
    }
    expect(
      await database.query('SELECT user_id, owns_account FROM scim_user WHERE organization_id = $1', [organization]),
    ).toEqual([{ user_id: importer.id, owns_account: false }]);
  });

  it('are the same to the person who imports, whether they have accounts here or not', async () => {
    const { database } = app.current;
    const source = await buildOrganization(app.current);
    const space = await buildSpace(source, 'Theirs');
    const [ada, importer] = [await source.member('admin'), await buildPerson(app.current)];
    await ada.api.patch(`/users/${ada.id}`, { displayName: 'Her name in the archive' });
    const request = await ada.api.post<{ id: string }>(`/spaces/${space.id}/change-requests`, { subject: 'Hers' });
    const theirs = `/spaces/${space.id}/change-requests/${request.body.id}`;
    expect((await ada.api.patch(theirs, { status: 'open' })).status).toBe(200);
    const comments = `${theirs}/comments`;
    expect((await ada.api.post(comments, { body: { markdown: 'Hers as well' } })).status).toBe(200);
    await ada.api.put(`/orgs/${source.id}/teams`, { title: 'Writers' });
    const file = join(folder, 'two-imports.tar.gz');
    await toFile(file, (sink) => app.current.get(OrganizationArchives).export(source.id, sink));
    const archive = await readFile(file);

    /** All that the importer is shown of an import, without what is another in each. */
    const seen = async (): Promise<string> => {
      const { api } = importer;
      const begun = await api.post<{ id: string }>('/organization-imports', undefined, {
        raw: archive,
        headers: { 'Content-Type': 'application/gzip' },
      });
      await app.current.get(Jobs).drain();
      const done = await api.get<{ organization: string }>(`/organization-imports/${begun.body.id}`);
      const { organization } = done.body;
      const spaces = await api.get<{ items: { id: string }[] }>(`/orgs/${organization}/spaces`);
      const found = `/spaces/${spaces.body.items[0]?.id ?? ''}`;
      const requests = await api.get<{ items: { id: string; createdBy: { id: string } }[] }>(
        `${found}/change-requests`,
      );
      const author = requests.body.items.at(-1)?.createdBy.id ?? '';
      const others = await Promise.all(
        [
          `${found}/change-requests/${requests.body.items.at(-1)?.id ?? ''}/comments`,
          `${found}/revisions`,
          `/orgs/${organization}/members`,
          `/orgs/${organization}/members/${author}`,
          `/orgs/${organization}/teams`,
          `/orgs/${organization}/audit-events`,
          `/orgs/${organization}/scim/v2/Users`,
          `/users/${author}`,
          `/users/${ada.id}`,
        ].map(async (each) => api.get(each)),
      );
      expect(others.map(({ status }) => status).slice(0, 6)).toEqual([200, 200, 200, 404, 200, 200]);
      const text = JSON.stringify([done, requests, ...others].map(({ status, body }) => ({ status, body })));
      expect(text).toContain('"status":"completed"');
      expect(text).toContain('Her name in the archive');
      expect(text).not.toContain('Her name here');
      expect(text.split(ada.email)).toHaveLength(2);
      return text
        .replaceAll(/[A-Za-z][0-9A-Za-z]{19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    };

    await ada.api.patch(`/users/${ada.id}`, { displayName: 'Her name here' });
    const withAccount = await seen();
    await database.execute('UPDATE account SET email = $2 WHERE id = $1', [ada.id, address()]);
    expect(await seen()).toBe(withAccount);
    await database.execute('UPDATE account SET email = $2 WHERE id = $1', [ada.id, ada.email]);
    const { members } = (await database.one<{ members: string }>(
      'SELECT count(*) AS members FROM member WHERE user_id = $1',
      [ada.id],
    )) ?? { members: '' };
    expect(members).toBe('1');
  });

  it('who are authors alone have no way in wherever they are brought, and no photo that is no web address', async () => {
    const { database } = app.current;
    const source = await buildOrganization(app.current);
    const space = await buildSpace(source, 'Theirs');
    const [writer, editor] = [await source.member('edit'), await source.member('edit')];
    for (const { api } of [writer, editor])
      await api.post(`/spaces/${space.id}/change-requests`, { subject: 'Theirs' });
    const names = { [writer.email]: `Writer ${newId()}`, [editor.email]: `Editor ${newId()}` };
    const path = join(folder, 'authors');
    await app.current.get(OrganizationArchives).export(source.id, await FolderSink.open(path));
    await editRow(path, 'account', (row) => ({
      ...row,
      display_name: names[String(row['email'])] ?? row['display_name'],
      photo_url: row['email'] === writer.email ? 'https://example.com/a.png' : 'a.png',
      email: String(row['email']).toUpperCase(),
    }));
    const report = await importAs(path, source.admin.id);
    // The person who imports is known by an address in other capitals, and keeps the photo.
    expect(report.people).toMatchObject({ made: 2, known: 1 });
    const authors = async (): Promise<Row[]> =>
      database.query(
        'SELECT display_name AS name, photo_url AS photo, disabled, email_verified AS verified FROM account WHERE display_name = ANY ($1) ORDER BY display_name DESC',
        [Object.values(names)],
      );
    const [theWriter, theEditor] = [names[writer.email], names[editor.email]].map((name) => ({
      name,
      photo: null as string | null,
      disabled: true,
      verified: false,
    }));
    const both = [{ ...theWriter, photo: 'https://example.com/a.png' }, theEditor];
    expect(await authors()).toEqual(both);
    const photos = await database.query('SELECT photo_url AS photo FROM account WHERE id = $1', [source.admin.id]);
    expect(photos).toEqual([{ photo: null }]);

    const again = join(folder, 'authors-again');
    await app.current.get(OrganizationArchives).export(report.organizationId, await FolderSink.open(again));
    const isAuthor = (row: Row): boolean => String(row['email']).endsWith('@imported.invalid');
    await editRow(again, 'account', (row) => (isAuthor(row) ? { ...row, email: `${newId()}@imported.invalid` } : row));
    const options = { ids: 'new', isTrusted: true, userId: source.admin.id } as const;
    await app.current.get(OrganizationArchives).import(await openArchive(again), options);
    expect(await authors()).toEqual([both[0], both[0], both[1], both[1]]);
  });

  it('have an id each', async () => {
    expect(
      await faultAfter('account', (row) =>
        [row, { ...row, email: address() }].map((each) => JSON.stringify(each)).join('\n'),
      ),
    ).toMatch(/line 2: has the id of another person$/);
  });

  it('are disabled where the operator brings the archive and nobody has proved the address of an account in use', async () => {
    const [victim, bringer] = [await buildPerson(app.current), await buildPerson(app.current)];
    await app.current.database.execute('UPDATE account SET email_verified = false WHERE id = $1', [victim.id]);
    const { path, parts } = await copied();
    const edit = async (name: string, change: (row: Row) => Row) => {
      const file = join(path, name);
      await writeFile(file, `${JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Row))}\n`);
    };
    await edit(parts['account'] ?? '', (row) => ({ ...row, email: victim.email, display_name: 'Renamed' }));
    await edit(parts['member'] ?? '', ({ disabled, ...row }) => ({ ...row, sso: disabled === false }));
    // An archive may keep silent on it.
    await edit('organization.json', (row) => ({
      ...row,
      tables: (row['tables'] as { name: string; columns: string[] }[]).map(({ name, columns }) => ({
        name,
        columns: columns.filter((column) => name !== 'member' || column !== 'disabled'),
      })),
    }));
    const report = await app.current
      .get(OrganizationArchives)
      .import(await openArchive(path), { ids: 'new', isTrusted: true, userId: bringer.id });
    expect(report).toMatchObject({ people: { made: 0, known: 1, waiting: [victim.email] }, notes: [] });
    const members = await app.current.database.query(
      'SELECT m.user_id AS id, m.disabled, m.sso, a.display_name AS name FROM member m JOIN account a ON a.id = m.user_id WHERE m.organization_id = $1 ORDER BY m.disabled',
      [report.organizationId],
    );
    expect(members).toEqual([
      { id: bringer.id, disabled: false, sso: false, name: expect.any(String) },
      { id: victim.id, disabled: true, sso: false, name: expect.not.stringContaining('Renamed') },
    ]);
    expect((await victim.api.get(`/orgs/${report.organizationId}`)).status).toBe(404);
    expect((await bringer.api.get(`/orgs/${report.organizationId}`)).status).toBe(200);
  });
});
