import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runInContext } from '../../src/kernel/common/context.js';
import { newId } from '../../src/kernel/common/ids.js';
import { ChangeRequests } from '../../src/authoring/change-requests/change-requests.service.js';
import { MergeConflicts } from '../../src/authoring/change-requests/merge-conflicts.service.js';
import { Merges } from '../../src/authoring/change-requests/merges.service.js';
import { RequestUpdates } from '../../src/authoring/change-requests/request-updates.service.js';
import type { ChangeInput } from '../../src/authoring/content/change-input.js';
import { ContentStore, type Point } from '../../src/authoring/content/content-store.js';
import { ContentWriter } from '../../src/authoring/content/content-writer.js';
import { DocumentStore } from '../../src/authoring/content/document-store.js';
import { itemKey, sameItem, type Item, type ItemKey } from '../../src/authoring/content/domain/content-item.js';
import { ContentLines, primaryPoint, requestPoint, revisionPoint } from '../../src/authoring/content/content-lines.js';
import { NewSpaces } from '../../src/authoring/content/new-spaces.service.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { applied, differenceOf, mergedContent, rounds, seed } from './content-generators.js';

const app = useApp();
const RUNS = { numRuns: rounds(12), seed };
const seen = { merges: 0, conflicts: 0, revisions: 0 };

afterAll(() => {
  process.stdout.write(
    `histories: seed ${seed}, ${RUNS.numRuns} cases, ${seen.revisions} revisions read again, ${seen.merges} merges, ${seen.conflicts} of them with conflicts\n`,
  );
});

type Step =
  | { readonly kind: 'insert'; readonly under: number; readonly at: number; readonly text: number }
  | { readonly kind: 'rename'; readonly page: number; readonly text: number }
  | { readonly kind: 'describe'; readonly page: number; readonly text: number }
  | { readonly kind: 'write'; readonly page: number; readonly texts: readonly number[] }
  | { readonly kind: 'move'; readonly page: number; readonly under: number; readonly at: number }
  | { readonly kind: 'delete'; readonly page: number }
  | { readonly kind: 'variable'; readonly name: number; readonly text: number }
  | { readonly kind: 'tag'; readonly name: number; readonly page: number; readonly isGone: boolean };

const small = fc.nat(6);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), under: small, at: small, text: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), page: small, text: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('describe' as const), page: small, text: small }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      page: small,
      texts: fc.array(small, { maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), page: small, under: small, at: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('variable' as const), name: fc.nat(1), text: small }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('tag' as const), name: fc.nat(1), page: small, isGone: fc.boolean() }),
  },
);
const steps = fc.array(step, { minLength: 1, maxLength: 4 });

type Items = Map<ItemKey, Item>;

async function all(point: Point): Promise<Items> {
  const items = await app.current.get(ContentStore).ofKinds(point, ['page', 'file', 'reusable', 'variable', 'tag']);
  return new Map(items.map((item) => [itemKey(item), item]));
}

const plain = (items: ReadonlyMap<ItemKey, Item>) =>
  [...items.values()]
    .map(({ createdAt: _, updatedAt: __, ...item }) => item)
    .sort((a, b) => (itemKey(a) < itemKey(b) ? -1 : 1));

/** The changes that a step means on the pages that there are; none where it makes no sense. */
function changesOf(given: Step, items: Items): ChangeInput[] {
  const pages = [...items.values()]
    .filter((item) => item.kind === 'page')
    .map(({ id }) => id)
    .sort();
  const parents = [null, ...pages];
  const page = 'page' in given ? pages[given.page % Math.max(1, pages.length)] : undefined;
  if (given.kind === 'insert') {
    return [
      {
        operation: 'insert_page',
        id: newId(),
        into: parents[given.under % parents.length] ?? null,
        at: given.at,
        title: `T${given.text}`,
        document: { markdown: `Text ${given.text}` },
      },
    ];
  }
  if (given.kind === 'variable')
    return [
      { operation: 'set_variables', variables: { [`v${given.name}`]: given.text === 0 ? null : String(given.text) } },
    ];
  if (page === undefined) return [];
  if (given.kind === 'tag') {
    const slug = `t${given.name}`;
    const isThere = items.has(`tag:${slug}`);
    if (given.isGone) return isThere ? [{ operation: 'delete_tag', tag: slug }] : [];
    return [
      ...(isThere ? [] : [{ operation: 'insert_tag' as const, slug, label: slug }]),
      { operation: 'update_page', page, tags: [{ tag: { kind: 'tag', tag: slug } }] },
    ];
  }
  if (given.kind === 'rename') return [{ operation: 'update_page', page, title: `T${given.text}` }];
  if (given.kind === 'describe')
    return [{ operation: 'update_page', page, description: `D${given.text}`, noIndex: given.text % 3 === 0 }];
  if (given.kind === 'write')
    return [
      {
        operation: 'update_page',
        page,
        document: { markdown: given.texts.map((text) => `Text ${text}`).join('\n\n') },
      },
    ];
  if (given.kind === 'delete') return [{ operation: 'delete_page', page }];
  const into = parents[given.under % parents.length] ?? null;
  for (let at: string | undefined = into ?? ''; at !== undefined && at !== ''; at = items.get(`page:${at}`)?.parentId)
    if (at === page) return [];
  return [{ operation: 'update_page', page, into, at: given.at }];
}

