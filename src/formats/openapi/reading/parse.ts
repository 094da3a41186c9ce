import { CORE_SCHEMA, load, mergeTag, parseEvents, YAMLException, EVENT_ID, getScalarValue } from 'js-yaml';
import { repeatedName } from '../../../kernel/common/json-names.js';
import { pointerOf, unreadable } from '../domain/specification-problem.js';

/** YAML 1.2 with the merge keys that many specifications use. Dates stay texts, as they are in JSON. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);
/** Maximum length in characters of a specification in which line numbers are looked up. */
const MAX_LOOKED_UP = 16 * 1024 ** 2;

/** Parses a text in JSON or YAML. Throws `Unreadable` with the line of the fault. */
export function parseText(text: string, document?: string): unknown {
  const where = document === undefined ? {} : { document };
  if (text.trim() === '') throw unreadable('empty', 'there is nothing in it', where);
  if (/^\s*</.test(text))
    throw unreadable('syntax', 'this is a web page or XML, and neither JSON nor YAML', { ...where, line: 1 });
  if (text.includes('\0')) throw unreadable('syntax', 'there are NUL characters in it: this is no text', where);
  return /^\s*[{[]/.test(text) ? parseJson(text, where) : parseYaml(text, where);
}

function parseJson(text: string, where: { document?: string }): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /at position (\d+)/.exec(message)?.[1];
    const at = position === undefined ? text.length : Number(position);
    const why =
      position === undefined
        ? 'it ends in the middle'
        : message.replace(/,? ?(\.\.\.)?".*" is not valid JSON$|( in JSON)? at position.*$/s, '');
    throw unreadable('syntax', `this is not valid JSON: ${why}, at column ${columnAt(text, at)}`, {
      ...where,
      line: lineAt(text, at),
    });
  }
  const repeated = repeatedName(text);
  if (repeated)
    throw unreadable(
      'syntax',
      `is there twice, again at column ${columnAt(text, repeated.at)}: an object has each name once`,
      { ...where, pointer: pointerOf(repeated.path), line: lineAt(text, repeated.at) },
    );
  return value;
}

function parseYaml(text: string, where: { document?: string }): unknown {
  try {
    return load(text, { schema: SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw unreadable('syntax', 'this cannot be read as YAML', where);
    const { reason, mark } = error;
    throw unreadable('syntax', `this is not valid YAML: ${reason}${mark ? `, at column ${mark.column + 1}` : ''}`, {
      ...where,
      ...(mark && { line: mark.line + 1 }),
    });
  }
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function columnAt(text: string, position: number): number {
  return position - text.lastIndexOf('\n', position - 1);
}

/** Finds the lines of JSON pointers; for a missing value, the line of its parent. */
export function pointerLines(text: string, pointers: Iterable<string>): Map<string, number> {
  const wanted = new Set<string>();
  for (const pointer of pointers)
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      wanted.add(at);
      if (at === '') break;
    }
  const found = new Map<string, number>();
  if (text.length > MAX_LOOKED_UP) return found;
  try {
    for (const [pointer, position] of positionsOf(text))
      if (wanted.has(pointer) && !found.has(pointer)) found.set(pointer, lineAt(text, position));
  } catch {
    // Without lines a place is described by its pointer alone.
  }
  return found;
}

/** The texts of values such as `1.0` as they are written, by their pointers. */
export function scalarTexts(text: string, pointers: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  if (pointers.length === 0 || text.length > MAX_LOOKED_UP) return found;
  const wanted = new Set(pointers);
  try {
    for (const [pointer, , value] of positionsOf(text))
      if (value !== undefined && wanted.has(pointer)) found.set(pointer, value);
  } catch {
    // Without its text a value is shown as it was read.
  }
  return found;
}

interface Open {
  readonly isMapping: boolean;
  /** The name whose value comes next. */
  name: string | undefined;
  index: number;
}

/**
 * The start positions of all values in a text of JSON or YAML, a named value beginning with its name, and the positions
 * and texts of those that are neither objects nor lists.
 */
function* positionsOf(text: string): Generator<[pointer: string, position: number, value?: string]> {
  const path: (string | number)[] = [];
  const open: Open[] = [];
  const enter = (): void => {
    const top = open[open.length - 1];
    if (top) path.push(top.name ?? top.index++);
  };
  const leave = (): void => {
    const top = open[open.length - 1];
    if (!top) return;
    path.pop();
    top.name = undefined;
  };
  for (const event of parseEvents(text, {})) {
    const top = open[open.length - 1];
    if (event.type === EVENT_ID.POP) {
      // The document itself is closed as well.
      if (open.pop()) leave();
    } else if (event.type === EVENT_ID.SCALAR && top?.isMapping && top.name === undefined) {
      top.name = getScalarValue(text, event);
      yield [pointerOf([...path, top.name]), event.valueStart];
    } else if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) {
      enter();
      if (event.type === EVENT_ID.SCALAR) yield [pointerOf(path), event.valueStart, getScalarValue(text, event)];
      if (top) leave();
    } else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      enter();
      if (!top?.isMapping) yield [pointerOf(path), event.start];
      open.push({ isMapping: event.type === EVENT_ID.MAPPING, name: undefined, index: 0 });
    }
  }
}
