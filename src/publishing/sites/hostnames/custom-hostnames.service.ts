import { Injectable } from '@nestjs/common';
import { Access } from '../../../kernel/access/access.service.js';
import { requirePermission, type PermissionKey } from '../../../kernel/access/permissions.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { invalid, notFound } from '../../../kernel/common/errors.js';
import { changesOf } from '../../../kernel/platform/audit-changes.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import type { SiteAddress } from '../site-address.js';
import { SiteLock } from '../site-lock.js';
import { Site } from '../site.entity.js';
import type { SiteForCaller } from '../sites.schema.js';
import { CustomHostname } from './custom-hostname.entity.js';
import type { HostnameRow } from './custom-hostnames.schema.js';
import { HostnameTargets } from './hostname-targets.js';
import { hostnameTaken, requireNoOrganization } from './organization-names.js';

const FIND = `SELECT h.hostname, h.organization_id AS "organizationId", h.site_id AS "siteId", h.status, h.checked_at AS "checkedAt",
  site.hostname IS NOT DISTINCT FROM h.hostname AS "isActive"
  FROM custom_hostname h JOIN site ON site.organization_id = h.organization_id AND site.id = h.site_id WHERE h.hostname = $1`;
/** No row is made for a hostname that another site claims; a claim that is being made is waited for. */
const CLAIM = `INSERT INTO custom_hostname (hostname, organization_id, site_id, claimed_at) VALUES ($1, $2, $3, $4) ON CONFLICT (hostname) DO NOTHING`;

/** The hostnames that sites claim: each belongs to one site, which is served there once DNS shows that it leads here. */
@Injectable()
export class CustomHostnames {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lock: SiteLock,
    private readonly outbox: Outbox,
    private readonly targets: HostnameTargets,
  ) {}

  /** A hostname that a site of the caller claims. */
  async get(caller: Caller, hostname: string): Promise<HostnameRow> {
    const row = await this.find(caller, hostname, 'site:view');
    if (!row) throw notFound('Custom hostname');
    return row;
  }

  /** Has DNS asked anew. */
  async revalidate(caller: Caller, hostname: string): Promise<void> {
    const row = await this.find(caller, hostname, 'site:admin');
    if (!row) throw notFound('Custom hostname');
    const { siteId, organizationId } = row;
    await this.lock.hold(caller, { id: siteId, organizationId }, 'site:admin', async () => {
      await this.jobs.enqueue('hostnames.check', { hostname });
    });
  }

  /** Frees a hostname; one that no site of the caller claims is left alone. */
  async remove(caller: Caller, hostname: string): Promise<void> {
    const row = await this.find(caller, hostname, 'site:admin');
    if (!row) return;
    await this.lock.hold(caller, { id: row.siteId, organizationId: row.organizationId }, 'site:admin', async (site) => {
      if (site.claimedHostname !== hostname) return;
      await this.release(site);
      await this.database.of(Site).update({ id: site.id }, { hostname: null, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'site_updated',
        organizationId: site.organizationId,
        target: site.id,
        payload: { fields: ['hostname'] },
        audit: { changes: changesOf({ hostname }, { hostname: null }, ['hostname']) },
      });
    });
  }

  /**
   * Puts another hostname, or none, in the place of the one that a site claims, under its lock; returns the one at which
   * it is served from now on. Throws `conflict` for one of another site or organization.
   */
  async claim(site: SiteForCaller, wanted: string | null): Promise<string | null> {
    if (wanted === site.claimedHostname) return site.hostname;
    if (wanted !== null) await this.requireOrdinary(wanted);
    await this.release(site);
    if (wanted === null) return null;
    const made = await this.database.execute(CLAIM, [wanted, site.organizationId, site.id, this.clock.now()]);
    if (made === 0) throw hostnameTaken();
    if (!this.targets.isChecked) return wanted;
    await this.jobs.enqueue('hostnames.check', { hostname: wanted });
    return null;
  }

  private async release({ id, organizationId }: SiteAddress): Promise<void> {
    await this.database.of(CustomHostname).delete({ siteId: id, organizationId });
  }

  /** Undefined for one that no site of the caller claims; throws `forbidden` without the permission on the site. */
  private async find(caller: Caller, hostname: string, key: PermissionKey): Promise<HostnameRow | undefined> {
    const row = await this.database.one<HostnameRow>(FIND, [hostname]);
    const site = row && (await this.access.site(caller, row.organizationId, row.siteId));
    if (!site) return undefined;
    requirePermission(caller, key, site);
    return row;
  }

  /** Refuses the names of the service itself, and those that organizations have below its own. */
  private async requireOrdinary(hostname: string): Promise<void> {
    if (this.addresses.own.some((own) => new URL(own).hostname === hostname))
      throw invalid('hostname', 'belongs to the service itself');
    await requireNoOrganization(this.database, hostname, this.addresses);
  }
}
