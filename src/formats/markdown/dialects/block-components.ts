import { formatTag } from '../tags.js';
import { componentOf, TRANSPARENT } from './components.js';
import { isInlineComponent } from './inline-syntax.js';
import { readJsxTag, type JsxTag } from './jsx-tag.js';
import { lineParts } from './line-parts.js';
import type { BodyReading, SourceLine } from './body-reading.js';

/** Lines that one tag, import or remark may have. */
const MAX_LINES = 40;
/** Imports that are needed only by what has counterparts. */
const NEEDLESS = /^(?:useBaseUrl|Translate|CodeBlock|React|Image|Layout)$/;

/** Reads a line that holds components of their own; false for a line that is text. */
export function blockComponents(reader: BodyReading, line: SourceLine): boolean {
  const { writer } = reader;
  if (line.indent === 0 && writer.frames.length === 0 && /^(?:import|export)\s/.test(line.text))
    return moduleCode(reader, line);
  if (/^\{\/\*/.test(line.text)) return remark(reader, line);
  const first = nextTag(reader, line.text, 0);
  if (!first) return false;
  let rest = line.text;
  for (let found: FoundTag | undefined = first; found; found = nextTag(reader, rest, 0)) {
    const before = rest.slice(0, found.at).trim();
    if (before !== '') reader.text({ indent: line.indent, text: before });
    component(reader, found.tag, line.indent);
    rest = found.after;
    if (rest === '' || writer.isFull) break;
  }
  if (rest !== '') reader.content({ indent: line.indent + stripOf(reader), text: rest });
  return true;
}

/** The columns that content on the line of its opening tag does not have, but later lines do. */
function stripOf({ writer: { top } }: BodyReading): number {
  return top?.strip ?? 0;
}

interface FoundTag {
  readonly tag: JsxTag;
  readonly at: number;
  /** The text behind the tag. */
  readonly after: string;
}

/** The next component that is a block. A tag at the beginning may extend over several lines. */
function nextTag(reader: BodyReading, text: string, from: number): FoundTag | undefined {
  let offset = 0;
  for (const { code, value } of lineParts(text)) {
    const tags = code ? [] : [...value.matchAll(/<\/?[A-Z]/g)].map(({ index }) => offset + index);
    offset += value.length;
    for (const at of tags) {
      if (at < from) continue;
      const found = tagAt(reader, text, at);
      if (found && isBlock(reader, found.tag, text.slice(0, at).trim() === '')) return found;
    }
  }
  return undefined;
}

function tagAt(reader: BodyReading, text: string, at: number): FoundTag | undefined {
  const read = readJsxTag(text, at);
  if (read) return { tag: read.tag, at, after: text.slice(read.end).trim() };
  if (text.slice(0, at).trim() !== '') return undefined;
  const more: string[] = [];
  for (let next = reader.peek(); next !== undefined && next.trim() !== '' && more.length < MAX_LINES;) {
    more.push(next);
    next = reader.peek(more.length);
  }
  const joined = [text, ...more].join('\n');
  const whole = readJsxTag(joined, at);
  if (!whole) return undefined;
  const count = joined.slice(0, whole.end).split('\n').length - 1;
  const last = joined.slice(whole.end).split('\n', 1)[0] ?? '';
  for (let line = 0; line < count; line++) reader.next();
  return { tag: whole.tag, at, after: last.trim() };
}

function isBlock({ writer, partials }: BodyReading, tag: JsxTag, begins: boolean): boolean {
  if (isInlineComponent(tag.name)) return false;
  if (tag.closes) return begins || writer.frames.some(({ name }) => name === tag.name);
  return begins || componentOf(tag) !== undefined || partials.has(tag.name);
}

function component(reader: BodyReading, tag: JsxTag, indent: number): void {
  const { writer, partials } = reader;
  const column = writer.column(indent);
  if (tag.closes) {
    const index = writer.frames.findLastIndex(({ name }) => name === tag.name);
    if (index === -1) writer.raw(tag.raw, column);
    else {
      const isKnown = componentOf({ name: tag.name, attributes: new Map() }) !== undefined;
      writer.popTo(index);
      if (!isKnown) writer.keep(tag.raw, column);
    }
    return;
  }
  const file = tag.name === 'Snippet' ? tag.attributes.get('file') : undefined;
  const partial = typeof file === 'string' ? `/snippets/${file}` : partials.get(tag.name);
  if (partial !== undefined && tag.selfClosing) {
    writer.endGroupOf();
    writer.emitBlock([formatTag('include', { src: partial }), ''], column);
    return;
  }
  const construct = componentOf(tag);
  if (construct && tag.selfClosing) {
    writer.openAndClose(construct, indent);
    return;
  }
  if (!construct) {
    writer.endGroupOf();
    writer.raw(tag.raw, column);
  }
  if (!tag.selfClosing)
    writer.open(construct ?? TRANSPARENT, { kind: 'component', name: tag.name, indent, strip: undefined });
}

/** Imports and exports, which extend to the next empty line. */
function moduleCode(reader: BodyReading, { text }: SourceLine): boolean {
  const lines = [text];
  const isImport = text.startsWith('import');
  const ends = (): boolean => isImport && /["'];?\s*$/.test(lines.at(-1) ?? '');
  for (let next = reader.peek(); next?.trim() && !ends() && lines.length < MAX_LINES; next = reader.peek()) {
    lines.push(next);
    reader.next();
  }
  const source = lines.join('\n');
  const [, path] = /["']([^"']*)["'];?\s*$/.exec(lines.at(-1) ?? '') ?? [];
  const from = source.lastIndexOf(' from ');
  if (!isImport || path === undefined || from === -1) {
    reader.keepForEnd(source);
    return true;
  }
  const names = source
    .slice('import'.length, from)
    .split(/[\s,{}]+/)
    .filter((name) => /^[A-Za-z_$]/.test(name) && name !== 'as');
  if (/\.mdx?$/.test(path)) {
    for (const name of names) reader.partials.set(name, path.replace(/^@site\/(?:docs\/)?/, '/'));
    return true;
  }
  const isKnown = (name: string): boolean =>
    isInlineComponent(name) || NEEDLESS.test(name) || componentOf({ name, attributes: new Map() }) !== undefined;
  if (!names.every(isKnown)) reader.keepForEnd(source);
  return true;
}

/** A remark that stands alone, on one line or several. */
function remark(reader: BodyReading, { indent, text }: SourceLine): boolean {
  const lines = [text];
  for (let next = reader.peek(); next !== undefined && !lines.at(-1)?.includes('*/}') && lines.length < MAX_LINES;) {
    lines.push(next);
    reader.next();
    next = reader.peek();
  }
  const source = lines.join('\n');
  const end = source.indexOf('*/}');
  if (end === -1) {
    reader.writer.raw(source, reader.writer.column(indent));
    return true;
  }
  const words = source.slice(3, end).trim().replaceAll('--', '- -');
  reader.writer.emitBlock([...`<!-- ${words} -->`.split('\n'), ''], reader.writer.column(indent));
  const rest = source.slice(end + 3).trim();
  if (rest !== '') reader.content({ indent, text: rest });
  return true;
}
