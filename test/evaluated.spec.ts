import { describe, expect, it } from '@jest/globals';
import { block, codeBlock, document, inline, paragraph, plain } from '../src/formats/document/build.js';
import type { Document } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

describe('evaluated reads', () => {
  const EVERY = [
    '# Guide',
    'Install <code class="expression">space.vars.product</code> <code class="expression">page.vars.edition</code> for <code class="expression">visitor.claims.name ?? "you"</code>.',
    '{% if space.vars.edge %}\nOn the edge.\n{% endif %}',
    '{% if visitor.claims.isBetaUser %}\nFor testers.\n{% endif %}',
    '{% if !visitor.claims.isBetaUser %}\nFor all others.\n{% endif %}',
  ].join('\n\n');
  const PLAIN = {
    true: 'Install Bindery pro for you.\n\nFor all others.\n',
    'deterministic-only':
      'Install Bindery pro for <code class="expression">visitor.claims.name ?? "you"</code>.\n\n{% if visitor.claims.isBetaUser %}\nFor testers.\n{% endif %}\n\n{% if !visitor.claims.isBetaUser %}\nFor all others.\n{% endif %}\n',
  };

  async function guide(): Promise<{ admin: Person; space: string; request: string; page: string }> {
    const { id, admin } = await buildOrganization(app.current);
    const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide', empty: true })).body.id;
    const request = (await admin.api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Write' }))
      .body.id;
    const written = await admin.api.post<{ changes: { page: { id: string } }[] }>(
      `/spaces/${space}/change-requests/${request}/content`,
      {
        changes: [
          { operation: 'set_variables', variables: { product: 'Bindery', edge: false } },
          { operation: 'insert_page', title: 'Guide', variables: { edition: 'pro' }, document: { markdown: EVERY } },
        ],
      },
      { query: { compat: false } },
    );
    return { admin, space, request, page: written.body.changes[0]?.page.id ?? '' };
  }

  it('are there in every place, by id and by path, in both formats', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const merge = async (): Promise<string> =>
      (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`)).body.revision;
    const check = async (place: string): Promise<void> => {
      for (const mode of ['true', 'deterministic-only'] as const) {
        for (const path of [`${place}/page/${page}`, `${place}/path/guide`]) {
          const markdown = await api.get<{ markdown: string }>(path, {
            query: { format: 'markdown', evaluated: mode },
          });
          expect(markdown.body.markdown).toBe(`# Guide\n\n${PLAIN[mode]}`);
          const { document: body } = (await api.get<{ document: Document }>(path, { query: { evaluated: mode } })).body;
          expect(validateDocument(body)).toEqual([]);
          expect(JSON.stringify(body).includes('"type":"expression"')).toBe(mode !== 'true');
          const unevaluated = (await api.get<{ document: Document }>(path)).body.document;
          expect(body.nodes[0]?.key).toBe(unevaluated.nodes[0]?.key);
          expect(
            (await api.get<{ markdown: string }>(path, { query: { format: 'markdown', evaluated: 'false' } })).body
              .markdown,
          ).toContain('{% if space.vars.edge %}');
        }
      }
      expect((await api.get(`${place}/page/${page}`, { query: { evaluated: 'yes' } })).status).toBe(400);
    };
    await check(`/spaces/${space}/change-requests/${request}/content`);
    const revision = await merge();
    await check(`/spaces/${space}/content`);
    await check(`/spaces/${space}/revisions/${revision}`);
    const body = await api.get<Document>(`/spaces/${space}/revisions/${revision}/page/${page}/document`, {
      query: { evaluated: 'true' },
    });
    expect(JSON.stringify(body.body)).toContain('Install Bindery pro for you.');
  });

  it('follow the variables of their revision, under an ETag of their own', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const first = (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`)).body
      .revision;
    const address = `/spaces/${space}/content/page/${page}`;
    const before = await api.get<{ markdown: string }>(address, { query: { format: 'markdown', evaluated: 'true' } });
    const etag = before.headers.get('etag') ?? '';
    expect(
      (await api.get(address, { query: { format: 'markdown', evaluated: 'true' }, headers: { 'If-None-Match': etag } }))
        .status,
    ).toBe(304);
    expect((await api.get(address, { query: { format: 'markdown' } })).headers.get('etag')).not.toBe(etag);
    const next = (await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Rename' })).body.id;
    await api.post(`/spaces/${space}/change-requests/${next}/content`, {
      changes: [{ operation: 'set_variables', variables: { product: 'Pergamon', edge: true } }],
    });
    const markdown = async (place: string): Promise<string> =>
      (
        await api.get<{ markdown: string }>(`/spaces/${space}${place}/page/${page}`, {
          query: { format: 'markdown', evaluated: 'true' },
        })
      ).body.markdown;
    expect(await markdown(`/change-requests/${next}/content`)).toMatch(/Install Pergamon pro[^]*On the edge/);
    expect(await markdown('/content')).toContain('Install Bindery');
    await api.post(`/spaces/${space}/change-requests/${next}/merge`);
    const after = await api.get<{ markdown: string }>(address, {
      query: { format: 'markdown', evaluated: 'true' },
      headers: { 'If-None-Match': etag },
    });
    expect([after.status, after.body.markdown]).toEqual([200, expect.stringContaining('Install Pergamon')]);
    expect(await markdown(`/revisions/${first}`)).toContain('Install Bindery');
    const shown = async (evaluated: string): Promise<string> =>
      (await api.get<{ html: string }>(`${address}/html`, { query: { evaluated } })).body.html;
    expect(await shown('true')).toContain('Install Pergamon');
    expect(await shown('false')).not.toContain('Pergamon');
  });

  it('of reusable contents know the variables of the space, and of no page', async () => {
    const { admin, space, request } = await guide();
    const { api } = admin;
    await api.post(`/spaces/${space}/change-requests/${request}/content`, {
      changes: [
        {
          operation: 'insert_reusable_content',
          title: 'Shared',
          document: {
            markdown:
              '<code class="expression">space.vars.product</code>[<code class="expression">page.vars.edition</code>]',
          },
        },
      ],
    });
    const { revision } = (await api.post<{ revision: string }>(`/spaces/${space}/change-requests/${request}/merge`))
      .body;
    const fixed = `/spaces/${space}/revisions/${revision}`;
    const [shared] = (await api.get<{ reusableContents: { id: string }[] }>(fixed)).body.reusableContents;
    const { body } = await api.get<Document>(`${fixed}/reusable-contents/${shared?.id ?? ''}/document`, {
      query: { evaluated: 'true' },
    });
    expect(body.nodes).toMatchObject([{ nodes: [{ leaves: [{ text: 'Bindery[]' }] }] }]);
  });

  it('are not refused what cannot be read, but conditions of pages are', async () => {
    const { admin, space, request, page } = await guide();
    const { api } = admin;
    const address = `/spaces/${space}/change-requests/${request}/content`;
    const write = (change: object) => api.post(address, { changes: [{ operation: 'update_page', page, ...change }] });
    const broken = document([
      paragraph(plain('a'), inline('expression', { expression: '1 +' })),
      block('if', { expression: 'while (true) {}' }, [paragraph(plain('secret'))]),
      codeBlock('b'),
    ]);
    expect((await write({ document: { document: broken } })).status).toBe(200);
    expect(
      (
        await api.get<{ markdown: string }>(`${address}/page/${page}`, {
          query: { format: 'markdown', evaluated: 'true' },
        })
      ).body.markdown,
    ).toBe('# Guide\n\na\n\n```\nb\n```\n');
    for (const condition of ['1 +', 'while (true) {}', 'visitor.claims = 1', 'visitor.__proto__', 'f()']) {
      const refused = await write({ condition });
      expect([condition, refused.status, refused.body]).toEqual([
        condition,
        400,
        { error: expect.objectContaining({ details: [expect.objectContaining({ path: 'changes.0.condition' })] }) },
      ]);
    }
    for (const condition of ['visitor.claims.isBetaUser', 'visitor.claims.groups.includes("admin")', ''])
      expect((await write({ condition })).status).toBe(200);
    expect((await write({ document: { markdown: '---\nif: 1 +\n---\n\ntext' } })).status).toBe(200);
  });
});
