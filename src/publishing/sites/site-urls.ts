import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { rootOf, type SiteLocation } from './domain/site-root.js';
import { webAddress } from '../../kernel/common/web-address.js';

/** The addresses of published sites. */
@Injectable()
export class SiteUrls {
  constructor(private readonly addresses: Addresses) {}

  /** The address of a path below a site; '' is its root. */
  of(site: SiteLocation, path: string, addresses = this.addresses): string {
    const below = path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
    return `${addresses.published(rootOf(site))}${below}`;
  }

  /** Tells whether an address belongs to the site: under any of those at which it is served. */
  isWithin(site: SiteLocation, url: string): boolean {
    return this.placeIn(site, url) !== undefined;
  }

  /** The path below the site in an address, with its escapes; undefined for one outside. */
  placeIn({ basename, hostname, proxy }: SiteLocation, url: string): string | undefined {
    const address = webAddress(url);
    if (address === undefined) return undefined;
    const { host, hostname: name, pathname } = address;
    const bases: { readonly isHere: boolean; readonly path: string }[] = [
      { isHere: host === new URL(this.addresses.public).host, path: `/${basename}` },
      { isHere: name === hostname, path: '' },
      ...(proxy === null
        ? []
        : [{ isHere: name === proxy.split('/')[0]?.toLowerCase(), path: proxy.slice(proxy.indexOf('/')) }]),
    ];
    for (const { isHere, path } of bases) {
      const begins =
        pathname.toLowerCase() === path.toLowerCase() || pathname.toLowerCase().startsWith(`${path.toLowerCase()}/`);
      if (isHere && begins) return pathname.slice(path.length).replace(/^\/+|\/+$/g, '');
    }
    return undefined;
  }
}
