import type { FrameWriter } from './frames.js';

/** A line without its indentation, which is in columns. */
export interface SourceLine {
  readonly indent: number;
  readonly text: string;
}

/** The part of the reader of a page that the readers of components and directives use. */
export interface BodyReading {
  readonly writer: FrameWriter;
  /** Contents of other files that the page names as components. */
  readonly partials: Map<string, string>;
  /** The next line; undefined behind the last one. */
  next(): string | undefined;
  /** A line that comes so many lines later. */
  peek(ahead?: number): string | undefined;
  /** Reads the content of a line, which may hold several constructs. */
  content(line: SourceLine): void;
  text(line: SourceLine): void;
  /** Keeps code of the page as it is written, behind everything else: the title stands first. */
  keepForEnd(source: string): void;
}
