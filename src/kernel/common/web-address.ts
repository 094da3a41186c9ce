/**
 * An address that URL understands, read; undefined for every other text. In the place of `URL.canParse`, which in Node 20,
 * once it is compiled, refuses addresses with letters such as ü.
 */
export function webAddress(address: string, base?: string | URL): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Whether URL understands an address. */
export function isWebAddress(address: string, base?: string | URL): boolean {
  return webAddress(address, base) !== undefined;
}
