import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { ContentStore } from '../content/content-store.js';
import { indexPages } from '../content/domain/page-paths.js';
import { appAddress } from '../content/present-content.js';
import { matchingSections } from './domain/matching-sections.js';
import { GeneratedHits } from './generated-hits.js';
import { HitSections, type HitSectionRow, type SeenSection } from './hit-sections.js';
import type { SpaceHit } from './search.schema.js';
import { presentHit } from './search.service.js';
import type { Ranking } from './rankings.js';
import type { SpaceHitRow } from './spaces-with-hits.js';

/** Nothing to leave out: the hits hold no page that is hidden from the caller. */
const NO_HITS_ARE_HIDDEN: ReadonlyMap<string, readonly string[]> = new Map();

/** Presents hits in several spaces: two statements for all of them. */
@Injectable()
export class HitPages {
  constructor(
    private readonly store: ContentStore,
    private readonly generated: GeneratedHits,
    private readonly sections: HitSections,
    private readonly addresses: Addresses,
  ) {}

  /** The hits of spaces of one organization; `seen` returns the sections of a page that differ from the stored ones. */
  async present(
    organizationId: string,
    spaces: readonly SpaceHitRow[],
    { pages: ranked, shown: words }: Ranking,
    seen: (space: string, page: string) => readonly SeenSection[] | undefined = () => undefined,
  ): Promise<SpaceHit[]> {
    const rankedOf = new Map(ranked.map((page) => [`${page.space} ${page.page}`, page]));
    const hits = spaces.flatMap(({ id: space, pages }) =>
      pages.flatMap(({ page, score }) => {
        const known = rankedOf.get(`${space} ${page}`);
        return known ? { ...known, score } : [];
      }),
    );
    const stored = hits.filter(({ space, page }) => seen(space, page) === undefined);
    const [items, generated, sections] = await Promise.all([
      this.store.current(
        hits.map(({ space, page: id }) => ({ space, kind: 'page' as const, id })),
        NO_HITS_ARE_HIDDEN,
      ),
      this.generated.of(organizationId, hits),
      this.sections.of(stored),
    ]);
    return spaces.map(({ id, title, pages, score: best }): SpaceHit => {
      const index = indexPages([...(items.get(id) ?? []), ...(generated.get(id) ?? [])]);
      const view = { app: appAddress(this.addresses, { organizationId, id }), metadata: false };
      const of = (page: string, score: number): readonly HitSectionRow[] => {
        const own = seen(id, page);
        return own
          ? matchingSections(own, words).map((section) => ({ ...section, page, score }))
          : (sections.get(id)?.get(page) ?? []);
      };
      return {
        type: 'space',
        id,
        title,
        score: best,
        pages: pages.flatMap((hit) => presentHit(hit, index, of(hit.page, hit.score), words, view) ?? []),
      };
    });
  }
}
