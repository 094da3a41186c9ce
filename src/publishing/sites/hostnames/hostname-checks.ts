import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { hostnameStatus, type HostnameStatus } from '../domain/hostname-status.js';
import { Site } from '../site.entity.js';
import { CustomHostname } from './custom-hostname.entity.js';
import { DnsLookup } from './dns-lookup.js';
import { HostnameTargets } from './hostname-targets.js';

/** Hostnames that are asked for in one run, and those at once. */
const BATCH = 200;
const AT_ONCE = 10;

/**
 * Hostnames that wait for their records, a tenth of their age after the last check, and at least once a day; all of them at once
 * where records are not asked for (`$2`).
 */
const DUE = `SELECT h.hostname FROM custom_hostname h JOIN site ON site.organization_id = h.organization_id AND site.id = h.site_id
  WHERE site.hostname IS DISTINCT FROM h.hostname
    AND ($2 OR h.checked_at IS NULL OR h.checked_at <= $1::timestamptz - least(($1::timestamptz - h.claimed_at) / 10, interval '1 day'))
  ORDER BY h.checked_at NULLS FIRST, h.hostname LIMIT ${BATCH}`;

/** Asks DNS about hostnames that sites claim, and lets those that lead here be served. */
@Injectable()
export class HostnameChecks implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly dns: DnsLookup,
    private readonly targets: HostnameTargets,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('hostnames.check', ({ hostname }) => this.check(hostname));
    this.jobs.handle('hostnames.check-waiting', (_, { signal }) => this.checkWaiting(signal));
  }

  private async checkWaiting(signal: AbortSignal): Promise<void> {
    const due = await this.database.query<{ hostname: string }>(DUE, [this.clock.now(), !this.targets.isChecked]);
    for (let at = 0; at < due.length; at += AT_ONCE) {
      signal.throwIfAborted();
      await Promise.all(due.slice(at, at + AT_ONCE).map(({ hostname }) => this.check(hostname)));
    }
  }

  /** Asks about one hostname. While DNS cannot be asked, it stays as it is. */
  private async check(hostname: string): Promise<void> {
    const status = this.targets.isChecked ? await this.statusOf(hostname) : null;
    await this.database.transaction(async () => {
      const claims = this.database.of(CustomHostname);
      const claim = await claims.findOneBy({ hostname });
      if (!claim) return;
      const sites = this.database.of(Site);
      const site = await sites.findOne({ where: { id: claim.siteId }, lock: { mode: 'for_no_key_update' } });
      // The claim may have been given up before the lock was there.
      const { affected } = await claims.update(
        { hostname, siteId: claim.siteId },
        { status, checkedAt: this.clock.now() },
      );
      if (!site || affected !== 1 || status === 'internal_error') return;
      const served = status === null || status === 'dns_passed' ? hostname : null;
      if (site.hostname !== served) await sites.update({ id: site.id }, { hostname: served });
    });
  }

  /** The answer of DNS about a hostname now. */
  async statusOf(hostname: string): Promise<HostnameStatus> {
    try {
      const [records, ...targets] = await Promise.all([
        this.dns.recordsOf(hostname),
        ...this.targets.names.map((name) => this.dns.addressesOf(name)),
      ]);
      return hostnameStatus(records, this.targets.names, new Set([...this.targets.addresses, ...targets.flat()]));
    } catch {
      return 'internal_error';
    }
  }
}
