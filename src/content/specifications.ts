import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FileStorage } from '../platform/storage/file-storage.js';
import { ContentStore, type Point } from './content-store.js';
import type { ApiOutline } from './domain/computed/outline.js';
import type { Item } from './domain/item.js';
import { MAX_SPECIFICATION_BYTES, SpecificationParser } from './specification-parser.js';
import type { SpecificationParts } from './specification-parts.js';

/** An OpenAPI specification in the version that counts. */
export interface Specification {
  readonly id: string;
  readonly slug: string;
  /** Another one as soon as the specification says something else. */
  readonly version: string;
  /** What it says; null as long as it cannot be read. */
  outline(): Promise<ApiOutline | null>;
  /** All of it; null as long as it cannot be read. */
  parts(): Promise<SpecificationParts | null>;
}

/** Where a specification is looked for. */
export interface SpecificationPlace {
  readonly organizationId: string;
  readonly point: Point;
}

/** Bytes that say what a specification says. */
export interface StoredSpecification extends Pick<Specification, 'id' | 'slug' | 'version'> {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Something that has specifications, such as the registry of an organization. */
export interface SpecificationSource {
  find(place: SpecificationPlace, slug: string): Promise<Specification | undefined>;
}

const CACHE_BYTES = 64 * 1024 ** 2;
const CACHED_PARTS = 96 * 1024 ** 2;
/** Milliseconds after which what could not be read is tried again. */
const RETRY_AFTER = 10 * 60_000;

/**
 * Finds specifications by their slugs: in the sources that other modules register, in the order in which they did, and
 * then among the files of the space, where `petstore.yaml` has the slug `petstore`.
 */
@Injectable()
export class Specifications {
  private readonly sources: SpecificationSource[] = [];
  private readonly outlines = new LRUCache<string, { readonly outline: ApiOutline | null }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ outline }) => 2 * JSON.stringify(outline).length,
    fetchMethod: async (hash, _stale, { options }) => {
      const outline = await this.parser.outline(await buffer(await this.storage.get(hash)));
      if (outline === null) options.ttl = RETRY_AFTER;
      return { outline };
    },
  });

  private readonly allParts = new LRUCache<string, { readonly parts: SpecificationParts | null }>({
    maxSize: CACHED_PARTS,
    sizeCalculation: ({ parts }) => parts?.size ?? 1,
    fetchMethod: async (hash, _stale, { options }) => {
      const parts = await this.parser.parts(await buffer(await this.storage.get(hash)));
      if (parts === null) options.ttl = RETRY_AFTER;
      return { parts };
    },
  });

  constructor(
    private readonly store: ContentStore,
    private readonly storage: FileStorage,
    private readonly parser: SpecificationParser,
  ) {}

  /** Adds a source that comes before the files of spaces. */
  register(source: SpecificationSource): void {
    this.sources.push(source);
  }

  async find(place: SpecificationPlace, slug: string): Promise<Specification | undefined> {
    for (const source of this.sources) {
      const found = await source.find(place, slug);
      if (found) return found;
    }
    return this.amongFiles(place.point, slug);
  }

  /** The newest file of that name. */
  private async amongFiles(point: Point, slug: string): Promise<Specification | undefined> {
    const files = await this.store.specificationFiles(point, [`${slug}.yaml`, `${slug}.yml`, `${slug}.json`]);
    const [file] = files.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
    return file && this.ofFile(file, slug);
  }

  /** The specification that a file is; undefined where it has no bytes. */
  ofFile(file: Item, slug: string): Specification | undefined {
    const { id, hash, props } = file;
    return hash === null ? undefined : this.stored({ id, slug, version: hash, hash, size: Number(props['size']) });
  }

  /** The specification that stored bytes are. */
  stored({ id, slug, version, hash, size }: StoredSpecification): Specification {
    const isSmall = size <= MAX_SPECIFICATION_BYTES;
    return {
      id,
      slug,
      version,
      outline: async () => (isSmall ? ((await this.outlines.fetch(hash))?.outline ?? null) : null),
      parts: async () => (isSmall ? ((await this.allParts.fetch(hash))?.parts ?? null) : null),
    };
  }
}
