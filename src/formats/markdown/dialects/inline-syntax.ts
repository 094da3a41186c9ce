import type { Dialect } from './dialect.js';
import { readJsxTag, type JsxTag } from './jsx-tag.js';
import { lineParts, type LinePart } from './line-parts.js';

/** The facts of a page that its lines depend on. */
export interface InlineFacts {
  readonly dialect: Dialect;
  /** Targets that the page defines itself. */
  readonly labels: ReadonlySet<string>;
  /** Called for markup in a line that has no counterpart. */
  readonly report: (markup: string) => void;
}

/** The prefix of references to other pages, whose targets only the whole folder knows. */
export const LABELS = '~ref/';

/** A line of text in our own dialect. Code in it stays as it is. */
export function inlineText(line: string, facts: InlineFacts): string {
  const { dialect } = facts;
  const parts = lineParts(line);
  return parts
    .map((part, index) => {
      if (part.code) return dialect.directives ? roleOf(parts[index - 1], part, facts) : part.value;
      return textOf(part.value, parts[index + 1], facts);
    })
    .join('');
}

const ROLE = /\{([A-Za-z][\w:+-]{0,40})\}$/;
/** The title and the target of `title <target>`. */
const TITLED = /^([^<]{0,300})<([^<>]{1,500})>$/;

function textOf(text: string, next: LinePart | undefined, facts: InlineFacts): string {
  const { dialect } = facts;
  let made = text;
  if (dialect.directives && next?.code && wordOf(made, next.value, { ...facts, report: () => undefined }) !== undefined)
    made = made.replace(ROLE, '');
  if (dialect.wikiLinks) made = made.replace(/\[\[([^\][\n]{1,300})\]\]/g, (_all, inside: string) => wikiLink(inside));
  if (dialect.attributes) made = attributesIn(made, facts);
  if (dialect.components && made.includes('<')) made = componentsIn(made, facts);
  if (dialect.components) made = made.replace(/\{\/\*((?:[^*]|\*(?!\/)){0,2000})\*\/\}/g, '<!--$1-->');
  return made;
}

function roleOf(before: LinePart | undefined, part: LinePart, facts: InlineFacts): string {
  return (before && !before.code ? wordOf(before.value, part.value, facts) : undefined) ?? part.value;
}

/** The meaning of code with a role; undefined for code without a role that is known. */
function wordOf(before: string, code: string, { labels, report }: InlineFacts): string | undefined {
  const role = ROLE.exec(before)?.[1];
  if (role === undefined) return undefined;
  const inside = code.replace(/^`+|`+$/g, '').trim();
  const [, title, address] = TITLED.exec(inside) ?? [];
  const target = address ?? inside;
  const shown = title?.trim() || target;
  switch (role) {
    case 'doc':
      return `[${shown}](${/\.\w+$/.test(target) ? target : `${target}.md`})`;
    case 'download':
      return `[${shown}](${target})`;
    case 'ref':
    case 'numref':
      return `[${shown}](${labels.has(target) ? '#' : `/${LABELS}`}${target.toLowerCase()})`;
    case 'kbd':
      return `<kbd>${inside}</kbd>`;
    case 'guilabel':
    case 'menuselection':
      return `**${inside}**`;
    case 'term':
    case 'abbr':
      return shown;
    case 'sub':
    case 'sup':
      return `<${role}>${inside}</${role}>`;
    case 'math':
      return `$$${inside}$$`;
    case 'command':
    case 'file':
    case 'code':
    case 'envvar':
    case 'option':
    case 'program':
      return code;
    default:
      report(`{${role}}`);
      return undefined;
  }
}

