import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 0) || 3;
const EDITS = 12;

const app = useApp();

interface Page {
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  readonly pages?: readonly Page[];
}

async function liveSpace() {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Kept',
    empty: true,
    editMode: 'live',
  });
  const url = `/spaces/${made.body.id}`;
  const change = async (...changes: object[]) => {
    const { status, body } = await admin.api.post(`${url}/content`, { changes });
    expect([status, body]).toEqual([200, body]);
  };
  const tree = async () => flat((await admin.api.get<{ pages: Page[] }>(`${url}/content/pages`)).body.pages);
  return { api: admin.api, url, change, tree };
}

const flat = (pages: readonly Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** An answer without the addresses that name the place at which it was asked. */
const withoutAddresses = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'urls' ? undefined : value)));

describe('answers about a page', () => {
  it('stay valid while other pages change, and become others with the page, those above and below it, and shared content', async () => {
    const { api, url, change, tree } = await liveSpace();
    const text = (markdown: string) => ({ document: { markdown } });
    await change(
      { operation: 'insert_page', ref: 'above', title: 'Above' },
      {
        operation: 'insert_page',
        ref: 'page',
        into: 'above',
        title: 'Page',
        ...text('Version {{ space.vars.version }}'),
      },
      { operation: 'insert_page', into: 'page', title: 'Below' },
      { operation: 'insert_page', title: 'Other', ...text('Text') },
      { operation: 'set_variables', variables: { version: '1' } },
    );
    const idOf = async (wanted: string) => (await tree()).find(({ title }) => title === wanted)?.id ?? '';
    const [above, page, below, other] = [
      await idOf('Above'),
      await idOf('Page'),
      await idOf('Below'),
      await idOf('Other'),
    ];
    const places = [`page/${page}`, 'path/above%2Fpage'];
    const tags = new Map<string, string>();
    const asked = async () => {
      const statuses: number[] = [];
      for (const place of places) {
        const answer = await api.get(`${url}/content/${place}`, {
          headers: { 'If-None-Match': tags.get(place) ?? '' },
        });
        tags.set(place, answer.headers.get('etag') ?? '');
        statuses.push(answer.status);
      }
      return statuses;
    };
    const SAME = [304, 304];
    const OTHER = [200, 200];
    expect(await asked()).toEqual(OTHER);
    const expectAfter = async (expected: readonly number[], ...changes: object[]) => {
      await change(...changes);
      expect([changes, await asked()]).toEqual([changes, expected]);
    };
    await expectAfter(SAME, { operation: 'update_page', page: other, ...text('Another text') });
    await expectAfter(SAME, { operation: 'insert_page', into: above, title: 'Beside' });
    const beside = await idOf('Beside');
    await expectAfter(OTHER, { operation: 'update_page', page, ...text('Changed') });
    await expectAfter(OTHER, { operation: 'update_page', page: below, title: 'Deeper' });
    await expectAfter(OTHER, { operation: 'update_page', page: beside, into: below });
    await expectAfter(OTHER, { operation: 'delete_page', page: beside });
    await expectAfter(OTHER, { operation: 'set_variables', variables: { version: '2' } });
    await expectAfter(SAME, { operation: 'delete_page', page: other });
    await change({ operation: 'update_page', page: above, slug: 'moved' });
    expect(await asked()).toEqual([200, 200]);
    expect((await api.get<Page>(`${url}/content/page/${page}`)).body.path).toBe('moved/page');
  });

  it('tell after any changes what the revision tells that they made', async () => {
    const step = fc.record({
      kind: fc.constantFrom('insert', 'text', 'title', 'slug', 'move', 'delete', 'hide'),
      one: fc.nat(),
      other: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: EDITS, maxLength: EDITS }), async (steps) => {
        const { api, url, change, tree } = await liveSpace();
        await change(...['A', 'B', 'C', 'D'].map((title) => ({ operation: 'insert_page', title })));
        for (const [index, { kind, one, other }] of steps.entries()) {
          const pages = await tree();
          const at = (number: number) => pages[number % Math.max(1, pages.length)]?.id;
          const page = at(one);
          const mark = `${kind} ${index}`;
          const changes: Readonly<Record<typeof kind, object>> = {
            insert: { operation: 'insert_page', title: mark, ...(page !== undefined && { into: page }) },
            text: { operation: 'update_page', page, document: { markdown: mark } },
            title: { operation: 'update_page', page, title: mark },
            slug: { operation: 'update_page', page, slug: `slug-${index}` },
            move: { operation: 'update_page', page, into: at(other) },
            delete: { operation: 'delete_page', page },
            hide: { operation: 'update_page', page, hidden: true },
          };
          // A page cannot move below itself.
          const wanted = pages.length === 0 ? changes.insert : changes[kind];
          const { status, body } = await api.post<{ revision: string }>(`${url}/content`, { changes: [wanted] });
          if (status !== 200) continue;
          for (const { id } of await tree()) {
            const kept = await api.get(`${url}/content/page/${id}`);
            const told = await api.get(`${url}/revisions/${body.revision}/page/${id}`);
            expect([mark, kept.status, withoutAddresses(kept.body)]).toEqual([mark, 200, withoutAddresses(told.body)]);
          }
        }
      }),
      { numRuns: ROUNDS },
    );
  });
});
