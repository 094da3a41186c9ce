/** The parameter in which a login is told what the visitor wanted to see. */
export const LOCATION = 'location';

/** Where a visitor logs in who wanted a path of a site (without a slash at its front): it leads back to `<site>/<location>?jwt_token=…`. */
export function loginAddress(fallbackUrl: string, path: string): string {
  const address = new URL(fallbackUrl);
  address.searchParams.set(LOCATION, path);
  return address.toString();
}
