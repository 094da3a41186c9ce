import { IpRange, ObjectName, Text } from './fields.js';
import { MAX_IP_RANGES } from './ip-allow-list.js';
import { requestAddress } from './ip-address.js';
import { versioned } from './versioned.js';

const EXAMPLE = ['203.0.113.0/24', '2001:db8::/32'];

export class IpAllowListBody {
  @ObjectName('ip-allow-list')
  object: 'ip-allow-list';
  @Text({ list: true, example: EXAMPLE, description: 'Ranges of addresses that are let in; none means all' })
  ranges: string[];
  @Text({ example: '203.0.113.7', description: 'The address from which this request came, as the service sees it' })
  currentAddress: string;
}

export class UpdateIpAllowList {
  @IpRange({
    list: true,
    maxItems: MAX_IP_RANGES,
    example: EXAMPLE,
    description: 'Ranges in CIDR notation, or single addresses, of IPv4 and IPv6; none lets everybody in',
  })
  ranges: string[];
}

/** `version` is that of the row that has the list. */
export function presentIpAllowList({
  ipAllowList,
  version,
}: {
  readonly ipAllowList: string[];
  readonly version: number;
}): IpAllowListBody {
  const body: IpAllowListBody = {
    object: 'ip-allow-list',
    ranges: ipAllowList,
    currentAddress: requestAddress() ?? '',
  };
  return versioned(body, version);
}
