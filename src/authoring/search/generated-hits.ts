import { Injectable } from '@nestjs/common';
import { ComputedPages, type ComputedReading } from '../content/computed-pages.js';
import { primaryPoint } from '../content/content-lines.js';
import { NOTHING_HIDDEN } from '../content/content-store.js';
import { sourceOfDerived } from '../content/domain/computed/expansion.js';
import { ancestorsOf, indexPages } from '../content/domain/page-paths.js';
import type { Item } from '../content/domain/content-item.js';

/** Finds the pages among hits that are generated from specifications: no row of the content says what they are. */
@Injectable()
export class GeneratedHits {
  constructor(private readonly computed: ComputedPages) {}

  /** The generated pages with those above them, by space; a page that its specification no longer has is left out. */
  async of(
    organizationId: string,
    hits: readonly { readonly space: string; readonly page: string }[],
  ): Promise<Map<string, Item[]>> {
    const found = new Map<string, Item[]>();
    const readings = new Map<string, ComputedReading>();
    for (const { space: spaceId, page } of hits) {
      if (sourceOfDerived(page) === undefined) continue;
      const point = primaryPoint({ spaceId, sequence: Number.MAX_SAFE_INTEGER }, NOTHING_HIDDEN);
      const reading = readings.get(spaceId) ?? this.computed.reading({ organizationId, point });
      readings.set(spaceId, reading);
      const known = await reading.byId(page);
      if (!known) continue;
      const pages = found.get(spaceId) ?? [];
      pages.push(known.page, ...ancestorsOf(known.page, indexPages(known.around)));
      found.set(spaceId, pages);
    }
    return found;
  }
}
