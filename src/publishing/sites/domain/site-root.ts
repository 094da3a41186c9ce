/** What the address of a site follows from. */
export interface SiteLocation {
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
}

/** Where a site begins, as the database function `site_root` says: behind a proxy, at its hostname, or on the listener. */
export function rootOf({ basename, hostname, proxy }: SiteLocation): string {
  if (proxy !== null) return `https://${proxy}`;
  return hostname === null ? `/${basename}` : `//${hostname}`;
}
