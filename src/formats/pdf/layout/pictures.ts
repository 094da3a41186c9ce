import type { Picture } from './canvas.js';
import { flatPng, isPlainPng } from './png.js';

const MAX_BYTES = 32 * 1024 ** 2;
/** Pixels of a picture that is embedded as it is; whoever opens the PDF has to decode it. */
const MAX_PIXELS = 60_000_000;
/** Pixels of a picture that has to be decoded here, in memory. */
export const MAX_DECODED_PIXELS = 12_000_000;
/** Different pictures whose place in the PDF is remembered; those beyond are embedded again where they come again. */
const MAX_REMEMBERED = 20_000;

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/apng']);

/** Why a picture cannot be shown, as far as its description tells. */
export function faultOfPicture({ contentType, bytes, width, height }: Picture): string | undefined {
  if (!SHOWN.has(contentType)) return `pictures of type ${contentType.replace(/^image\//, '')} are not shown in PDFs`;
  if (width === undefined || height === undefined) return 'the picture cannot be read';
  if (bytes > MAX_BYTES || width * height > MAX_PIXELS || Math.max(width, height) > 30_000)
    return 'the picture is too large for a PDF';
  return undefined;
}

/** A picture that pdfkit has read; its types know of no such thing. */
type Embedded = PDFKit.Mixins.ImageSrc;

/** The pictures of one PDF. Each is read when it is painted, and embedded once. */
export class Pictures {
  private readonly embedded = new Map<string, Embedded | string>();

  constructor(
    private readonly document: PDFKit.PDFDocument & { openImage?(bytes: Buffer): Embedded },
    private readonly turn: () => Promise<void>,
  ) {}

  /** Resolves to why a picture cannot be shown. */
  async paint(picture: Picture, x: number, y: number, width: number, height: number): Promise<string | undefined> {
    const known = this.embedded.get(picture.hash) ?? (await this.open(picture));
    if (this.embedded.size < MAX_REMEMBERED) this.embedded.set(picture.hash, known);
    if (typeof known === 'string') return known;
    try {
      this.document.image(known, x, y, { width, height });
      return undefined;
    } catch {
      this.embedded.set(picture.hash, UNREADABLE);
      return UNREADABLE;
    }
  }

  private async open(picture: Picture): Promise<Embedded | string> {
    const fault = faultOfPicture(picture);
    if (fault !== undefined) return fault;
    const bytes = await picture.load().catch(() => undefined);
    if (!bytes) return UNREADABLE;
    try {
      const isPng = bytes.readUInt32BE(0) === 0x89504e47;
      const plain = isPng && !isPlainPng(bytes) ? await flatPng(bytes, MAX_DECODED_PIXELS, this.turn) : bytes;
      return typeof plain === 'string' ? plain : (this.document.openImage?.(plain) ?? UNREADABLE);
    } catch {
      return UNREADABLE;
    }
  }
}

const UNREADABLE = 'the picture cannot be read';
