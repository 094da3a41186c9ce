import { taggedSegment } from '../domain/inline-tags.js';
import { mergeAdjacentTexts, type SegmentPiece, type Segment } from '../domain/segment.js';
import {
  escapedXml,
  FileFault,
  isLanguage,
  languageTag,
  withoutControls,
  type FileLanguages,
  type FileUnit,
  type ReadUnit,
} from './translation-file.js';
import { nodesWithin, elementsWithin, isInnerElement, isInnerText, parseXmlFile, type XmlNode } from './xml-file.js';

/* XLIFF 2.1 (OASIS): one file for each page, one unit for each text. */

const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0';
const STATES = { machine: 'translated', outdated: 'initial', untranslated: 'initial', reviewed: 'reviewed' } as const;
const REVIEWED: ReadonlySet<string> = new Set(['reviewed', 'final']);
/** Elements around text that mean nothing for its words, and marks of them. */
const TRANSPARENT: ReadonlySet<string> = new Set(['mrk']);
const IGNORED: ReadonlySet<string> = new Set(['sm', 'em']);

export function writeXliff(units: readonly FileUnit[], { source, target }: FileLanguages): string {
  const files = new Map<string, FileUnit[]>();
  for (const unit of units) {
    const own = files.get(unit.place ?? '');
    if (own) own.push(unit);
    else files.set(unit.place ?? '', [unit]);
  }
  const parts = [...files].map(
    ([place, own]) => `  <file id="${escapedXml(place)}">\n${own.map(unitXml).join('')}  </file>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="${NAMESPACE}" version="2.1" srcLang="${languageTag(source)}" trgLang="${languageTag(target)}" xml:space="preserve">
${parts.join('')}</xliff>
`;
}

function unitXml({ id, source, target, state, former }: FileUnit): string {
  const notes = former
    ? `      <notes>
        <note category="former-source">${escapedXml(taggedSegment(former.source))}</note>
        <note category="former-target">${escapedXml(taggedSegment(former.target))}</note>
      </notes>
`
    : '';
  const said = withoutControls(taggedSegment(target));
  const translation = state === 'untranslated' ? '' : `        <target>${said}</target>\n`;
  return `    <unit id="${escapedXml(id)}">
${notes}      <segment state="${STATES[state]}">
        <source>${withoutControls(taggedSegment(source))}</source>
${translation}      </segment>
    </unit>
`;
}

/** The units of a file that have a translation. Throws `FileFault`. */
export function readXliff(text: string, { source, target }: FileLanguages): ReadUnit[] {
  const root = parseXmlFile(text);
  if (root.localName !== 'xliff' || root.namespaceURI !== NAMESPACE) throw new FileFault('is not XLIFF 2');
  const [from, to] = [root.getAttribute('srcLang'), root.getAttribute('trgLang')];
  if (!isLanguage(from, source) || (to !== '' && !isLanguage(to, target)))
    throw new FileFault(`is from ${from} to ${to}, and not from ${source} to ${target}`);
  return unitsIn(root).flatMap(unitOf);
}

/** Units stand in files and groups. */
function unitsIn(node: XmlNode): XmlNode[] {
  return [...elementsWithin(node)].flatMap((child) =>
    child.localName === 'unit'
      ? [child]
      : child.localName === 'file' || child.localName === 'group'
        ? unitsIn(child)
        : [],
  );
}

/** Tools may divide a unit into sentences: these are one text again. */
function unitOf(unit: XmlNode): ReadUnit[] {
  const [source, target] = [new InlineReader(), new InlineReader()];
  let [isTranslated, reviewed] = [false, true];
  for (const part of elementsWithin(unit)) {
    if (part.localName !== 'segment' && part.localName !== 'ignorable') continue;
    const sides = new Map([...elementsWithin(part)].map((side) => [side.localName, side]));
    const [asked, said] = [sides.get('source'), sides.get('target')];
    if (asked) source.read(asked);
    if (part.localName === 'segment') {
      if (!said) return [];
      isTranslated = true;
      reviewed &&= REVIEWED.has(part.getAttribute('state'));
    }
    const shown = said ?? asked;
    if (shown) target.read(shown);
  }
  return isTranslated
    ? [{ name: unit.getAttribute('id'), source: source.segment, target: target.segment, reviewed }]
    : [];
}

/** Reads inline elements as markers. */
class InlineReader {
  private readonly pieces: SegmentPiece[] = [];
  private isBroken = false;

  get segment(): Segment | undefined {
    return this.isBroken ? undefined : mergeAdjacentTexts(this.pieces);
  }

  read(node: XmlNode): void {
    for (const child of nodesWithin(node))
      if (isInnerText(child)) this.pieces.push(child.textContent ?? '');
      else if (isInnerElement(child)) this.element(child);
  }

  private element(element: XmlNode): void {
    const number = (name: string): number => this.number(element.getAttribute(name));
    switch (element.localName) {
      case 'pc':
        this.pieces.push({ open: number('id') });
        this.read(element);
        this.pieces.push({ close: number('id') });
        return;
      case 'ph':
        this.pieces.push({ opaque: number('id') });
        return;
      case 'sc':
        this.pieces.push({ open: number('id') });
        return;
      case 'ec':
        this.pieces.push({ close: number(element.getAttribute('startRef') === '' ? 'id' : 'startRef') });
        return;
      default:
        if (TRANSPARENT.has(element.localName)) this.read(element);
        else if (!IGNORED.has(element.localName)) this.isBroken = true;
    }
  }

  private number(text: string): number {
    if (!/^[1-9]\d{0,8}$/.test(text)) this.isBroken = true;
    return Number(text);
  }
}
