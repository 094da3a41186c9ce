import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Access } from '../../src/kernel/access/access.service.js';
import { ChangeRequests } from '../../src/authoring/change-requests/change-requests.service.js';
import { Merges } from '../../src/authoring/change-requests/merges.service.js';
import { runInContext } from '../../src/kernel/common/context.js';
import { DomainError } from '../../src/kernel/common/errors.js';
import { newId } from '../../src/kernel/common/ids.js';
import type { ChangeInput } from '../../src/authoring/content/change-input.js';
import { ContentPlaces } from '../../src/authoring/content/content-places.js';
import { ContentStore, type Point } from '../../src/authoring/content/content-store.js';
import { ContentWriter } from '../../src/authoring/content/content-writer.js';
import { DocumentStore } from '../../src/authoring/content/document-store.js';
import type { Document } from '../../src/formats/document/types.js';
import type { Item } from '../../src/authoring/content/domain/content-item.js';
import { ContentLines, primaryPoint, requestPoint } from '../../src/authoring/content/content-lines.js';
import { NewSpaces } from '../../src/authoring/content/new-spaces.service.js';
import type { ContentLocation, LinkStats, LinkUsage } from '../../src/authoring/links/links.schema.js';
import { Links } from '../../src/authoring/links/links.service.js';
import { MAX_LOCATIONS } from '../../src/authoring/links/links.statements.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { rounds, seed } from './content-generators.js';

const app = useApp();
const RUNS = { numRuns: rounds(4), seed };
const seen = { reports: 0, links: 0, broken: 0, byRequest: 0, merges: 0, restored: 0 };

afterAll(() => {
  const { reports, links, broken, byRequest, merges, restored } = seen;
  process.stdout.write(
    `links: seed ${seed}, ${RUNS.numRuns} cases, ${reports} reports with ${links} links, ${broken} broken, ${byRequest} of them by a change request, ${merges} merges, ${restored} pages restored\n`,
  );
});

/** What a step writes: an anchor, or a reference to something by number. */
type Piece =
  | { readonly heading: number }
  | { readonly include: number }
  | { readonly link: { readonly kind: number; readonly to: number; readonly anchor: number } };
type Step =
  | {
      readonly kind: 'insert' | 'write';
      readonly at: number;
      readonly under: number;
      readonly pieces: readonly Piece[];
      readonly attribute: number;
    }
  | { readonly kind: 'insertReusable' | 'writeReusable'; readonly at: number; readonly pieces: readonly Piece[] }
  | {
      readonly kind: 'rename' | 'delete' | 'deleteReusable' | 'deleteFile' | 'insertFile' | 'renameFile';
      readonly at: number;
    }
  | { readonly kind: 'move' | 'restore'; readonly at: number; readonly under: number };

const small = fc.nat(5);
const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ heading: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ include: small }) },
    { weight: 5, arbitrary: fc.record({ link: fc.record({ kind: fc.nat(8), to: small, anchor: fc.nat(2) }) }) },
  ),
  { maxLength: 5 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('insert', 'write'),
      at: small,
      under: small,
      pieces,
      attribute: fc.nat(7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('insertReusable', 'writeReusable'), at: small, pieces }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename', 'delete', 'deleteReusable', 'deleteFile', 'insertFile', 'renameFile'),
      at: small,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('move', 'restore'), at: small, under: small }) },
);
const steps = fc.array(step, { minLength: 2, maxLength: 6 });

const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
/** Every other one is that of a specification. */
const fileName = (number: number): string =>
  number % 2 === 0 ? 'a.txt' : `spec-${number}.${number === 1 ? 'yaml' : 'json'}`;
const at = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];

/** The ids that there are, of which steps name one by number; ids of things that are gone stay in it. */
class Known {
  readonly ids = { page: ['NoSuchPage'], file: ['NoSuchFile'], reusable: ['NoSuchReusable'] };
  readonly revisions: string[] = [];
  private readonly used = new Set<string>();

  learn(items: readonly Item[]): void {
    for (const { kind, id } of items) {
      if (kind === 'variable' || kind === 'tag' || this.used.has(id)) continue;
      this.used.add(id);
      this.ids[kind].push(id);
    }
  }

