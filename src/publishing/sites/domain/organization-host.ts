/**
 * The hostname of an organization in a host such as `acme.docs.example.com` below the one of the public listener;
 * undefined for any other host.
 */
export function organizationLabel(host: string, publicHost: string): string | undefined {
  const label = host.endsWith(`.${publicHost}`) ? host.slice(0, -publicHost.length - 1) : '';
  return label === '' || label.includes('.') ? undefined : label;
}
