import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { CONFIG } from '../../kernel/platform/config/config.js';
import type { Digest, DigestedSpace } from './domain/digest.js';
import {
  COUNTED_PAGES,
  DIGEST,
  DIGEST_TOLD,
  FORGET_DIGESTS,
  PLAN_DIGEST,
  type DigestRow,
} from './digest.statements.js';
import type { NotificationsConfig } from './notifications.manifest.js';

/**
 * Letters about what changed in the spaces of a person, once a week. They are a part of the letters about notifications,
 * which claim the person; the time up to which a person has been told moves with the end of the claim.
 */
@Injectable()
export class WeeklyDigests {
  constructor(
    private readonly database: Database,
    private readonly addresses: Addresses,
    @Inject(CONFIG) private readonly config: NotificationsConfig,
  ) {}

  /** Begins or ends the digests of a person, as their settings say; in the transaction that changes these. */
  async plan(userId: string): Promise<void> {
    await this.database.execute(PLAN_DIGEST, [userId, this.config.notificationDigestHour]);
  }

  /** What changed for a person since a time; undefined where nothing did that they can see now. */
  async read(userId: string, since: Date): Promise<Digest | undefined> {
    const rows = await this.database.query<DigestRow>(DIGEST, [userId, since, this.config.notificationDigestHour]);
    const [first] = rows;
    return first && { since: first.since, spaces: rows.map((row) => this.told(row)), left: first.spaces - rows.length };
  }

  /** Notes that a digest has been sent, or needs not be. */
  async end(userId: string, since: Date): Promise<void> {
    await this.database.execute(DIGEST_TOLD, [userId, this.config.notificationDigestHour, since]);
  }

  /** Leaves out the digests that are due, where none can be sent. */
  async forget(): Promise<void> {
    await this.database.execute(FORGET_DIGESTS, [this.config.notificationDigestHour]);
  }

  private told({ organizationId, spaceId, space, merged, mergedCount, pages, pageCount }: DigestRow): DigestedSpace {
    const base = `/o/${organizationId}/s/${spaceId}`;
    return {
      title: space,
      address: this.addresses.app(base),
      merged: merged.map(({ number, subject, actor }) => ({
        number,
        subject,
        actor: actor ?? undefined,
        address: this.addresses.app(`${base}/~/changes/${number}`),
      })),
      mergedLeft: mergedCount - merged.length,
      pages: pages.map(({ id, title }) => ({ title, address: this.addresses.app(`${base}/~/pages/${id}`) })),
      pagesLeft: pageCount - pages.length,
      countsAllPages: pageCount < COUNTED_PAGES,
    };
  }
}
