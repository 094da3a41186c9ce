import { formatTag } from '../tags.js';
import { card, details, escaped, hint, tab, TRANSPARENT, type Construct } from './components.js';
import { hintStyle } from './dialect.js';
import type { BodyReading, SourceLine } from './body-reading.js';

/** A line that names the heading below it. */
export const TARGET_LINE = /^\(([^()\s]{1,200})\)=\s*$/;

/** The names that a page gives to its headings. */
export function targetNames(source: readonly string[]): Set<string> {
  return new Set(source.flatMap((line) => TARGET_LINE.exec(line.trim())?.[1] ?? []));
}

/** The head of a directive, before its content. */
interface Given {
  readonly name: string;
  readonly argument: string;
  readonly options: ReadonlyMap<string, string>;
}

/** Directives that make nothing of their own: their work is done by the space. */
const DROPPED = new Set(['toctree', 'contents', 'tableofcontents', 'highlight', 'index', 'meta']);
const CODE = new Set(['code-block', 'code', 'sourcecode', 'code-cell']);
const LITERAL = new Set([...DROPPED, 'figure', 'image', 'include', 'math', 'mermaid', ...CODE]);

/** Reads a directive, whose marks are those of a fence or three colons and more. */
export function directive(reader: BodyReading, line: SourceLine, marks: string, info: string): boolean {
  const [, name, argument = ''] = /^\{([\w:-]{1,60})\}\s*(.*)$/.exec(info) ?? [];
  if (name === undefined) return false;
  const { writer } = reader;
  const mark = marks.charAt(0);
  const column = writer.column(line.indent);
  if (LITERAL.has(name) || constructOf({ name, argument, options: new Map() }) === undefined) {
    const body = literal(reader, mark, marks.length, line.indent);
    writer.endGroupOf();
    const read = optionsIn(body);
    const made = written({ name, argument, options: read.options }, read.rest);
    if (made) writer.emitBlock(made.length === 0 ? [] : [...made, ''], column);
    else writer.raw([line.text, ...body, marks].join('\n'), column, `{${name}}`);
    return true;
  }
  const before: string[] = [];
  for (let next = reader.peek(); next !== undefined && /^\s*:[\w-]+:/.test(next); next = reader.peek()) {
    before.push(next);
    reader.next();
  }
  const given = { name, argument, options: optionsIn(before).options };
  writer.open(constructOf(given) ?? TRANSPARENT, {
    kind: 'colons',
    name: '',
    indent: line.indent,
    strip: 0,
    mark,
    length: marks.length,
  });
  if (argument !== '' && hintStyle(name) !== undefined && name !== 'admonition' && !isVersion(name))
    reader.text({ indent: line.indent, text: argument });
  return true;
}

const VERSIONS: Readonly<Record<string, string>> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
};

function isVersion(name: string): boolean {
  return Object.hasOwn(VERSIONS, name);
}

/** The lines of a directive whose content is no Markdown, up to its end. */
function literal(reader: BodyReading, mark: string, length: number, indent: number): string[] {
  const body: string[] = [];
  for (let next = reader.next(); next !== undefined; next = reader.next()) {
    const text = next.trim();
    if (text.length >= length && text === mark.repeat(text.length)) return body;
    body.push(next.slice(Math.min(indent, next.length - next.trimStart().length)));
  }
  return body;
}

function optionsIn(body: readonly string[]): { options: Map<string, string>; rest: string[] } {
  const options = new Map<string, string>();
  let count = 0;
  for (const line of body) {
    const [, key, value = ''] = /^\s*:([\w-]{1,60}):\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) break;
    options.set(key, value.trim());
    count++;
  }
  const rest = body.slice(count);
  const first = rest.findIndex((line) => line.trim() !== '');
  return { options, rest: first === -1 ? [] : rest.slice(first) };
}

/** The lines that a literal directive becomes; undefined for one without a counterpart. */
function written({ name, argument, options }: Given, rest: readonly string[]): string[] | undefined {
  if (DROPPED.has(name)) return [];
  if (CODE.has(name) || name === 'mermaid') {
    const longest = Math.max(2, ...rest.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    const title = options.get('caption') ?? options.get('name');
    const tag =
      title !== undefined || options.has('linenos')
        ? formatTag('code', { title, ...(options.has('linenos') && { lineNumbers: 'true' }) })
        : undefined;
    const lines = [fence + (name === 'mermaid' ? name : argument), ...rest, fence];
    return tag === undefined ? lines : [tag, ...lines, '{% endcode %}'];
  }
  if (name === 'math') return ['$$', ...(argument === '' ? [] : [argument]), ...rest, '$$'];
  if (name === 'include')
    return /\.(?:md|markdown)$/.test(argument) ? [formatTag('include', { src: argument })] : undefined;
  if (name !== 'figure' && name !== 'image') return undefined;
  const width = /^\d+(?:px|%)?$/.exec(options.get('width') ?? '')?.[0];
  const size = width === undefined ? '' : ` width="${width.replace('px', '')}"`;
  const caption = rest.join(' ').trim();
  return [
    `<figure><img src="${escaped(argument)}" alt="${escaped(options.get('alt') ?? '')}"${size}>` +
      `<figcaption>${caption === '' ? '' : `<p>${escaped(caption)}</p>`}</figcaption></figure>`,
  ];
}

/** The construct of a directive whose content is Markdown. */
function constructOf({ name, argument, options }: Given): Construct | undefined {
  const classes = options.get('class')?.split(/\s+/) ?? [];
  const style = hintStyle(name);
  if (style !== undefined) {
    const title = name === 'admonition' ? argument : isVersion(name) ? `${VERSIONS[name] ?? ''} ${argument}` : '';
    if (classes.includes('dropdown')) return details(title === '' ? name : title);
    const styled = classes.map(hintStyle).find((found) => found !== undefined);
    return hint(styled ?? style, title);
  }
  switch (name) {
    case 'tab-set':
      return { ...TRANSPARENT, group: 'tabs' };
    case 'tab-item':
      return tab(argument);
    case 'dropdown':
    case 'details':
      return details(argument === '' ? 'Details' : argument, options.has('open'));
    case 'grid':
      return { ...TRANSPARENT, group: 'cards' };
    case 'grid-item-card':
    case 'card':
      return card(argument, options.get('link'));
    case 'div':
    case 'only':
      return TRANSPARENT;
    default:
      return undefined;
  }
}
