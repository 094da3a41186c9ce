import { Injectable } from '@nestjs/common';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { readIpRanges } from '../../kernel/common/ip-allow-list.js';
import { changesOf, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Members } from './members.service.js';
import { Organization } from './organization.entity.js';

/** The addresses from which the members of organizations reach them. */
@Injectable()
export class OrganizationIpAllowLists {
  constructor(
    private readonly database: Database,
    private readonly members: Members,
    private readonly outbox: Outbox,
  ) {}

  /** Throws `notFound` for an unknown organization. */
  async find(id: string): Promise<Organization> {
    const organization = await this.database.of(Organization).findOneBy({ id });
    if (!organization) throw notFound('Organization');
    return organization;
  }

  /** Replaces the list; throws `invalid` for one that would lock the caller out. */
  async set(userId: string, id: string, given: readonly string[]): Promise<Organization> {
    return this.database.transaction(async () => {
      await this.members.lockAsAdmin(userId, id);
      const address = requestAddress();
      const { ranges, admits } = await readIpRanges(this.database, given, address);
      if (ranges.length > 0 && address !== null && !admits)
        throw invalid('ranges', `must contain the address from which you send this: ${address}`);
      return this.replace(await this.find(id), ranges);
    });
  }

  /** Lets all addresses in, for the operator of the installation. Throws `notFound`. */
  async clear(id: string): Promise<Organization> {
    return this.database.transaction(async () => {
      await this.members.lock(id);
      return this.replace(await this.find(id), []);
    });
  }

  /** Its row must be locked. */
  private async replace(before: Organization, ipAllowList: string[]): Promise<Organization> {
    requireMatch(before.version);
    if (isUnchanged(before, { ipAllowList })) return before;
    const after = { ...before, ipAllowList, version: before.version + 1 };
    await this.database.of(Organization).update({ id: before.id }, { ipAllowList, version: after.version });
    await this.outbox.record({
      type: 'organization_updated',
      organizationId: before.id,
      target: before.id,
      payload: { fields: ['ipAllowList'] },
      audit: { changes: changesOf(before, after, ['ipAllowList']) },
    });
    return after;
  }
}
