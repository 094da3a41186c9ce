import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface Block {
  key: string;
  type: string;
  nodes: unknown[];
}
interface Conflict {
  id: string;
  kind: string;
  page: string;
  block?: string;
  blocks?: string[];
  base: Block[];
  primary: Block[];
  changed: Block[];
}
interface Conflicts {
  primary: string;
  conflicts: Conflict[];
}
interface Made {
  id: string;
}

const HOW = 'How to use it.\n\n* Start it\n* Stop it';

const paragraph = (text: string, more: object = {}) => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  data: {},
  ...more,
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});
const ownText = (...nodes: object[]) => ({ object: 'document', data: {}, nodes });
/** What blocks say, without what they are made of. */
const textOf = (blocks: readonly Block[]) =>
  [...JSON.stringify(blocks).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);

/** A space with one page, which change requests rewrite as a whole. */
class Scene {
  private constructor(
    readonly person: Person,
    readonly url: string,
    readonly page: string,
  ) {}

  static async of(markdown: string): Promise<Scene> {
    const { admin, id: organization } = await buildOrganization(app.current);
    const { id } = (
      await admin.api.post<Made>(`/orgs/${organization}/spaces`, { title: 'Docs', empty: true, editMode: 'live' })
    ).body;
    const { status, body } = await admin.api.post<{ changes: { page: Made }[] }>(`/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Run', document: { markdown } }],
    });
    expect(status).toBe(200);
    return new Scene(admin, `/spaces/${id}`, body.changes[0]?.page.id ?? '');
  }

  /** A change request in which the page says something else. */
  async request(markdown: string): Promise<string> {
    const { id } = (await this.person.api.post<Made>(`${this.url}/change-requests`, { subject: markdown.slice(0, 50) }))
      .body;
    const url = `${this.url}/change-requests/${id}`;
    await this.write(url, markdown);
    return url;
  }

  async write(url: string, markdown: string): Promise<void> {
    const { status } = await this.person.api.post(`${url}/content`, {
      changes: [{ operation: 'update_page', page: this.page, document: { markdown } }],
    });
    expect(status).toBe(200);
  }

  async merge(url: string): Promise<string> {
    return (await this.person.api.post<{ result: string }>(`${url}/merge`)).body.result;
  }

  async conflicts(url: string): Promise<Conflicts> {
    return (await this.person.api.get<Conflicts>(`${url}/conflicts`)).body;
  }

  update(url: string, body: object) {
    return this.person.api.post<{ result: string; error: { details: object[] } }>(`${url}/update`, body);
  }

  async says(url = this.url): Promise<string> {
    const { body } = await this.person.api.get<{ markdown: string }>(`${url}/content/page/${this.page}`, {
      query: { format: 'markdown' },
    });
    return body.markdown.replace('# Run\n\n', '');
  }

  async keys(url = this.url): Promise<string[]> {
    const { body } = await this.person.api.get<{ document: { nodes: Block[] } }>(`${url}/content/page/${this.page}`, {
      query: { format: 'document' },
    });
    return body.document.nodes.map(({ key }) => key);
  }
}

/** Two requests put different blocks in the place of the same ones; the first is merged. */
async function clash(
  base: string,
  left: string,
  right: string,
): Promise<{ scene: Scene; second: string; was: string[] }> {
  const scene = await Scene.of(base);
  const was = await scene.keys();
  const [first, second] = [await scene.request(left), await scene.request(right)];
  expect(await scene.merge(first)).toBe('merge');
  expect(await scene.merge(second)).toBe('conflicts');
  expect(await scene.says()).toBe(`${left}\n`);
  return { scene, second, was };
}

describe('blocks that both sides replaced', () => {
  const settle = (one: Conflict | undefined) =>
    ({
      primary: [{ keep: 'primary' }, 'Run it from the left.\n'],
      changed: [{ keep: 'changed' }, 'Run it from the right.\n'],
      'blocks of one’s own': [
        {
          document: ownText(
            paragraph('Run it from the left,', { key: one?.primary[0]?.key }),
            paragraph('or from the right.'),
          ),
        },
        'Run it from the left,\n\nor from the right.\n',
      ],
      nothing: [{ document: ownText() }, ''],
    }) as const;

  it.each(['primary', 'changed', 'blocks of one’s own', 'nothing'] as const)(
    'are one conflict, settled by %s',
    async (answer) => {
      const { scene, second, was } = await clash(HOW, 'Run it from the left.', 'Run it from the right.');
      const { primary, conflicts } = await scene.conflicts(second);
      const [one] = conflicts;
      expect(conflicts).toMatchObject([{ kind: 'blocks', page: scene.page, blocks: was }]);
      expect(one).not.toHaveProperty('block');
      expect([textOf(one?.base ?? []), textOf(one?.primary ?? []), textOf(one?.changed ?? [])]).toEqual([
        ['How to use it.', 'Start it', 'Stop it'],
        ['Run it from the left.'],
        ['Run it from the right.'],
      ]);
      expect((await scene.conflicts(second)).conflicts[0]?.id).toBe(one?.id);

      const [resolution, says] = settle(one)[answer];
      expect(
        (await scene.update(second, { primary, resolutions: [{ conflict: one?.id, ...resolution }] })).body.result,
      ).toBe('update');
      expect((await scene.says(second)).replace(/^# Run\n$/, '')).toBe(says);
      expect((await scene.conflicts(second)).conflicts).toEqual([]);
      expect(await scene.merge(second)).toBe('merge');
      expect((await scene.says()).replace(/^# Run\n$/, '')).toBe(says);
      const keys = await scene.keys();
      expect(new Set(keys).size).toBe(keys.length);
      if (answer === 'blocks of one’s own') expect(keys[0]).toBe(one?.primary[0]?.key);
    },
  );

  it('are settled by one answer to all, and leave the rest of the page alone', async () => {
    const before = 'Before.\n\n';
    const after = '\n\n## After\n\nThe end.';
    const { scene, second } = await clash(
      `${before}${HOW}${after}`,
      `${before}Run it from the left.${after}`,
      `${before}Run it from the right.${after}`,
    );
    const { primary } = await scene.conflicts(second);
    await scene.write(scene.url, `${before}Run it from the left.\n\n## After\n\nThe end, and more.`);
    expect((await scene.update(second, { primary, default: 'changed' })).body.result).toBe('update');
    expect(await scene.says(second)).toBe(`${before}Run it from the right.\n\n## After\n\nThe end, and more.\n`);
  });

