import type { FaceName } from '../fonts/glyphs.js';

/** The target of a link: a named place in the same PDF, or an address. */
export type PdfLinkTarget = { readonly place: string } | { readonly url: string };

/** An image as described by its file; its bytes have not been read yet. */
export interface Picture {
  readonly name: string;
  /** Hash of the bytes; the same image is embedded once. */
  readonly hash: string;
  readonly contentType: string;
  readonly bytes: number;
  /** In pixels; undefined if the file does not contain it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly load: () => Promise<Buffer>;
}

/** Text of one typeface, size and colour. */
export interface TextRun {
  readonly text: string;
  readonly face: FaceName;
  readonly size: number;
  readonly color: string;
}

/**
 * The drawing surface of layouts. Coordinates and lengths are points from the upper left corner of the sheet; colours
 * are `#rrggbb`.
 */
export interface Canvas {
  text(run: TextRun, x: number, baseline: number): void;
  fill(x: number, y: number, width: number, height: number, color: string, radius?: number): void;
  frame(x: number, y: number, width: number, height: number, color: string, radius?: number): void;
  line(x1: number, y1: number, x2: number, y2: number, color: string, thickness?: number): void;
  disc(x: number, y: number, radius: number, color: string): void;
  /** Resolves to the reason why the image cannot be shown, or to undefined once it is. */
  picture(picture: Picture, x: number, y: number, width: number, height: number): Promise<string | undefined>;
  link(x: number, y: number, width: number, height: number, target: PdfLinkTarget): void;
  /** Creates the target of links to a name; the first of a name counts. */
  place(name: string, y: number): void;
}
