/** The parameter that tells a login the requested location. */
export const LOCATION = 'location';

/**
 * The login address for a visitor who requested a path of a site (escaped, without a slash at its front, and with its
 * query): the login redirects back to `<site>/<location>` with a `jwt_token`.
 */
export function visitorLoginUrl(fallbackUrl: string, path: string): string {
  const address = new URL(fallbackUrl);
  address.searchParams.set(LOCATION, path);
  return address.toString();
}
