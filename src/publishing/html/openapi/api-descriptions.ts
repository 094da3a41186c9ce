import { Injectable } from '@nestjs/common';
import type { UsedVersions } from '../../../content/computed-pages.js';
import { ContentStore } from '../../../content/content-store.js';
import type { ContentRef } from '../../../content/domain/document/types.js';
import { Specifications, type Specification, type SpecificationPlace } from '../../../content/specifications.js';
import type { ApiDescription } from './description.js';

/** Specifications of one page; more are left out. */
const MAX_SPECIFICATIONS = 20;

/** The specifications that a page's blocks draw from, read as far as they are there. */
export interface FoundDescriptions {
  of(ref: ContentRef): ApiDescription | undefined;
  /** The versions of those that are found by their slugs, null where there was none: what is rendered with them lasts as long as they count. */
  readonly used: UsedVersions;
}

/** Finds the specifications of blocks: by their slugs, or in files of the space. Those at addresses are never fetched. */
@Injectable()
export class ApiDescriptions {
  constructor(
    private readonly specifications: Specifications,
    private readonly store: ContentStore,
  ) {}

  /** `references` are those of a page; all that are no specification are passed over. */
  async find(place: SpecificationPlace, references: readonly { readonly ref: ContentRef; readonly isSpecification: boolean }[]): Promise<FoundDescriptions> {
    const slugs = new Set<string>();
    const files = new Set<string>();
    for (const { ref, isSpecification } of references) {
      if (slugs.size + files.size >= MAX_SPECIFICATIONS) break;
      if (ref.kind === 'openapi') slugs.add(ref.spec);
      else if (isSpecification && ref.kind === 'file' && (ref.space === undefined || ref.space === place.point.spaceId)) files.add(ref.file);
    }
    const found = new Map<string, ApiDescription>();
    const used = new Map<string, string | null>();
    const keep = async (key: string, specification: Specification | undefined): Promise<void> => {
      const parts = await specification?.parts();
      if (parts) found.set(key, parts);
    };
    for (const slug of slugs) {
      const specification = await this.specifications.find(place, slug);
      used.set(slug, specification?.version ?? null);
      await keep(`openapi:${slug}`, specification);
    }
    const items = files.size === 0 ? [] : await this.store.byKeys(place.point, [...files].map((id) => `file:${id}` as const));
    for (const [key, item] of items) await keep(key, this.specifications.ofFile(item, item.title));
    return { used, of: (ref) => found.get(ref.kind === 'openapi' ? `openapi:${ref.spec}` : ref.kind === 'file' ? `file:${ref.file}` : '') };
  }
}
