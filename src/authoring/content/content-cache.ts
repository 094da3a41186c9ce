import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache, ownBytes } from '../../kernel/common/cache.js';
import { currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { ComputedPages, type ComputedReading, type UsedVersions } from './computed-pages.js';
import { PAGES_FORMAT } from './domain/computed/expansion.js';
import type { ContentPlace } from './content-places.js';
import type { ContentFlags } from './content.schema.js';
import { RecentChanges, type PageFamily } from './recent-changes.js';

/** Content of a new answer. */
export interface Made {
  readonly body: string | Buffer;
  /** The pages of which an answer about a page tells, where nothing else of the content makes it another. */
  readonly family?: PageFamily;
}

interface Answer {
  readonly said: Immutable;
  readonly used: UsedVersions;
  readonly family: PageFamily | undefined;
  /** The latest revision of which it is known to be true. */
  revisionId: string;
}

type Make<Result> = (reading?: ComputedReading) => Promise<Result>;

/** Answers by what they answer: what was once said of a revision never changes, but with the specifications that it used. */
@Injectable()
export class ContentCache {
  private readonly answers = new Cache<Answer>({ share: 16, weigh: ({ said }) => said.bytes.length + 300 });

  constructor(
    private readonly computed: ComputedPages,
    private readonly changes: RecentChanges,
    private readonly database: Database,
  ) {}

  /**
   * An answer that follows from its place, `what`, the site whose visitors may load its files, and the specifications that it used when it
   * was made.
   */
  get(
    place: ContentPlace,
    what: readonly unknown[],
    flags: Pick<ContentFlags, 'computed'>,
    make: Make<string | Buffer>,
  ): Promise<Immutable> {
    const { line, sequence, base } = place.point;
    return this.answer(place, [place.revisionId, line, sequence, base, ...what], flags, async (reading) => ({
      body: await make(reading),
    }));
  }

  /** The same of an answer about one page, which later revisions of the primary line leave as it is unless they change its family. */
  async aboutPage(
    place: ContentPlace,
    what: readonly unknown[],
    flags: Pick<ContentFlags, 'computed'>,
    make: Make<Made>,
  ): Promise<Immutable> {
    const { point, space, fixed } = place;
    // A transaction may be rolled back, and its revision with it.
    const stays = point.line === null && !fixed && !space.reader && !this.database.inTransaction;
    if (!stays) return this.get(place, what, flags, async (reading) => (await make(reading)).body);
    await this.changes.follow(place);
    return this.answer(place, what, flags, make);
  }

  private async answer(
    place: ContentPlace,
    what: readonly unknown[],
    { computed }: Pick<ContentFlags, 'computed'>,
    make: Make<Made>,
  ): Promise<Immutable> {
    const { point, space, app, revisionId } = place;
    const facts = JSON.stringify([what, space.reader?.claimsKey, point.hidden, currentContext()?.filesOf]);
    const key = `${space.id} ${app} ${facts}`;
    const specifications = { organizationId: space.organizationId, point };
    const known = this.answers.get(key);
    if (known && (await this.isTrueOf(known, place)) && (await this.areCurrent(known, specifications))) {
      return known.said;
    }
    const reading = computed ? this.computed.reading(specifications) : undefined;
    const { body, family } = await make(reading);
    const used: UsedVersions = reading?.used ?? new Map();
    const versions = used.size === 0 ? '' : JSON.stringify([PAGES_FORMAT, ...used]);
    const hash = createHash('sha256')
      .update(facts + versions)
      .digest('base64url')
      .slice(0, 16);
    const bytes = ownBytes(typeof body === 'string' ? Buffer.from(body) : body);
    const said = new Immutable(bytes, `"${revisionId}.${hash}"`);
    this.answers.set(key, { said, used, revisionId, family: used.size === 0 ? family : undefined });
    return said;
  }

  private async isTrueOf(answer: Answer, place: ContentPlace): Promise<boolean> {
    if (answer.revisionId === place.revisionId) return true;
    if (!answer.family || !(await this.changes.leave(answer.family, answer.revisionId, place))) return false;
    answer.revisionId = place.revisionId;
    return true;
  }

  private async areCurrent(
    { used }: Answer,
    specifications: Parameters<ComputedPages['areCurrent']>[0],
  ): Promise<boolean> {
    return used.size === 0 || (await this.computed.areCurrent(specifications, used));
  }
}