  reference({
    kind,
    to,
    anchor,
  }: {
    readonly kind: number;
    readonly to: number;
    readonly anchor: number;
  }): Record<string, string> {
    const page = at(this.ids.page, to) ?? '';
    return (
      [
        { kind: 'page', page },
        { kind: 'anchor', page, anchor: `a${anchor}` },
        { kind: 'anchor', anchor: `a${anchor}` },
        { kind: 'file', file: at(this.ids.file, to) ?? '' },
        { kind: 'url', url: `https://example.com/${to}` },
        { kind: 'url', url: `${app.current.url}/v1/spaces/${to}` },
        { kind: 'reusable-content', reusableContent: at(this.ids.reusable, to) ?? '' },
        { kind: 'url', url: `../gone-${to}.md` },
      ][kind] ?? { kind: 'openapi', spec: `spec-${to}` }
    );
  }

  document(given: readonly Piece[]): { document: Document } {
    const nodes = given.map((piece) => {
      if ('heading' in piece)
        return {
          object: 'block',
          type: 'heading-2',
          isVoid: false,
          data: { id: `a${piece.heading}` },
          nodes: [text('Heading')],
        };
      if ('include' in piece)
        return {
          object: 'block',
          type: 'reusable-content',
          isVoid: true,
          data: { ref: { kind: 'reusable-content', reusableContent: at(this.ids.reusable, piece.include) } },
        };
      return {
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: [
          text('See '),
          {
            object: 'inline',
            type: 'link',
            isVoid: false,
            data: { ref: this.reference(piece.link) },
            nodes: [text('it')],
          },
        ],
      };
    });
    const nothing = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [text('Nothing')] };
    return {
      document: {
        object: 'document',
        data: { schemaVersion: 8 },
        nodes: nodes.length > 0 ? nodes : [nothing],
      } as unknown as Document,
    };
  }
}

/** The changes that a step means on what there is; none where it makes no sense. */
function changesOf(given: Step, items: readonly Item[], known: Known): ChangeInput[] {
  const of = (kind: string) =>
    items
      .filter((item) => item.kind === kind)
      .map(({ id }) => id)
      .sort();
  const [page, reusable, file] = ['page', 'reusable', 'file'].map((kind) => at(of(kind), given.at));
  switch (given.kind) {
    case 'insert':
    case 'write': {
      const cover =
        given.attribute === 1 ? { cover: { ref: { kind: 'file', file: at(known.ids.file, given.at) }, yPos: 0 } } : {};
      const metaLinks =
        given.attribute === 2
          ? { metaLinks: { alternates: [{ kind: 'page', page: at(known.ids.page, given.at) }] } }
          : {};
      if (given.kind === 'write')
        return page === undefined || items.find(({ id }) => id === page)?.type !== 'document'
          ? []
          : [{ operation: 'update_page', page, document: known.document(given.pieces), ...cover, ...metaLinks }];
      const isLink = given.attribute === 3;
      const own = isLink
        ? { type: 'link' as const, target: known.reference({ kind: given.under, to: given.at, anchor: 1 }) }
        : { document: known.document(given.pieces), ...cover, ...metaLinks };
      return [{ operation: 'insert_page', id: newId(), into: null, title: 'Page', ...own }];
    }
    case 'insertReusable':
      return [{ operation: 'insert_reusable_content', title: 'Shared', document: known.document(given.pieces) }];
    case 'writeReusable':
      return reusable === undefined
        ? []
        : [{ operation: 'update_reusable_content', reusableContent: reusable, document: known.document(given.pieces) }];
    case 'insertFile':
      return [
        { operation: 'insert_files', files: [{ name: fileName(given.at), contentType: 'text/plain', base64: 'YQ==' }] },
      ];
    case 'rename':
      return page === undefined ? [] : [{ operation: 'update_page', page, title: `Renamed ${given.at}` }];
    case 'delete':
      return page === undefined ? [] : [{ operation: 'delete_page', page }];
    case 'deleteReusable':
      return reusable === undefined ? [] : [{ operation: 'delete_reusable_content', reusableContent: reusable }];
    case 'renameFile':
      return file === undefined ? [] : [{ operation: 'update_file', file, name: fileName(given.at + 1) }];
    case 'deleteFile':
      return file === undefined ? [] : [{ operation: 'delete_files', files: [file] }];
    case 'restore':
      return known.revisions.length === 0
        ? []
        : [
            {
              operation: 'revert_page',
              page: at(known.ids.page, given.at) ?? '',
              revision: at(known.revisions, given.under) ?? '',
            },
          ];
    case 'move': {
      const into = at(
        items
          .filter((item) => item.type === 'document')
          .map(({ id }) => id)
          .sort(),
        given.under,
      );
      for (
        let above = into;
        above !== undefined && above !== '';
        above = items.find(({ id }) => id === above)?.parentId
      )
        if (above === page) return [];
      return page === undefined || into === undefined ? [] : [{ operation: 'update_page', page, into }];
    }
  }
}

