import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import type {
  CheckFinding,
  ExaminationOptions,
  HealthCheck,
} from '../../../kernel/platform/health-checks/health-checks.points.js';
import { certificateFinding } from '../../../kernel/platform/health-checks/own-addresses.js';
import { hostnameAdvice } from '../domain/hostname-status.js';
import { HostnameChecks } from './hostname-checks.js';
import { HostnameTargets } from './hostname-targets.js';

/** Hostnames that are looked at, unless all are; and those at once. */
const SAMPLE = 100;
const BATCH = 500;
const AT_ONCE = 10;

const ACTIVE = `SELECT site.hostname FROM site WHERE site.hostname IS NOT NULL AND site.published AND site.hostname > $1 ORDER BY site.hostname LIMIT $2`;

/** Gives findings about the hostnames at which sites are served, some of them at a time. */
async function findingsAbout(
  database: Database,
  { all }: ExaminationOptions,
  find: (hostname: string) => Promise<CheckFinding>,
): Promise<CheckFinding[]> {
  const bad: CheckFinding[] = [];
  let [count, last] = [0, ''];
  for (const most = all ? Infinity : SAMPLE; count < most;) {
    const rows = await database.query<{ hostname: string }>(ACTIVE, [last, Math.min(BATCH, most - count)]);
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const found = await Promise.all(rows.slice(at, at + AT_ONCE).map(({ hostname }) => find(hostname)));
      bad.push(...found.filter(({ level }) => level !== 'ok'));
    }
    if (rows.length === 0) break;
    count += rows.length;
    last = rows.at(-1)?.hostname ?? '';
  }
  const part = count === SAMPLE && !all ? '; --all looks at all' : '';
  return bad.length > 0 ? bad : [{ level: 'ok', message: `${count} hostnames of published sites are in order${part}` }];
}

/** Checks that the hostnames of published sites still lead here. Nothing is changed: DNS may only fail at the moment. */
@Injectable()
export class SiteHostnamesCheck implements HealthCheck {
  readonly group = 'hosts';
  readonly name = 'site-hostnames';

  constructor(
    private readonly database: Database,
    private readonly checks: HostnameChecks,
    private readonly targets: HostnameTargets,
  ) {}

  async run(options: ExaminationOptions): Promise<CheckFinding[]> {
    if (!this.targets.isChecked)
      return [
        {
          level: 'ok',
          message: 'DNS is not asked about hostnames of sites: no target is known, or HOSTNAME_DNS_CHECK is false',
        },
      ];
    return findingsAbout(this.database, options, async (hostname) => {
      const status = await this.checks.statusOf(hostname);
      if (status === 'dns_passed') return { level: 'ok', message: hostname };
      const advice = hostnameAdvice(hostname, status, this.targets);
      return {
        level: 'warning',
        message: `The hostname ${hostname} of a published site ${status === 'internal_error' ? 'could not be asked for' : 'does not lead here any more'}`,
        ...(advice !== undefined && { advice }),
      };
    });
  }
}

/** Checks the certificates of the hostnames of published sites, where the installation is reached by https. */
@Injectable()
export class SiteCertificatesCheck implements HealthCheck {
  readonly group = 'certificates';
  readonly name = 'site-certificates';

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async run(options: ExaminationOptions): Promise<CheckFinding[]> {
    if (this.config.publicUrl?.startsWith('https:') !== true) return [];
    return findingsAbout(this.database, options, (hostname) => certificateFinding(`https://${hostname}`));
  }
}
