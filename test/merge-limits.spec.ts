import { describe, expect, it } from '@jest/globals';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { DocumentMerger } from '../src/authoring/change-requests/document-merger.js';
import { mergeDocuments, type MergeOrder } from '../src/authoring/change-requests/merge-tasks.js';
import type { DocumentStore } from '../src/authoring/content/document-store.js';
import type { DocumentMerge } from '../src/authoring/content/domain/merge.js';
import { document, paragraph, plain } from '../src/formats/document/build.js';
import { canonicalJson, hashText } from '../src/formats/document/hash.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

interface Request {
  readonly id: string;
  readonly status: string;
  readonly revision: string;
}

const linesOf = (name: string, last = '') =>
  `${Array.from({ length: 300 }, (_, index) => `Line ${index} of the ${name} page, and some more words.`).join('\n\n')}${last}`;

describe('merging documents that take too long', () => {
  const app = useApp();

  it('is refused with the page that is too much, of several, and nothing is half done', async () => {
    const {
      admin: { api },
      id: organization,
    } = await buildOrganization(app.current);
    const { id } = (
      await api.post<{ id: string }>(`/orgs/${organization}/spaces`, { title: 'Docs', empty: true, editMode: 'live' })
    ).body;
    const names = ['first', 'slow', 'third'];
    const inserted = await api.post<{ changes: { page: { id: string } }[] }>(`/spaces/${id}/content`, {
      changes: names.map((title) => ({ operation: 'insert_page', title, document: { markdown: linesOf(title) } })),
    });
    const pages = inserted.body.changes.map(({ page }) => page.id);
    const write = async (url: string, last: (name: string) => string) => {
      const changes = names.map((name, index) => ({
        operation: 'update_page',
        page: pages[index],
        document: { markdown: last(name) },
      }));
      expect((await api.post(`${url}/content`, { changes })).status).toBe(200);
    };
    const request = `/spaces/${id}/change-requests/${(await api.post<Request>(`/spaces/${id}/change-requests`, { subject: 'x' })).body.id}`;
    await write(request, (name) => linesOf(name, '\n\nThe end.'));
    await write(`/spaces/${id}`, (name) => `The beginning.\n\n${linesOf(name)}`);
    const state = async () => [(await api.get(`/spaces/${id}/content`)).body, (await api.get(request)).body];
    const before = await state();

    const workers = app.current.get(WorkerPool);
    const run = workers.run.bind(workers);
    const asked: number[] = [];
    workers.run = (task, input, options) => {
      if (task.name !== 'mergeDocuments') return run(task, input, options);
      const { merges, texts } = input as MergeOrder;
      asked.push(merges.length);
      return run(
        [...texts.values()].some((text) => text.includes('slow page')) ? { ...task, seconds: 0.001 } : task,
        input,
        options,
      );
    };
    try {
      for (const answer of [
        await api.post(`${request}/merge`),
        await api.post(`${request}/update`),
        await api.get(`${request}/conflicts`),
      ]) {
        expect(answer.status).toBe(422);
        expect(answer.body).toMatchObject({
          error: {
            details: [{ path: `pages.${pages[1]}.document`, message: 'takes more than 0.001 seconds to process' }],
          },
        });
      }
    } finally {
      workers.run = run;
    }
    expect(Math.max(...asked)).toBe(names.length);
    expect(await state()).toEqual(before);
    expect((await api.post(`${request}/merge`)).body).toMatchObject({ result: 'merge' });
    const { markdown } = (
      await api.get<{ markdown: string }>(`/spaces/${id}/content/page/${pages[1]}`, { query: { format: 'markdown' } })
    ).body;
    expect([markdown.includes('The beginning.'), markdown.includes('The end.')]).toEqual([true, true]);
  });
});

describe('merging many documents', () => {
  it('loads few of them at a time, and merges each', async () => {
    const stored = new Map<string, string>();
    const keep = (...lines: string[]): string => {
      const nodes = lines.map((line, index) => ({ ...paragraph(plain(line)), key: `b${index}` }));
      const json = canonicalJson(document(nodes));
      stored.set(hashText(json), json);
      return hashText(json);
    };
    const merges = Array.from({ length: 150 }, (_, page): DocumentMerge => ({
      item: `page:p${page}`,
      base: keep(`First of ${page}`, 'Between', 'Last'),
      primary: keep(`First of ${page}, changed`, 'Between', 'Last'),
      changed: keep(`First of ${page}`, 'Between', `Last of ${page}`),
    }));
    const both = merges.map((_, page) => keep(`First of ${page}, changed`, 'Between', `Last of ${page}`));
    const asked: number[] = [];
    const merger = new DocumentMerger(
      { run: (_: unknown, order: MergeOrder) => Promise.resolve(mergeDocuments(order)) } as unknown as WorkerPool,
      {
        json: (_: string, hashes: readonly string[]) => {
          asked.push(hashes.length);
          return Promise.resolve(new Map(hashes.map((hash) => [hash, stored.get(hash) ?? ''])));
        },
      } as unknown as DocumentStore,
    );
    const merged = await merger.merge({ spaceId: 's', merges }, true);
    expect(merges.map(({ item }) => merged.get(item)?.hash)).toEqual(both);
    expect(asked.filter((count) => count > 0)).toEqual([192, 192, 66]);
  });
});
