import { Injectable } from '@nestjs/common';
import { SharedCache } from '../shared-cache/shared-cache.js';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import { Discovery } from './discovery.js';
import { encodedPath } from './domain/location.js';
import { addressBelow } from './domain/site-paths.js';
import type { HttpResponse } from './http-response.js';
import { MissingPages } from './missing-pages.js';
import { PageRouter } from './page-router.js';
import type { RequestedResource } from './requested-resource.js';
import { ServiceRouter } from './service-router.js';
import { PDF_PATH, SitePdfs } from './site-pdfs.js';
import type { SitePlace, SiteRequest } from './site-place.js';
import { SiteRedirectTargets } from './site-redirect-targets.js';
import { SocialCards } from './social-cards.js';

/** Routes the addresses of a published site. */
@Injectable()
export class SiteRouter {
  constructor(
    private readonly pages: PageRouter,
    private readonly redirects: SiteRedirectTargets,
    private readonly discovery: Discovery,
    private readonly services: ServiceRouter,
    private readonly pdfs: SitePdfs,
    private readonly cards: SocialCards,
    private readonly missing: MissingPages,
    private readonly shared: SharedCache,
  ) {}

  /** The answer to a GET. */
  async get(site: SiteRequest, wanted: RequestedResource): Promise<HttpResponse> {
    const service = this.services.get(site, wanted);
    const answer = service
      ? ((await service) ?? (await this.missing.answer(site, wanted)))
      : await this.page(site, wanted);
    return this.shared.marked(answer, site.visit);
  }

  /** The answer to a form; undefined if there is no such form. */
  post(site: SiteRequest, wanted: RequestedResource, form: URLSearchParams): Promise<HttpResponse | undefined> {
    return this.services.post(site, wanted, form);
  }

  /** The page at an address, a redirect to its current address, or a not-found page. */
  private async page(site: SiteRequest, wanted: RequestedResource): Promise<HttpResponse> {
    const found = resolveSitePath(site.visit.rows, wanted.path);
    if (!found)
      return (
        (await this.discovery.answer(site, wanted)) ??
        (await this.redirects.answer(site, wanted)) ??
        this.missing.answer(site, wanted)
      );
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const canonical = addressBelow(site.base + encodedPath(found.basePath), found.pathname);
    const known = canonical === wanted.rawPath ? await this.pages.known(place, found.pathname, wanted) : undefined;
    if (known) return known;
    if (found.pathname === PDF_PATH)
      return (await this.pdfs.answer(place, wanted)) ?? this.missing.answer(site, wanted);
    return (
      (await this.cards.answer(place, found.pathname, wanted)) ??
      (await this.discovery.answer(site, wanted)) ??
      (await this.pages.answer(place, found, wanted)) ??
      (await this.redirects.answer(place, wanted)) ??
      this.missing.answer(site, wanted)
    );
  }
}
