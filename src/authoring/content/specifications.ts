import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { ContentStore, type Point } from './content-store.js';
import type { ApiOutline } from './domain/computed/outline.js';
import type { ChangelogVersion } from './domain/computed/changelog-body.js';
import type { Item } from './domain/content-item.js';
import { MAX_SPECIFICATION_BYTES, SpecificationParser } from './specification-parser.js';
import type { SpecificationParts } from '../../formats/openapi/specification-parts.js';

/** An OpenAPI specification in its current version. */
export interface Specification {
  readonly id: string;
  readonly slug: string;
  /** Changes whenever the content of the specification changes. */
  readonly version: string;
  /** The time of this version. */
  readonly changedAt: Date;
  /** The outline; null as long as it cannot be read. */
  outline(): Promise<ApiOutline | null>;
  /** The whole specification; null as long as it cannot be read. */
  parts(): Promise<SpecificationParts | null>;
  /** The changes of its latest versions; none where only one is kept. */
  changelog(): Promise<readonly ChangelogVersion[]>;
}

/** The place in which a specification is looked up. */
export interface SpecificationPlace {
  readonly organizationId: string;
  readonly point: Point;
}

/** The stored bytes of a specification. */
export interface StoredSpecification extends Pick<Specification, 'id' | 'slug' | 'version' | 'changedAt'> {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  readonly changelog?: Specification['changelog'];
}

/** A source of specifications, such as the registry of an organization. */
export interface SpecificationSource {
  /** The existing specifications among the slugs, by slug. */
  find(place: SpecificationPlace, slugs: readonly string[]): Promise<ReadonlyMap<string, Specification>>;
}

/** Bytes for each character of an outline: it is kept with the pages that it gives. */
const OUTLINE_WEIGHT = 6;
/** Milliseconds after which an unreadable specification is tried again. */
const RETRY_AFTER = 10 * 60_000;

/**
 * Finds specifications by slug: in the sources that other modules register, in order of registration, and then among
 * the files of the space, where `petstore.yaml` has the slug `petstore`.
 */
@Injectable()
export class Specifications {
  private readonly sources: SpecificationSource[] = [];
  private readonly outlines = new Cache<{ readonly outline: ApiOutline | null }>({
    share: 8,
    weigh: ({ outline }) => OUTLINE_WEIGHT * JSON.stringify(outline).length,
    fetchMethod: async (hash, _stale, { options }) => {
      const outline = await this.parser.outline(await buffer(await this.storage.get(hash)));
      if (outline === null) options.ttl = RETRY_AFTER;
      return { outline };
    },
  });

  private readonly allParts = new Cache<{ readonly parts: SpecificationParts | null }>({
    share: 16,
    weigh: ({ parts }) => parts?.size ?? 0,
    fetchMethod: async (hash, _stale, { options }) => {
      const parts = await this.parser.parts(await buffer(await this.storage.get(hash)));
      if (parts === null) options.ttl = RETRY_AFTER;
      return { parts };
    },
  });

  /** The newest one counts if several files have the same slug. */
  private readonly files: SpecificationSource = {
    find: async ({ point }, slugs) => {
      const files = await this.store.specificationFiles(
        point,
        slugs.flatMap((slug) => [`${slug}.yaml`, `${slug}.yml`, `${slug}.json`]),
      );
      const found = new Map<string, Specification>();
      for (const file of files.sort(
        (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
      )) {
        const slug = file.title.replace(/\.[^.]*$/, '');
        const specification = this.ofFile(file, slug);
        if (specification) found.set(slug, specification);
        else found.delete(slug);
      }
      return found;
    },
  };

  constructor(
    private readonly store: ContentStore,
    private readonly storage: FileStorage,
    private readonly parser: SpecificationParser,
  ) {}

  /** Adds a source with precedence over the files of spaces. */
  register(source: SpecificationSource): void {
    this.sources.push(source);
  }

  async find(place: SpecificationPlace, slug: string): Promise<Specification | undefined> {
    return (await this.several(place, [slug])).get(slug);
  }

  /** The existing specifications among the slugs; each source is queried once. */
  async several(place: SpecificationPlace, slugs: readonly string[]): Promise<Map<string, Specification>> {
    const found = new Map<string, Specification>();
    for (const source of [...this.sources, this.files]) {
      const missing = slugs.filter((slug) => !found.has(slug));
      if (missing.length === 0) break;
      for (const [slug, specification] of await source.find(place, missing)) found.set(slug, specification);
    }
    return found;
  }

  /** The specification in a file; undefined if it has no bytes. */
  ofFile(file: Item, slug: string): Specification | undefined {
    const { id, hash, props, updatedAt: changedAt } = file;
    return hash === null
      ? undefined
      : this.stored({ id, slug, version: hash, changedAt, hash, size: Number(props['size']) });
  }

  /** The specification in stored bytes. */
  stored({ id, slug, version, changedAt, hash, size, changelog }: StoredSpecification): Specification {
    const isSmall = size <= MAX_SPECIFICATION_BYTES;
    return {
      id,
      slug,
      version,
      changedAt,
      outline: async () => (isSmall ? ((await this.outlines.fetch(hash))?.outline ?? null) : null),
      parts: async () => (isSmall ? ((await this.allParts.fetch(hash))?.parts ?? null) : null),
      changelog: changelog ?? (async () => []),
    };
  }
}
