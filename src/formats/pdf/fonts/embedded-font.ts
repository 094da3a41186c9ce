import { EM, glyphOf, type FaceName } from './glyphs.js';
import { sfnt } from './woff2.js';

/** An object of a PDF that is written when it is ended. */
export interface PdfObject {
  readonly data: object;
  end(chunk?: Uint8Array | string): void;
}

export type NewObject = (data: object) => PdfObject;

const NAMES: Readonly<Record<FaceName, string>> = {
  sans: 'NotoSans-Regular',
  'sans-bold': 'NotoSans-Bold',
  'sans-italic': 'NotoSans-Italic',
  'sans-bold-italic': 'NotoSans-BoldItalic',
  mono: 'NotoSansMono-Regular',
  'mono-bold': 'NotoSansMono-Bold',
};
const ASCENT = 1069;
const DESCENT = -293;
const CAP_HEIGHT = 714;
const TRUETYPE = 0x00010000;
/** Maximum number of glyphs of one font; further characters are shown as the first one. */
const MAX_GLYPHS = 65_000;
const MAPPINGS_AT_ONCE = 100;

/** A face embedded in a PDF: with the glyphs that are used, and their characters. */
export class EmbeddedFont {
  readonly object: PdfObject;
  private readonly used = new Map<number, number>();

  constructor(
    private readonly face: FaceName,
    private readonly newObject: NewObject,
  ) {
    this.object = newObject({ Type: 'Font', Subtype: 'Type0' });
  }

  /** The glyphs of a text in hexadecimal. */
  encode(text: string): string {
    let hex = '';
    for (const character of text)
      hex += this.glyph(character.codePointAt(0) ?? 0)
        .toString(16)
        .padStart(4, '0');
    return hex;
  }

  /** Writes the font; no more text can be encoded afterwards. */
  end(): void {
    const name = `BINDRY+${NAMES[this.face]}`;
    const file = this.newObject({});
    file.end(this.program());
    const descriptor = this.newObject({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4 + (this.face.startsWith('mono') ? 1 : 0) + (this.face.includes('italic') ? 64 : 0),
      FontBBox: [-600, DESCENT, 2600, ASCENT],
      ItalicAngle: this.face.includes('italic') ? -12 : 0,
      Ascent: ASCENT,
      Descent: DESCENT,
      CapHeight: CAP_HEIGHT,
      XHeight: 536,
      StemV: this.face.includes('bold') ? 140 : 80,
      FontFile2: file,
    });
    descriptor.end();
    const descendant = this.newObject({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      DW: 600,
      W: [1, [...this.used.keys()].map((codePoint) => glyphOf(this.face, codePoint).advance)],
      CIDToGIDMap: 'Identity',
    });
    descendant.end();
    const meaning = this.newObject({});
    meaning.end(this.toUnicode());
    Object.assign(this.object.data, {
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: meaning,
    });
    this.object.end();
  }

  private glyph(codePoint: number): number {
    const known = this.used.get(codePoint);
    if (known !== undefined) return known;
    if (this.used.size >= MAX_GLYPHS) return 1;
    this.used.set(codePoint, this.used.size + 1);
    return this.used.size;
  }

  /** The TrueType file with the tables that PDF requires (ISO 32000-1, 9.9). */
  private program(): Buffer {
    const glyphs = [
      { advance: 600, outline: Buffer.alloc(0) },
      ...[...this.used.keys()].map((codePoint) => glyphOf(this.face, codePoint)),
    ];
    const loca = Buffer.alloc(4 * (glyphs.length + 1));
    const hmtx = Buffer.alloc(4 * glyphs.length);
    let offset = 0;
    glyphs.forEach(({ advance, outline }, index) => {
      hmtx.writeUInt16BE(advance, 4 * index);
      hmtx.writeInt16BE(outline.length === 0 ? 0 : outline.readInt16BE(2), 4 * index + 2);
      offset += outline.length;
      loca.writeUInt32BE(offset, 4 * (index + 1));
    });
    const glyf = Buffer.concat(glyphs.map(({ outline }) => outline));
    return sfnt(
      TRUETYPE,
      new Map([
        ['glyf', glyf],
        ['head', headTable()],
        ['hhea', horizontalHeader(glyphs.length)],
        ['hmtx', hmtx],
        ['loca', loca],
        ['maxp', maximumProfile(glyphs)],
      ]),
    );
  }

  private toUnicode(): string {
    const entries = [...this.used].map(
      ([codePoint, glyph]) => `<${glyph.toString(16).padStart(4, '0')}> <${utf16(codePoint)}>`,
    );
    const blocks: string[] = [];
    for (let start = 0; start < entries.length; start += MAPPINGS_AT_ONCE) {
      const block = entries.slice(start, start + MAPPINGS_AT_ONCE);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend`;
  }
}

function utf16(codePoint: number): string {
  return Buffer.from(String.fromCodePoint(codePoint), 'utf16le').swap16().toString('hex');
}

function headTable(): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt32BE(TRUETYPE, 0);
  head.writeUInt32BE(0x5f0f3cf5, 12);
  head.writeUInt16BE(EM, 18);
  [-600, DESCENT, 2600, ASCENT].forEach((edge, index) => head.writeInt16BE(edge, 36 + 2 * index));
  head.writeUInt16BE(8, 46);
  head.writeInt16BE(2, 48);
  head.writeInt16BE(1, 50);
  return head;
}

function horizontalHeader(glyphs: number): Buffer {
  const hhea = Buffer.alloc(36);
  hhea.writeUInt32BE(TRUETYPE, 0);
  hhea.writeInt16BE(ASCENT, 4);
  hhea.writeInt16BE(DESCENT, 6);
  hhea.writeUInt16BE(2600, 10);
  hhea.writeInt16BE(1, 18);
  hhea.writeUInt16BE(glyphs, 34);
  return hhea;
}

function maximumProfile(glyphs: readonly { readonly outline: Buffer }[]): Buffer {
  const maxp = Buffer.alloc(32);
  maxp.writeUInt32BE(TRUETYPE, 0);
  maxp.writeUInt16BE(glyphs.length, 4);
  let [points, contours] = [0, 0];
  for (const { outline } of glyphs) {
    if (outline.length === 0) continue;
    const count = outline.readInt16BE(0);
    contours = Math.max(contours, count);
    points = Math.max(points, outline.readUInt16BE(10 + 2 * (count - 1)) + 1);
  }
  maxp.writeUInt16BE(points, 6);
  maxp.writeUInt16BE(contours, 8);
  maxp.writeUInt16BE(2, 14);
  return maxp;
}
