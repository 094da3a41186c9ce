import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { ContentStore } from './content-store.js';
import {
  bodyOrder,
  linkedPages,
  operationsShown,
  withoutList,
  type BodyOrder,
} from './domain/computed/computed-page-body.js';
import { GeneratedPages } from './domain/computed/generated-pages.js';
import { expandPage, groupingOf, sourceOfDerived } from './domain/computed/expansion.js';
import type { ApiOutline, OutlineOperation } from './domain/computed/outline.js';
import { computedSourceFault, plainSource, type ComputedSource } from '../../formats/document/computed-source.js';
import type { Document } from '../../formats/document/types.js';
import { compareSiblings, ROOT, type Item } from './domain/content-item.js';
import { PAGE_BODY } from './specification-tasks.js';
import type { SpecificationParts } from '../../formats/openapi/specification-parts.js';
import { Specifications, type Specification, type SpecificationPlace } from './specifications.js';

/**
 * Maximum number of pages that one place shows because of its computed pages. Where a further one would exceed it, its
 * operations have no pages of their own; after as many pages of groups, computed pages stay unexpanded.
 */
const MAX_PAGES = 10_000;

/** The version of each specification that a response used, by slug; null if there was none. */
export type UsedVersions = ReadonlyMap<string, string | null>;

/** A page with those above it; `around` has the generated ones to which it leads as well, `below` the written ones where they are asked for. */
export interface FoundPage {
  readonly page: Item;
  readonly around: readonly Item[];
  readonly below?: readonly Item[];
}

const generatedCache = (): Cache<GeneratedPages> => new Cache({ share: 8, weigh: ({ bytes }) => bytes });

/** Generates pages from specifications when they are read. */
@Injectable()
export class ComputedPages {
  private readonly generated = generatedCache();

  constructor(
    private readonly store: ContentStore,
    private readonly specifications: Specifications,
    private readonly workers: WorkerPool,
  ) {}

  /** The computation of one response. */
  reading(place: SpecificationPlace): ComputedReading {
    return new ComputedReading(place, this.store, this.specifications, this.workers, this.generated);
  }

  /** Tells whether the specifications that a response used are still current. */
  async areCurrent(place: SpecificationPlace, used: UsedVersions): Promise<boolean> {
    const found = await this.specifications.several(place, [...used.keys()]);
    return [...used].every(([slug, version]) => (found.get(slug)?.version ?? null) === version);
  }
}

interface Resolved {
  readonly specification: Specification;
  readonly outline: ApiOutline;
}

/** Computes pages for one response; specifications are looked up once, and recorded in `used`. */
export class ComputedReading {
  readonly used = new Map<string, string | null>();
  /** The time of the current version of each used specification, by slug. */
  private readonly changes = new Map<string, Date>();
  private readonly known = new Map<string, Promise<Resolved | null>>();
  /** The pages below each parent that were generated for a lookup. */
  private readonly below = new Map<string, Promise<GeneratedPages>>();

  constructor(
    private readonly place: SpecificationPlace,
    private readonly store: ContentStore,
    private readonly specifications: Specifications,
    private readonly workers: WorkerPool,
    private readonly kept = generatedCache(),
  ) {}

  /**
   * Replaces computed pages by the pages that they generate. If a page is among the items, all of its siblings must be.
   * A computed page without a specification stays, and is marked as such.
   */
  async expand(items: readonly Item[]): Promise<Item[]> {
    const isWritten = (item: Item): boolean => sourceOf(item) === undefined;
    const written = items.filter(isWritten);
    if (written.length === items.length) return written;
    const slugs = new Map<string, Set<string>>();
    for (const { kind, parentId, slug } of items)
      if (kind === 'page' && slug !== null) slugs.set(parentId, (slugs.get(parentId) ?? new Set()).add(slug));
    const made: Item[] = [];
    const counted = { whole: 0, grouped: 0 };
    for (const item of items.filter((each) => !isWritten(each)).toSorted(compareSiblings)) {
      const source = sourceOf(item);
      const found = source && (await this.resolve(source));
      if (source && found && item.type === 'computed' && counted.grouped < MAX_PAGES) {
        const taken = slugs.get(item.parentId) ?? new Set();
        slugs.set(item.parentId, taken);
        for (const page of boundedPages(item, source, found.outline, taken, counted))
          made.push(await this.described(page));
      } else {
        made.push(await this.described(item));
      }
    }
    return [...written, ...made];
  }

