import { createHash } from 'node:crypto';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import type { Point } from '../../authoring/content/content-store.js';

/** Everything that a PDF follows from, apart from the specifications that its pages are computed from. */
export interface PdfInputs {
  readonly title: string;
  readonly subtitle?: string;
  readonly language: string | null;
  readonly point: Point;
  /** Address of the place in the application. */
  readonly app: string;
  readonly page?: string;
  readonly isAlone: boolean;
  /** Whether the caller may know who the members of the organization are. */
  readonly showsNames: boolean;
  /** Of a PDF for readers of a published site. */
  readonly reader?: PdfReader;
}

/** For whom of the readers of a site a PDF is, and where the site is. */
export interface PdfReader {
  /** What conditions decide by which pages and parts of them these readers see. */
  readonly visitor: DataObject;
  /** The address of the site space. */
  readonly home: string;
  /** Whether everybody may load the files of the space, at addresses that do not expire. */
  readonly hasOpenFiles: boolean;
}

/** Changes when the same content would be laid out in another way. */
const LAYOUT_VERSION = 1;

/** A hash that is the same for the same PDF. */
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
        ...(reader ? [reader.home, reader.hasOpenFiles, reader.visitor] : []),
      ]),
    )
    .digest();
}