/** `[[Page]]`, `[[title|Page]]` or `[[picture.png]]`. */
function wikiLink(inside: string): string {
  const [title = '', target = title] = inside.split('|').map((part) => part.trim());
  if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(title)) return `![](${encodeURI(title)})`;
  const [page = '', anchor] = target.split('#');
  const address = /^https?:/.test(target) ? target : encodeURI(page.trim().replace(/ /g, '-'));
  return `[${title}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
}

const WITH_ATTRIBUTES = /(!?)\[([^\]\n]{0,300})\]\(([^()\s]{1,500})\)\{:?([^{}\n]{0,200})\}/g;

function attributesIn(text: string, { report }: InlineFacts): string {
  return text
    .replace(WITH_ATTRIBUTES, (all, image: string, words: string, target: string, given: string) => {
      const width = /\bwidth="?(\d+%?)/.exec(given)?.[1];
      if (image !== '')
        return width === undefined ? `![${words}](${target})` : `<img src="${target}" alt="${words}" width="${width}">`;
      if (given.includes('.md-button'))
        return `<a href="${target}" class="button ${given.includes('primary') ? 'primary' : 'secondary'}">${words}</a>`;
      if (!/\btarget=/.test(given)) report(given.trim());
      return all.slice(0, all.lastIndexOf('{'));
    })
    .replace(/\+\+([a-z0-9][a-z0-9+ -]{0,60})\+\+/gi, (_all, keys: string) =>
      keys
        .split('+')
        .map((key) => `<kbd>${key.charAt(0).toUpperCase()}${key.slice(1)}</kbd>`)
        .join('+'),
    )
    .replace(/==([^=\n]{1,300})==/g, '<mark style="background-color:yellow;">$1</mark>')
    .replace(/:(?:material|fontawesome-(?:solid|regular|brands)|octicons|simple)-([a-z0-9-]{1,60}):/g, (_all, name) =>
      iconTag(String(name).replace(/-(?:16|24)$/, '')),
    );
}

export function iconTag(name: string): string {
  return `<i class="fa-${name}">:${name}:</i>`;
}

/** Components that stand in a line; each says what stands before and after its content. */
const INLINE: Readonly<Record<string, (tag: JsxTag) => readonly [string, string]>> = {
  Icon: ({ attributes }) => {
    const name = attributes.get('icon') ?? attributes.get('name');
    return [typeof name === 'string' && /^[a-z0-9-]+$/.test(name) ? iconTag(name) : '', ''];
  },
  Tooltip: ({ attributes }) => ['', typeof attributes.get('tip') === 'string' ? ` (${attributes.get('tip')})` : ''],
  Badge: ({ attributes }) => {
    const text = attributes.get('text');
    return typeof text === 'string' ? [`**${text}**`, ''] : ['**', '**'];
  },
  Kbd: () => ['<kbd>', '</kbd>'],
  Link: ({ attributes }) => [`<a href="${String(attributes.get('to') ?? attributes.get('href') ?? '')}">`, '</a>'],
  LinkButton: ({ attributes }) => [`<a href="${String(attributes.get('href') ?? '')}" class="button primary">`, '</a>'],
};

export function isInlineComponent(name: string): boolean {
  return Object.hasOwn(INLINE, name);
}

/** Components in a line, and pictures whose source is an expression. */
function componentsIn(text: string, { report }: InlineFacts): string {
  const open: { readonly name: string; readonly after: string }[] = [];
  let made = '';
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', Math.max(at + 1, from))) {
    if (!/[A-Zi/]/.test(text.charAt(at + 1))) continue;
    const read = readJsxTag(text, at);
    if (read === undefined) continue;
    const { tag, end } = read;
    const replaced = replacementOf(tag, open);
    if (replaced === undefined) {
      if (/^[A-Z]/.test(tag.name) && !tag.closes) report(tag.raw);
      made += text.slice(from, end);
      from = end;
      continue;
    }
    made += text.slice(from, at) + replaced;
    from = end;
  }
  return made + text.slice(from);
}

function replacementOf(tag: JsxTag, open: { readonly name: string; readonly after: string }[]): string | undefined {
  if (tag.name === 'img' && !tag.closes && tag.raw.includes('={')) {
    const shown = [...tag.attributes].filter(([name]) => ['src', 'alt', 'width', 'height'].includes(name));
    return `<img ${shown.map(([name, value]) => `${name}="${String(value)}"`).join(' ')}>`;
  }
  if (!isInlineComponent(tag.name)) return undefined;
  if (tag.closes) {
    const index = open.findLastIndex(({ name }) => name === tag.name);
    return index === -1 ? '' : (open.splice(index, 1)[0]?.after ?? '');
  }
  const [before, after] = INLINE[tag.name]?.(tag) ?? ['', ''];
  if (tag.selfClosing) return before + after;
  open.push({ name: tag.name, after });
  return before;
}
