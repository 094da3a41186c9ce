import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { readIpRanges } from '../../kernel/common/ip-allow-list.js';
import { changesOf, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { Site } from './site.entity.js';

/** The addresses from which visitors read sites. */
@Injectable()
export class SiteIpAllowLists {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
  ) {}

  async find({ id, organizationId }: SiteAddress): Promise<Site> {
    const site = await this.database.of(Site).findOneBy({ id, organizationId });
    if (!site) throw notFound('Site');
    return site;
  }

  /** Replaces the list. It may leave the caller out, who still administers the site. */
  async set(caller: Caller, address: SiteAddress, given: readonly string[]): Promise<Site> {
    return this.lock.hold(caller, address, 'site:admin', async ({ id, organizationId }) => {
      const before = await this.find(address);
      requireMatch(before.version);
      const { ranges: ipAllowList } = await readIpRanges(this.database, given, requestAddress());
      if (isUnchanged(before, { ipAllowList })) return before;
      await this.database.of(Site).update({ id }, { ipAllowList, updatedAt: this.clock.now() });
      const after = await this.find(address);
      await this.outbox.record({
        type: 'site_updated',
        organizationId,
        target: id,
        payload: { fields: ['ipAllowList'] },
        audit: { changes: changesOf(before, after, ['ipAllowList']) },
      });
      return after;
    });
  }
}
