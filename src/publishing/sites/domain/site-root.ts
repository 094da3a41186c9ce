/** The data that determine the address of a site. */
export interface SiteLocation {
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
}

/**
 * The base address of a site, as the database function `site_root` computes it: behind a proxy, at its hostname, or on
 * the listener.
 */
export function rootOf({ basename, hostname, proxy }: SiteLocation): string {
  if (proxy !== null) return `https://${proxy}`;
  return hostname === null ? `/${basename}` : `//${hostname}`;
}
