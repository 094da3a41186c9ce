import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache, ownBytes } from '../../kernel/common/cache.js';
import { currentContext } from '../../kernel/common/context.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { ComputedPages, type ComputedReading, type UsedVersions } from './computed-pages.js';
import type { ContentPlace } from './content-places.js';
import type { ContentFlags } from './content.schema.js';

interface Answer {
  readonly said: Immutable;
  readonly used: UsedVersions;
}

/** Answers by what they answer: what was once said of a revision never changes, but with the specifications that it used. */
@Injectable()
export class ContentCache {
  private readonly answers = new Cache<Answer>({ share: 16, weigh: ({ said }) => said.bytes.length + 200 });

  constructor(private readonly computed: ComputedPages) {}

  /**
   * An answer that follows from its place, `what`, the site whose visitors may load its files, and the specifications that it used when it
   * was made.
   */
  async get(
    place: ContentPlace,
    what: readonly unknown[],
    { computed }: Pick<ContentFlags, 'computed'>,
    make: (reading?: ComputedReading) => Promise<string | Buffer>,
  ): Promise<Immutable> {
    const { line, sequence, base, hidden } = place.point;
    const { reader } = place.space;
    const facts = JSON.stringify([line, sequence, base, what, reader?.claimsKey, hidden, currentContext()?.filesOf]);
    const key = `${place.space.id} ${place.app} ${place.revisionId} ${facts}`;
    const known = this.answers.get(key);
    const specifications = { organizationId: place.space.organizationId, point: place.point };
    if (known && (known.used.size === 0 || (await this.computed.areCurrent(specifications, known.used))))
      return known.said;
    const reading = computed ? this.computed.reading(specifications) : undefined;
    const made = await make(reading);
    const used: UsedVersions = reading?.used ?? new Map();
    const versions = used.size === 0 ? '' : JSON.stringify([...used]);
    const hash = createHash('sha256')
      .update(facts + versions)
      .digest('base64url')
      .slice(0, 16);
    const said = new Immutable(
      ownBytes(typeof made === 'string' ? Buffer.from(made) : made),
      `"${place.revisionId}.${hash}"`,
    );
    this.answers.set(key, { said, used });
    return said;
  }
}
