/** The parameter in which a login is told what the visitor wanted to see. */
export const LOCATION = 'location';

/**
 * Where a visitor logs in who wanted a path of a site (escaped, without a slash at its front, and with its query): the login
 * leads back to `<site>/<location>` with a `jwt_token`.
 */
export function visitorLoginUrl(fallbackUrl: string, path: string): string {
  const address = new URL(fallbackUrl);
  address.searchParams.set(LOCATION, path);
  return address.toString();
}