/** A tree in an array, as a second opinion on what a batch does: only who stands under whom, in which order. */
function oracle(order: Map<string, string[]>, change: ChangeInput): void {
  const remove = (id: string) => order.forEach((list) => list.includes(id) && list.splice(list.indexOf(id), 1));
  const put = (id: string, into: string | null | undefined, at: number | undefined) => {
    const list = order.get(into ?? '') ?? [];
    list.splice(Math.min(at ?? list.length, list.length), 0, id);
    order.set(into ?? '', list);
  };
  if (change.operation === 'insert_page') put(change.id ?? '', change.into, change.at);
  else if (change.operation === 'update_page' && change.into !== undefined) {
    remove(change.page);
    put(change.page, change.into, change.at);
  } else if (change.operation === 'delete_page') {
    const drop = (id: string) => {
      for (const child of order.get(id) ?? []) drop(child);
      order.delete(id);
    };
    drop(change.page);
    remove(change.page);
  }
}

function orderOf(items: Items): Map<string, string[]> {
  const order = new Map<string, string[]>();
  const pages = [...items.values()]
    .filter((item) => item.kind === 'page')
    .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : a.id < b.id ? -1 : 1));
  for (const page of pages) order.set(page.parentId, [...(order.get(page.parentId) ?? []), page.id]);
  return order;
}

const withoutEmpty = (order: Map<string, string[]>) => new Map([...order].filter(([, list]) => list.length > 0).sort());

