import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Names of ranges, as Express has them for `trust proxy`. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** The proxies whose word counts, for the listener that Express does not serve: addresses, ranges and names of ranges. */
export class TrustedProxies {
  private readonly ranges = new BlockList();

  constructor(proxies: readonly string[]) {
    for (const range of proxies.flatMap((name) => NAMED_RANGES[name] ?? [name])) {
      const [address = '', prefix] = range.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.ranges.addAddress(address, family);
      else this.ranges.addSubnet(address, Number(prefix), family);
    }
  }

  include(address: string | undefined): boolean {
    if (address === undefined || isIP(address) === 0) return false;
    const plain = address.replace(/^::ffff:/i, '');
    return this.ranges.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }

  /** The nearest address that is none of our proxies: what stands before it anybody may have written. */
  clientOf({ socket, headers }: IncomingMessage): string {
    const addresses = [...(headers['x-forwarded-for']?.toString().split(',') ?? []).map((each) => each.trim()), socket.remoteAddress ?? ''];
    return addresses.findLast((address) => !this.include(address)) ?? addresses[0] ?? '';
  }
}
