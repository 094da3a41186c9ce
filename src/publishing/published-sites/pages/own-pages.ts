import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { customizationOf } from '../../sites/sites.schema.js';
import { placeOf } from '../domain/place.js';
import type { Answer } from './answers.js';
import { languageOf } from '../domain/languages.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { Frames } from './frames.js';
import { plainPage } from './layout/article.js';
import { el, type Piece } from './layout/elements.js';
import { pageDocument } from './layout/page-document.js';
import type { Frame } from './layout/view.js';
import { neutralNotFound } from './neutral-pages.js';
import { PageRenderings } from './page-renderings.js';
import { SiteAssets } from './site-assets.js';
import type { SitePlace, SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** A page of the service's own in the look of a site. */
export interface OwnPage {
  readonly status: number;
  readonly title: string;
  readonly content: readonly Piece[];
  readonly query?: string;
  readonly headers?: Answer['headers'];
}

/** Pages that a site has beside its content: that there is nothing at an address, thanks, hits of a search. */
@Injectable()
export class OwnPages {
  constructor(
    private readonly frames: Frames,
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly addresses: Addresses,
    private readonly assets: SiteAssets,
  ) {}

  /** Says that there is no page at a path of the site, with the navigation of the site space that the path leads to. */
  async notFound(site: SiteRequest, path: string): Promise<Answer> {
    return this.show(site, path, ({ words, home }) => ({
      status: 404,
      title: words.notFound,
      // Of a site without pages the first one is what is not there.
      content: [
        el('p.lead', words.notFoundText),
        ...(path === '' ? [] : [el('p', [el('a.button.button-primary', { href: home }, words.home)])]),
      ],
    }));
  }

  /** Says that an address brings more than cookies can remember. */
  async tooLong(site: SiteRequest, path: string): Promise<Answer> {
    return this.show(site, path, ({ words }) => ({
      status: 400,
      title: words.tooLong,
      content: [el('p.lead', words.tooLongText)],
      headers: { 'Cache-Control': 'no-store' },
    }));
  }

  /** A page in the look of the site space that a path leads to, else of the first one. */
  async show(site: SiteRequest, path: string, make: (frame: Frame, words: Words) => OwnPage): Promise<Answer> {
    const found = placeOf(site.visit.rows, path) ?? placeOf(site.visit.rows, '');
    if (!found) return neutralNotFound(this.assets);
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const { frame } = await this.frames.of(place, '');
    const { tree } = await this.trees.of(site.visit, place.row);
    const { entries } = await this.renderings.navigation(place, tree);
    const { status, title, content, query, headers } = make(frame, frame.words);
    const { body, policy } = pageDocument({
      frame,
      head: { title, alternates: [], isIndexed: false },
      navigation: entries,
      main: plainPage(title, content),
      ...(query !== undefined && { query }),
      fileOrigins: [new URL(this.addresses.public).origin],
    });
    return {
      status,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-cache', ...headers },
      body,
      policy,
    };
  }

  /** What the pages of a site say by themselves, in its language. */
  words({ visit }: SiteRequest): Words {
    return languageOf(visit.rows.siteSpaces[0]?.language ?? customizationOf(visit.site).internationalization.locale)
      .page;
  }

  /** Thanks for what a reader said of a page. */
  async thanks(site: SiteRequest, back: string): Promise<Answer> {
    return this.show(site, '', ({ words }) => ({
      status: 200,
      title: words.thanks,
      content: [el('p', [el('a.button.button-primary', { href: back }, words.back)])],
    }));
  }
}
