import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runInContext } from '../../src/kernel/common/context.js';
import { DomainError } from '../../src/kernel/common/errors.js';
import { newId } from '../../src/kernel/common/ids.js';
import { ChangeRequests } from '../../src/authoring/change-requests/change-requests.service.js';
import { Merges } from '../../src/authoring/change-requests/merges.service.js';
import { Access } from '../../src/kernel/access/access.service.js';
import type { ChangeInput } from '../../src/authoring/content/change-input.js';
import { ContentPlaces, viewOf } from '../../src/authoring/content/content-places.js';
import { ContentReader } from '../../src/authoring/content/content-reader.js';
import { ContentStore } from '../../src/authoring/content/content-store.js';
import { ContentWriter } from '../../src/authoring/content/content-writer.js';
import { slugOf } from '../../src/authoring/content/domain/slug.js';
import { NewSpaces } from '../../src/authoring/content/new-spaces.service.js';
import { presentTree } from '../../src/authoring/content/present-content.js';
import { Revisions } from '../../src/authoring/content/revisions.service.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { rounds, seed } from './content-generators.js';

const app = useApp();
const RUNS = { numRuns: rounds(12), seed };
const seen = { steps: 0, reverts: 0, rollbacks: 0, refused: 0, revisions: 0, paths: 0 };

afterAll(() => {
  process.stdout.write(
    `trees: seed ${seed}, ${RUNS.numRuns} cases, ${seen.steps} steps (${seen.reverts} pages reverted, ${seen.rollbacks} rollbacks, ${seen.refused} refused), ${seen.revisions} revisions and ${seen.paths} paths read\n`,
  );
});

/** The oracle: pages in an array, siblings in their order; nothing else. */
interface Page {
  readonly id: string;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
}
type Tree = readonly Page[];

type Step =
  | { readonly kind: 'insert'; readonly under: number; readonly at: number; readonly word: number }
  | { readonly kind: 'rename'; readonly page: number; readonly word: number }
  | { readonly kind: 'write'; readonly page: number; readonly word: number }
  | { readonly kind: 'move'; readonly page: number; readonly under: number; readonly at: number }
  | { readonly kind: 'delete'; readonly page: number }
  | { readonly kind: 'revert'; readonly page: number; readonly revision: number }
  | { readonly kind: 'rollback'; readonly revision: number };

const small = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('insert' as const), under: small, at: small, word: small }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('rename' as const, 'write' as const), page: small, word: small }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), page: small, under: small, at: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: small }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('revert' as const), page: small, revision: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), revision: small }) },
);
const steps = fc.array(step, { minLength: 3, maxLength: 9 });

const childrenOf = (tree: Tree, parent: string | null) => tree.filter((page) => page.parent === parent);
const isWithin = (tree: Tree, id: string | null, page: string): boolean =>
  id !== null && (id === page || isWithin(tree, tree.find((each) => each.id === id)?.parent ?? null, page));

/** The tree with a page at a place among its siblings, wherever it was before. */
function placed(tree: Tree, page: Page, at: number): Tree {
  const others = tree.filter(({ id }) => id !== page.id);
  const next = childrenOf(others, page.parent)[at];
  const index = next ? others.indexOf(next) : others.length;
  return [...others.slice(0, index), page, ...others.slice(index)];
}