interface State {
  readonly items: readonly Item[];
  readonly documents: ReadonlyMap<string, unknown>;
}
interface Found {
  readonly relation: string;
  readonly kind: string;
  readonly target: string;
  readonly anchor: string;
  readonly source: Item;
  readonly node: string;
}

/** Every reference of a state, one after the other: the array walk that the service's rows are held to. */
function walk({ items, documents }: State): Found[] {
  const found: Found[] = [];
  const sources = items
    .filter(({ kind }) => kind === 'page' || kind === 'reusable')
    .sort((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
  for (const source of sources) {
    const add = (ref: Record<string, string>, node: string, relation: string) => {
      const own = { kind: source.kind === 'page' ? 'page' : 'reusable-content', target: source.id };
      const named =
        ref['kind'] === 'anchor'
          ? ref['page'] === undefined
            ? own
            : { kind: 'page', target: ref['page'] }
          : { kind: ref['kind'] ?? '', target: Object.values(ref)[1] ?? '' };
      found.push({ relation, ...named, anchor: ref['anchor'] ?? '', source, node });
    };
    const { target, cover, metaLinks } = source.props as {
      target?: Record<string, string>;
      cover?: { ref: Record<string, string> };
      metaLinks?: { alternates: Record<string, string>[] };
    };
    for (const ref of [target, cover?.ref, ...(metaLinks?.alternates ?? [])])
      if (ref) add(sorted(ref), '', 'reference');
    const visit = (node: Record<string, unknown>, holder: string) => {
      const key = node['object'] === 'block' ? String(node['key']) : holder;
      const { ref } = (node['data'] ?? {}) as { ref?: Record<string, string> };
      if (ref) add(sorted(ref), key, node['type'] === 'reusable-content' ? 'dependsOn' : 'reference');
      for (const child of (node['nodes'] ?? []) as Record<string, unknown>[]) visit(child, key);
    };
    for (const node of blocksOf(source, documents)) visit(node, '');
  }
  return found;
}

const sorted = ({ kind = '', ...rest }: Record<string, string>): Record<string, string> => ({ kind, ...rest });
const blocksOf = (item: Item, documents: ReadonlyMap<string, unknown>) =>
  item.hash === null || item.kind === 'file'
    ? []
    : ((documents.get(item.hash) as { nodes: Record<string, unknown>[] } | undefined)?.nodes ?? []);

function isThere({ kind, target, anchor }: Found, { items, documents }: State): boolean {
  const find = (itemKind: string, id: string) => items.find((item) => item.kind === itemKind && item.id === id);
  if (kind === 'openapi')
    return items.some(
      (item) => item.kind === 'file' && ['yaml', 'yml', 'json'].some((ending) => item.title === `${target}.${ending}`),
    );
  if (kind !== 'page' && kind !== 'file' && kind !== 'reusable-content') return false;
  const item = find(kind === 'reusable-content' ? 'reusable' : kind, target);
  if (!item || anchor === '') return item !== undefined;
  const has = (each: Item | undefined) =>
    each !== undefined && blocksOf(each, documents).some((block) => (block['data'] as { id?: string }).id === anchor);
  const included = blocksOf(item, documents).flatMap((block) =>
    block['type'] === 'reusable-content'
      ? [(block['data'] as { ref: { reusableContent: string } }).ref.reusableContent]
      : [],
  );
  return has(item) || included.some((id) => has(find('reusable', id)));
}

function statusOf(link: Found, state: State): 'ok' | 'broken' | 'in-app' {
  if (link.kind === 'url')
    return link.target.startsWith(app.current.url) ? 'in-app' : link.target.startsWith('https://') ? 'ok' : 'broken';
  return isThere(link, state) ? 'ok' : 'broken';
}

const keyOf = ({ relation, kind, target, anchor }: Found) => [relation, kind, target, anchor].join(' ');
const placeOf = ({ source, node }: Found) =>
  `${source.kind === 'page' ? 'page' : 'reusable-content'} ${source.id} ${source.kind === 'page' ? node : ''}`;

/** The report that the walk makes; `base` is what a change request stands on. */
function expected(
  links: readonly Found[],
  state: State,
  base: State | undefined,
): { items: string[]; stats: LinkStats; brokenByRequest: string[] } {
  const before = base
    ? new Set(walk(base).map((link) => `${link.source.kind} ${link.source.id} ${keyOf(link)}`))
    : undefined;
  const isFresh = (link: Found) =>
    statusOf(link, state) === 'broken' &&
    base !== undefined &&
    (isThere(link, base) || before?.has(`${link.source.kind} ${link.source.id} ${keyOf(link)}`) !== true);
  const grouped = (some: readonly Found[]) => {
    const groups = new Map<string, Found[]>();
    for (const link of some) groups.set(keyOf(link), [...(groups.get(keyOf(link)) ?? []), link]);
    return [...groups.values()]
      .flatMap((group) => {
        const [link] = group;
        if (!link) return [];
        const status = statusOf(link, state);
        const shown =
          (status !== 'broken' && link.kind !== 'openapi') ||
          link.kind === 'url' ||
          (link.anchor !== '' && isThere({ ...link, anchor: '' }, state));
        return [
          `${status} ${link.relation} ${shown ? `${link.kind} ${link.target}#${link.kind === 'page' ? link.anchor : ''}` : '-'} <- ${group.slice(0, MAX_LOCATIONS).map(placeOf).join()}`,
        ];
      })
      .sort();
  };
  const broken = links.filter((link) => statusOf(link, state) === 'broken');
  const fresh = links.filter(isFresh);
  seen.reports++;
  seen.links += links.length;
  seen.broken += broken.length;
  seen.byRequest += fresh.length;
  return {
    items: grouped(links),
    stats: { total: links.length, broken: { total: broken.length, ...(base && { changeRequest: fresh.length }) } },
    brokenByRequest: grouped(fresh),
  };
}

const shownLocation = (location: ContentLocation | undefined): string =>
  location
    ? `${location.kind} ${location.page?.id ?? location.file?.id ?? location.reusableContent?.id ?? location.url}`
    : '-';
const shownItem = ({ status, relation, targetReference, locationReferences }: LinkUsage): string =>
  `${status} ${relation} ${shownLocation(targetReference)}${targetReference ? `#${targetReference.internalLocation?.anchor ?? ''}` : ''} <- ${locationReferences.map((each) => `${shownLocation(each)} ${each.internalLocation?.node ?? ''}`).join()}`;

describe('link reports after random histories', () => {
  it('are those of a walk through everything', async () => {
    const org = await buildOrganization(app.current);
    const get = <Service>(type: new (...given: never[]) => Service): Service =>
      app.current.nest.get(type, { strict: false });
    const [writer, lines, links, places, store, documents] = [
      get(ContentWriter),
      get(ContentLines),
      get(Links),
      get(ContentPlaces),
      get(ContentStore),
      get(DocumentStore),
    ];
    const caller = { userId: org.admin.id, tokenId: 'none', organizationId: undefined, scopes: undefined };

    const stateAt = async (point: Point): Promise<State> => {
      const items = await store.ofKinds(point, ['page', 'file', 'reusable']);
      const bodies = await documents.json(
        point.spaceId,
        items.flatMap(({ kind, hash }) => (kind === 'file' ? [] : (hash ?? []))),
      );
      return { items, documents: new Map([...bodies].map(([hash, json]) => [hash, JSON.parse(json) as unknown])) };
    };
    const compare = async (spaceId: string, changeRequestId: string | undefined) => {
      const access = await get(Access).space(caller, spaceId);
      if (!access) throw new Error('no space');
      const place = await places.at(access, changeRequestId === undefined ? {} : { changeRequestId });
      const state = await stateAt(place.point);
      const base =
        changeRequestId === undefined ? undefined : await stateAt({ ...place.point, line: null, sequence: 0 });
      const all = walk(state);
      const wanted = expected(all, state, base);
      const report = await links.ofSpace(caller, place, { limit: 1000 });
      expect({ items: report.items.map(shownItem).sort(), stats: report.extra['stats'], count: report.count }).toEqual({
        items: wanted.items,
        stats: wanted.stats,
        count: wanted.items.length,
      });
      for (const status of ['ok', 'broken', 'in-app'] as const) {
        const some = await links.ofSpace(caller, place, { limit: 1000, status });
        expect(some.items.map(shownItem).sort()).toEqual(wanted.items.filter((item) => item.startsWith(`${status} `)));
      }
      if (base)
        expect(
          (await links.ofSpace(caller, place, { limit: 1000, brokenContext: 'change-request' })).items
            .map(shownItem)
            .sort(),
        ).toEqual(wanted.brokenByRequest);
      for (const { kind, id } of state.items.slice(0, 6)) {
        if (kind === 'page') {
          const own = expected(
            all.filter(({ source }) => source.kind === 'page' && source.id === id),
            state,
            base,
          );
          const page = await links.ofPage(caller, place, id, { limit: 1000 });
          expect({ items: page.items.map(shownItem).sort(), stats: page.extra['stats'] }).toEqual({
            items: own.items,
            stats: own.stats,
          });
        }
        if (kind !== 'page' && kind !== 'file') continue;
        const back = all.filter(
          (link) => link.kind === kind && link.target === id && !(link.source.kind === kind && link.source.id === id),
        );
        const found = (await links.backlinks(caller, place, kind, id, { limit: 1000 })).items;
        expect(found.map((each) => `${shownLocation(each)} ${each.internalLocation?.node ?? ''}`).sort()).toEqual(
          back.map(placeOf).sort(),
        );
      }
    };
    const play = async (spaceId: string, changeRequest: string | undefined, list: readonly Step[], known: Known) => {
      for (const each of list) {
        const point =
          changeRequest === undefined
            ? primaryPoint(await lines.primary(spaceId), [])
            : requestPoint(await lines.request(spaceId, changeRequest), []);
        const items = await store.ofKinds(point, ['page', 'file', 'reusable']);
        const changes = changesOf(each, items, known);
        if (changes.length === 0) continue;
        try {
          const { revisionId } = await writer.write(
            { spaceId, ...(changeRequest !== undefined && { changeRequest }) },
            changes,
            { evenIfLocked: true },
          );
          if (changeRequest === undefined) known.revisions.push(revisionId);
        } catch (error) {
          // A page cannot be restored from a revision that does not have it.
          if (each.kind !== 'restore' || !(error instanceof DomainError)) throw error;
          continue;
        }
        if (each.kind === 'restore') seen.restored++;
        known.learn(
          await store.ofKinds(
            changeRequest === undefined
              ? primaryPoint(await lines.primary(spaceId), [])
              : requestPoint(await lines.request(spaceId, changeRequest), []),
            ['page', 'file', 'reusable'],
          ),
        );
      }
    };

    await runInContext({ requestId: 'test', ip: undefined, ifMatch: undefined, caller }, () =>
      fc.assert(
        fc.asyncProperty(steps, steps, steps, steps, async (start, more, ours, theirs) => {
          const spaceId = await get(NewSpaces).insert(org.admin.id, org.id, { title: 'Links', empty: true });
          const known = new Known();
          await play(spaceId, undefined, [...start, ...more], known);
          await compare(spaceId, undefined);
          const { id } = await get(ChangeRequests).create(caller, spaceId, { subject: 'x' });
          await play(spaceId, id, theirs, known);
          await compare(spaceId, id);
          await play(spaceId, undefined, ours, known);
          await compare(spaceId, undefined);
          await compare(spaceId, id);
          const { result } = await get(Merges).merge(caller, spaceId, id);
          if (result === 'merge') seen.merges++;
          await compare(spaceId, undefined);
          await compare(spaceId, id);
        }),
        RUNS,
      ),
    );
  }, 3_600_000);
});
