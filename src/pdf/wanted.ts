import { createHash } from 'node:crypto';
import type { Point } from '../content/content-store.js';

/** Everything that a PDF follows from, apart from the specifications that its pages are computed from. */
export interface WantedPdf {
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
}

/** Changes when the same content would be laid out in another way. */
const LAYOUT_VERSION = 1;

/** A hash that is the same for the same PDF. */
export function keyOfPdf(wanted: WantedPdf): Buffer {
  const { title, subtitle = null, language, point, app, page = null, isAlone, showsNames } = wanted;
  return createHash('sha256').update(JSON.stringify([LAYOUT_VERSION, title, subtitle, language, point.line, point.sequence, point.base, app, page, isAlone, showsNames])).digest();
}
