import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { toNewDocument } from '../src/authoring/content/document-codec.js';
import { findServedFile } from '../src/authoring/content/served-files.js';
import type { Document } from '../src/formats/document/types.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface Made {
  id: string;
}

interface PageTree {
  id: string;
  title: string;
  type: string;
  path?: string;
  slug?: string;
  documentId?: string;
  pages?: PageTree[];
  [name: string]: unknown;
}

interface Revision {
  id: string;
  type: string;
  parents: string[];
  pages: PageTree[];
  files: { id: string; name: string; downloadURL: string }[];
  reusableContents: { id: string; title: string; document?: string }[];
  variables: object;
}

const rows = (statement: string, values: readonly unknown[]) => app.current.database.query(statement, values);

async function send(person: Person, path: string, body?: object): Promise<string> {
  const answer = await person.api.post<Made>(path, body);
  expect([answer.status, answer.body]).toEqual([expect.any(Number), answer.body]);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body?.id ?? '';
}

const write = (person: Person, space: string, changes: object[]) =>
  send(person, `/spaces/${space}/content`, { changes });
const revisionOf = async (person: Person, space: string) =>
  (await person.api.get<Revision>(`/spaces/${space}/content`)).body;
const pageAt = (pages: readonly PageTree[], path: string): PageTree | undefined =>
  pages
    .flatMap((page) => [page, ...(page.pages ?? []).flatMap((below) => [below, ...(below.pages ?? [])])])
    .find((page) => page.path === path);
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes });
const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
const link = (ref: object, words: string) => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes: [text(words)],
});
const documentOf = (...nodes: object[]) => ({ document: { object: 'document', data: { schemaVersion: 8 }, nodes } });

/** A tree without what a copy has of its own: ids, hashes of documents, addresses. */
function shape({
  pages = [],
  id: _id,
  documentId,
  urls: _urls,
  target: _target,
  cover: _cover,
  metaLinks: _metaLinks,
  ...rest
}: PageTree): object {
  return { ...rest, hasDocument: documentId !== undefined, pages: pages.map(shape) };
}

