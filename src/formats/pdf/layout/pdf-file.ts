import { setImmediate, setTimeout } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { EmbeddedFont, type NewObject, type PdfObject } from '../fonts/embedded-font.js';
import type { FaceName } from '../fonts/glyphs.js';
import type { Canvas, PdfLinkTarget, Picture, TextRun } from './canvas.js';
import { PdfFault } from './pdf-fault.js';
import { Pictures } from './pictures.js';
import type { SheetSource } from './sheets.js';
import { GREY, SHEET, SMALL_SIZE } from './theme.js';

/** Milliseconds after which painted output is sent, and other events are handled. */
const TURN = 12;
/** Bytes of pending output that pause further painting. */
const MOST_WAITING = 4 * 1024 ** 2;
export const MAX_SHEETS = 20_000;

/** The metadata of a PDF. */
export interface PdfFacts {
  readonly title: string;
  readonly language: string | null;
  readonly madeAt: Date;
}

/** An entry of the outline beside the text. */
export type PdfOutlineEntry = PDFKit.PDFOutline;

/** Parts of pdfkit that its types do not declare. */
interface Inside {
  readonly _root: {
    readonly data: {
      readonly Pages: { readonly data: { Kids: unknown[] } };
      readonly Names: { readonly data: { readonly Dests: { add(name: string, value: unknown[]): void } } };
    };
  };
  readonly page: { readonly dictionary: PdfObject; readonly fonts: Record<string, PdfObject> };
  readonly readableLength: number;
}

interface Place {
  readonly id: string;
  /** The sheet and the height on it; undefined until the name is placed. */
  at?: readonly [sheet: PdfObject, y: number];
}

/** A PDF that is written while it is painted: only the current sheet is in memory. */
export class PdfFile implements Canvas, SheetSource {
  readonly canvas: Canvas = this;
  private readonly document: PDFKit.PDFDocument;
  private readonly inside: Inside;
  private readonly fonts = new Map<FaceName, EmbeddedFont>();
  private readonly places = new Map<string, Place>();
  private readonly pictures: Pictures;
  private sheetCount = 0;
  private begin = performance.now();
  /** The text at the foot of each sheet. */
  footer: string | undefined;

  constructor(facts: PdfFacts) {
    this.document = new PDFDocument({
      autoFirstPage: false,
      size: [SHEET.width, SHEET.height],
      margin: 0,
      pdfVersion: '1.7',
      displayTitle: true,
      info: { Title: facts.title, Creator: 'Bindery', CreationDate: facts.madeAt },
      ...(facts.language !== null && { lang: facts.language }),
    });
    this.inside = this.document as unknown as Inside;
    this.pictures = new Pictures(this.document, () => this.turn());
  }

  /** The output stream; it must be read while the PDF is painted. */
  get stream(): PDFKit.PDFDocument {
    return this.document;
  }

  /** Number of sheets; the last one is being painted. */
  get sheets(): number {
    return this.sheetCount;
  }

  async next(): Promise<void> {
    await this.turn();
    if (this.sheetCount >= MAX_SHEETS) throw new PdfFault(`The PDF would have more than ${MAX_SHEETS} sheets`);
    this.document.addPage();
    this.sheetCount++;
  }

  async turn(): Promise<void> {
    if (performance.now() - this.begin < TURN) return;
    do {
      if (this.inside.readableLength > MOST_WAITING) await setTimeout(5);
      else await setImmediate();
    } while (this.inside.readableLength > MOST_WAITING);
    this.begin = performance.now();
  }

  /** Paints the page number at the foot of the sheet. */
  number(number: number): void {
    const y = SHEET.height - 34;
    const text = String(number);
    if (this.footer !== undefined)
      this.text({ text: this.footer, face: 'sans', size: SMALL_SIZE - 0.5, color: GREY }, SHEET.left, y);
    this.text(
      { text, face: 'sans', size: SMALL_SIZE - 0.5, color: GREY },
      SHEET.width - SHEET.left - 4.6 * text.length,
      y,
    );
  }

