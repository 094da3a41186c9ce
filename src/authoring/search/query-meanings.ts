import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { sketchOf } from '../../kernel/platform/sentence-vectors/domain/sketch.js';
import { SentenceVectors, type VectorSource } from '../../kernel/platform/sentence-vectors/sentence-vectors.js';
import { isLatin, isPlainLanguage } from './domain/plain-language.js';
import type { ParsedQuery } from './domain/search-terms.js';

/** Milliseconds that a search waits for the meaning of its query. Later ones find it in the memory. */
const PATIENCE: Readonly<Record<VectorSource, number>> = { model: 150, service: 500 };
const MAX_LENGTH = 300;
/** Milliseconds for which a source that failed is not asked. */
const REST = 60_000;

/** The sketch of a query, and the name of the vectors that it can be compared with. */
export interface QueryMeaning {
  readonly model: string;
  /** A text of zeros and ones. */
  readonly sketch: string;
}

/** Finds what queries mean, if that is known in time: a search never fails or waits long for it. */
@Injectable()
export class QueryMeanings {
  private readonly logger = new Logger(QueryMeanings.name);
  private readonly known = new Cache<QueryMeaning>({
    share: 1,
    weigh: ({ model, sketch }) => textBytes(model) + textBytes(sketch),
  });
  private restsUntil = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'searchVectors'>,
    private readonly vectors: SentenceVectors,
  ) {}

  /** Returns the meaning of a query of several words, undefined where it is unknown. */
  async of(query: string, parsed: ParsedQuery): Promise<QueryMeaning | undefined> {
    const { searchVectors: source } = this.config;
    if (source === 'none' || !isPlainLanguage(query, parsed)) return undefined;
    const text = query.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH);
    if (source === 'model' && !isLatin(text)) return undefined;
    const known = this.known.get(text);
    if (known || performance.now() < this.restsUntil) return known;
    const patience = new AbortController();
    try {
      return await Promise.race([
        this.find(source, text),
        sleep(PATIENCE[source], undefined, { signal: patience.signal }),
      ]);
    } finally {
      patience.abort();
    }
  }

  private async find(source: VectorSource, text: string): Promise<QueryMeaning | undefined> {
    try {
      const [vector] = await this.vectors.of(source, [text]);
      if (!vector) return undefined;
      const meaning = { model: this.vectors.nameOf(source), sketch: sketchOf(vector) };
      this.known.set(text, meaning);
      return meaning;
    } catch (error) {
      this.restsUntil = performance.now() + REST;
      this.logger.warn(`Searches go by words alone for a minute, since vectors have failed: ${String(error)}`);
      return undefined;
    }
  }
}
