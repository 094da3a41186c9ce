import type { Picture } from './canvas.js';
import { flatPng, isPlainPng } from './png.js';

const MAX_BYTES = 32 * 1024 ** 2;
/** Maximum number of pixels of an image that is embedded unchanged; readers of the PDF have to decode it. */
const MAX_PIXELS = 60_000_000;
/** Maximum number of pixels of an image that has to be decoded here, in memory. */
export const MAX_DECODED_PIXELS = 12_000_000;
/**
 * Maximum number of different images whose position in the PDF is remembered; further ones are embedded again at each
 * use.
 */
const MAX_REMEMBERED = 20_000;

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/apng']);

/** The reason why an image cannot be shown, according to its description. */
export function faultOfPicture({ contentType, bytes, width, height }: Picture): string | undefined {
  if (!SHOWN.has(contentType)) return `pictures of type ${contentType.replace(/^image\//, '')} are not shown in PDFs`;
  if (width === undefined || height === undefined) return 'the picture cannot be read';
  if (bytes > MAX_BYTES || width * height > MAX_PIXELS || Math.max(width, height) > 30_000)
    return 'the picture is too large for a PDF';
  return undefined;
}

/** An image that pdfkit has read; its types do not declare it. */
type Embedded = PDFKit.Mixins.ImageSrc;

/** The images of one PDF. Each is read when it is painted, and embedded once. */
export class Pictures {
  private readonly embedded = new Map<string, Embedded | string>();

  constructor(
    private readonly document: PDFKit.PDFDocument & { openImage?(bytes: Buffer): Embedded },
    private readonly turn: () => Promise<void>,
  ) {}

  /** Resolves to the reason why an image cannot be shown. */
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
