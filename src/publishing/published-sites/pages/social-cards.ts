import { Injectable } from '@nestjs/common';
import { Cache, ownBytes } from '../../../kernel/common/cache.js';
import type { Card } from '../../../formats/cards/card.js';
import { PAINT_CARD } from '../../../formats/cards/paint-card-task.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { TaskLimitExceeded, WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { CARDS_PATH, cardFacts, type CardFacts } from './card-facts.js';
import { CardPictures } from './card-pictures.js';
import type { HttpResponse } from './http-response.js';
import { cachingOf } from './page-caching.js';
import type { RequestedResource } from './requested-resource.js';
import { dependsOnVisitor, type SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

const PATH = new RegExp(`^${CARDS_PATH}/([\\w-]{1,64})$`);
/** Seconds for which a card may be kept by caches that all readers share, like files of public sites. */
const MAX_AGE = 300;
/** Milliseconds after which a card without the pictures that it should have is painted again. */
const RETRY_AFTER = 60_000;

interface Painted {
  readonly png: Buffer;
  /** It has all pictures that it should have. */
  readonly isWhole: boolean;
}

/** Cards with the titles of pages, which services show where somebody names the address of a page. */
@Injectable()
export class SocialCards {
  private readonly kept = new Cache<Buffer>({ share: 6, weigh: ({ length }) => length });
  private readonly making = new Map<string, Promise<Painted>>();

  constructor(
    private readonly trees: SpaceTrees,
    private readonly pictures: CardPictures,
    private readonly workers: WorkerPool,
    private readonly limit: RateLimit,
  ) {}

  /**
   * The card of a page as a PNG, at a path of a site space; undefined at any other path, for pages that the visitor
   * does not see, and in previews, whose addresses open nothing for services.
   */
  async answer(place: SitePlace, pathname: string, { reader }: RequestedResource): Promise<HttpResponse | undefined> {
    const id = PATH.exec(pathname)?.[1];
    if (id === undefined || place.visit.preview) return undefined;
    const page = (await this.trees.of(place.visit, place.row)).tree.byId.get(id);
    if (page?.item.type !== 'document') return undefined;
    const facts = cardFacts(place, page);
    const key = JSON.stringify(facts);
    const body = this.kept.get(key) ?? (await this.admitted(key, facts, place, reader.ip));
    return {
      status: 200,
      headers: {
        'Content-Type': 'image/png',
        ...cachingOf(place),
        ...(!dependsOnVisitor(place.visit) && { 'Cache-Control': `public, max-age=${MAX_AGE}` }),
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body,
    };
  }

  private async admitted(key: string, facts: CardFacts, { visit }: SitePlace, ip: string | undefined): Promise<Buffer> {
    await this.limit.admitReader(ip);
    const making =
      this.making.get(key) ?? this.painted(facts, visit.site.organizationId).finally(() => this.making.delete(key));
    this.making.set(key, making);
    const { png, isWhole } = await making;
    this.kept.set(key, png, isWhole ? {} : { ttl: RETRY_AFTER });
    return png;
  }

  /** Pictures with which it cannot be painted, or not in time, are left out. */
  private async painted({ logo, icon, ...words }: CardFacts, party: string): Promise<Painted> {
    const shown = logo === undefined ? undefined : await this.pictures.at(logo);
    const beside =
      icon && 'emoji' in icon ? icon.emoji : icon && !shown ? await this.pictures.at(icon.address) : undefined;
    const paint = async (card: Card): Promise<Buffer> =>
      ownBytes(Buffer.from(await this.workers.run(PAINT_CARD, card, { party })));
    try {
      const isWhole = (logo === undefined || shown !== undefined) && (icon === undefined || !!shown || !!beside);
      return { png: await paint({ ...words, logo: shown, icon: beside }), isWhole };
    } catch (error) {
      const isTooBusy = error instanceof DomainError && !(error instanceof TaskLimitExceeded);
      if (isTooBusy || (typeof beside !== 'object' && !shown)) throw error;
      return { png: await paint(words), isWhole: false };
    }
  }
}