/** What a step asks of the service, and what it makes of the oracle's tree: undefined where it must be refused. */
function planned(
  given: Step,
  tree: Tree,
  known: readonly (readonly [string, Tree])[],
  gone: readonly string[],
): { change?: ChangeInput; rollback?: string; tree: Tree | undefined; idle?: boolean } | undefined {
  const [revision, then] = ('revision' in given ? known[given.revision % known.length] : undefined) ?? ['', []];
  if (given.kind === 'rollback') {
    return {
      rollback: revision,
      tree: then,
      idle: JSON.stringify(inOrder(then, null, true)) === JSON.stringify(inOrder(tree, null, true)),
    };
  }
  const parents = [null, ...tree.map(({ id }) => id)];
  const into = 'under' in given ? (parents[given.under % parents.length] ?? null) : null;
  if (given.kind === 'insert') {
    const page = { id: newId(), parent: into, title: `T${given.word}`, text: `Text ${given.word}` };
    return {
      change: {
        operation: 'insert_page',
        id: page.id,
        into,
        at: given.at,
        title: page.title,
        document: { markdown: page.text },
      },
      tree: placed(tree, page, given.at),
    };
  }
  const pages = given.kind === 'revert' ? [...tree.map(({ id }) => id), ...gone] : tree.map(({ id }) => id);
  const id = pages[given.page % Math.max(1, pages.length)];
  if (id === undefined) return undefined;
  const page = tree.find((each) => each.id === id);
  if (given.kind === 'revert') {
    const version = then.find((each) => each.id === id);
    const change: ChangeInput = { operation: 'revert_page', page: id, revision };
    if (!version) return { change, tree: undefined };
    if (page)
      return { change, tree: tree.map((each) => (each.id === id ? { ...version, parent: page.parent } : each)) };
    const parent = tree.some((each) => each.id === version.parent) ? version.parent : null;
    return { change, tree: placed(tree, { ...version, parent }, Number.POSITIVE_INFINITY) };
  }
  if (!page) return undefined;
  if (given.kind === 'rename')
    return {
      change: { operation: 'update_page', page: id, title: `T${given.word}` },
      tree: tree.map((each) => (each.id === id ? { ...each, title: `T${given.word}` } : each)),
    };
  if (given.kind === 'write')
    return {
      change: { operation: 'update_page', page: id, document: { markdown: `Text ${given.word}` } },
      tree: tree.map((each) => (each.id === id ? { ...each, text: `Text ${given.word}` } : each)),
    };
  if (given.kind === 'delete')
    return {
      change: { operation: 'delete_page', page: id },
      tree: tree.filter((each) => !isWithin(tree, each.id, id)),
    };
  if (given.kind !== 'move') return undefined;
  const change: ChangeInput = { operation: 'update_page', page: id, into, at: given.at };
  return { change, tree: isWithin(tree, into, id) ? undefined : placed(tree, { ...page, parent: into }, given.at) };
}

type Nested = [id: string, title: string, pages: Nested[]];
const inOrder = (tree: Tree, parent: string | null = null, withText = false): Nested[] =>
  childrenOf(tree, parent).map(({ id, title, text }) => [
    id,
    withText ? `${title}: ${text}` : title,
    inOrder(tree, id, withText),
  ]);

interface Shown {
  id: string;
  title: string;
  slug: string;
  path: string;
  pages: Shown[];
}
const shape = (pages: readonly Shown[]): Nested[] =>
  pages.map(({ id, title, pages: below }) => [id, title, shape(below)]);
const flat = (pages: readonly Shown[]): Shown[] => pages.flatMap((page) => [page, ...flat(page.pages)]);

