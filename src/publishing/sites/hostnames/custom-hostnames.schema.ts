import type { Addresses } from '../../../kernel/common/addresses.js';
import { Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../../kernel/common/fields.js';
import type { HostnameTargets } from './hostname-targets.js';
import { hostnameAdvice, HOSTNAME_STATUSES, type HostnameStatus } from '../domain/hostname-status.js';

/** A claimed hostname with its site. */
export interface HostnameRow {
  readonly hostname: string;
  readonly organizationId: string;
  readonly siteId: string;
  readonly status: HostnameStatus | null;
  readonly checkedAt: Date | null;
  readonly isActive: boolean;
}

class SitePointer {
  @OneOf(['site'])
  type: 'site';
  @Id()
  site: string;
}

class HostnameDns {
  @Text({
    list: true,
    description: 'Names and addresses; the DNS records must lead to one of them',
    example: ['docs.example.com'],
  })
  targets: string[];
  @Timestamp({ optional: true, description: 'Time of the last check' })
  checkedAt?: string;
  @Text({
    optional: true,
    description: 'The step that is left for the hostname to become active',
    example: 'Give help.acme.com a CNAME record with docs.example.com. DNS has no record of it',
  })
  advice?: string;
}

class HostnameUrls {
  @Url() location: string;
}

export class CustomHostnameBody {
  @ObjectName('custom-hostname')
  object: 'custom-hostname';
  @Text({ example: 'help.acme.com' })
  hostname: string;
  @Nested(() => SitePointer)
  target: SitePointer;
  @Flag({ description: 'Requests for the hostname are answered with the site' })
  isActive: boolean;
  @OneOf(HOSTNAME_STATUSES, {
    optional: true,
    description:
      'The answer of DNS at the last check: the hostname leads here, has no record, leads elsewhere, or no server answered. Absent before the first check',
  })
  status?: HostnameStatus;
  @Nested(() => HostnameDns, { optional: true, description: 'Absent where the installation does not ask DNS' })
  dns?: HostnameDns;
  @Nested(() => HostnameUrls)
  urls: HostnameUrls;
}

export function presentHostname(
  { hostname, siteId, status, checkedAt, isActive }: HostnameRow,
  targets: HostnameTargets,
  addresses: Addresses,
): CustomHostnameBody {
  const advice = hostnameAdvice(hostname, status, targets);
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: siteId },
    isActive,
    ...(status !== null && { status }),
    ...(targets.isChecked && {
      dns: {
        targets: [...targets.names, ...targets.addresses],
        ...(checkedAt !== null && { checkedAt: checkedAt.toISOString() }),
        ...(advice !== undefined && { advice }),
      },
    }),
    urls: { location: addresses.location(`/custom-hostnames/${hostname}`) },
  };
}
