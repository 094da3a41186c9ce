import { HTML_MEDIA_TYPE } from './html-body.js';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { customizationOf } from '../../sites/sites.schema.js';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import type { HttpResponse } from './http-response.js';
import { languagePackOf } from '../../../formats/html/languages/language-packs.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { PageShells } from './page-shells.js';
import { plainPage } from './layout/article.js';
import { element, type ElementChild } from './layout/elements.js';
import { pageDocument } from './layout/page-document.js';
import type { ShownSearch } from './layout/header.js';
import type { PageShell } from './layout/view.js';
import { neutralNotFound } from './error-pages.js';
import { PageRenderings } from './page-renderings.js';
import { SiteAssets } from './site-assets.js';
import type { SitePlace, SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** A page of the service itself in the design of a site. */
export interface SystemPage {
  readonly status: number;
  readonly title: string;
  readonly content: readonly ElementChild[];
  readonly search?: ShownSearch;
  readonly headers?: HttpResponse['headers'];
}

/** Pages of a site beside its content: not-found pages, forms, search results. */
@Injectable()
export class SystemPages {
  constructor(
    private readonly frames: PageShells,
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly addresses: Addresses,
    private readonly assets: SiteAssets,
  ) {}

  /** The not-found page for a path of the site, with the navigation of the site space to which the path leads. */
  async notFound(site: SiteRequest, path: string): Promise<HttpResponse> {
    return this.show(site, path, ({ words, home }) => ({
      status: 404,
      title: words.notFound,
      // If a site has no pages, the missing page is its first one.
      content: [
        element('p.lead', words.notFoundText),
        ...(path === '' ? [] : [element('p', [element('a.button.button-primary', { href: home }, words.home)])]),
      ],
    }));
  }

  /** States that an address contains more credentials than cookies can store. */
  async tooLong(site: SiteRequest, path: string): Promise<HttpResponse> {
    return this.show(site, path, ({ words }) => ({
      status: 400,
      title: words.tooLong,
      content: [element('p.lead', words.tooLongText)],
      headers: { 'Cache-Control': 'no-store' },
    }));
  }

  /** A page in the design of the site space to which a path leads, else of the first one. */
  async show(
    site: SiteRequest,
    path: string,
    make: (frame: PageShell, words: Words) => SystemPage,
  ): Promise<HttpResponse> {
    const found = resolveSitePath(site.visit.rows, path) ?? resolveSitePath(site.visit.rows, '');
    if (!found) return neutralNotFound(this.assets);
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const { frame } = await this.frames.of(place, '');
    const { tree } = await this.trees.of(site.visit, place.row);
    const { entries } = await this.renderings.navigation(place, tree);
    const { status, title, content, search, headers } = make(frame, frame.words);
    const { body, policy } = pageDocument({
      frame,
      head: { title, alternates: [], isIndexed: false },
      navigation: entries,
      main: plainPage(title, content),
      ...(search && { search }),
      fileOrigins: site.isStatic ? [] : [new URL(this.addresses.public).origin],
    });
    return {
      status,
      headers: { 'Content-Type': HTML_MEDIA_TYPE, 'Cache-Control': 'private, no-cache', ...headers },
      body,
      policy,
    };
  }

  /** The texts of the pages of a site, in its language. */
  words({ visit }: SiteRequest): Words {
    return languagePackOf(visit.rows.siteSpaces[0]?.language ?? customizationOf(visit.site).internationalization.locale)
      .page;
  }
}
