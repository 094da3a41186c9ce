import { Injectable } from '@nestjs/common';
import { batchesWithin } from '../../kernel/common/batches.js';
import { invalid } from '../../kernel/common/errors.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { document as documentOf } from '../../formats/document/build.js';
import { readLinkTarget } from '../../formats/document/link-target.js';
import type { Block, Document } from '../../formats/document/types.js';
import type { ResolveTarget } from '../../formats/markdown/parse-context.js';
import { BLOCKS_MARKDOWN } from './base-merge-tasks.js';
import { ContentStore, type Point } from './content-store.js';
import {
  FIND_TARGETS,
  INTERPRET_DOCUMENT,
  type GivenDocument,
  type MarkdownTarget,
  type Refused,
} from './document-tasks.js';
import { itemKey, ROOT, type Item, type ItemKey } from './domain/content-item.js';
import { indexPages, pathOf, type PageIndex } from './domain/page-paths.js';
import { DocumentStore } from './document-store.js';
import { LinkTargets } from './link-targets.js';
import { MarkdownLinks } from './markdown-links.js';

/** Characters of JSON that one call writes as Markdown. */
const BATCH_CHARACTERS = 256 * 1024;

/** Lists of blocks of one item: versions of the same place. */
export interface ShownPlace {
  readonly item: ItemKey;
  readonly versions: readonly (readonly Block[])[];
}

/** Markdown for a place of an item, as given in a field. */
export interface GivenText {
  readonly item: ItemKey;
  readonly markdown: string;
  readonly path: string;
}

/**
 * Parts of pages as Markdown, in both directions. Links are those of the page; what they lead to is looked for at the
 * given points of the history, the first of which has precedence.
 */
@Injectable()
export class BlockTexts {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly targets: LinkTargets,
    private readonly links: MarkdownLinks,
    private readonly workers: WorkerPool,
  ) {}

  /** The stored document of a page as JSON; undefined for a page without one. */
  async bodyOf(point: Point, page: string): Promise<string | undefined> {
    const hash = (await this.store.get(point, 'page', page))?.hash ?? null;
    return hash === null ? undefined : (await this.documents.json(point.spaceId, [hash])).get(hash);
  }

  /** The Markdown of all versions of all places, in their order; with a constant number of queries. */
  async show(points: readonly Point[], places: readonly ShownPlace[]): Promise<string[][]> {
    if (places.length === 0) return [];
    const texts: (readonly string[])[] = [];
    const bodies = places.map(({ versions }) => JSON.stringify(versions));
    for (const batch of batchesWithin(bodies, BATCH_CHARACTERS, ({ length }) => length))
      texts.push(...(await this.workers.run(BLOCKS_MARKDOWN, batch).catch(limitAt(''))));
    const pages = await this.pages(points, places);
    const render = await this.links.renderers(points, texts.flat());
    return texts.map((versions, at) => {
      const page = pageOf(places[at]?.item, pages);
      const from = page ? pathOf(page, pages) : '';
      return versions.map((markdown) => render(markdown, from));
    });
  }

  /** The documents of Markdown texts, in their order. Throws `invalid` with the field of one that cannot be read. */
  async read(points: readonly Point[], given: readonly GivenText[]): Promise<Document[]> {
    if (given.length === 0) return [];
    const pages = await this.pages(points, given);
    const found: { readonly targets: readonly MarkdownTarget[]; readonly directory: string }[] = [];
    for (const { item, markdown, path } of given) {
      const targets = accepted(await this.workers.run(FIND_TARGETS, asGiven(markdown)).catch(limitAt(path)), path);
      const parent = pages.get(pageOf(item, pages)?.parentId ?? ROOT);
      found.push({ targets, directory: parent ? pathOf(parent, pages) : '' });
    }
    const resolve = await this.resolver(points, found);
    const documents: Document[] = [];
    for (const [at, { markdown, path }] of given.entries()) {
      const { targets = [], directory = '' } = found[at] ?? {};
      const own = resolve(directory);
      const resolved = targets.map(({ target, kind }) => ({ target, kind, ref: own(target, kind, 1) }));
      const order = { given: asGiven(markdown), resolved };
      const read = accepted(await this.workers.run(INTERPRET_DOCUMENT, order).catch(limitAt(path)), path);
      documents.push(read.document ?? documentOf([]));
    }
    return documents;
  }

  private async resolver(
    points: readonly Point[],
    texts: readonly { readonly targets: readonly MarkdownTarget[]; readonly directory: string }[],
  ): Promise<(directory: string) => ResolveTarget> {
    const written = texts.flatMap(({ targets, directory }) =>
      targets.flatMap(({ target, kind }) =>
        kind === 'openapi' || readLinkTarget(target, directory).kind !== 'external' ? [{ target, directory }] : [],
      ),
    );
    const resolvers: ((directory: string) => ResolveTarget)[] = [];
    for (const point of points) resolvers.push(await this.targets.resolve(point, written, new Map()));
    return (directory) => {
      const own = resolvers.map((resolve) => resolve(directory));
      return (target, kind, count) => {
        const refs = own.map((resolve) => resolve(target, kind, count));
        return refs.find((ref) => ref !== null && ref !== undefined) ?? refs[0];
      };
    };
  }

  /** The pages of items, with their ancestors. */
  private async pages(points: readonly Point[], places: readonly { readonly item: ItemKey }[]): Promise<PageIndex> {
    const ids = places.flatMap(({ item }) => (item.startsWith('page:') ? [item.slice('page:'.length)] : []));
    const found = new Map<ItemKey, Item>();
    for (const point of points) {
      for (const page of await this.store.withAncestors(point, ids))
        if (!found.has(itemKey(page))) found.set(itemKey(page), page);
    }
    return indexPages([...found.values()]);
  }
}

function asGiven(markdown: string): GivenDocument {
  return { markdown, of: 'reusable' };
}

function pageOf(item: ItemKey | undefined, pages: PageIndex): Item | undefined {
  return item?.startsWith('page:') ? pages.get(item.slice('page:'.length)) : undefined;
}

function accepted<Result extends object>(result: Result | Refused, path: string): Result {
  if ('fault' in result) throw invalid(path, result.fault.message);
  return result;
}
