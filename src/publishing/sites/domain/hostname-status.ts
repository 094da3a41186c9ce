/** The answers of DNS about a claimed hostname. */
export const HOSTNAME_STATUSES = ['dns_passed', 'dns_no_cname', 'dns_wrong_cname', 'internal_error'] as const;
export type HostnameStatus = (typeof HOSTNAME_STATUSES)[number];

/** The records of a name: what it is an alias of, and its addresses. */
export interface DnsRecords {
  readonly aliases: readonly string[];
  readonly addresses: readonly string[];
}

/** The names and addresses to which records of hostnames have to lead. */
export interface DnsTargets {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

/**
 * Tells whether a hostname leads to one of the named targets, or to addresses of targets alone. A single address that belongs elsewhere would lead some readers there, so all have to be right.
 */
export function hostnameStatus(
  { aliases, addresses }: DnsRecords,
  targetNames: readonly string[],
  targetAddresses: ReadonlySet<string>,
): HostnameStatus {
  if (aliases.some((alias) => targetNames.includes(alias.toLowerCase().replace(/\.$/, '')))) return 'dns_passed';
  if (addresses.length === 0) return aliases.length === 0 ? 'dns_no_cname' : 'dns_wrong_cname';
  return addresses.every((address) => targetAddresses.has(address)) ? 'dns_passed' : 'dns_wrong_cname';
}

/** The step that is left for a hostname to become active, in words; undefined if there is none. */
export function hostnameAdvice(
  hostname: string,
  status: HostnameStatus | null,
  { names, addresses }: DnsTargets,
): string | undefined {
  if (status === 'dns_passed') return undefined;
  const records = [
    ...(names.length > 0 ? [`a CNAME record with ${names.join(' or ')}`] : []),
    ...(addresses.length > 0 ? [`A or AAAA records with ${addresses.join(' or ')}`] : []),
  ].join(', or ');
  const wanted = `Give ${hostname} ${records}`;
  switch (status) {
    case null:
      return `${wanted}. DNS is being asked`;
    case 'dns_no_cname':
      return `${wanted}. DNS has no record of it`;
    case 'dns_wrong_cname':
      return `${wanted}. DNS leads elsewhere at present`;
    case 'internal_error':
      return `DNS could not be asked; it is asked again. ${wanted} unless it has one`;
  }
}

/** The names that only the machine itself resolves: no record of DNS can lead to them. */
const OF_THIS_MACHINE = /^(?:localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|::1?)$/;

/** The targets of records of hostnames by an address of the listener; none where only this machine reaches it. */
export function targetsOfListener(publicUrl: string | undefined): string[] {
  if (publicUrl === undefined) return [];
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return OF_THIS_MACHINE.test(host) ? [] : [host];
}