  /** Adds the specification to the source of a computed page, if it exists. */
  async described(item: Item): Promise<Item> {
    const source = sourceOf(item);
    if (!source) return item;
    const found = await this.resolve(source);
    const value = found && {
      object: 'openapi-spec',
      id: found.specification.id,
      slug: found.specification.slug,
      lastVersion: found.specification.version,
    };
    const { ref } = source.dependencies.spec;
    return { ...item, props: { ...item.props, computed: { ...source, dependencies: { spec: { ref, value } } } } };
  }

  /** A generated page by its id. */
  async byId(id: string): Promise<FoundPage | undefined> {
    const sourceId = sourceOfDerived(id);
    if (sourceId === undefined) return undefined;
    const above = await this.store.withAncestors(this.place.point, [sourceId]);
    const source = above.find((item) => item.id === sourceId);
    if (source?.type !== 'computed') return undefined;
    const generated = await this.generatedBelow(source.parentId);
    const page = generated.byId(id);
    return page && { page, around: [...above, ...generated.around(page)] };
  }

  /** A generated page by its path, if no written page has that path. */
  async byPath(path: string): Promise<FoundPage | undefined> {
    const segments = path.split('/');
    const prefixes = segments.map((_, index) => segments.slice(0, index).join('/')).slice(1);
    const written = await this.store.byPaths(this.place.point, prefixes);
    const prefix = prefixes.findLast((each) => written.has(each));
    const parent = prefix === undefined ? undefined : written.get(prefix);
    const generated = await this.generatedBelow(parent?.id ?? ROOT);
    let page: Item | undefined;
    for (const slug of segments.slice(prefix === undefined ? 0 : prefix.split('/').length)) {
      page = generated.below(page?.id ?? parent?.id ?? ROOT, slug);
      if (!page) return undefined;
    }
    if (!page) return undefined;
    const above = parent ? await this.store.withAncestors(this.place.point, [parent.id]) : [];
    return { page, around: [...above, ...generated.around(page)] };
  }

  /**
   * The body of a computed page; undefined for all others, and without the specification. `forSearch`: without the list
   * of the pages below it.
   */
  async body(page: Item, { forSearch = false } = {}): Promise<Document | undefined> {
    const order = await this.order(page, { forSearch });
    if (!order) return undefined;
    return this.workers.run(PAGE_BODY, { ...order, isRead: true }).catch((error: unknown) => {
      if (error instanceof TaskLimitExceeded) return this.workers.run(PAGE_BODY, { ...order, isRead: false });
      throw error;
    });
  }

  /** That from which the body of a computed page is made. */
  async order(page: Item, { forSearch = false } = {}): Promise<BodyOrder | undefined> {
    const source = page.type === 'document' ? sourceOf(page) : undefined;
    const found = source && (await this.resolve(source));
    if (!source || !found) return undefined;
    const versions = source.props.doc === 'changes' ? await found.specification.changelog() : [];
    const whole = bodyOrder(source, found.outline, page.id, versions);
    return forSearch ? withoutList(whole) : whole;
  }

  /** The operations that a page of a specification shows itself. */
  async operations(page: Item): Promise<readonly OutlineOperation[]> {
    const source = page.type === 'document' ? sourceOf(page) : undefined;
    const found = source && (await this.resolve(source));
    return source && found ? operationsShown(source, found.outline) : [];
  }

  /** The ids of the pages of operations that links of responses on a page name, by those names. */
  async linkedPages(page: Item): Promise<Readonly<Record<string, string>>> {
    const source = page.type === 'document' ? sourceOf(page) : undefined;
    const found = source && (await this.resolve(source));
    return source && found ? linkedPages(source, found.outline, page.id) : {};
  }

