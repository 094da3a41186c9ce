import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { block, codeBlock, document, fragment, inline, leaf, mark, paragraph, plain, text } from '../src/content/domain/document/build.js';
import { evaluateDocument, type DocumentScope } from '../src/content/domain/document/evaluate.js';
import type { Block, Document, Node } from '../src/content/domain/document/types.js';
import { validateDocument } from '../src/content/domain/document/validate.js';
import { keyed } from '../src/content/document-codec.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { documents } from './document-arbitrary.js';

const app = useApp();
const ROUNDS = Number(process.env.ROUNDS ?? 0) || 200;

const says = (expression: string): Node => inline('expression', { expression });
const only = (expression: string, ...blocks: Block[]): Block => block('if', { expression }, blocks);
const words = (value: string): Block => paragraph(plain(value));
const SCOPE: DocumentScope = { spaceVariables: { product: 'Bindery', version: 3, beta: false }, pageVariables: { level: 2 }, deterministicOnly: false };
const evaluated = (nodes: readonly Block[], scope: Partial<DocumentScope> = {}): Block[] => {
  const made = evaluateDocument(document(nodes), { ...SCOPE, ...scope });
  expect(validateDocument(made)).toEqual([]);
  return made.nodes;
};
const line = (nodes: readonly Node[], scope: Partial<DocumentScope> = {}): Node[] => evaluated([paragraph(...nodes)], scope)[0]?.nodes ?? [];

describe('an evaluated line', () => {
  it('has the texts of its expressions in their places', () => {
    expect(line([plain('Run '), says('space.vars.product'), plain(' '), says('`v${space.vars.version}.${page.vars.level}`'), plain('!')])).toEqual([plain('Run Bindery v3.2!')]);
    expect(line([says('space.vars.product')])).toEqual([plain('Bindery')]);
  });

  it('shows nothing where an expression has no value', () => {
    for (const nothing of ['space.vars.missing', 'null', 'nobody', 'space.vars.', 'space.vars', 'space.vars.missing.deeper', 'visitor.claims.name', 'while (true) {}', '[].constructor']) {
      expect(line([plain('a'), says(nothing), plain('b')])).toEqual([plain('ab')]);
      expect(line([says(nothing)])).toEqual([plain('')]);
    }
  });

  it('takes the marks that both neighbours have', () => {
    const bold = mark('bold');
    const around = (before: ReturnType<typeof mark>[], after: ReturnType<typeof mark>[]): Node[] => [text(leaf('a', before)), says('page.vars.level'), text(leaf('b', after))];
    expect(line(around([bold, mark('italic')], [bold]))).toEqual([text(leaf('a', [bold, mark('italic')]), leaf('2b', [bold]))]);
    expect(line(around([bold], []))).toEqual([text(leaf('a', [bold]), leaf('2b'))]);
  });

  it('reaches into links, annotations, code and every kind of container', () => {
    const link = (inner: Node): Node => inline('link', { ref: { kind: 'url', url: 'https://example.com/' } }, [inner]);
    expect(line([link(says('page.vars.level'))])).toEqual([link(plain('2'))]);
    const note = (inner: Node): Node => inline('annotation', {}, [plain('word')], [fragment('body', [paragraph(inner)], 'annotation-body')]);
    expect(line([note(says('page.vars.level'))])).toEqual([note(plain('2'))]);
    const code = (inner: Node): Block => block('code', {}, [block('code-line', {}, [inner])]);
    expect(evaluated([code(says('page.vars.level'))])).toEqual([code(plain('2'))]);
    const deep = (inner: Block): Block[] => [
      block('hint', { style: 'info' }, [inner]),
      block('list-ordered', {}, [block('list-item', {}, [inner])]),
      block('table', { view: { type: 'grid', columns: ['a'], hideHeader: false }, records: { r: { orderIndex: 'a', values: { a: 'cell' } } }, definition: { a: { id: 'a', title: 'A', type: 'text', textAlignment: 'left' } } }, undefined, [fragment('cell', [inner])]),
    ];
    expect(evaluated(deep(paragraph(says('page.vars.level'))))).toEqual(deep(words('2')));
  });

  it('keeps markup that says nothing, and what stands beside an expression', () => {
    const markup = inline('expression', { expression: '', raw: '<br class="x">' });
    const emoji = inline('emoji', { code: '1f680' });
    expect(line([plain('a'), markup, says('page.vars.level'), emoji])).toEqual([plain('a'), markup, plain('2'), emoji]);
  });
});

describe('an evaluated condition', () => {
  it('leaves its content where it holds, and nothing where it does not', () => {
    expect(evaluated([only('space.vars.version > 2', words('new'), only('page.vars.level === 2', words('both'))), only('space.vars.beta', words('beta')), words('end')])).toEqual([words('new'), words('both'), words('end')]);
    for (const shut of ['visitor.claims.isBetaUser', 'visitor.claims.unsigned.plan === "pro"', 'nobody', '1 +', 'this']) expect(evaluated([only(shut, words('secret'))])).toEqual([]);
    for (const open of ['', ' ', '!visitor.claims.isBetaUser', '!visitor.claims.unsigned.beta']) expect(evaluated([only(open, words('shown'))])).toEqual([words('shown')]);
  });

  it('never leaves a fragment empty that must not be', () => {
    const expandable = (body: Block): Block => block('expandable', {}, undefined, [fragment('expandable-title', [words('t')], 'expandable-title'), fragment('expandable-body', [body], 'expandable-body')]);
    const hidden = { ...only('false', words('x')), key: 'k1' };
    expect(evaluated([expandable(hidden)])).toEqual([expandable({ ...paragraph(), key: 'k1' })]);
  });
});

