/** A tag of a component, as `<Card title="a" open>` or `</Card>`. */
export interface JsxTag {
  readonly name: string;
  readonly closes: boolean;
  readonly selfClosing: boolean;
  /** Texts, numbers and flags; an expression that is none of these is left out. */
  readonly attributes: ReadonlyMap<string, string | true>;
  readonly raw: string;
}

const NAME = /<(\/?)([A-Za-z][\w.-]{0,99})/y;
const ATTRIBUTE_NAME = /[A-Za-z_:@][\w:.@-]{0,99}/y;
/** A quoted text, alone or as the only text of a call: `{'a'}`, `{require('a').default}`. */
const QUOTED = /^(?:[\w$.]{1,60}\(\s*)?(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)\s*\)?(?:\.default)?$/;

/** The tag that begins at an offset, and its end; undefined where none is, or where it does not end. */
export function readJsxTag(text: string, at: number): { readonly tag: JsxTag; readonly end: number } | undefined {
  NAME.lastIndex = at;
  const [begin, slash, name] = NAME.exec(text) ?? [];
  if (begin === undefined || name === undefined) return undefined;
  const attributes = new Map<string, string | true>();
  let offset = at + begin.length;
  let selfClosing = false;
  while (offset < text.length) {
    const character = text.charAt(offset);
    if (character === '>') {
      const raw = text.slice(at, offset + 1);
      return { tag: { name, closes: slash === '/', selfClosing, attributes, raw }, end: offset + 1 };
    }
    selfClosing = character === '/';
    if (/[\s/]/.test(character)) {
      offset++;
      continue;
    }
    const end = readAttribute(text, offset, attributes);
    if (end === undefined) return undefined;
    offset = end;
  }
  return undefined;
}

/** Reads one attribute, or one spread expression; the offset after it. */
function readAttribute(text: string, at: number, attributes: Map<string, string | true>): number | undefined {
  if (text.charAt(at) === '{') return endOfBraces(text, at);
  ATTRIBUTE_NAME.lastIndex = at;
  const name = ATTRIBUTE_NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const after = at + name.length;
  if (text.charAt(after) !== '=') {
    attributes.set(name, true);
    return after;
  }
  const first = text.charAt(after + 1);
  if (first === '"' || first === "'") {
    const end = text.indexOf(first, after + 2);
    if (end === -1) return undefined;
    attributes.set(name, text.slice(after + 2, end));
    return end + 1;
  }
  if (first === '{') {
    const end = endOfBraces(text, after + 1);
    if (end === undefined) return undefined;
    const value = valueOf(text.slice(after + 2, end - 1).trim());
    if (value !== undefined) attributes.set(name, value);
    return end;
  }
  let end = after + 1;
  while (end < text.length && !/[\s>]/.test(text.charAt(end))) end++;
  attributes.set(name, text.slice(after + 1, end));
  return end;
}

/** The meaning of an expression that is a literal. */
function valueOf(expression: string): string | true | undefined {
  if (expression === 'true') return true;
  if (/^-?\d+(?:\.\d+)?$/.test(expression)) return expression;
  return QUOTED.exec(expression)
    ?.slice(1)
    .find((part) => part !== undefined);
}

/** The offset after the brace that closes the one at `at`; texts in quotes hold no braces. */
function endOfBraces(text: string, at: number): number | undefined {
  let depth = 0;
  let quote = '';
  for (let offset = at; offset < text.length; offset++) {
    const character = text.charAt(offset);
    if (quote !== '') {
      if (character === '\\') offset++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'" || character === '`') quote = character;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return offset + 1;
  }
  return undefined;
}