describe('trees and their history', () => {
  it('are those of an array of pages, at every revision, by id and by path, on primary and in a change request', async () => {
    const org = await buildOrganization(app.current);
    const service = <Service>(type: abstract new (...of: never[]) => Service) =>
      app.current.get(type as new () => Service);
    const [store, writer, places, reader, revisions, requests, merges, access] = [
      service(ContentStore),
      service(ContentWriter),
      service(ContentPlaces),
      service(ContentReader),
      service(Revisions),
      service(ChangeRequests),
      service(Merges),
      service(Access),
    ];
    const caller = { userId: org.admin.id, tokenId: 'none', organizationId: undefined, scopes: undefined };
    const asAdmin = <T>(work: () => Promise<T>) =>
      runInContext({ requestId: 'test', ip: undefined, ifMatch: undefined, caller }, work);
    const flags = { metadata: true, computed: true };

    const check = async (
      spaceId: string,
      path: { revisionId?: string; changeRequestId?: string },
      tree: Tree,
      deeply: boolean,
    ) => {
      const space = await access.space(caller, spaceId);
      if (!space) throw new Error('the space is gone');
      const place = await places.at(space, path);
      const { pages } = JSON.parse((await reader.pages(place, flags)).json) as { pages: Shown[] };
      expect(shape(pages)).toEqual(inOrder(tree));
      for (const siblings of [pages, ...flat(pages).map((page) => page.pages)])
        expect(new Set(siblings.map(({ slug }) => slug)).size).toBe(siblings.length);
      for (const page of flat(pages)) expect(page.slug.replace(/-\d+$/, '')).toBe(slugOf(page.title));
      seen.revisions++;
      for (const hidden of [[], pages.slice(0, 1).map(({ id }) => id)]) {
        const point = { ...place.point, hidden };
        const items = await store.ofKinds(point, ['page', 'tag']);
        const anew = JSON.stringify({ pages: presentTree(items, viewOf(place, flags)) });
        expect((await reader.pages({ ...place, point }, flags)).json).toBe(anew);
      }
      if (!deeply) return;
      for (const page of flat(pages)) {
        seen.paths++;
        const read = JSON.parse(
          (await reader.pageAtPath(place, page.path, { ...flags, format: 'markdown', evaluated: 'false' } as never))
            .json,
        ) as Shown & { markdown: string };
        expect([read.id, read.path, shape(read.pages)]).toEqual([page.id, page.path, inOrder(tree, page.id)]);
        expect(read.markdown).toBe(`# ${page.title}\n\n${tree.find(({ id }) => id === page.id)?.text ?? ''}\n`);
      }
    };

    const play = async (
      spaceId: string,
      changeRequest: string | undefined,
      start: Tree,
      list: readonly Step[],
      known: [string, Tree][],
    ): Promise<Tree> => {
      let tree = start;
      const gone = new Set<string>();
      for (const each of list) {
        const plan =
          changeRequest !== undefined && each.kind === 'rollback' ? undefined : planned(each, tree, known, [...gone]);
        if (!plan) continue;
        seen.steps++;
        const run = async () => {
          if (plan.rollback !== undefined) return (await revisions.rollback(caller, spaceId, plan.rollback)).id;
          return (
            await writer.write(
              { spaceId, ...(changeRequest !== undefined && { changeRequest }) },
              plan.change ? [plan.change] : [],
              { evenIfLocked: true },
            )
          ).revisionId;
        };
        if (!plan.tree) {
          seen.refused++;
          await expect(run()).rejects.toThrow(DomainError);
          continue;
        }
        // Where the trees are the same, the keys of their order may not be: then there is something to bring back, which nobody sees.
        const revisionId = plan.idle
          ? await run().catch((error: unknown) => void expect(error).toMatchObject({ code: 'conflict' }))
          : await run();
        if (revisionId === undefined) {
          seen.refused++;
          continue;
        }
        if (each.kind === 'revert') seen.reverts++;
        if (each.kind === 'rollback') seen.rollbacks++;
        for (const page of tree) if (!plan.tree.includes(page)) gone.add(page.id);
        tree = plan.tree;
        for (const { id } of tree) gone.delete(id);
        known.push([revisionId, tree]);
      }
      return tree;
    };

    await asAdmin(() =>
      fc.assert(
        fc.asyncProperty(steps, steps, async (first, second) => {
          const spaceId = await app.current
            .get(NewSpaces)
            .insert(org.admin.id, org.id, { title: 'Trees', empty: true });
          const space = await access.space(caller, spaceId);
          const known: [string, Tree][] = [[space?.revisionId ?? '', []]];
          const primary = await play(spaceId, undefined, known[0]?.[1] ?? [], first, known);
          const { id } = await requests.create(caller, spaceId, { subject: 'x' });
          const proposed = await play(spaceId, id, primary, second, known);
          for (const [revisionId, tree] of known) await check(spaceId, { revisionId }, tree, false);
          await check(spaceId, {}, primary, true);
          await check(spaceId, { changeRequestId: id }, proposed, true);
          const merged = await merges.merge(caller, spaceId, id);
          expect(merged.result).toBe('merge');
          await check(spaceId, { revisionId: merged.revision }, proposed, true);
          // The same steps again on top of the merge, now with rollbacks to all that was before it on the primary line.
          const onPrimary = [
            ...known.slice(0, known.findIndex(([, tree]) => tree === primary) + 1),
            [merged.revision, proposed] as [string, Tree],
          ];
          await check(spaceId, {}, await play(spaceId, undefined, proposed, first, onPrimary), true);
        }),
        RUNS,
      ),
    );
  }, 3_600_000);
});
