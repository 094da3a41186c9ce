import { Token, Tokenizer, TokenizerMode } from 'parse5';

type Position = Token.Location;

/** The parts of an HTML fragment, in order; the `raw` parts together are the whole fragment. */
export type HtmlEvent =
  | ({ kind: 'open'; name: string; attributes: Map<string, string>; selfClosing: boolean } & Part)
  | ({ kind: 'close'; name: string } & Part)
  | ({ kind: 'text'; value: string } & Part)
  | ({ kind: 'raw' } & Part);

/** A part as written; `line` and `column` count from 0. */
interface Part {
  raw: string;
  line: number;
  /** Absent for texts, and where references to a space were replaced, which are longer as written. */
  column?: number;
}

/** Represents a space that was written as a character reference, which collapsing preserves. */
const KEPT_SPACE = '\u{F0020}';

const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noembed', 'noframes', 'xmp']);

/** The place of a token; its column counts only in a source that `isAsWritten`. */
function placeOf(location: Position | null, isAsWritten: boolean): Pick<Part, 'line' | 'column'> {
  if (location === null) return { line: 0 };
  return { line: location.startLine - 1, ...(isAsWritten && { column: location.startCol - 1 }) };
}

/** Tokenizes HTML by the rules of the standard. Unfinished markup at the end becomes a `raw` event. */
export function tokenizeHtml(html: string): HtmlEvent[] {
  const source = html.replace(/&#(?:x20|32);/gi, KEPT_SPACE);
  const events: HtmlEvent[] = [];
  let end = 0;
  let text = '';
  let textEnd = 0;
  const slice = (from: number, to: number): string => source.slice(from, to).replaceAll(KEPT_SPACE, '&#x20;');
  let lines = 0;
  let lineEnd = source.indexOf('\n');
  /** Must be called in the order of the source. */
  const lineAt = (offset: number): number => {
    for (; lineEnd !== -1 && lineEnd < offset; lineEnd = source.indexOf('\n', lineEnd + 1)) lines++;
    return lines;
  };
  const flush = (until: number): void => {
    if (text !== '') events.push({ kind: 'text', value: text, raw: slice(end, until), line: lineAt(end) });
    text = '';
  };
  const take = (location: Position | null): Part => {
    const from = location?.startOffset ?? end;
    flush(from);
    end = location?.endOffset ?? end;
    return { raw: slice(from, end), ...placeOf(location, source.length === html.length) };
  };
  const characters = (token: Token.CharacterToken): void => {
    text += token.chars;
    textEnd = token.location?.endOffset ?? textEnd;
  };
  const other = (token: Token.Token): void => {
    events.push({ kind: 'raw', ...take(token.location) });
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onCharacter: characters,
      onNullCharacter: characters,
      onWhitespaceCharacter: characters,
      onComment: other,
      onDoctype: other,
      onStartTag: (token) => {
        const attributes = new Map(token.attrs.map(({ name, value }) => [name, releaseSpaces(value)]));
        const place = take(token.location);
        events.push({ kind: 'open', name: token.tagName, attributes, selfClosing: token.selfClosing, ...place });
        if (RAW_TEXT.has(token.tagName) && !token.selfClosing) tokenizer.state = TokenizerMode.RAWTEXT;
      },
      onEndTag: (token) => {
        events.push({ kind: 'close', name: token.tagName, ...take(token.location) });
      },
      onEof: (token) => {
        const finished = text === '' ? end : textEnd;
        flush(finished);
        end = Math.max(finished, end);
        if (end < (token.location?.startOffset ?? source.length))
          events.push({ kind: 'raw', raw: slice(end, source.length), line: lineAt(end) });
      },
    },
  );
  tokenizer.write(source, true);
  return events;
}

/** Collapses white space as a browser does; spaces written as references are preserved. */
export function collapse(value: string): string {
  return value.replace(/[\t\n\f\r ]+/g, ' ');
}

/** Converts preserved spaces back into plain ones, once collapsing and trimming are done. */
export function releaseSpaces(value: string): string {
  return value.includes(KEPT_SPACE) ? value.replaceAll(KEPT_SPACE, ' ') : value;
}

/** Elements that never have content. */
export const VOID_ELEMENTS = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

/** Inline elements of HTML; a name that is not an HTML element is text that looks like one. */
export const INLINE_ELEMENTS = new Set([
  'a',
  'abbr',
  'acronym',
  'b',
  'bdi',
  'bdo',
  'big',
  'br',
  'cite',
  'code',
  'data',
  'del',
  'dfn',
  'em',
  'font',
  'i',
  'img',
  'ins',
  'kbd',
  'label',
  'map',
  'mark',
  'nobr',
  'picture',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'small',
  'source',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
  'wbr',
]);

const OTHER_ELEMENTS = [
  'address',
  'area',
  'article',
  'aside',
  'audio',
  'base',
  'blockquote',
  'body',
  'button',
  'canvas',
  'caption',
  'center',
  'col',
  'colgroup',
  'datalist',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'embed',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'frame',
  'frameset',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'head',
  'header',
  'hgroup',
  'hr',
  'html',
  'iframe',
  'input',
  'legend',
  'li',
  'link',
  'main',
  'menu',
  'meta',
  'meter',
  'nav',
  'noscript',
  'object',
  'ol',
  'optgroup',
  'option',
  'output',
  'p',
  'param',
  'pre',
  'progress',
  'script',
  'search',
  'section',
  'select',
  'slot',
  'style',
  'summary',
  'svg',
  'table',
  'tbody',
  'td',
  'template',
  'textarea',
  'tfoot',
  'th',
  'thead',
  'title',
  'tr',
  'track',
  'ul',
  'video',
];

const ELEMENTS = new Set([...INLINE_ELEMENTS, ...OTHER_ELEMENTS]);

export function isHtmlElement(name: string): boolean {
  return ELEMENTS.has(name);
}

/** Escapes text for the content of an element. */
export function escapeHtml(value: string): string {
  return value
    .replace(/[&<>]/g, (character) => (character === '&' ? '&#x26;' : character === '<' ? '&#x3C;' : '&#x3E;'))
    .replace(/[\t\f\r]/g, (space) => `&#x${space.charCodeAt(0).toString(16)};`)
    .replaceAll('\n', '<br>');
}

/** Writes the spaces of a line of HTML that would collapse or be trimmed as character references. */
export function keepSpaces(html: string): string {
  return html
    .replace(/ (?=(?:<[^>]*>)* )/g, '&#x20;')
    .replace(/(^|<br>)((?:<[^>]*>)*) /g, '$1$2&#x20;')
    .replace(/ ((?:<[^>]*>)*)$/, '&#x20;$1');
}

/**
 * Escapes text between inline tags in Markdown, where Markdown is still parsed: characters with a meaning there are
 * written as references too.
 */
export function escapeInline(value: string): string {
  return escapeHtml(value).replace(
    /[\\`*[\]~$|!{]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/|[a-z0-9_+-]+:)|(?<=w)\.|@/giu,
    (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}

/** Writes one start tag; attributes that are `undefined` are omitted, `true` is written without a value. */
export function openTag(
  name: string,
  attributes: Readonly<Record<string, string | number | true | undefined>> = {},
): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    tag += value === true ? ` ${key}` : ` ${key}="${escapeAttribute(String(value))}"`;
  }
  return `${tag}>`;
}

function escapeAttribute(value: string): string {
  return value.replace(/["&|<>]|[\n\r]/g, (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`);
}
