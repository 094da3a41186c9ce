import { blockComponents } from './block-components.js';
import { card, details, hint, tab, TRANSPARENT, type Construct } from './components.js';
import { hintStyle, type Dialect } from './dialect.js';
import type { BodyReading, SourceLine } from './body-reading.js';
import { directive, TARGET_LINE, targetNames } from './directives.js';
import { readFence } from './fence-info.js';
import { FrameWriter } from './frames.js';
import { inlineText, type InlineFacts } from './inline-syntax.js';

/** The body of a page in our own dialect. */
export interface RewrittenBody {
  readonly body: string;
  /** The line of the source that each line comes from, both from 1. */
  readonly origins: readonly number[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Rewrites the constructs of another tool, line by line, in time proportional to the length of the source. What has no
 * counterpart is kept as it is written.
 */
export function rewriteBody(source: string, dialect: Dialect): RewrittenBody {
  const reader = new BodyReader(source.split(/\r?\n/), dialect);
  reader.read();
  const { lines, origins, problems } = reader.writer;
  return { body: lines.join('\n'), origins, problems };
}

interface OpenFence {
  readonly mark: string;
  readonly length: number;
  readonly strip: number;
  readonly column: number;
  /** Lines behind it. */
  readonly after: readonly string[];
}

class BodyReader implements BodyReading {
  readonly writer = new FrameWriter();
  readonly facts: InlineFacts;
  /** Contents of other files that the page names as components. */
  readonly partials = new Map<string, string>();
  private readonly last: { readonly line: number; readonly source: string }[] = [];
  private fence: OpenFence | undefined;
  private at = 0;
  /** The anchor of the next heading. */
  private anchor: string | undefined;

  constructor(
    private readonly source: readonly string[],
    readonly dialect: Dialect,
  ) {
    const labels = dialect.directives ? targetNames(source) : new Set<string>();
    this.facts = { dialect, labels, report: (markup) => this.writer.report(markup) };
  }

  read(): void {
    for (let line = this.next(); line !== undefined; line = this.next()) this.line(line);
    this.endFence();
    this.writer.popTo(0);
    for (const { line, source } of this.last) {
      this.writer.line = line;
      this.writer.keep(source, 0);
    }
  }

  /** Keeps code of the page as it is written, behind everything else: the title stands first. */
  keepForEnd(source: string): void {
    this.writer.report(source);
    this.last.push({ line: this.writer.line, source });
  }

  /** The next line; undefined behind the last one. */
  next(): string | undefined {
    const line = this.source[this.at];
    if (line !== undefined) this.writer.line = ++this.at;
    return line;
  }

  /** A line that comes so many lines later. */
  peek(ahead = 0): string | undefined {
    return this.source[this.at + ahead];
  }

  private line(written: string): void {
    const { writer } = this;
    const line = measured(this.unquoted(written));
    if (this.fence && !this.leavesFence(line)) {
      this.fenceLine(this.fence, line);
      return;
    }
    if (line.text === '') {
      writer.emit('');
      return;
    }
    this.closeByIndentation(line);
    const { top } = writer;
    if (top && top.strip === undefined) top.strip = Math.max(0, line.indent - top.indent);
    this.content(line);
  }

  /** Reads the content of a line, which may hold several constructs. */
  content(line: SourceLine): void {
    if (this.beginFence(line) || this.script(line) || this.block(line)) return;
    this.text(line);
  }

  text({ indent, text }: SourceLine): void {
    const { writer, dialect } = this;
    writer.endGroupOf();
    const label = dialect.directives ? TARGET_LINE.exec(text)?.[1] : undefined;
    if (label !== undefined) {
      this.anchor = label.toLowerCase();
      return;
    }
    writer.emit(this.heading(inlineText(text, this.facts)), writer.column(indent));
  }

  private heading(text: string): string {
    if (!/^#{1,6}\s/.test(text)) return text;
    const { anchor } = this;
    this.anchor = undefined;
    const brace = this.dialect.headingIds ? text.lastIndexOf('{') : -1;
    const own = brace === -1 ? undefined : /^\{:?\s*#([\w:.-]+)[^{}]*\}\s*$/.exec(text.slice(brace))?.[1];
    const id = own ?? anchor;
    if (id === undefined) return text;
    const words = own === undefined ? text : text.slice(0, brace);
    return `${words.trimEnd()} <a href="#${id}" id="${id}"></a>`;
  }

  /** A script or a style sheet is no text. */
  private script({ indent, text }: SourceLine): boolean {
    const name = /^<(script|style)[\s>]/i.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    const { writer } = this;
    writer.endGroupOf();
    writer.emitBlock([text], writer.column(indent));
    for (let line: string | undefined = text; line !== undefined && !line.toLowerCase().includes(`</${name}>`);) {
      line = this.next();
      if (line !== undefined) writer.emit(line);
    }
    return true;
  }

  private block(line: SourceLine): boolean {
    const { dialect, writer } = this;
    if (writer.isFull) return false;
    return (
      (line.text.startsWith(':::') && this.colons(line)) ||
      (dialect.indented === true && this.indented(line)) ||
      (dialect.alerts === true && this.alert(line)) ||
      (dialect.asides === true && this.aside(line, /^<(aside)>/i, 'aside')) ||
      (dialect.callouts === true && this.aside(line, /^<p class="callout (info|success|warning|danger)">/i, 'p')) ||
      (dialect.components === true && blockComponents(this, line))
    );
  }

  private colons(line: SourceLine): boolean {
    const { dialect, writer } = this;
    if (!dialect.colons) return false;
    const [, marks = '', rest = ''] = /^(:{3,})\s*(.*)$/.exec(line.text) ?? [];
    if (rest === '') return this.endMarked(':', marks.length);
    if (dialect.directives && rest.startsWith('{')) return directive(this, line, marks, rest);
    const [, name = '', given = ''] = /^([A-Za-z][\w-]*)\s*(.*)$/.exec(rest) ?? [];
    if (name === '') return false;
    const frame = { kind: 'colons', name: '', indent: line.indent, strip: 0, mark: ':', length: marks.length } as const;
    const construct = containerOf(name, titleIn(given));
    if (construct) writer.open(construct, frame);
    else {
      writer.raw(line.text, writer.column(line.indent));
      writer.open({ open: [], close: ['```gitbook-raw', marks, '```'] }, frame);
    }
    return true;
  }

  /** Ends the innermost construct that so many marks end, with all inside of it. */
  endMarked(mark: string, length: number): boolean {
    const { frames } = this.writer;
    const index = frames.findLastIndex((frame) => frame.mark === mark && (frame.length ?? 0) <= length);
    if (index === -1) return false;
    this.writer.popTo(index);
    return true;
  }

  private indented({ indent, text }: SourceLine): boolean {
    const { writer } = this;
    const frame = { kind: 'indented', name: '', indent, strip: 4 } as const;
    const [, title] = /^===[!+]{0,2}\s+"(.*)"\s*$/.exec(text) ?? [];
    if (title !== undefined) {
      writer.open(tab(title), frame);
      return true;
    }
    const [, marks, names = '', given] = /^(!!!|\?\?\?\+?)\s+([\w-]+(?: [\w-]+)*)(?:\s+"(.*)")?\s*$/.exec(text) ?? [];
    if (marks === undefined) return false;
    const [name = ''] = names.split(' ');
    const construct =
      marks === '!!!'
        ? hint(hintStyle(name) ?? 'info', given)
        : details(given ?? name.charAt(0).toUpperCase() + name.slice(1), marks.endsWith('+'));
    writer.open(construct, frame);
    return true;
  }

  private alert({ indent, text }: SourceLine): boolean {
    const [, name] = /^>\s*\[!(\w+)\]\s*$/.exec(text) ?? [];
    const style = name === undefined ? undefined : hintStyle(name);
    if (style === undefined) return false;
    this.writer.open(hint(style), { kind: 'quote', name: '', indent, strip: 0 });
    return true;
  }

  /** An element that is a hint, whose style its tag may name. */
  private aside({ indent, text }: SourceLine, tag: RegExp, name: 'aside' | 'p'): boolean {
    const { writer } = this;
    const [opening, style = ''] = tag.exec(text) ?? [];
    if (opening !== undefined) {
      const isStyle = ['success', 'warning', 'danger'].includes(style);
      writer.open(hint(isStyle ? style : 'info'), { kind: 'component', name, indent, strip: 0 });
      const rest = text.slice(opening.length).trim();
      if (rest !== '') this.content({ indent, text: rest });
      return true;
    }
    const end = `</${name}>`;
    if (!text.trimEnd().toLowerCase().endsWith(end)) return false;
    const index = writer.frames.findLastIndex((frame) => frame.name === name);
    if (index === -1) return false;
    const rest = text.slice(0, text.toLowerCase().lastIndexOf(end)).trim();
    if (rest !== '') this.text({ indent, text: rest });
    writer.popTo(index);
    return true;
  }

  /** A line without the marks of the alert around it; a line that has none ends the alert. */
  private unquoted(written: string): string {
    const { writer } = this;
    const index = writer.frames.findIndex(({ kind }) => kind === 'quote');
    if (index === -1) return written;
    const [marks] = /^\s*> ?/.exec(written) ?? [];
    if (marks !== undefined) return written.slice(marks.length);
    this.endFence();
    writer.popTo(index);
    return written;
  }

  /** Ends constructs whose content is indented, at a line that is less so. */
  private closeByIndentation(line: SourceLine): void {
    const { writer } = this;
    const index = writer.frames.findIndex(({ kind, indent }) => kind === 'indented' && line.indent < indent + 4);
    if (index === -1) return;
    writer.popTo(index);
    // The tabs that are open go on only with another tab.
    while (writer.top?.kind === 'implied' && !(writer.top.indent === line.indent && line.text.startsWith('===')))
      writer.pop();
  }

  private beginFence(line: SourceLine): boolean {
    const { writer, dialect } = this;
    const [, marks = '', info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(line.text) ?? [];
    const mark = marks.charAt(0);
    if (marks === '' || (mark === '`' && info.includes('`'))) return false;
    if (dialect.directives && info.trim() === '' && this.endMarked(mark, marks.length)) return true;
    if (dialect.directives && /^\{[A-Za-z]/.test(info.trim()) && !writer.isFull)
      return directive(this, line, marks, info.trim());
    const bare = dialect.components === true && dialect.colons !== true;
    const { info: own, title, tag } = readFence(info, bare);
    const isPart = writer.top?.group === 'codes';
    if (isPart) writer.beginGroup('tabs', line.indent);
    else writer.endGroupOf();
    const column = writer.column(line.indent);
    if (isPart) writer.emitBlock(tab(title ?? (own === '' ? 'Code' : own)).open, column);
    else if (tag !== undefined) writer.emitBlock([tag], column);
    writer.emit(marks + own, column);
    this.openFence(marks, column, isPart ? ['{% endtab %}'] : tag === undefined ? [] : ['{% endcode %}']);
    return true;
  }

  /** The lines that follow are code, up to the marks that end it. */
  private openFence(marks: string, column: number, after: readonly string[]): void {
    const { stripped } = this.writer;
    this.fence = { mark: marks.charAt(0), length: marks.length, strip: stripped, column, after };
  }

  private leavesFence({ indent, text }: SourceLine): boolean {
    const { frames } = this.writer;
    const isOutside = text !== '' && frames.some((frame) => frame.kind === 'indented' && indent < frame.indent + 4);
    if (isOutside) this.endFence();
    return isOutside;
  }

  private fenceLine({ mark, length, strip, column }: OpenFence, { indent, text }: SourceLine): void {
    const marks = /^(?:`{3,}|~{3,})$/.exec(text.trimEnd())?.[0];
    if (marks?.startsWith(mark) && marks.length >= length && indent - strip - column <= 3) this.endFence();
    else this.writer.emit(text, Math.max(0, indent - strip));
  }

  private endFence(): void {
    const { fence, writer } = this;
    if (!fence) return;
    this.fence = undefined;
    writer.emit(fence.mark.repeat(fence.length), fence.column);
    for (const line of fence.after) writer.emit(line, fence.column);
    if (fence.after.length > 0) writer.emit('');
  }
}

/** The indentation of a line in columns, and the rest of it. */
function measured(line: string): SourceLine {
  const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
  const text = line.slice(blanks.length);
  return { indent: blanks.includes('\t') ? blanks.replaceAll('\t', '    ').length : blanks.length, text };
}

/** `Title`, `[Title]` or `{title="Title"}`. */
function titleIn(given: string): string {
  if (given.startsWith('[')) return given.slice(1, given.lastIndexOf(']') === -1 ? undefined : given.lastIndexOf(']'));
  if (given.startsWith('{')) return /title="([^"]*)"/.exec(given)?.[1] ?? '';
  return given;
}

/** The construct of a container; undefined for one that has no counterpart. */
function containerOf(name: string, title: string): Construct | undefined {
  const style = hintStyle(name);
  if (style !== undefined) return hint(style, title);
  switch (name) {
    case 'details':
      return details(title === '' ? 'Details' : title);
    case 'code-group':
      return { ...TRANSPARENT, group: 'codes' };
    case 'steps':
    case 'raw':
    case 'v-pre':
      return TRANSPARENT;
    case 'card':
      return card(title, undefined);
    default:
      return undefined;
  }
}
