import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface Refusal {
  error: {
    code: number;
    message: string;
    details?: { path: string; message: string }[];
    conflicts?: {
      id: string;
      page: string;
      by?: { id: string; displayName: string };
      block?: string;
      attribute?: string;
      base: string;
      current: string;
      given: string;
    }[];
  };
}

const BLOCKS = ['One apple a day', 'Two birds in the bush', 'Three coins in the fountain', 'Four seasons in one day'];

/** A space with live edits, a page of four paragraphs, and a change request on it. */
async function written(markdown = BLOCKS.join('\n\n')) {
  const org = await buildOrganization(app.current);
  const { admin } = org;
  const { body } = await admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  const space = `/spaces/${body.id}`;
  const made = await admin.api.post<{ revision: string; changes: { page: { id: string } }[] }>(`${space}/content`, {
    changes: [{ operation: 'insert_page', title: 'Guide', document: { markdown } }],
  });
  const request = await admin.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Proposal' });
  const page = made.body.changes[0]?.page.id ?? '';
  return { org, admin, space, page, request: `${space}/change-requests/${request.body.id}` };
}

async function read(person: Person, place: string, page: string): Promise<string> {
  const { body } = await person.api.get<{ markdown: string }>(`${place}/content/page/${page}`, {
    query: { format: 'markdown' },
  });
  return body.markdown;
}

async function head(person: Person, place: string): Promise<string> {
  return (await person.api.get<{ revision: string }>(place)).body.revision;
}

const edit = (page: string, base: string | undefined, markdown: string, more: object = {}) => ({
  changes: [{ operation: 'update_page', page, document: { markdown }, ...(base !== undefined && { base }), ...more }],
});

const save = (person: Person, place: string, ...given: Parameters<typeof edit>) =>
  person.api.post<Refusal>(`${place}/content`, edit(...given));

