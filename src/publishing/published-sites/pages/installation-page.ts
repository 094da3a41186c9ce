import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { requestAddress } from '../../../kernel/common/ip-address.js';
import { admitsAddress } from '../../../kernel/common/ip-allow-list.js';
import { Pages } from '../../../kernel/common/page.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { SiteUrls } from '../../sites/site-urls.js';
import type { SiteLocation } from '../../sites/domain/site-root.js';
import type { HttpResponse } from './http-response.js';
import { element } from './layout/elements.js';
import { neutralPage } from './neutral-page.js';
import { SiteAssets } from './site-assets.js';
import type { PublicRequest } from './site-request-reader.js';

const SITES_IN_PAGE = 100;

type PublicSite = SiteLocation & { readonly title: string };

/** The root of the public listener: the sites that anybody may read, and where the rest of the service is. */
@Injectable()
export class InstallationPage {
  constructor(
    private readonly pages: Pages,
    private readonly urls: SiteUrls,
    private readonly addresses: Addresses,
    private readonly assets: SiteAssets,
    private readonly limit: RateLimit,
  ) {}

  /** Tells whether a request is for the root of the installation, under its own name. */
  isAt({ path, host }: PublicRequest): boolean {
    return path === '/' && host === new URL(this.addresses.public).host;
  }

  async answer({ query, reader }: PublicRequest): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const page = query.get('page');
    const sites = await this.pages.list<PublicSite & Record<string, unknown>>(
      { limit: SITES_IN_PAGE, ...(page !== null && { page }) },
      {
        scope: ['public-sites'],
        select: 's.title, s.basename, s.hostname, s.proxy',
        from: `FROM site s WHERE s.published AND s.visibility = 'public' AND ${admitsAddress('s', '$1')}`,
        values: [requestAddress()],
        order: [
          { expression: 'lower(s.title)', type: 'text' },
          { expression: 's.id', type: 'text' },
        ],
        direction: 'asc',
      },
    );
    const more =
      sites.next === undefined ? [] : [element('p', [element('a', { href: `/?page=${sites.next}` }, 'More sites')])];
    return neutralPage(this.assets, 200, 'Documentation', [
      element('p.lead', sites.items.length === 0 ? 'No site is public here yet.' : 'The sites that anybody may read:'),
      ...(sites.items.length === 0
        ? []
        : [
            element(
              'ul.sites',
              sites.items.map((site) => this.entry(site)),
            ),
          ]),
      ...more,
      element('p', [
        'Writers go to ',
        element('a', { href: this.addresses.app('/') }, 'the workspace'),
        ', programs to ',
        element('a', { href: this.addresses.api }, 'the API'),
        '.',
      ]),
    ]);
  }

  private entry(site: PublicSite) {
    return element('li', [element('a', { href: this.urls.of(site, '') }, site.title)]);
  }
}
