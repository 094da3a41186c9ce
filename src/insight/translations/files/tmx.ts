import { mergeAdjacentTexts, type SegmentPiece, type Segment } from '../domain/segment.js';
import {
  escapedXml,
  FileFault,
  isLanguage,
  languageTag,
  type FileLanguages,
  type FileUnit,
  type ReadUnit,
} from './translation-file.js';
import { nodesWithin, elementsWithin, isInnerElement, isInnerText, parseXmlFile, type XmlNode } from './xml-file.js';

/* TMX 1.4b: the memory of a translation. */

const STATE = 'state';
const REVIEWED: ReadonlySet<string> = new Set(['reviewed', 'final']);

export function writeTmx(units: readonly FileUnit[], { source, target }: FileLanguages): string {
  const side = (language: string, segment: Segment) =>
    `      <tuv xml:lang="${languageTag(language)}"><seg>${segmentXml(segment)}</seg></tuv>\n`;
  const body = units.map(
    (unit) =>
      `    <tu tuid="${escapedXml(unit.id)}">\n      <prop type="${STATE}">${unit.state}</prop>\n${side(source, unit.source)}${side(target, unit.target)}    </tu>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  <header creationtool="bindery" creationtoolversion="1" segtype="block" o-tmf="bindery" adminlang="en" srclang="${languageTag(source)}" datatype="xml"/>
  <body>
${body.join('')}  </body>
</tmx>
`;
}

function segmentXml(segment: Segment): string {
  return segment
    .map((piece) => {
      if (typeof piece === 'string') return escapedXml(piece);
      if ('open' in piece) return `<bpt i="${piece.open}" x="${piece.open}"/>`;
      return 'close' in piece ? `<ept i="${piece.close}"/>` : `<ph x="${piece.opaque}"/>`;
    })
    .join('');
}

/** The pairs of texts of a file in the two languages. Throws `FileFault`. */
export function readTmx(text: string, languages: FileLanguages): ReadUnit[] {
  const root = parseXmlFile(text);
  const body = [...elementsWithin(root)].find(({ localName }) => localName === 'body');
  if (root.localName !== 'tmx' || !body) throw new FileFault('is not TMX');
  const units = [...elementsWithin(body)].filter(({ localName }) => localName === 'tu');
  return units.flatMap((unit, index) => unitOf(unit, index, languages));
}

function unitOf(unit: XmlNode, index: number, languages: FileLanguages): ReadUnit[] {
  const parts = [...elementsWithin(unit)];
  const segmentIn = (language: string): XmlNode | undefined => {
    const variant = parts.find(
      (part) =>
        part.localName === 'tuv' && isLanguage(part.getAttribute('xml:lang') || part.getAttribute('lang'), language),
    );
    return variant && [...elementsWithin(variant)].find(({ localName }) => localName === 'seg');
  };
  const [source, target] = [segmentIn(languages.source), segmentIn(languages.target)];
  if (!source || !target) return [];
  const state = parts.find((part) => part.localName === 'prop' && part.getAttribute('type') === STATE);
  return [
    {
      name: unit.getAttribute('tuid') || String(index + 1),
      source: readSegment(source),
      target: readSegment(target),
      reviewed: REVIEWED.has(state?.textContent?.trim() ?? ''),
    },
  ];
}

/** Undefined for inline elements that are no markers. */
function readSegment(seg: XmlNode): Segment | undefined {
  const pieces: SegmentPiece[] = [];
  const numbers = new Map<string, number>();
  let isBroken = false;
  const number = (text: string): number => {
    if (!/^[1-9]\d{0,8}$/.test(text)) isBroken = true;
    return Number(text);
  };
  const read = (node: XmlNode): void => {
    for (const child of nodesWithin(node)) {
      const [i, x] = isInnerElement(child) ? [child.getAttribute('i'), child.getAttribute('x')] : ['', ''];
      if (isInnerText(child)) pieces.push(child.textContent ?? '');
      else if (!isInnerElement(child)) continue;
      else if (child.localName === 'bpt') {
        numbers.set(i, number(x || i));
        pieces.push({ open: numbers.get(i) ?? 0 });
      } else if (child.localName === 'ept') pieces.push({ close: numbers.get(i) ?? number('') });
      else if (child.localName === 'ph') pieces.push({ opaque: number(x) });
      else if (child.localName === 'hi') read(child);
      else isBroken = true;
    }
  };
  read(seg);
  return isBroken ? undefined : mergeAdjacentTexts(pieces);
}
