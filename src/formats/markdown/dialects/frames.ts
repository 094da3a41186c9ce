import { RAW_SYNTAX } from '../../document/types.js';
import { GROUPS, type Construct, type Group } from './components.js';

/** A construct that is open. */
export interface Frame {
  readonly kind: 'colons' | 'indented' | 'component' | 'quote' | 'implied';
  /** The name of a component, '' for others. */
  readonly name: string;
  /** The column at which it begins in the source. */
  readonly indent: number;
  /** The columns that its content loses; undefined until its first line is known. */
  strip: number | undefined;
  /** The character and the number of marks that end it. */
  readonly mark?: string;
  readonly length?: number;
  readonly close: readonly string[];
  readonly group?: Group;
  /** True while the lines around a group are written. */
  begun?: boolean;
}

/** More constructs in each other are text. */
const MAX_FRAMES = 40;

/** Writes the lines of a page in our own dialect, with the line of the source that each comes from. */
export class FrameWriter {
  readonly lines: string[] = [];
  readonly origins: number[] = [];
  readonly problems: { readonly line: number; readonly message: string }[] = [];
  readonly frames: Frame[] = [];
  /** The line of the source that is read, from 1. */
  line = 0;

  /** True if no further construct can be opened. */
  get isFull(): boolean {
    return this.frames.length >= MAX_FRAMES;
  }

  get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** The columns that a line loses because of all constructs around it. */
  get stripped(): number {
    return this.frames.reduce((sum, { strip = 0 }) => sum + strip, 0);
  }

  /** The column at which a construct begins in what is written, by the one in the source. */
  column(indent: number): number {
    return Math.max(0, indent - this.stripped);
  }

  emit(text: string, column = 0): void {
    this.lines.push(text === '' ? '' : ' '.repeat(column) + text);
    this.origins.push(this.line);
  }

  /** Lines with an empty one before them, so that they begin a block. */
  emitBlock(lines: readonly string[], column: number): void {
    if (lines.length === 0) return;
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.emit('');
    for (const line of lines) this.emit(line, column);
  }

  /** Keeps markup as it is written, and reports it. */
  raw(source: string, column: number, name = source.split('\n', 1)[0] ?? ''): void {
    this.report(name);
    this.keep(source, column);
  }

  keep(source: string, column: number): void {
    const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    this.emitBlock([fence + RAW_SYNTAX, ...source.split('\n'), fence, ''], column);
  }

  report(markup: string): void {
    this.problems.push({
      line: this.line,
      message: `${markup.slice(0, 100)} is not supported and is kept verbatim`,
    });
  }

  /** Opens a construct; the group that it is a part of is begun, and made where it is missing. */
  open(construct: Construct, frame: Omit<Frame, 'close'>): void {
    const { indent } = frame;
    if (construct.within) this.beginGroup(construct.within, indent);
    else this.endGroupOf();
    this.emitBlock(construct.open, this.column(indent));
    this.frames.push({ ...frame, close: construct.close, ...(construct.group && { group: construct.group }) });
  }

  /** A construct that ends at once. */
  openAndClose(construct: Construct, indent: number): void {
    this.open(construct, { kind: 'implied', name: '', indent, strip: 0 });
    this.pop();
    if (this.top?.kind === 'implied') this.pop();
  }

  beginGroup(group: Group, indent: number): void {
    if (this.top?.group !== group && !(group === 'tabs' && this.top?.group === 'codes'))
      this.frames.push({ kind: 'implied', name: '', indent, strip: 0, close: [], group });
    const { top } = this;
    if (!top || top.begun) return;
    top.begun = true;
    this.emitBlock([GROUPS[group][0]], this.column(top.indent));
  }

  /** Ends the lines around a group before content that is none of its parts. */
  endGroupOf(): void {
    while (this.top?.kind === 'implied') this.pop();
    const { top } = this;
    if (!top?.group || !top.begun) return;
    top.begun = false;
    this.emitBlock([GROUPS[top.group][1], ''], this.column(top.indent));
  }

  /** Ends the innermost construct. */
  pop(): void {
    const { top } = this;
    if (!top) return;
    const column = Math.max(0, top.indent - this.stripped + (top.strip ?? 0));
    if (top.group && top.begun) this.emitBlock([GROUPS[top.group][1], ''], column);
    this.frames.pop();
    const [first, ...rest] = top.close;
    if (first === undefined) return;
    this.emit(first, column);
    for (const line of rest) this.emit(line, column);
    this.emit('');
  }

  /** Ends constructs until so many are left. */
  popTo(count: number): void {
    while (this.frames.length > count) this.pop();
  }
}
