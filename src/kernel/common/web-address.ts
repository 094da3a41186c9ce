/**
 * Parses an address with URL; undefined if it is invalid. Replaces `URL.canParse`, which in Node 20, once compiled,
 * refuses addresses with letters such as ü.
 */
export function webAddress(address: string, base?: string | URL): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Tells whether URL accepts an address. */
export function isWebAddress(address: string, base?: string | URL): boolean {
  return webAddress(address, base) !== undefined;
}