  it('are no conflict where both sides put the same there, which is said once', async () => {
    const scene = await Scene.of(HOW);
    const [first, second] = [await scene.request('Run it.'), await scene.request('Run it.')];
    expect([await scene.merge(first), await scene.merge(second)]).toEqual(['merge', 'merge']);
    expect(await scene.says()).toBe('Run it.\n');
  });

  it.each([
    ['one took away what the other replaced', 'One.', 'One.\n\n* a\n* b', [[], ['a', 'b']]],
    [
      'runs overlap',
      'One.\n\n> a quotation\n\nFour, which is the end.',
      'One.\n\nTwo: a paragraph of words.\n\n* a\n* b',
      [
        ['a quotation', 'Four, which is the end.'],
        ['Two: a paragraph of words.', 'a', 'b'],
      ],
    ],
    [
      'one changed what the other replaced',
      'One.\n\nTwo: a paragraph of some words.\n\nThree, with different words again.\n\nFour, which is the end.',
      '* a\n* b',
      [
        ['One.', 'Two: a paragraph of some words.', 'Three, with different words again.', 'Four, which is the end.'],
        ['a', 'b'],
      ],
    ],
  ])('are one stretch where %s', async (_, left, right, sides) => {
    const { scene, second } = await clash(
      'One.\n\nTwo: a paragraph of words.\n\nThree, with different words again.\n\nFour, which is the end.',
      left,
      right,
    );
    const { primary, conflicts } = await scene.conflicts(second);
    expect(conflicts.map(({ kind, ...one }) => [kind, textOf(one.primary), textOf(one.changed)])).toEqual([
      ['blocks', ...sides],
    ]);
    expect((await scene.update(second, { primary, default: 'changed' })).body.result).toBe('update');
    expect(await scene.says(second)).toBe(`${right}\n`);
  });

