import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { discussion, write, type Discussion, type Failure } from './discussion.js';

const app = useApp();

interface Conflicts {
  primary: string;
  conflicts: {
    id: string;
    kind: string;
    markdown?: { base: string; primary: string; changed: string };
  }[];
}

const edit = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

const conflicts = async ({ admin, request }: Discussion): Promise<Conflicts> =>
  (await admin.api.get<Conflicts>(`${request}/conflicts`)).body;

const settle = ({ admin, request }: Discussion, primary: string, ...resolutions: object[]) =>
  admin.api.post<{ result: string } & Failure>(`${request}/update`, { primary, resolutions });

const read = async ({ admin, page }: Discussion, place: string): Promise<string> =>
  (await admin.api.get<{ markdown: string }>(`${place}/content/page/${page}`, { query: { format: 'markdown' } })).body
    .markdown;

/** A discussion whose change request and space have different texts of its page. */
async function disputed(base: string, primary: string, changed: string): Promise<Discussion> {
  const made = await discussion(app.current, base);
  await write(made.admin, made.request, edit(made.page, changed));
  await write(made.admin, made.space, edit(made.page, primary));
  return made;
}

describe('conflicts in Markdown', () => {
  it('show the three sides of a block and of a place, with links as in the page', async () => {
    const made = await disputed('Needs version 18\n\nLast', 'Needs version 20\n\nLast', 'Needs version 22\n\nLast');
    const { conflicts: listed } = await conflicts(made);
    expect(listed.map(({ kind, markdown }) => [kind, markdown])).toEqual([
      ['block', { base: 'Needs version 18\n', primary: 'Needs version 20\n', changed: 'Needs version 22\n' }],
    ]);
    const [other = ''] = await write(made.admin, made.space, { operation: 'insert_page', title: 'Other page' });
    await write(made.admin, made.space, edit(made.page, `See [the other](/pages/${other}) of version 20\n\nLast`));
    const [linked] = (await conflicts(made)).conflicts;
    expect(linked?.markdown?.primary).toBe('See [the other](other-page.md) of version 20\n');
  });

  it('are settled in Markdown, whose blocks continue those in conflict', async () => {
    const made = await disputed('Needs version 18\n\nLast', 'Needs version 20\n\nLast', 'Needs version 22\n\nLast');
    const [other = ''] = await write(made.admin, made.space, { operation: 'insert_page', title: 'Other page' });
    const { primary, conflicts: listed } = await conflicts(made);
    const conflict = listed[0]?.id;
    const settled = await settle(made, primary, {
      conflict,
      markdown: `Needs version 20 or 22\n\n* as [the other](/pages/${other}) says`,
    });
    expect([settled.status, settled.body.result]).toEqual([200, 'update']);
    expect(await read(made, made.request)).toBe(
      '# Guide\n\nNeeds version 20 or 22\n\n* as [the other](other-page.md) says\n\nLast\n',
    );
    expect((await made.admin.api.post<{ result: string }>(`${made.request}/merge`)).body.result).toBe('merge');
    expect(await read(made, made.space)).toContain('Needs version 20 or 22');
  });

  it('take an empty text for nothing at that place', async () => {
    const made = await disputed('One\n\nLast', 'One of primary\n\nLast', 'One of mine\n\nLast');
    const { primary, conflicts: listed } = await conflicts(made);
    expect((await settle(made, primary, { conflict: listed[0]?.id, markdown: '' })).body.result).toBe('update');
    expect(await read(made, made.request)).toBe('# Guide\n\nLast\n');
  });

  it('refuse Markdown beside another answer, for attributes, and beyond its limits', async () => {
    const made = await disputed('One\n\nLast', 'One of primary\n\nLast', 'One of mine\n\nLast');
    await write(made.admin, made.request, { operation: 'update_page', page: made.page, title: 'Mine' });
    await write(made.admin, made.space, { operation: 'update_page', page: made.page, title: 'Theirs' });
    const { primary, conflicts: listed } = await conflicts(made);
    const block = listed.find(({ kind }) => kind === 'block')?.id;
    const attribute = listed.find(({ kind }) => kind === 'attribute');
    expect(attribute?.markdown).toBeUndefined();
    const refused = async (resolution: object): Promise<unknown> => {
      const { status, body } = await settle(made, primary, resolution);
      return [status, body.error.details?.[0]?.path];
    };
    expect(await refused({ conflict: block, markdown: 'Both', keep: 'primary' })).toEqual([400, 'resolutions.0']);
    expect(await refused({ conflict: attribute?.id, markdown: 'Both' })).toEqual([400, 'resolutions.0.markdown']);
    expect(await refused({ conflict: block, markdown: 5 })).toEqual([400, 'resolutions.0.markdown']);
    expect((await conflicts(made)).conflicts).toEqual(listed);
  });
});