describe('writing on a base', () => {
  it.each(['request', 'space'] as const)('keeps the blocks of both writers in a %s', async (kind) => {
    const { admin, page, org, ...places } = await written();
    const editor = await org.member('edit');
    const place = places[kind];
    const base = await head(admin, place);
    const text = await read(admin, place, page);
    expect((await save(editor, place, page, base, text.replace('apple', 'pear'))).status).toBe(200);
    expect((await save(admin, place, page, base, text.replace('fountain', 'river'))).status).toBe(200);
    expect((await save(editor, place, page, base, `${text}\n\nFive stars`)).status).toBe(200);
    expect(await read(admin, place, page)).toBe(
      `${text.replace('apple', 'pear').replace('fountain', 'river')}\nFive stars\n`,
    );
  });

  it('refuses the second text of the same block, with all three sides, and writes nothing', async () => {
    const { admin, page, org, request } = await written();
    const editor = await org.member('edit');
    const base = await head(admin, request);
    const text = await read(admin, request, page);
    expect((await save(editor, request, page, base, text.replace('apple', 'pear'))).status).toBe(200);
    const before = await head(admin, request);
    const { status, body } = await admin.api.post<Refusal>(`${request}/content`, {
      changes: [
        { operation: 'insert_page', title: 'Another' },
        ...edit(page, base, text.replace('apple', 'plum').replace('coins', 'cents')).changes,
      ],
    });
    expect(status).toBe(409);
    expect(body.error.details).toEqual([{ path: 'changes.1.document', message: expect.any(String) }]);
    expect(body.error.conflicts).toEqual([
      {
        id: expect.any(String),
        page,
        by: { id: editor.id, displayName: expect.any(String) },
        block: expect.any(String),
        blocks: [expect.any(String)],
        base: 'One apple a day\n',
        current: 'One pear a day\n',
        given: 'One plum a day\n',
      },
    ]);
    expect(await head(admin, request)).toBe(before);
    expect(await read(admin, request, page)).toBe(text.replace('apple', 'pear'));
  });

  it('merges the title of a text like a block of it', async () => {
    const { admin, page, request } = await written();
    const base = await head(admin, request);
    const text = await read(admin, request, page);
    expect((await save(admin, request, page, base, text.replace('# Guide', '# Manual'))).status).toBe(200);
    expect((await save(admin, request, page, base, text.replace('apple', 'pear'))).status).toBe(200);
    expect(await read(admin, request, page)).toBe(text.replace('# Guide', '# Manual').replace('apple', 'pear'));
    const refused = await save(admin, request, page, base, text.replace('# Guide', '# Handbook'));
    expect(refused.status).toBe(409);
    expect(refused.body.error.conflicts).toEqual([
      expect.objectContaining({ page, attribute: 'title', base: 'Guide', current: 'Manual', given: 'Handbook' }),
    ]);
  });

  it('settles every conflict of a text with a side or other Markdown, and merges the rest', async () => {
    const { admin, page, org, request } = await written();
    const editor = await org.member('edit');
    const base = await head(admin, request);
    const text = await read(admin, request, page);
    const changed = (...words: readonly (readonly [string, string])[]): string =>
      words.reduce((all, [from, to]) => all.replace(from, to), text);
    const theirs = changed(['# Guide', '# Manual'], ['apple', 'pear'], ['birds', 'bees'], ['coins', 'cents']);
    expect((await save(editor, request, page, base, theirs)).status).toBe(200);
    const mine = changed(['# Guide', '# Handbook'], ['apple', 'plum'], ['birds', 'bats'], ['day', 'night']).replace(
      'in one day',
      'in one night',
    );
    const refused = await save(admin, request, page, base, mine);
    const conflicts = refused.body.error.conflicts ?? [];
    const idOf = (given: string): string => conflicts.find((each) => each.given.includes(given))?.id ?? '';
    const settle = (...resolutions: readonly object[]) => save(admin, request, page, base, mine, { resolutions });
    const title = { conflict: idOf('Handbook'), keep: 'given' };
    const first = { conflict: idOf('plum'), markdown: 'One fig\n\nand [this page](manual.md)' };
    const second = { conflict: idOf('bats'), keep: 'current' };
    const some = await settle(title, second);
    expect([some.status, some.body.error.conflicts]).toEqual([409, conflicts]);
    const other = await settle(title, first, second, { conflict: 'of another text', keep: 'given' });
    expect([other.status, other.body.error.conflicts]).toEqual([409, conflicts]);
    const fault = async (resolution: object): Promise<unknown> => {
      const { status, body } = await settle(resolution);
      return [status, body.error.details?.map(({ path }) => path)];
    };
    expect(await fault({ conflict: first.conflict })).toEqual([400, ['changes.0.resolutions.0']]);
    expect(await fault({ ...first, keep: 'given' })).toEqual([400, ['changes.0.resolutions.0']]);
    expect(await fault({ conflict: title.conflict, markdown: 'Book' })).toEqual([400, ['changes.0.resolutions']]);
    const twice = await settle(first, first);
    expect(twice.body.error.details?.[0]?.path).toBe('changes.0.resolutions.1.conflict');
    const baseless = await save(admin, request, page, undefined, mine, { resolutions: [title] });
    expect(baseless.body.error.details?.[0]?.path).toBe('changes.0.base');
    expect((await settle(title, first, second)).status).toBe(200);
    expect(await read(admin, request, page)).toBe(
      '# Handbook\n\nOne fig\n\nand [this page](handbook.md)\n\nTwo bees in the bush\n\nThree cents in the fountain\n\nFour seasons in one night\n',
    );
  });

  it('knows what an update brought in from primary, and who wrote it', async () => {
    const { admin, page, org, request, space } = await written();
    const editor = await org.member('edit');
    const base = await head(admin, request);
    const text = await read(admin, request, page);
    expect((await save(editor, space, page, undefined, text.replace('apple', 'pear'))).status).toBe(200);
    expect((await admin.api.post(`${request}/update`)).status).toBe(200);
    const refused = await save(admin, request, page, base, text.replace('apple', 'plum'));
    expect(refused.status).toBe(409);
    expect(refused.body.error.conflicts?.[0]).toMatchObject({ by: { id: editor.id }, current: 'One pear a day\n' });
    expect((await save(admin, request, page, base, text.replace('birds', 'bees'))).status).toBe(200);
    expect(await read(admin, request, page)).toBe(text.replace('apple', 'pear').replace('birds', 'bees'));
  });

  it('leaves untouched what Markdown does not express', async () => {
    const { admin, page, request } = await written();
    const { body } = await admin.api.get<{ document: { nodes: { key: string; [name: string]: unknown }[] } }>(
      `${request}/content/page/${page}`,
    );
    const text = await read(admin, request, page);
    const nodes = body.document.nodes.map((node, index) =>
      index === 1 ? { ...node, data: { ...(node['data'] as object), fullWidth: true } } : node,
    );
    await admin.api.post(`${request}/content`, {
      changes: [{ operation: 'update_page', page, document: { document: { ...body.document, nodes } } }],
    });
    const shown = async () =>
      (await admin.api.get<typeof body>(`${request}/content/page/${page}`)).body.document.nodes[1];
    const kept = await shown();
    const base = await head(admin, request);
    expect((await save(admin, request, page, base, text.replace('apple', 'pear'))).status).toBe(200);
    expect(await shown()).toEqual(kept);
  });

  it('takes only revisions that the content comes from, and one text for each page', async () => {
    const { admin, page, request, space } = await written();
    const older = await head(admin, space);
    const text = await read(admin, space, page);
    expect((await save(admin, space, page, undefined, text.replace('apple', 'pear'))).status).toBe(200);
    const newer = await head(admin, space);
    const other = await admin.api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Other' });
    const foreign = `${space}/change-requests/${other.body.id}`;
    await save(admin, foreign, page, undefined, text.replace('apple', 'lemon'));
    const { admin: stranger, space: elsewhere } = await written();
    const refused = async (base: string, more: object = {}) => {
      const { status, body } = await save(admin, request, page, base, text, more);
      return [status, body.error.details?.map(({ path }) => path)];
    };
    const fault = [400, ['changes.0.base']];
    expect(await refused(newer)).toEqual(fault);
    expect(await refused(await head(admin, foreign))).toEqual(fault);
    expect(await refused(await head(stranger, elsewhere))).toEqual(fault);
    expect(await refused('AAAAAAAAAAAAAAAAAAAA')).toEqual(fault);
    expect(await refused(older, { document: undefined })).toEqual(fault);
    expect((await save(admin, request, page, older, text)).status).toBe(200);
    const twice = await admin.api.post<Refusal>(`${request}/content`, {
      changes: [...edit(page, older, text).changes, ...edit(page, undefined, text).changes],
    });
    expect([twice.status, twice.body.error.details?.[0]?.path]).toEqual([400, 'changes.0.base']);
    const inserted = await admin.api.post<{ changes: { page: { id: string } }[] }>(
      `${request}/content`,
      { changes: [{ operation: 'insert_page', title: 'New' }] },
      { query: { compat: false } },
    );
    const unknown = await save(admin, request, inserted.body.changes[0]?.page.id ?? '', older, 'Text');
    expect([unknown.status, unknown.body.error.details?.[0]?.path]).toEqual([400, 'changes.0.base']);
  });

  it('keeps the rights of writes', async () => {
    const { admin, page, org, request, space } = await written();
    const base = await head(admin, space);
    const reader = await org.member('read');
    const guest = await org.member('none');
    const outsider = (await buildOrganization(app.current)).admin;
    for (const place of [request, space]) {
      expect((await save(reader, place, page, base, 'Text')).status).toBe(403);
      expect((await save(guest, place, page, base, 'Text')).status).toBe(404);
      expect((await save(outsider, place, page, base, 'Text')).status).toBe(404);
    }
  });

  it('loses no block of twelve writers at once', async () => {
    const count = 12;
    const markdown = Array.from({ length: count }, (_, index) => `Paragraph ${index} begins here and ends there`);
    const { admin, page, request } = await written(markdown.join('\n\n'));
    const base = await head(admin, request);
    const text = await read(admin, request, page);
    const answers = await Promise.all(
      markdown.map((_, index) =>
        save(admin, request, page, base, text.replace(`${index} begins`, `${index} now begins`)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(markdown.map(() => 200));
    expect(await read(admin, request, page)).toBe(text.replaceAll(/(\d) begins/g, '$1 now begins'));
  });
});
