import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

const ADDRESSES_KEPT = 10_000;

/** Names of ranges that settings may use. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** The trusted proxies: addresses, ranges and names of ranges. */
export class TrustedProxies {
  private readonly ranges = new BlockList();
  /** Results for addresses, which senders use again and again. */
  private readonly found = new LRUCache<string, boolean>({ max: ADDRESSES_KEPT });

  constructor(proxies: readonly string[]) {
    for (const range of proxies.flatMap((name) => NAMED_RANGES[name] ?? [name])) {
      const [address = '', prefix] = range.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.ranges.addAddress(address, family);
      else this.ranges.addSubnet(address, Number(prefix), family);
    }
  }

  private include(address: string | undefined): boolean {
    if (address === undefined) return false;
    const known = this.found.get(address);
    if (known !== undefined) return known;
    const plain = address.replace(/^::ffff:/i, '');
    const found = isIP(address) !== 0 && this.ranges.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
    this.found.set(address, found);
    return found;
  }

  /** Returns the nearest address that is not a trusted proxy: any sender can forge the addresses before it. */
  clientOf(request: IncomingMessage): string {
    return this.trail(request).at(-1) ?? '';
  }

  /**
   * Returns the value that the outermost trusted proxy set in a header to which each proxy may append a value;
   * undefined if the request does not come from one. A single value is used as it is, so proxies must not pass on the
   * header of their callers.
   */
  wordOf(request: IncomingMessage, name: `x-forwarded-${string}`): string | undefined {
    if (!this.include(request.socket.remoteAddress)) return undefined;
    const values = valuesOf(request, name);
    const proxies = this.trail(request).filter((address) => this.include(address)).length;
    return values[Math.max(0, values.length - proxies)];
  }

  /**
   * The addresses that a request passed through, nearest first: trusted proxies, and then the address that the last of
   * them names.
   */
  private trail(request: IncomingMessage): string[] {
    const trail = [request.socket.remoteAddress ?? ''];
    for (const named of valuesOf(request, 'x-forwarded-for').reverse()) {
      const address = addressIn(named);
      if (!this.include(trail.at(-1)) || address === undefined) break;
      trail.push(address);
    }
    return trail;
  }
}

function valuesOf({ headers }: IncomingMessage, name: string): string[] {
  return (headers[name]?.toString().split(',') ?? []).map((value) => value.trim()).filter((value) => value !== '');
}

/**
 * Removes the port that some proxies append to an address, because it would make each connection a different client.
 */
function addressIn(named: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(named)?.[1] ?? /^([\d.]+):\d+$/.exec(named)?.[1] ?? named;
  return isIP(address) === 0 ? undefined : address;
}
