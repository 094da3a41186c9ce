import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import type { HttpResponse } from '../pages/http-response.js';
import type { Visit } from '../visit.js';
import { SURROGATE_KEY } from './cache-tags.js';

/** Seconds for which a shared cache may send what is over, while it asks for it, and while nobody answers. */
const WHILE_ASKING = 30;
const WHILE_AWAY = 86_400;

/**
 * Lets caches in front of the service keep the answers that everybody gets, for SHARED_CACHE_SECONDS: those that have
 * tags. Without that setting each answer is asked for again, and nothing tells of its tags.
 */
@Injectable()
export class SharedCache {
  private readonly seconds: number;

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) { sharedCacheSeconds }: Pick<Config, 'sharedCacheSeconds'>,
    @Inject(Database) private readonly database: Pick<Database, 'replicas'>,
  ) {
    this.seconds = sharedCacheSeconds;
  }

  /**
   * The answer as it is sent. One that stands in while the database cannot be asked says so, and no cache keeps it. No cache keeps
   * what replicas have answered without the primary either: caches may have been told already that it has changed.
   */
  marked(answer: HttpResponse, { read, isStale }: Pick<Visit, 'read' | 'isStale'>): HttpResponse {
    const { [SURROGATE_KEY]: tags, ...headers } = answer.headers;
    if (isStale && read) {
      const seconds = Math.ceil((performance.now() - read.at) / 1000);
      return { ...answer, headers: { ...headers, 'Cache-Status': `Bindery; hit; ttl=-${seconds}` } };
    }
    if (typeof tags !== 'string') return answer;
    if (this.seconds === 0 || this.mayBeOld(read)) return { ...answer, headers };
    const left = answer.until === undefined ? Infinity : Math.floor((answer.until - this.clock.now().getTime()) / 1000);
    const seconds = Math.min(this.seconds, left);
    if (seconds <= 0) return { ...answer, headers };
    const away = Math.max(0, Math.min(WHILE_AWAY, left - seconds));
    return {
      ...answer,
      isShared: true,
      headers: {
        ...headers,
        'Cache-Control': `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${Math.min(WHILE_ASKING, away)}, stale-if-error=${away}`,
        [SURROGATE_KEY]: tags,
        'Cache-Tag': tags.replaceAll(' ', ','),
      },
    };
  }

  private mayBeOld(read: Visit['read']): boolean {
    const { replicas } = this.database;
    return replicas !== undefined && (replicas.standIn || (read !== undefined && replicas.lastAway >= read.at));
  }
}