/** A space with every kind of content, and references of every kind between them. */
async function furnished(workspace: Workspace) {
  const { admin, id } = workspace;
  const space = await send(admin, `/orgs/${id}/spaces`, {
    title: 'Handbook',
    emoji: '1f4d8',
    language: 'de',
    empty: true,
    editMode: 'live',
  });
  const elsewhere = await send(admin, `/orgs/${id}/spaces`, { title: 'Elsewhere', empty: true, editMode: 'live' });
  await write(admin, elsewhere, [{ operation: 'insert_page', title: 'Foreign' }]);
  const foreign = (await revisionOf(admin, elsewhere)).pages[0]?.id ?? '';
  await write(admin, space, [
    {
      operation: 'insert_page',
      ref: 'intro',
      title: 'Intro',
      description: 'First words',
      document: { markdown: 'Begin here.' },
    },
    { operation: 'insert_page', ref: 'guides', title: 'Guides', type: 'group' },
    { operation: 'insert_page', ref: 'install', title: 'Install', into: 'guides', hidden: true },
    {
      operation: 'insert_files',
      files: [{ name: 'plan.txt', contentType: 'text/plain', base64: Buffer.from('The plan').toString('base64') }],
    },
    { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine to five' } },
    { operation: 'set_variables', variables: { product: 'Bindery', answer: 42 } },
  ]);
  const { pages, files, reusableContents } = await revisionOf(admin, space);
  const [intro, install, file, reusable] = [
    pageAt(pages, 'intro')?.id ?? '',
    pageAt(pages, 'guides/install')?.id ?? '',
    files[0]?.id ?? '',
    reusableContents[0]?.id ?? '',
  ];
  const own = [
    { kind: 'page', page: install },
    { kind: 'page', page: install, space },
    { kind: 'anchor', anchor: 'a', page: install, space },
    { kind: 'file', file },
    { kind: 'space', space },
  ];
  const other = [
    { kind: 'page', page: foreign, space: elsewhere },
    { kind: 'space', space: elsewhere },
    { kind: 'url', url: `https://example.com/${install}` },
    { kind: 'user', user: admin.id },
  ];
  const nodes = [
    ...[...own, ...other].map((ref, at) => paragraph(text('See '), link(ref, `link ${at}`), text(` or ${install}`))),
    {
      object: 'block',
      type: 'reusable-content',
      isVoid: true,
      data: { ref: { kind: 'reusable-content', reusableContent: reusable } },
      nodes: [],
    },
    { object: 'block', type: 'heading-1', isVoid: false, data: {}, nodes: [text('Überschrift')] },
    paragraph(text('Wörter über Verzeichnisse')),
  ];
  await write(admin, space, [
    {
      operation: 'update_page',
      page: install,
      document: documentOf(...nodes),
      cover: { ref: { kind: 'file', file }, yPos: 0 },
      metaLinks: { canonical: { kind: 'page', page: intro, space } },
    },
    { operation: 'insert_page', type: 'link', title: 'Shortcut', target: { kind: 'page', page: intro } },
    { operation: 'insert_page', title: 'Twin', document: { markdown: 'Begin here.' } },
    { operation: 'update_page', page: intro, title: 'Start' },
  ]);
  return { space, elsewhere, foreign, intro, install, file, reusable };
}

/** Compares what is stored of every document of a space with what follows from its text. */
async function derivationsOf(space: string): Promise<{ stored: unknown; derived: unknown }> {
  const documents = (await rows(
    `SELECT encode(d.hash, 'hex') AS hash, d.body::text AS json, d.words, to_jsonb(d.anchors) AS anchors,
            (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('relation', r.relation, 'kind', r.kind, 'target', r.target, 'space', r.target_space_id, 'anchor', r.anchor, 'node', r.node)) ORDER BY r.idx), '[]')
               FROM document_ref r WHERE r.space_id = d.space_id AND r.hash = d.hash) AS "references",
            d.sections
       FROM document d WHERE d.space_id = $1 ORDER BY d.hash`,
    [space],
  )) as { json: string }[];
  return { stored: documents, derived: documents.map(({ json }) => toNewDocument(JSON.parse(json) as Document)) };
}

describe('the copy of a space', () => {
  it('has the content and the settings, beside the original, and ids of its own', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const parent = await send(admin, `/orgs/${id}/collections`, { title: 'Manuals' });
    const { space, elsewhere, foreign, install } = await furnished(workspace);
    await admin.api.post(`/spaces/${space}/move`, { parent });
    await admin.api.patch(`/spaces/${space}`, {
      defaultLevel: 'review',
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    });
    const reader = await workspace.member('read');
    await admin.api.post(`/spaces/${space}/permissions`, { role: 'admin', users: [reader.id] });
    await send(admin, `/spaces/${space}/change-requests`, { subject: 'Open' });
    const before = await admin.api.get(`/spaces/${space}`);

    const made = await admin.api.post<Made>(`/spaces/${space}/duplicate`);
    const copy = made.body.id;
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toContain(`/v1/spaces/${copy}`);
    expect((await admin.api.get(`/spaces/${copy}`)).body).toEqual(made.body);
    const {
      id: _id,
      urls: _urls,
      revision,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      position,
      ...settings
    } = before.body;
    expect(made.body).toMatchObject({ ...settings, changeRequests: 0, changeRequestsDraft: 0 });
    expect(String((made.body as { position?: string }).position) > String(position)).toBe(true);
    expect((await admin.api.get(`/spaces/${space}`)).body).toEqual(before.body);
    expect(
      (await admin.api.get<{ items: Made[] }>(`/collections/${parent}/spaces`)).body.items.map((item) => item.id),
    ).toEqual([space, copy]);

    const [original, copied] = [await revisionOf(admin, space), await revisionOf(admin, copy)];
    expect(copied).toMatchObject({ type: 'edits', parents: [], variables: { product: 'Bindery', answer: 42 } });
    expect(copied.id).not.toBe(revision);
    expect(copied.pages.map(shape)).toEqual(original.pages.map(shape));
    expect(copied.files.map(({ name }) => name)).toEqual(['plan.txt']);
    expect(copied.reusableContents.map(({ title }) => title)).toEqual(['Hours']);
    const known = new Set(
      (await rows('SELECT id FROM content_item WHERE space_id = $1', [space])).map((row) => String(row['id'])),
    );
    const fresh = await rows(`SELECT id FROM content_item WHERE space_id = $1 AND kind <> 'variable'`, [copy]);
    expect(fresh.length).toBe(known.size - 2);
    for (const row of fresh) {
      expect(known.has(String(row['id']))).toBe(false);
      expect(row['id']).toMatch(/^[A-Za-z][0-9A-Za-z]{19}$/);
    }
    const served = (revision: Revision) => findServedFile(app.current.database, revision.files[0]?.id ?? '', undefined);
    expect(await served(copied)).toEqual(await served(original));
    expect(await served(copied)).toMatchObject({ name: 'plan.txt', contentType: 'text/plain', size: 8 });

    const page = pageAt(copied.pages, 'guides/install');
    const body = JSON.stringify(
      (await admin.api.get(`/spaces/${copy}/content/page/${page?.id ?? ''}`)).body['document'],
    );
    const ref = (fields: object) =>
      JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
    for (const own of [
      { kind: 'page', page: page?.id },
      { kind: 'page', page: page?.id, space: copy },
      { anchor: 'a', kind: 'anchor', page: page?.id, space: copy },
      { kind: 'space', space: copy },
    ]) {
      expect(body).toContain(ref(own));
    }
    expect(body).toContain(ref({ file: copied.files[0]?.id, kind: 'file' }));
    expect(body).toContain(ref({ kind: 'reusable-content', reusableContent: copied.reusableContents[0]?.id }));
    for (const other of [
      { kind: 'page', page: foreign, space: elsewhere },
      { kind: 'space', space: elsewhere },
      { kind: 'user', user: admin.id },
    ])
      expect(body).toContain(ref(other));
    expect(body).toContain(`https://example.com/${install}`);
    expect(body).toContain(` or ${install}`);
    expect(page).toMatchObject({
      cover: { ref: { kind: 'file', file: copied.files[0]?.id } },
      metaLinks: { canonical: { page: pageAt(copied.pages, 'start')?.id, space: copy } },
    });
    expect(copied.pages.find(({ type }) => type === 'link')).toMatchObject({
      target: { kind: 'page', page: pageAt(copied.pages, 'start')?.id },
    });
    const markdown = await admin.api.get<{ markdown: string }>(`/spaces/${copy}/content/page/${page?.id ?? ''}`, {
      query: { format: 'markdown' },
    });
    const originalMarkdown = await admin.api.get<{ markdown: string }>(`/spaces/${space}/content/page/${install}`, {
      query: { format: 'markdown' },
    });
    expect(withoutIds(markdown.body.markdown, copy, copied)).toBe(
      withoutIds(originalMarkdown.body.markdown, space, original),
    );

    const { stored, derived } = await derivationsOf(copy);
    expect(stored).toEqual(derived);
    expect(
      await rows(
        `SELECT t.title FROM document d CROSS JOIN ROWS FROM (jsonb_to_recordset(d.sections) AS (title text, text text), unnest(d.section_texts)) AS t (title, text, hash)
       LEFT JOIN section_vector v ON v.space_id = d.space_id AND v.hash = t.hash
      WHERE d.space_id = $1 AND (v.vector IS DISTINCT FROM search_vector(search_scopes($1), search_config('de'), t.title || ' ' || t.text) OR v.heading_vector IS DISTINCT FROM search_vector('{}', search_config('de'), t.title))`,
        [copy],
      ),
    ).toEqual([]);
    expect(
      await rows(
        `SELECT i.id FROM content_item i LEFT JOIN page_current c ON c.space_id = i.space_id AND c.page_id = i.id AND c.hash IS NOT DISTINCT FROM i.hash
       AND c.title_vector = search_vector(search_scopes($1), search_config('de'), i.title || ' ' || coalesce(i.props ->> 'description', ''))
      WHERE i.space_id = $1 AND i.kind = 'page' AND (i.slug IS NULL) <> (c.page_id IS NULL)`,
        [copy],
      ),
    ).toEqual([]);

    expect((await admin.api.get(`/spaces/${copy}/content/path/intro`)).body).toMatchObject({
      title: 'Start',
      id: pageAt(copied.pages, 'start')?.id,
    });
    expect(
      (await admin.api.get<{ items: Made[] }>(`/spaces/${copy}/search`, { query: { query: 'verzeichnis' } })).body,
    ).toMatchObject({ count: 1, items: [{ id: page?.id }] });
    expect((await admin.api.get(`/spaces/${copy}/change-requests`)).body).toMatchObject({ count: 0 });
    expect((await admin.api.get(`/spaces/${copy}/permissions/users`)).body).toMatchObject({ count: 0 });
    expect((await reader.api.get(`/spaces/${copy}`)).body).toMatchObject({
      permissions: { review: true, admin: false },
    });
    expect(await rows('SELECT sequence FROM revision WHERE space_id = $1', [copy])).toEqual([{ sequence: '0' }]);
    expect(await rows(`SELECT payload FROM event WHERE space_id = $1`, [copy])).toEqual([
      { payload: { copyOfSpaceId: space, revisionId: copied.id } },
    ]);
  });

  it('lives on its own: what is written to one does not show in the other', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const { space, install } = await furnished(workspace);
    const copy = await send(admin, `/spaces/${space}/duplicate`);
    const page = pageAt((await revisionOf(admin, copy)).pages, 'guides/install')?.id ?? '';
    const before = (await admin.api.get(`/spaces/${space}/content/page/${install}`)).body;
    await write(admin, copy, [
      { operation: 'update_page', page, title: 'Set up', document: { markdown: 'Completely different' } },
    ]);
    expect((await admin.api.get(`/spaces/${space}/content/page/${install}`)).body).toEqual(before);
    expect((await admin.api.get(`/spaces/${copy}/content/path/guides/install`)).body).toMatchObject({
      id: page,
      title: 'Set up',
    });
    const request = await send(admin, `/spaces/${copy}/change-requests`, { subject: 'Further' });
    await send(admin, `/spaces/${copy}/change-requests/${request}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: 'By a request' } }],
    });
    expect((await admin.api.post(`/spaces/${copy}/change-requests/${request}/merge`)).body).toMatchObject({
      result: 'merge',
    });
    expect((await admin.api.get(`/spaces/${copy}/search`, { query: { query: 'request' } })).body).toMatchObject({
      count: 1,
    });
    expect((await admin.api.get(`/spaces/${space}/search`, { query: { query: 'request' } })).body).toMatchObject({
      count: 0,
    });
    await admin.api.delete(`/spaces/${space}`);
    const again = await send(admin, `/spaces/${copy}/duplicate`);
    expect((await revisionOf(admin, again)).pages.map(shape)).toEqual((await revisionOf(admin, copy)).pages.map(shape));
    expect((await admin.api.post(`/spaces/${space}/duplicate`)).status).toBe(404);
  });

  it('has the words of its texts although an upgrade has not come to those of the original', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const { space } = await furnished(workspace);
    const wordsOf = async (id: string): Promise<string[]> => {
      const found = await rows(
        'SELECT DISTINCT w.word FROM space_vocabulary k CROSS JOIN LATERAL string_to_table(k.words, chr(10)) AS w (word) WHERE k.space_id = $1 ORDER BY 1',
        [id],
      );
      return found.map(({ word }) => String(word));
    };
    const words = await wordsOf(space);
    expect(words.length).toBeGreaterThan(3);
    await rows('DELETE FROM space_vocabulary WHERE space_id = $1', [space]);
    await rows(
      `INSERT INTO backfill (history, migration, migration_time, table_name, key_columns, batch_rows, statement, expected_rows, begun_at)
       VALUES ('migration', 'ContentVocabulariesInSets1799750000000', 1, 'space', '{id}', 10, 'DELETE FROM space USING batch', 1, now())`,
      [],
    );
    try {
      // A word of the original that its texts no longer have is not found any more.
      const found = words.filter((word) => word !== 'intro');
      expect(await wordsOf(await send(admin, `/spaces/${space}/duplicate`))).toEqual(found);
      await rows('UPDATE backfill SET finished_at = now()', []);
      expect(await wordsOf(await send(admin, `/spaces/${space}/duplicate`))).toEqual([]);
    } finally {
      await rows('DELETE FROM backfill', []);
    }
  });

  it('is for those who administer the original and may create content in its place', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const { admin, id } = workspace;
    const closed = await send(admin, `/orgs/${id}/collections`, { title: 'Closed' });
    const space = await send(admin, `/orgs/${id}/spaces`, { title: 'Handbook', empty: true });
    const inside = await send(admin, `/orgs/${id}/spaces`, { title: 'Inside', parent: closed, empty: true });
    const [reader, creator] = [await workspace.member('read'), await workspace.member('create')];
    for (const each of [space, inside])
      await admin.api.post(`/spaces/${each}/permissions`, { role: 'create', users: [reader.id, creator.id] });
    await admin.api.patch(`/collections/${closed}`, { defaultLevel: null });
    expect((await reader.api.post(`/spaces/${space}/duplicate`)).body).toMatchObject({
      error: { code: 403, message: expect.stringContaining('organization:createContent') },
    });
    expect((await creator.api.post(`/spaces/${inside}/duplicate`)).body).toMatchObject({
      error: { code: 403, message: expect.stringContaining('collection:create') },
    });
    expect((await (await workspace.member('review')).api.post(`/spaces/${space}/duplicate`)).body).toMatchObject({
      error: { code: 403, message: expect.stringContaining('space:admin') },
    });
    for (const stranger of [other.admin, await workspace.member('none')])
      expect((await stranger.api.post(`/spaces/${space}/duplicate`)).status).toBe(404);
    expect((await admin.api.post(`/spaces/${newId()}/duplicate`)).status).toBe(404);
    await admin.api.patch(`/spaces/${space}`, { defaultLevel: 'admin' });
    expect((await creator.api.post(`/spaces/${space}/duplicate`)).body).toMatchObject({ defaultLevel: 'create' });
    expect((await admin.api.get(`/orgs/${id}/spaces`)).body).toMatchObject({ count: 3 });
  });

  it('is one, however often an answer is asked for with one key', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await send(workspace.admin, `/orgs/${workspace.id}/spaces`, { title: 'Handbook' });
    const ask = () =>
      workspace.admin.api.post<Made>(`/spaces/${space}/duplicate`, undefined, {
        headers: { 'Idempotency-Key': 'once' },
      });
    const first = await ask();
    expect((await ask()).body).toEqual(first.body);
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 2 });
  });

  it('is of one moment, whatever is written to the original meanwhile', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const space = await send(admin, `/orgs/${workspace.id}/spaces`, { title: 'Busy', empty: true, editMode: 'live' });
    for (let at = 0; at < 600; at += 50)
      await write(
        admin,
        space,
        Array.from({ length: 50 }, (_, each) => ({
          operation: 'insert_page',
          title: `Page ${at + each}`,
          document: { markdown: 'State 0' },
        })),
      );
    const pages = (await revisionOf(admin, space)).pages.map((page) => page.id);
    const ends = [pages[0] ?? '', pages[299] ?? '', pages[599] ?? ''];
    let writing = true;
    const writer = (async () => {
      let state = 0;
      while (writing) {
        state++;
        await write(admin, space, [
          ...ends.map((page) => ({ operation: 'update_page', page, document: { markdown: `State ${state}` } })),
          { operation: 'insert_page', title: `Added ${state}` },
        ]);
      }
      return state;
    })();
    const copies: string[] = [];
    for (let each = 0; each < 3; each++) copies.push(await send(admin, `/spaces/${space}/duplicate`));
    writing = false;
    expect(await writer).toBeGreaterThan(1);
    for (const copy of copies) {
      const found = await rows(
        `SELECT DISTINCT d.sections -> 0 ->> 'text' AS body FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash WHERE c.space_id = $1
          AND c.page_id IN (SELECT copied_id($1, id) FROM unnest($2::text[]) AS e (id))`,
        [copy, ends],
      );
      const added = await rows(
        `SELECT count(*)::int AS count FROM content_item WHERE space_id = $1 AND kind = 'page'`,
        [copy],
      );
      expect(found).toEqual([{ body: `State ${Number(added[0]?.['count']) - 600}` }]);
    }
  });
});

/** Markdown in which what only a copy has of its own is named by what it is. */
function withoutIds(markdown: string, space: string, revision: Revision): string {
  const names = [
    [space, 'SPACE'],
    ...revision.files.map(({ id }) => [id, 'FILE']),
    ...revision.reusableContents.map(({ id }) => [id, 'REUSABLE']),
  ] as const;
  const named = names.reduce((rest, [id, name]) => rest.replaceAll(id, name), markdown);
  return named.replace(/[?&](v|expires|signature)=[^)\s"&]*/g, '');
}
