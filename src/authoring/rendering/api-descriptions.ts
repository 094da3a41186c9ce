import { Injectable } from '@nestjs/common';
import type { UsedVersions } from '../content/computed-pages.js';
import { ContentStore } from '../content/content-store.js';
import type { ContentRef } from '../../formats/document/types.js';
import { Specifications, type Specification, type SpecificationPlace } from '../content/specifications.js';
import type { SpecificationParts } from '../../formats/openapi/specification-parts.js';

/** Maximum number of specifications of one page; further ones are left out. */
const MAX_SPECIFICATIONS = 20;

/** The specifications that several pages show. */
export interface FoundSpecifications {
  /**
   * The content of those of one page, by the references of its blocks. They are large: those of many pages are never in
   * memory together.
   */
  read(page: readonly ContentRef[]): Promise<FoundDescriptions>;
}

/** The content of the existing specifications that a page's blocks show. */
export interface FoundDescriptions {
  of(ref: ContentRef): SpecificationParts | undefined;
  /** The versions of those found by slug, null if there was none: a rendering is valid as long as they are current. */
  readonly used: UsedVersions;
}

/** Finds the specifications of blocks: by slug, or in files of the space. Those at addresses are never fetched. */
@Injectable()
export class ApiDescriptions {
  constructor(
    private readonly specifications: Specifications,
    private readonly store: ContentStore,
  ) {}

  /** `pages` are the references of the blocks of each page. All pages together cost as many statements as one. */
  async find(place: SpecificationPlace, pages: readonly (readonly ContentRef[])[]): Promise<FoundSpecifications> {
    const wanted = pages.map((page) => wantedOf(page, place.point.spaceId));
    const bySlug = await this.specifications.several(place, [...new Set(wanted.flatMap(({ slugs }) => [...slugs]))]);
    const files = await this.store.byKeys(
      place.point,
      wanted.flatMap((page) => [...page.files].map((id) => `file:${id}` as const)),
    );
    return {
      read: async (page) => {
        const { slugs, files: ids } = wantedOf(page, place.point.spaceId);
        const found = new Map<string, SpecificationParts>();
        const keep = async (key: string, specification: Specification | undefined): Promise<void> => {
          const parts = await specification?.parts();
          if (parts) found.set(key, parts);
        };
        for (const slug of slugs) await keep(`openapi:${slug}`, bySlug.get(slug));
        for (const id of ids) {
          const item = files.get(`file:${id}`);
          await keep(`file:${id}`, item && this.specifications.ofFile(item, item.title));
        }
        return {
          used: new Map([...slugs].map((slug) => [slug, bySlug.get(slug)?.version ?? null])),
          of: (ref) =>
            found.get(ref.kind === 'openapi' ? `openapi:${ref.spec}` : ref.kind === 'file' ? `file:${ref.file}` : ''),
        };
      },
    };
  }
}

/** The slugs and the files that the first blocks of a page show. */
function wantedOf(
  page: readonly ContentRef[],
  spaceId: string,
): { readonly slugs: ReadonlySet<string>; readonly files: ReadonlySet<string> } {
  const slugs = new Set<string>();
  const files = new Set<string>();
  for (const ref of page) {
    if (slugs.size + files.size >= MAX_SPECIFICATIONS) break;
    if (ref.kind === 'openapi') slugs.add(ref.spec);
    else if (ref.kind === 'file' && (ref.space === undefined || ref.space === spaceId)) files.add(ref.file);
  }
  return { slugs, files };
}