describe('deterministic evaluation', () => {
  it('leaves alone what depends on the reader, and what cannot be read', () => {
    const left = [says('visitor.claims.name'), says('`${space.vars.product} ${visitor.claims.name}`'), says('1 +'), says('other')];
    for (const each of left) expect(line([plain('a'), each, says('page.vars.level')], { deterministicOnly: true })).toEqual([plain('a'), each, plain('2')]);
    expect(line([says('space.vars.missing.deeper'), says('[1].map(visitor => visitor).join()')], { deterministicOnly: true })).toEqual([plain('1')]);
    const kept = (inner: Node): Block => only('visitor.claims.isBetaUser', paragraph(inner));
    expect(evaluated([kept(says('page.vars.level')), only('space.vars.beta', words('x')), only('true', words('y'))], { deterministicOnly: true })).toEqual([kept(plain('2')), words('y')]);
  });
});

describe('any document', () => {
  const keysOf = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { key } = value as { key?: unknown };
    return [...(typeof key === 'string' ? [key] : []), ...Object.values(value).flatMap(keysOf)];
  };

  it(`stays valid, keeps its keys, and is evaluated once and for all (${ROUNDS})`, () => {
    fc.assert(
      fc.property(documents, fc.boolean(), fc.constantFrom('visitor.claims.a', 'true', 'false', 'page.vars.level'), (made, deterministicOnly, condition) => {
        const before = keyed(JSON.parse(JSON.stringify(made).replaceAll('visitor.claims.beta == true', condition)) as Document);
        const after = evaluateDocument(before, { ...SCOPE, deterministicOnly });
        expect(validateDocument(after)).toEqual([]);
        const known = new Set(keysOf(before));
        const keys = keysOf(after);
        expect(keys.filter((key) => !known.has(key))).toEqual([]);
        expect(new Set(keys).size).toBe(keys.length);
        expect(evaluateDocument(after, { ...SCOPE, deterministicOnly })).toEqual(after);
        if (!deterministicOnly) expect(JSON.stringify(after)).not.toMatch(/"type":"(?:if|expression)"/);
      }),
      { numRuns: ROUNDS },
    );
  });

  it('ends soon, however many expressions it has', () => {
    const bomb = (index: number): Block => paragraph(says(`[${index}]` + '.map(a => [a, a])'.repeat(40) + '.join()'));
    const begin = process.cpuUsage();
    evaluated(Array.from({ length: 5_000 }, (_, index) => bomb(index)));
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(5);
  });
});

