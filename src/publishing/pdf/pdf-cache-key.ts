import { createHash } from 'node:crypto';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import type { Point } from '../../authoring/content/content-store.js';

/** All inputs of a PDF, apart from the specifications of its computed pages. */
export interface PdfInputs {
  readonly title: string;
  readonly subtitle?: string;
  readonly language: string | null;
  readonly point: Point;
  /** Address of the place in the application. */
  readonly app: string;
  readonly page?: string;
  readonly isAlone: boolean;
  /** True if the caller may know the members of the organization. */
  readonly showsNames: boolean;
  /** Set for a PDF for readers of a published site. */
  readonly reader?: PdfReader;
}

/** The readers of a site for whom a PDF is made, and the address of the site. */
export interface PdfReader {
  /** The scope of the conditions that decide which pages and parts of them these readers see. */
  readonly visitor: DataObject;
  /** The address of the site space. */
  readonly home: string;
  /** True if everybody may load the files of the space, at addresses that do not expire. */
  readonly hasOpenFiles: boolean;
  /** Set for a site that is limited to some addresses: files that the PDF leads to are good from those alone. */
  readonly site?: string;
}

/** Must change whenever the layout of the same content changes. */
const LAYOUT_VERSION = 1;

/** A hash that is equal for equal PDFs. */
export function pdfCacheKey(wanted: PdfInputs): Buffer {
  const { title, subtitle = null, language, point, app, page = null, isAlone, showsNames, reader } = wanted;
  return createHash('sha256')
    .update(
      JSON.stringify([
        LAYOUT_VERSION,
        title,
        subtitle,
        language,
        point.line,
        point.sequence,
        point.base,
        app,
        page,
        isAlone,
        showsNames,
        ...(point.hidden.length > 0 ? [point.hidden] : []),
        ...(reader
          ? [reader.home, reader.hasOpenFiles, reader.visitor, ...(reader.site === undefined ? [] : [reader.site])]
          : []),
      ]),
    )
    .digest();
}
