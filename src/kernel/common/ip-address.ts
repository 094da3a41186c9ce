import { isIP, isIPv4 } from 'node:net';
import { currentContext } from './context.js';

/** Stands for an address that cannot be read, and lies in no range that anybody lists. */
const UNKNOWN = '::';
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** An address of a connection as lists of ranges compare it: IPv4 as such, and without the name of an interface. */
function plainAddress(address: string): string {
  const [plain = ''] = address.split('%');
  const version4 = MAPPED.exec(plain)?.[1];
  return version4 ?? (isIP(plain) === 0 ? UNKNOWN : plain);
}

/** The address of whoever makes the request; null for jobs and commands, to which no list of ranges applies. */
export function requestAddress(): string | null {
  const ip = currentContext()?.ip;
  return ip === undefined ? null : plainAddress(ip);
}

/** The fault of a range in CIDR notation, or of a single address; undefined if there is none. */
export function ipRangeFault(range: string): string | undefined {
  const [address = '', prefix, ...rest] = range.split('/');
  if (rest.length > 0 || address.includes('%') || isIP(address) === 0)
    return 'must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24 or 2001:db8::/32';
  if (/^::ffff:/i.test(address)) return 'must be written as an IPv4 address';
  const longest = isIPv4(address) ? 32 : 128;
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= longest)
    ? undefined
    : `must have a prefix from 0 to ${longest}`;
}