  text({ text, face, size, color }: TextRun, x: number, baseline: number): void {
    const font = this.font(face);
    const name = `F-${face}`;
    this.inside.page.fonts[name] = font.object;
    this.document.addContent(
      `BT /${name} ${n(size)} Tf ${rgb(color)} rg 1 0 0 -1 ${n(x)} ${n(baseline)} Tm <${font.encode(text)}> Tj ET`,
    );
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.document.addContent(`${rgb(color)} rg ${n(x)} ${n(y)} ${n(width)} ${n(height)} re f`);
  }

  frame(x: number, y: number, width: number, height: number, color: string): void {
    this.document.addContent(`${rgb(color)} RG 0.7 w ${n(x)} ${n(y)} ${n(width)} ${n(height)} re S`);
  }

  line(x1: number, y1: number, x2: number, y2: number, color: string, thickness = 0.7): void {
    this.document.addContent(`${rgb(color)} RG ${n(thickness)} w ${n(x1)} ${n(y1)} m ${n(x2)} ${n(y2)} l S`);
  }

  disc(x: number, y: number, radius: number, color: string): void {
    const c = radius * 0.5523;
    const curve = (...points: number[]): string => `${points.map(n).join(' ')} c`;
    this.document.addContent(
      `${rgb(color)} rg ${n(x + radius)} ${n(y)} m ${curve(x + radius, y + c, x + c, y + radius, x, y + radius)} ${curve(x - c, y + radius, x - radius, y + c, x - radius, y)} ` +
        `${curve(x - radius, y - c, x - c, y - radius, x, y - radius)} ${curve(x + c, y - radius, x + radius, y - c, x + radius, y)} f`,
    );
  }

  picture(picture: Picture, x: number, y: number, width: number, height: number): Promise<string | undefined> {
    return this.pictures.paint(picture, x, y, width, height);
  }

  link(x: number, y: number, width: number, height: number, target: PdfLinkTarget): void {
    if ('place' in target) this.document.goTo(x, y, width, height, this.placeNamed(target.place).id);
    else this.document.link(x, y, width, height, target.url);
  }

  place(name: string, y: number): void {
    const place = this.placeNamed(name);
    place.at ??= [this.inside.page.dictionary, SHEET.height - y];
  }

  /** Adds an entry for a height of this sheet to the outline, under another one or at the top. */
  outline(title: string, above: PdfOutlineEntry | undefined, y: number): PdfOutlineEntry {
    return (above ?? this.document.outline).addItem(title, { top: y, left: SHEET.width } as object);
  }

  /** Moves the last sheets after the first ones, so that contents can precede the pages that they list. */
  moveLast(count: number, to: number): void {
    const kids = this.inside._root.data.Pages.data.Kids;
    kids.splice(to, 0, ...kids.splice(kids.length - count, count));
  }

  /** Writes the shared objects of all sheets. `fallback` names the target of links whose own target is missing. */
  async end(fallback: (name: string) => string): Promise<void> {
    for (const [name, place] of this.places) {
      const [sheet, y] = place.at ??
        this.places.get(fallback(name))?.at ?? [this.inside._root.data.Pages.data.Kids[0], SHEET.height];
      this.inside._root.data.Names.data.Dests.add(place.id, [sheet, 'XYZ', 0, y, null]);
      await this.turn();
    }
    for (const font of this.fonts.values()) {
      font.end();
      await this.turn();
    }
    this.document.end();
  }

  /**
   * Names in a PDF are searched by their bytes, but pdfkit sorts them by language: these have the same order in both.
   */
  private placeNamed(name: string): Place {
    const known = this.places.get(name);
    if (known) return known;
    const made: Place = { id: `p${String(this.places.size).padStart(8, '0')}` };
    this.places.set(name, made);
    return made;
  }

  private font(face: FaceName): EmbeddedFont {
    const known = this.fonts.get(face);
    if (known) return known;
    const newObject: NewObject = (data) => this.document.ref(data);
    const made = new EmbeddedFont(face, newObject);
    this.fonts.set(face, made);
    return made;
  }
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const COLORS = new Map<string, string>();

function rgb(color: string): string {
  let text = COLORS.get(color);
  if (text === undefined) {
    text = [1, 3, 5].map((at) => n(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');
    COLORS.set(color, text);
  }
  return text;
}