  it('are asked about again when primary has moved', async () => {
    const { scene, second } = await clash(HOW, 'Run it from the left.', 'Run it from the right.');
    const { primary, conflicts } = await scene.conflicts(second);
    await scene.write(scene.url, 'Run it from the left, slowly.');
    expect((await scene.update(second, { primary, default: 'changed' })).status).toBe(409);
    const again = await scene.conflicts(second);
    expect(again.conflicts[0]?.id).not.toBe(conflicts[0]?.id);
    const refused = await scene.update(second, {
      primary: again.primary,
      resolutions: [{ conflict: conflicts[0]?.id, keep: 'changed' }],
    });
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'resolutions.0.conflict' })],
    ]);
    expect(
      (
        await scene.update(second, {
          primary: again.primary,
          resolutions: [{ conflict: again.conflicts[0]?.id, document: ownText({ object: 'nonsense' }) }],
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await scene.update(second, {
          primary: again.primary,
          resolutions: [{ conflict: again.conflicts[0]?.id, keep: 'changed' }],
        })
      ).body.result,
    ).toBe('update');
    expect(await scene.says(second)).toBe('Run it from the right.\n');
  });
});

describe('what people do to one page at the same time', () => {
  const page = (...parts: string[]) => parts.join('\n\n');
  const parts = [
    'Bindery keeps documentation.',
    '## Install it',
    'Download the program and start it.',
    '* Node.js\n* npm',
    '## Use it',
    'Open the address that it prints.',
  ];
  const [intro = '', install = '', how = '', list = '', use = '', open = ''] = parts;

  it.each([
    [
      'edit different paragraphs',
      page(`${intro} It is free.`, ...parts.slice(1)),
      page(...parts.slice(0, -1), 'Open the address that it prints first.'),
      [`${intro} It is free.`, install, how, list, use, 'Open the address that it prints first.'],
    ],
    [
      'add different sections at the end',
      page(...parts, '## Left', 'On the left.'),
      page(...parts, '## Right', 'On the right.'),
      [...parts, '## Left', 'On the left.', '## Right', 'On the right.'],
    ],
    [
      'add different paragraphs at the same place',
      page(intro, 'Left.', ...parts.slice(1)),
      page(intro, 'Right.', ...parts.slice(1)),
      [intro, 'Left.', 'Right.', install, how, list, use, open],
    ],
    [
      'rewrite neighbours, in their order',
      page(intro, install, how, '> Everything comes with it.', use, open),
      page(intro, install, '1. Fetch\n2. Run', list, use, open),
      [intro, install, '1. Fetch\n2. Run', '> Everything comes with it.', use, open],
    ],
    ['take away the same section', page(intro, use, open), page(intro, install, use, open), [intro, use, open]],
    [
      'rewrite one section and add another behind it',
      page(intro, install, '* Fetch\n* Run', '> And wait.', 'Then go on.', use, open),
      page(...parts.slice(0, 4), 'Or let others do it.', use, open),
      [intro, install, '* Fetch\n* Run', '> And wait.', 'Then go on.', 'Or let others do it.', use, open],
    ],
  ])('is united where they %s', async (_, left, right, both) => {
    const scene = await Scene.of(page(...parts));
    const [first, second] = [await scene.request(left), await scene.request(right)];
    expect([await scene.merge(first), await scene.merge(second)]).toEqual(['merge', 'merge']);
    expect(await scene.says()).toBe(`${page(...both)}\n`);
  });

  it('is united where they write to a page that said nothing', async () => {
    const scene = await Scene.of('');
    const [first, same, other] = [
      await scene.request('Left.'),
      await scene.request('Left.'),
      await scene.request('Right.'),
    ];
    expect([await scene.merge(first), await scene.merge(same), await scene.merge(other)]).toEqual([
      'merge',
      'merge',
      'merge',
    ]);
    expect(await scene.says()).toBe('Left.\n\nRight.\n');
  });
});
