import ipaddr from 'ipaddr.js';

/** A range of addresses: `10.1.0.0/16`, or a single address. */
type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The globally allocated part of IPv6; addresses outside of it represent other addresses, or none. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address on which virtual machines of a cloud (Azure) reach a service of their host. */
const HOST_OF_CLOUD = '168.63.129.16';

/** Reads `OUTBOUND_ALLOW`; the configuration has checked the form. */
export function parseRanges(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
  });
}

/** Tells whether the operator allows an address beside the public ones. */
export function isAllowedPrivately(text: string, allowed: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return allowed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/**
 * Tells whether requests of callers may go to an address: it is an ordinary public one, or in an allowed range.
 * Addresses that represent IPv4 ones (mapped, translated, tunnelled) never count as public.
 */
export function isAllowedAddress(text: string, allowed: readonly Range[]): boolean {
  return isAllowedPrivately(text, allowed) || (ipaddr.isValid(text) && isPublic(ipaddr.process(text)));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? address.toString() !== HOST_OF_CLOUD : address.match(GLOBAL_IPV6);
}
