import { yieldToOthers } from '../../kernel/common/context.js';
import { isStorableTime } from '../../kernel/common/storable-time.js';
import { isRowId } from './id-mapping.js';
import type { ArchivedColumn } from './table-shapes.js';
import { MOST_DEPTH, MOST_LINE_BYTES, MOST_VALUES, PART_BYTES } from './archive-format.js';
import { ArchiveFault } from './archive-source.js';

/** A row of the archive: the values of its columns as JSON. */
export type ArchivedRow = Record<string, unknown>;

/** A row and its place in the archive. */
export interface PlacedRow {
  readonly row: ArchivedRow;
  readonly place: string;
}

/** Characters of a name that a note shows. */
const MOST_NAME = 100;
const MOST_PART_BYTES = PART_BYTES + MOST_LINE_BYTES;
/** Characters of a line whose reading is worth a pause. */
const LONG_LINE = 256 * 1024;

/** The text in a column, or none. */
export const textOfColumn = (row: ArchivedRow, name: string): string =>
  typeof row[name] === 'string' ? row[name] : '';

/** A text for a note, which may be as long as a line of the archive. */
export function nameIn(row: ArchivedRow, name: string): string {
  const text = textOfColumn(row, name);
  return text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text;
}

/** All bytes of an entry. Throws `ArchiveFault` where there are more than allowed. */
export async function wholeEntry(
  path: string,
  size: number,
  most: number,
  bytes: AsyncIterable<Buffer>,
): Promise<string> {
  if (size > most) throw new ArchiveFault(path, `has ${size} bytes, and at most ${most} are read`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ArchiveFault(path, 'is no text in UTF-8');
  }
}

/** The rows of a part of a table, one after the other. Throws `ArchiveFault` with the line of a fault. */
export async function* rowsOf(
  path: string,
  size: number,
  bytes: AsyncIterable<Buffer>,
  columns: ReadonlySet<string>,
): AsyncGenerator<PlacedRow> {
  const text = await wholeEntry(path, size, MOST_PART_BYTES, bytes);
  let line = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const source = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    const place = `${path} line ${++line}`;
    const row = parseRow(source, place);
    if (source.length > LONG_LINE) await yieldToOthers();
    checkRow(row, place, columns);
    yield { row, place };
  }
}

function parseRow(source: string, place: string): ArchivedRow {
  if (source.length > MOST_LINE_BYTES) throw new ArchiveFault(place, `has more than ${MOST_LINE_BYTES} characters`);
  if (source.length > MOST_VALUES && valuesIn(source) > MOST_VALUES)
    throw new ArchiveFault(place, `has more than ${MOST_VALUES} values`);
  const row = parsed(source);
  if (row === undefined) throw new ArchiveFault(place, 'is no JSON object');
  return row;
}

function checkRow(row: ArchivedRow, place: string, columns: ReadonlySet<string>): void {
  if (isTooDeep(row, MOST_DEPTH)) throw new ArchiveFault(place, `has more than ${MOST_DEPTH} levels`);
  for (const name of Object.keys(row))
    if (!columns.has(name))
      throw new ArchiveFault(place, `has the column ${name.slice(0, 100)}, which the archive does not announce`);
}

const [QUOTE, COMMA, OPENING_BRACKET, BACKSLASH, OPENING_BRACE] = [34, 44, 91, 92, 123];

/** The number of values in a JSON text, without reading it; some more where objects and lists are empty. */
function valuesIn(source: string): number {
  let count = 1;
  let isText = false;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (isText && code === BACKSLASH) at++;
    else if (code === QUOTE) isText = !isText;
    else if (!isText && (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE)) count++;
  }
  return count;
}

function parsed(source: string): ArchivedRow | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ArchivedRow) : undefined;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isTooDeep(each, levels - 1));
  // Values that were parsed inherit nothing that is listed, and a list of all values would have to be made.
  for (const name in value) if (isTooDeep((value as ArchivedRow)[name], levels - 1)) return true;
  return false;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Tells whether a value is a time as archives have them, in years that answers can show. */
export const isArchivedTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value) && isStorableTime(value);

const PLAIN = { configurable: true, enumerable: true, writable: true };

/** The value with all texts in it replaced, at any depth. */
export function withTexts(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === 'string') return replaced(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, replaced));
  if (typeof value !== 'object' || value === null) return value;
  const made: ArchivedRow = {};
  for (const name in value) {
    const [own, each] = [isRowId(name) ? replaced(name) : name, withTexts((value as ArchivedRow)[name], replaced)];
    // An assignment would give the object another prototype.
    if (own === '__proto__') Object.defineProperty(made, own, { ...PLAIN, value: each });
    else made[own] = each;
  }
  return made;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A line of `COPY … FROM STDIN` with the values of these columns. */
export function copyLine(row: ArchivedRow, columns: readonly ArchivedColumn[]): string {
  return `${columns.map((column) => field(row[column.name], column)).join('\t')}\n`;
}

function field(value: unknown, column: ArchivedColumn): string {
  const text = textOf(value, column);
  return text === undefined ? '\\N' : text.replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign);
}

/** The text of a value as PostgreSQL reads it; undefined for null. */
function textOf(value: unknown, { type, isRequired }: ArchivedColumn): string | undefined {
  const isJson = type === 'json' || type === 'jsonb';
  if (value === undefined || value === null) return isJson && isRequired ? 'null' : undefined;
  if (isJson) return JSON.stringify(value);
  if (Array.isArray(value) && type.endsWith('[]')) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const elementOf = (value: unknown): string => {
  if (value === null) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
};