describe('histories on the database', () => {
  it('give the tree of an oracle, keep every revision as it was, and merge like whole trees', async () => {
    const org = await buildOrganization(app.current);
    const [writer, lines, requests] = [ContentWriter, ContentLines, ChangeRequests].map((type) =>
      app.current.get(type as typeof ContentWriter),
    ) as unknown as [ContentWriter, ContentLines, ChangeRequests];
    const [merges, updates, mergeConflicts] = [Merges, RequestUpdates, MergeConflicts].map((type) =>
      app.current.get(type as typeof Merges),
    ) as unknown as [Merges, RequestUpdates, MergeConflicts];
    const caller = { userId: org.admin.id, tokenId: 'none', organizationId: undefined, scopes: undefined };
    const asAdmin = <T>(work: () => Promise<T>) =>
      runInContext({ requestId: 'test', ip: undefined, ifMatch: undefined, caller }, work);

    const play = async (
      spaceId: string,
      changeRequest: string | undefined,
      list: readonly Step[],
      revisions: Map<string, Items>,
    ) => {
      const point = async () =>
        changeRequest === undefined
          ? primaryPoint(await lines.primary(spaceId), [])
          : requestPoint(await lines.request(spaceId, changeRequest), []);
      for (const each of list) {
        const before = await all(await point());
        const changes = changesOf(each, before);
        if (changes.length === 0) continue;
        const order = orderOf(before);
        for (const change of changes) oracle(order, change);
        const { revisionId } = await writer.write(
          { spaceId, ...(changeRequest !== undefined && { changeRequest }) },
          changes,
          { evenIfLocked: true },
        );
        const after = await all(await point());
        expect(withoutEmpty(orderOf(after))).toEqual(withoutEmpty(order));
        revisions.set(revisionId, after);
      }
    };

    await asAdmin(() =>
      fc.assert(
        fc.asyncProperty(steps, steps, steps, steps, fc.boolean(), async (start, more, ours, theirs, updateFirst) => {
          const spaceId = await app.current
            .get(NewSpaces)
            .insert(org.admin.id, org.id, { title: 'History', empty: true });
          const revisions = new Map<string, Items>();
          await play(spaceId, undefined, [...start, ...more], revisions);
          const { id } = await requests.create(caller, spaceId, { subject: 'x' });
          await play(spaceId, id, theirs, revisions);
          await play(spaceId, undefined, ours, revisions);

          const [head, request] = [await lines.primary(spaceId), await lines.request(spaceId, id)];
          const [base, primary, changed] = await Promise.all([
            all(primaryPoint({ spaceId, sequence: request.baseSequence }, [])),
            all(primaryPoint(head, [])),
            all(requestPoint(request, [])),
          ]);
          const hashes = [base, primary, changed].flatMap((side) =>
            [...side.values()].flatMap((item) => item.hash ?? []),
          );
          const documents = await app.current.get(DocumentStore).json(spaceId, hashes);
          const expected = mergedContent({ base, primary, changed: differenceOf(base, changed, sameItem) }, documents);
          seen.merges++;
          const { items: conflicts } = (
            await mergeConflicts.list({ id: spaceId, hiddenPages: [] }, id, { limit: 1000 })
          ).page;
          expect(conflicts.map((conflict) => conflict.id).sort()).toEqual(
            expected.conflicts.map((conflict) => conflict.id).sort(),
          );
          if (expected.conflicts.length > 0) {
            seen.conflicts++;
            for (const keep of ['primary', 'changed'] as const) {
              const settled = mergedContent(
                { base, primary, changed: differenceOf(base, changed, sameItem) },
                documents,
                keep,
              );
              if (keep === 'primary') continue;
              expect((await merges.merge(caller, spaceId, id)).result).toBe('conflicts');
              expect(plain(await all(primaryPoint(await lines.primary(spaceId), [])))).toEqual(plain(primary));
              expect(
                (await updates.update(caller, spaceId, id, { primary: head.revisionId, default: keep })).result,
              ).toBe('update');
              expect(plain(await all(requestPoint(await lines.request(spaceId, id), [])))).toEqual(
                plain(applied(primary, settled.items)),
              );
            }
          } else if (updateFirst) {
            expect((await updates.update(caller, spaceId, id)).result).toBe('update');
            expect(plain(await all(requestPoint(await lines.request(spaceId, id), [])))).toEqual(
              plain(applied(primary, expected.items)),
            );
          }
          const proposed = await all(requestPoint(await lines.request(spaceId, id), []));
          const merged = await merges.merge(caller, spaceId, id);
          expect(merged.result).toBe('merge');
          const after = await all(primaryPoint(await lines.primary(spaceId), []));
          expect(plain(after)).toEqual(
            plain(expected.conflicts.length > 0 || updateFirst ? proposed : applied(primary, expected.items)),
          );
          revisions.set(merged.revision, after);

          for (const [revisionId, items] of revisions) {
            seen.revisions++;
            expect(plain(await all(revisionPoint(spaceId, await lines.revision(spaceId, revisionId), [])))).toEqual(
              plain(items),
            );
          }
          const current = await app.current.database.query<{ page: string; hash: Buffer | null }>(
            'SELECT page_id AS page, hash FROM page_current WHERE space_id = $1 ORDER BY page_id',
            [spaceId],
          );
          const vectors = () =>
            app.current.database.query<{ page: string; vector: string }>(
              'SELECT page_id AS page, title_vector::text AS vector FROM page_current WHERE space_id = $1 ORDER BY page_id',
              [spaceId],
            );
          const kept = await vectors();
          await app.current.database.execute('SELECT index_space($1, NULL)', [spaceId]);
          expect(kept).toEqual(await vectors());
          const pages = [...after.values()]
            .filter((item) => item.kind === 'page')
            .sort((a, b) => (a.id < b.id ? -1 : 1));
          expect(current.map(({ page, hash }) => [page, hash?.toString('hex') ?? null])).toEqual(
            pages.map(({ id: page, hash }) => [page, hash]),
          );
        }),
        RUNS,
      ),
    );
    if (RUNS.numRuns >= 100) expect(seen.conflicts).toBeGreaterThan(0);
  }, 3_600_000);
});
