import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../kernel/common/errors.js';
import { FileUrls } from '../../../../kernel/platform/storage/file-urls.js';
import { PdfFault } from '../../../../formats/pdf/layout/pdf-fault.js';
import { PdfBooks, type Shelf } from '../../../pdf/pdf-books.js';
import type { BookAddresses } from '../../../pdf/pdf-chapters.js';
import { PdfPainter } from '../../../pdf/pdf-painter.js';
import { customizationOfSiteSpace } from '../../../sites/customization.service.js';
import type { SiteSpaceRow } from '../../../sites/structure.schema.js';
import type { Visit } from '../../visit.js';
import { decodedPath } from '../domain/location.js';
import type { TreePage } from '../domain/space-tree.js';
import { PDF_PATH, pdfAddress, pdfInputs } from '../site-pdfs.js';
import { pagePath, type SitePlace } from '../site-place.js';
import { SpaceTrees } from '../space-trees.js';
import type { StaticTarget } from './static-target.js';

/** The PDFs of a static site. */
export interface WrittenPdfs {
  /** Their addresses, from the root of the host on. */
  readonly addresses: ReadonlySet<string>;
  /** The addresses of the folders that hold nothing else, with a slash at the end. */
  readonly folders: readonly string[];
}

/** A site space with what all of its PDFs share. */
interface ShelvedPlace {
  readonly place: SitePlace;
  readonly shelf: Shelf;
  readonly addresses: BookAddresses;
}

/**
 * Writes the PDFs that readers of a static site get: of each page, and of all pages of each site space. One is painted at a
 * time, in a thread with limits of time and memory, and written as fast as it is painted, so none is in memory as a whole.
 */
@Injectable()
export class StaticPdfs {
  constructor(
    private readonly books: PdfBooks,
    private readonly painter: PdfPainter,
    private readonly urls: FileUrls,
    private readonly trees: SpaceTrees,
  ) {}

  /** The number of PDFs of a site, by the pages of its site spaces. */
  count({ site }: Visit, plan: ReadonlyMap<SiteSpaceRow, readonly unknown[]>): number {
    return [...plan].reduce(
      (sum, [row, pages]) => sum + (customizationOfSiteSpace(site, row).pdf.enabled ? pages.length + 1 : 0),
      0,
    );
  }

  /** Comes before the pages, which lead to those PDFs alone that are there. */
  async write(
    target: StaticTarget,
    plan: ReadonlyMap<SiteSpaceRow, readonly { readonly page: TreePage }[]>,
  ): Promise<WrittenPdfs> {
    const { site } = target;
    const addresses = new Set<string>();
    const folders: string[] = [];
    for (const [row, pages] of plan) {
      if (!customizationOfSiteSpace(site.visit.site, row).pdf.enabled) continue;
      const section = site.visit.rows.sections.find(({ id }) => id === row.sectionId);
      const place: SitePlace = { ...site, row, section };
      const all = pdfAddress(place);
      folders.push(all.slice(0, all.lastIndexOf(PDF_PATH) + PDF_PATH.length + 1));
      const shelved: ShelvedPlace = {
        place,
        shelf: await this.books.shelf(pdfInputs(place, undefined, false), site.visit.site.organizationId),
        addresses: await this.addressesFor(target, place, pages),
      };
      // The same content gives the same file, whenever it is written.
      const newest = pages.reduce((latest, { page: { item } }) => Math.max(latest, item.updatedAt.getTime()), 0);
      for (const page of [undefined, ...pages.map((each) => each.page)]) {
        const isThere = await this.writeOne(target, shelved, page, page?.item.updatedAt ?? new Date(newest));
        if (isThere) addresses.add(pdfAddress(place, page));
        target.onPage();
      }
    }
    return { addresses, folders };
  }

  private async writeOne(
    target: StaticTarget,
    shelved: ShelvedPlace,
    page: TreePage | undefined,
    madeAt: Date,
  ): Promise<boolean> {
    const { site, folder, problems } = target;
    const { place } = shelved;
    const path = decodedPath(pdfAddress(place, page).slice(site.base.length + 1));
    const title = page?.item.title ?? place.row.title;
    if (path === undefined || !folder.claim(path)) {
      problems.push(`${title}: no file can have the name of its PDF, or another one has it`);
      return false;
    }
    try {
      await this.paint(target, shelved, page, madeAt, path);
      return true;
    } catch (error) {
      if (!(error instanceof PdfFault || error instanceof DomainError)) throw error;
      folder.release(path);
      problems.push(`${title}: there is no PDF: ${error.message}`);
      return false;
    }
  }

  private async paint(
    target: StaticTarget,
    { place, shelf, addresses }: ShelvedPlace,
    page: TreePage | undefined,
    madeAt: Date,
    path: string,
  ): Promise<void> {
    const { organizationId } = place.visit.site;
    const wanted = pdfInputs(place, page, true);
    const { book, answer } = await this.books.open(wanted, organizationId, madeAt, addresses, shelf);
    const failed = new AbortController();
    const { stream, sheets } = this.painter.paint({ book, footer: wanted.title }, answer, {
      party: organizationId,
      signal: failed.signal,
    });
    // A failure of either ends the other.
    const writing = target.folder.write(path, stream).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
    const [painted, written] = await Promise.allSettled([sheets, writing]);
    if (painted.status === 'rejected') throw painted.reason;
    if (written.status === 'rejected') throw written.reason;
  }

  /** Links lead to pages and files of the static site. */
  private async addressesFor(
    { site, files }: StaticTarget,
    place: SitePlace,
    pages: readonly { readonly page: TreePage }[],
  ): Promise<BookAddresses> {
    const { tree } = await this.trees.of(site.visit, place.row);
    const paths = new Map(pages.map(({ page }) => [page.item.id, pagePath(place, place.row, tree, page)]));
    return {
      page: (id) => {
        const path = paths.get(id);
        return path === undefined ? undefined : `${site.origin}${path}`;
      },
      files: async (wanted) => {
        const moved = new Map<string, string>();
        for (const file of wanted) {
          const [path] = (await files.at([this.urls.open(file)])).values();
          if (path !== undefined) moved.set(file.id, `${site.origin}${path}`);
        }
        return moved;
      },
    };
  }
}
