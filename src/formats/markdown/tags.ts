import type { JsonValue } from '../document/types.js';

/** One `{% … %}` tag as written. */
export interface Tag {
  /** Without the `end` of a closing tag. */
  name: string;
  closes: boolean;
  attributes: Map<string, JsonValue>;
  /** Quoted values without a name, in order. */
  positional: string[];
  /** Everything after the name, trimmed. */
  argument: string;
  raw: string;
}

/** A tag, and the offset at which it begins in its line, or the text between tags. */
export type TagSegment = { tag: Tag; at: number } | { text: string };

/**
 * Splits a line into its tags and the text between them. Braces in quotes do not close a tag; an unclosed tag is text.
 */
export function splitTags(line: string): TagSegment[] {
  const segments: TagSegment[] = [];
  const ends = tagEnds(line);
  let from = 0;
  for (let at = line.indexOf('{%'); at !== -1;) {
    const end = ends.get(at);
    const tag = end === undefined ? undefined : readTag(line, at, end);
    if (tag === undefined || end === undefined) {
      at = line.indexOf('{%', at + 2);
      continue;
    }
    if (line.slice(from, at).trim() !== '') segments.push({ text: line.slice(from, at) });
    segments.push({ tag, at });
    from = end;
    at = line.indexOf('{%', from);
  }
  if (line.slice(from).trim() !== '') segments.push({ text: line.slice(from) });
  return segments;
}

/**
 * For each `{%` the offset after its `%}`, if it has one. The line is scanned once from its end: `plain`, `double` and
 * `single` are the end of a tag that continues at this character, outside of quotes and inside of one of either kind;
 * `next` and `nextButOne` are the same for the following characters.
 */
function tagEnds(line: string): Map<number, number> {
  const ends = new Map<number, number>();
  const nowhere = { plain: -1, double: -1, single: -1 };
  let [next, nextButOne] = [nowhere, nowhere];
  for (let at = line.length - 1; at >= 0; at--) {
    const [character, following] = [line.charAt(at), line.charAt(at + 1)];
    if (character === '{' && following === '%' && nextButOne.plain !== -1) ends.set(at, nextButOne.plain);
    const isEnd = character === '%' && following === '}';
    const here = {
      plain: isEnd ? at + 2 : character === '"' ? next.double : character === "'" ? next.single : next.plain,
      double:
        character === '\\' && (following === '"' || following === '\\')
          ? nextButOne.double
          : character === '"'
            ? next.plain
            : next.double,
      single:
        character === '\\' && (following === "'" || following === '\\')
          ? nextButOne.single
          : character === "'"
            ? next.plain
            : next.single,
    };
    [next, nextButOne] = [here, next];
  }
  return ends;
}

const NAME = /\s*(@?[A-Za-z][\w@/-]*)/y;

function readTag(line: string, at: number, end: number): Tag | undefined {
  NAME.lastIndex = at + 2;
  const name = NAME.exec(line)?.[1];
  if (name === undefined) return undefined;
  const closes = name.startsWith('end');
  const argument = line.slice(NAME.lastIndex, end - 2).trim();
  return {
    name: closes ? name.slice(3) : name,
    closes,
    argument,
    raw: line.slice(at, end),
    ...readAttributes(argument),
  };
}

function readAttributes(source: string): { attributes: Map<string, JsonValue>; positional: string[] } {
  const attributes = new Map<string, JsonValue>();
  const positional: string[] = [];
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (/\s/.test(character)) {
      at++;
    } else if (character === '"' || character === "'") {
      const [value, end] = readQuoted(source, at);
      positional.push(value);
      at = end;
    } else {
      const name = /^[^\s="']+/.exec(source.slice(at))?.[0] ?? character;
      at += name.length;
      if (source[at] !== '=') {
        attributes.set(name, true);
        continue;
      }
      const [value, end] = readValue(source, at + 1);
      attributes.set(name, value);
      at = end;
    }
  }
  return { attributes, positional };
}

function readQuoted(source: string, at: number): [string, number] {
  const quote = source.charAt(at);
  let value = '';
  for (let i = at + 1; i < source.length; i++) {
    const character = source.charAt(i);
    const next = source.charAt(i + 1);
    if (character === '\\' && (next === quote || next === '\\')) {
      value += next;
      i++;
    } else if (character === quote) {
      return [value, i + 1];
    } else {
      value += character;
    }
  }
  return [value, source.length];
}

/** A value after `=`: quoted text, or JSON without spaces outside its strings. */
function readValue(source: string, at: number): [JsonValue, number] {
  const first = source.charAt(at);
  if (first === '"' || first === "'") return readQuoted(source, at);
  let end = at;
  let quoted = false;
  while (end < source.length && (quoted || !/\s/.test(source.charAt(end)))) {
    if (source[end] === '\\' && quoted) end++;
    else if (source[end] === '"') quoted = !quoted;
    end++;
  }
  const raw = source.slice(at, end);
  try {
    return [JSON.parse(raw) as JsonValue, end];
  } catch {
    return [raw, end];
  }
}

/** Writes a tag that `splitTags` can parse. Strings are quoted, other values are JSON, `undefined` is omitted. */
export function formatTag(name: string, attributes: Readonly<Record<string, JsonValue | undefined>> = {}): string {
  let tag = `{% ${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    tag += typeof value === 'string' ? ` ${key}=${quote(value)}` : ` ${key}=${json(value)}`;
  }
  return `${tag} %}`;
}

/** JSON whose quotes cannot be mistaken for the end of the tag, and which contains no `%}`. */
function json(value: JsonValue): string {
  return JSON.stringify(value).replaceAll('%', '\\u0025').replaceAll("'", '\\u0027');
}

/** Quotes an attribute; a backslash is doubled only if it would otherwise escape a character. */
export function quote(value: string): string {
  const mark = value.includes('"') && !value.includes("'") ? "'" : '"';
  return mark + value.replace(/\\(?=\\|"|'|$)/g, '\\\\').replaceAll(mark, `\\${mark}`) + mark;
}

/** A tag's attribute as text, `undefined` if it is absent or not text. */
export function textAttribute(tag: Tag, name: string): string | undefined {
  const value = tag.attributes.get(name);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** A tag's attribute as a boolean: bare or `"true"` is true. */
export function flagAttribute(tag: Tag, name: string): boolean | undefined {
  const value = tag.attributes.get(name);
  if (value === undefined) return undefined;
  return value === true || value === 'true' || value === '';
}
