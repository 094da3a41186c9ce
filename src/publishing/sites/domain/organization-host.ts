/** Hosts that are an IP address, by the last label or the brackets. */
const ADDRESS = /(?:^|\.)\d+$|\]$/;

/**
 * The hostname of an organization in a host such as `acme.docs.example.com` below the one of the public listener;
 * undefined for any other host. There are no names below an IP address.
 */
export function organizationLabel(host: string, publicHost: string): string | undefined {
  if (ADDRESS.test(publicHost)) return undefined;
  const label = host.endsWith(`.${publicHost}`) ? host.slice(0, -publicHost.length - 1) : '';
  return label === '' || label.includes('.') ? undefined : label;
}
