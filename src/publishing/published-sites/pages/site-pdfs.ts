import { Injectable } from '@nestjs/common';
import type { PdfInputs, PdfReader } from '../../pdf/pdf-cache-key.js';
import { Renderings } from '../../pdf/renderings.service.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { customizationOfSiteSpace } from '../../sites/customization.service.js';
import { redirect, type HttpResponse } from './http-response.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import type { TreePage } from './domain/space-tree.js';
import { hasOpenFiles, type SitePlace } from './site-place.js';
import { pointOf, SpaceTrees } from './space-trees.js';

/** The path of PDFs, below the address of a site space. */
export const PDF_PATH = '~gitbook/pdf';

const NOT_INDEXED = { 'X-Robots-Tag': 'noindex' };

/** The request of a reader: its query and method. */
interface PdfRequest {
  readonly query: URLSearchParams;
  readonly reader: { readonly ip: string };
  readonly isHead: boolean;
}

/** PDFs of the part of a site that a reader sees. */
@Injectable()
export class SitePdfs {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly renderings: Renderings,
    private readonly limit: RateLimit,
  ) {}

  /**
   * Redirects to the PDF of a page (`page`) with its descendants, of it alone (`only`), or of all pages of a site
   * space; undefined if the settings allow none or the reader cannot see the page. Charges a small budget: a PDF costs
   * more than its pages. A HEAD request only reports that there is a PDF, and starts none.
   */
  async answer(place: SitePlace, { query, reader: { ip }, isHead }: PdfRequest): Promise<HttpResponse | undefined> {
    const { visit, row } = place;
    // The file would outlive the preview.
    if (visit.preview) return undefined;
    if (!customizationOfSiteSpace(visit.site, row).pdf.enabled) return undefined;
    const id = query.get('page');
    const { tree } = await this.trees.of(visit, row);
    const page = id === null ? undefined : tree.byId.get(id);
    if (id !== null && !page) return undefined;
    if (isHead) {
      await this.limit.admitReader(ip);
      return {
        status: 200,
        headers: { 'Content-Type': 'application/pdf', 'Cache-Control': 'no-store', ...NOT_INDEXED },
      };
    }
    await this.limit.admitReader(ip, 'heavy');
    const url = await this.renderings.urlForReaders(
      visit.site.organizationId,
      pdfInputs(place, page, query.has('only')),
      page?.item.title ?? row.title,
    );
    return redirect(url, NOT_INDEXED, 302);
  }
}

/** The PDF that a reader of a site gets of a page, alone or with its descendants, or of all pages of a site space. */
export function pdfInputs(
  place: SitePlace,
  page: TreePage | undefined,
  isAlone: boolean,
): PdfInputs & { readonly reader: PdfReader } {
  const { visit, row, origin, base } = place;
  return {
    title: row.title,
    language: row.language,
    point: pointOf(visit, row),
    app: '',
    ...(page && { page: page.item.id }),
    isAlone: page !== undefined && isAlone,
    showsNames: false,
    reader: {
      visitor: visit.visitor,
      home: `${origin}${base}${siteSpacePath(visit.rows, row)}`,
      hasOpenFiles: hasOpenFiles(place),
      ...(visit.isRestricted && { site: visit.site.id }),
    },
  };
}

/** The address of the PDF of a page, or without one of all pages; a static site has files there. */
export function pdfAddress({ visit, row, base, isStatic }: SitePlace, page?: TreePage): string {
  const address = addressBelow(base + siteSpacePath(visit.rows, row), PDF_PATH);
  if (isStatic) return `${address}/${page?.item.id ?? 'all'}.pdf`;
  return `${address}${page ? `?page=${page.item.id}&only=yes` : ''}`;
}

/** Tells whether something is at the address of a PDF: a static site lacks those that could not be made. */
export const hasPdf = ({ isStatic, pdfs }: SitePlace, address: string): boolean =>
  !isStatic || pdfs?.has(address) === true;
