import ipaddr from 'ipaddr.js';

/** A range of addresses: `10.1.0.0/16`, or a single address. */
type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads `OUTBOUND_ALLOW`; the configuration has checked the form. */
export function parseRanges(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
  });
}

/**
 * Whether requests of callers may go to an address: it is an ordinary public one, or in an allowed
 * range. Addresses that stand for IPv4 ones (mapped, translated, tunnelled) are public to nobody.
 */
export function isAllowedAddress(text: string, allowed: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (allowed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))) return true;
  return address.range() === 'unicast';
}