  /** The operation with an id in a specification, by the slug of that. */
  async operationWithId(slug: string, id: string): Promise<OutlineOperation | undefined> {
    const { tags = [], untagged = [] } = (await this.named(slug))?.outline ?? {};
    return [...tags.flatMap(({ operations }) => operations), ...untagged].find((operation) => operation.id === id);
  }

  /** The specification of a computed page; undefined for all others, and without the specification. */
  async parts(page: Item): Promise<SpecificationParts | undefined> {
    const source = sourceOf(page);
    const found = source && (await this.resolve(source));
    return (await found?.specification.parts()) ?? undefined;
  }

  /**
   * The time of the current content of a page, as far as it depends on its specification; `expand` must have visited
   * it.
   */
  changedAt(page: Item): Date {
    const change = this.changes.get(sourceOf(page)?.dependencies.spec.ref.spec ?? '');
    return change !== undefined && change > page.updatedAt ? change : page.updatedAt;
  }

  private generatedBelow(parentId: string): Promise<GeneratedPages> {
    const known = this.below.get(parentId) ?? this.generate(parentId);
    this.below.set(parentId, known);
    return known;
  }

  /** The pages generated below a parent: the same as long as neither its written pages nor the specifications change. */
  private async generate(parentId: string): Promise<GeneratedPages> {
    const items = await this.store.children(this.place.point, [parentId]);
    const computed = items.flatMap((item) => sourceOf(item) ?? []);
    const versions: unknown[] = [];
    for (const source of computed) {
      const found = await this.resolve(source);
      versions.push(found && [found.specification.id, found.specification.slug, found.specification.version]);
    }
    const slugs = items.map(({ slug }) => slug).sort();
    const key = createHash('sha256')
      .update(JSON.stringify([items.filter((item) => sourceOf(item)), slugs, versions]))
      .digest('base64url');
    const known = this.kept.get(key);
    if (known) return known;
    const expanded = await this.expand(items);
    const made = new GeneratedPages(expanded.filter(({ id }) => sourceOfDerived(id) !== undefined));
    // An outline that is not there now may be there at the next attempt.
    if (!versions.includes(null)) this.kept.set(key, made);
    return made;
  }

  private resolve(source: ComputedSource): Promise<Resolved | null> {
    return this.named(source.dependencies.spec.ref.spec);
  }

  private named(spec: string): Promise<Resolved | null> {
    const known = this.known.get(spec) ?? this.find(spec);
    this.known.set(spec, known);
    return known;
  }

  private async find(slug: string): Promise<Resolved | null> {
    const specification = await this.specifications.find(this.place, slug);
    this.used.set(slug, specification?.version ?? null);
    if (specification) this.changes.set(slug, specification.changedAt);
    const outline = (await specification?.outline()) ?? null;
    return specification && outline ? { specification, outline } : null;
  }
}

/** The pages of a source: by operation if there is room for them, else by tag. */
function boundedPages(
  item: Item,
  source: ComputedSource,
  outline: ApiOutline,
  taken: Set<string>,
  counted: { whole: number; grouped: number },
): Item[] {
  if (groupingOf(source) === 'by-operation') {
    const slugs = new Set(taken);
    const pages = expandPage(item, source, outline, slugs);
    if (counted.whole === 0 || counted.whole + pages.length <= MAX_PAGES) {
      counted.whole += pages.length;
      for (const slug of slugs) taken.add(slug);
      return pages;
    }
  }
  const pages = expandPage(item, source, outline, taken, 'by-tag');
  counted.grouped += pages.length;
  return pages;
}

/** The source of a page; undefined for an older kind of source, which cannot be computed. */
function sourceOf({ kind, type, props }: Item): ComputedSource | undefined {
  const source = kind === 'page' ? props['computed'] : undefined;
  return source === undefined || computedSourceFault(source, type) ? undefined : plainSource(source as ComputedSource);
}