describe('evaluated reads', () => {
  const EVERY = ['# Guide', 'Install <code class="expression">space.vars.product</code> <code class="expression">page.vars.edition</code> for <code class="expression">visitor.claims.name ?? "you"</code>.', '{% if space.vars.edge %}\nOn the edge.\n{% endif %}', '{% if visitor.claims.isBetaUser %}\nFor testers.\n{% endif %}', '{% if !visitor.claims.isBetaUser %}\nFor all others.\n{% endif %}'].join('\n\n');
  const PLAIN = { true: 'Install Bindery pro for you.\n\nFor all others.\n', 'deterministic-only': 'Install Bindery pro for <code class="expression">visitor.claims.name ?? "you"</code>.\n\n{% if visitor.claims.isBetaUser %}\nFor testers.\n{% endif %}\n\n{% if !visitor.claims.isBetaUser %}\nFor all others.\n{% endif %}\n' };

  async function guide(): Promise<{ admin: Person; space: string; request: string; page: string }> {
    const { id, admin } = await buildOrganization(app.current);
    const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide', empty: true })).body.id;
    const request = (await admin.api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Write' })).body.id;
    const written = await admin.api.post<{ changes: { page: { id: string } }[] }>(
      `/spaces/${space}/change-requests/${request}/content`,
      { changes: [{ operation: 'set_variables', variables: { product: 'Bindery', edge: false } }, { operation: 'insert_page', title: 'Guide', variables: { edition: 'pro' }, document: { markdown: EVERY } }] },
      { query: { compat: false } },
    );
    return { admin, space, request, page: written.body.changes[0]?.page.id ?? '' };
  }

  it('are there in every place, by id and by path, in both formats', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const merge = async (): Promise<string> => (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`)).body.revision;
    const check = async (place: string): Promise<void> => {
      for (const mode of ['true', 'deterministic-only'] as const) {
        for (const path of [`${place}/page/${page}`, `${place}/path/guide`]) {
          const markdown = await api.get<{ markdown: string }>(path, { query: { format: 'markdown', evaluated: mode } });
          expect(markdown.body.markdown).toBe(`# Guide\n\n${PLAIN[mode]}`);
          const { document: body } = (await api.get<{ document: Document }>(path, { query: { evaluated: mode } })).body;
          expect(validateDocument(body)).toEqual([]);
          expect(JSON.stringify(body).includes('"type":"expression"')).toBe(mode !== 'true');
          const unevaluated = (await api.get<{ document: Document }>(path)).body.document;
          expect(body.nodes[0]?.key).toBe(unevaluated.nodes[0]?.key);
          expect((await api.get<{ markdown: string }>(path, { query: { format: 'markdown', evaluated: 'false' } })).body.markdown).toContain('{% if space.vars.edge %}');
        }
      }
      expect((await api.get(`${place}/page/${page}`, { query: { evaluated: 'yes' } })).status).toBe(400);
    };
    await check(`/spaces/${space}/change-requests/${request}/content`);
    const revision = await merge();
    await check(`/spaces/${space}/content`);
    await check(`/spaces/${space}/revisions/${revision}`);
    const body = await api.get<Document>(`/spaces/${space}/revisions/${revision}/page/${page}/document`, { query: { evaluated: 'true' } });
    expect(JSON.stringify(body.body)).toContain('Install Bindery pro for you.');
  });

  it('follow the variables of their revision, under an ETag of their own', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const first = (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`)).body.revision;
    const address = `/spaces/${space}/content/page/${page}`;
    const before = await api.get<{ markdown: string }>(address, { query: { format: 'markdown', evaluated: 'true' } });
    const etag = before.headers.get('etag') ?? '';
    expect((await api.get(address, { query: { format: 'markdown', evaluated: 'true' }, headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await api.get(address, { query: { format: 'markdown' } })).headers.get('etag')).not.toBe(etag);
    const next = (await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Rename' })).body.id;
    await api.post(`/spaces/${space}/change-requests/${next}/content`, { changes: [{ operation: 'set_variables', variables: { product: 'Pergamon', edge: true } }] });
    const markdown = async (place: string): Promise<string> => (await api.get<{ markdown: string }>(`/spaces/${space}${place}/page/${page}`, { query: { format: 'markdown', evaluated: 'true' } })).body.markdown;
    expect(await markdown(`/change-requests/${next}/content`)).toMatch(/Install Pergamon pro[^]*On the edge/);
    expect(await markdown('/content')).toContain('Install Bindery');
    await api.post(`/spaces/${space}/change-requests/${next}/merge`);
    const after = await api.get<{ markdown: string }>(address, { query: { format: 'markdown', evaluated: 'true' }, headers: { 'If-None-Match': etag } });
    expect([after.status, after.body.markdown]).toEqual([200, expect.stringContaining('Install Pergamon')]);
    expect(await markdown(`/revisions/${first}`)).toContain('Install Bindery');
  });

  it('of reusable contents know the variables of the space, and of no page', async () => {
    const { admin, space, request } = await guide();
    const { api } = admin;
    await api.post(`/spaces/${space}/change-requests/${request}/content`, { changes: [{ operation: 'insert_reusable_content', title: 'Shared', document: { markdown: '<code class="expression">space.vars.product</code>[<code class="expression">page.vars.edition</code>]' } }] });
    const { revision } = (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`)).body;
    const fixed = `/spaces/${space}/revisions/${revision}`;
    const [shared] = (await api.get<{ reusableContents: { id: string }[] }>(fixed)).body.reusableContents;
    const { body } = await api.get<Document>(`${fixed}/reusable-contents/${shared?.id ?? ''}/document`, { query: { evaluated: 'true' } });
    expect(body.nodes).toMatchObject([{ nodes: [{ leaves: [{ text: 'Bindery[]' }] }] }]);
  });

  it('are not refused what cannot be read, but conditions of pages are', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const address = `/spaces/${space}/change-requests/${request}/content`;
    const write = (change: object) => api.post(address, { changes: [{ operation: 'update_page', page, ...change }] });
    const broken = document([paragraph(plain('a'), says('1 +')), only('while (true) {}', words('secret')), codeBlock('b')]);
    expect((await write({ document: { document: broken } })).status).toBe(200);
    expect((await api.get<{ markdown: string }>(`${address}/page/${page}`, { query: { format: 'markdown', evaluated: 'true' } })).body.markdown).toBe('# Guide\n\na\n\n```\nb\n```\n');
    for (const condition of ['1 +', 'while (true) {}', 'visitor.claims = 1', 'visitor.__proto__', 'f()']) {
      const refused = await write({ condition });
      expect([condition, refused.status, refused.body]).toEqual([condition, 400, { error: expect.objectContaining({ details: [expect.objectContaining({ path: 'changes.0.condition' })] }) }]);
    }
    for (const condition of ['visitor.claims.isBetaUser', 'visitor.claims.groups.includes("admin")', '']) expect((await write({ condition })).status).toBe(200);
    expect((await write({ document: { markdown: '---\nif: 1 +\n---\n\ntext' } })).status).toBe(200);
  });
});
