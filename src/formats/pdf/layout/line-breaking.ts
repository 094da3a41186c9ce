import { widthOf, type FaceName } from '../fonts/glyphs.js';
import type { PdfLinkTarget, Picture } from './canvas.js';
import type { Strip } from './strip.js';
import { LEADING, LINK, PALE } from './theme.js';

/** The appearance of a text. */
export interface TextStyle {
  readonly face: FaceName;
  readonly size: number;
  readonly color: string;
  readonly ground?: string;
  readonly hasFrame?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  /** Points above the base line. */
  readonly rise?: number;
  readonly link?: PdfLinkTarget;
}

/** A part of a line of text. Line breaks are `\n` in the text. */
export type LinePiece =
  | { readonly text: string; readonly style: TextStyle }
  | { readonly picture: Picture; readonly width: number; readonly height: number; readonly link?: PdfLinkTarget };

export type Alignment = 'start' | 'center' | 'end';

type TextSegment = Extract<LinePiece, { readonly text: string }> & { readonly width: number };
type Segment = TextSegment | Extract<LinePiece, { readonly picture: Picture }>;

interface Line {
  readonly segments: readonly Segment[];
  readonly width: number;
}

interface Breaking {
  readonly width: number;
  /** Keeps all spaces, as code does. */
  readonly isPreformatted?: boolean;
}

const EAST = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef';
const SPACE = '\\t \\u1680\\u2000-\\u200b';
/** Lines break between East Asian characters, but not before closing nor after opening punctuation. */
const OPENING = '（「『【《〈〔［｛';
const CLOSING = '、。，．：；？！）」』】》〉〕］｝ー々％ぁぃぅぇぉっゃゅょァィゥェォッャュョ';
/** Words and runs of spaces are split, so that one of a million characters costs no more than others. */
const TOKEN = new RegExp(
  `\\n|[${SPACE}]{1,200}|[${OPENING}]{0,20}[${EAST}][${CLOSING}]{0,20}|[^\\n${SPACE}${EAST}]{1,200}`,
  'gu',
);
const IS_SPACE = new RegExp(`^[${SPACE}]`, 'u');
const IS_EAST = new RegExp(`[${EAST}]`, 'u');
const CAN_END_WITH = /[-/?&=.,_:;|@)\]]/;

/**
 * Characters that would be shown as boxes, or not at all; those between and after the parts of emoji are among them.
 */
const UNSHOWN = /(?![\n\u200b])[\p{Cc}\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}]/gu;

/** Text for typesetting: composed, without invisible characters. */
export function settable(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '    ').replace(UNSHOWN, '');
}

/** Breaks pieces into lines lazily, one at a time. */
export function* breakLines(pieces: Iterable<LinePiece>, { width, isPreformatted = false }: Breaking): Generator<Line> {
  const breaker = new LineBreaker(width, isPreformatted);
  for (const piece of pieces) {
    if (!('text' in piece)) {
      const scale = Math.min(1, width / piece.width);
      breaker.addWord({ ...piece, width: piece.width * scale, height: piece.height * scale });
      yield* breaker.take();
      continue;
    }
    for (const [token] of settable(piece.text).matchAll(TOKEN)) {
      if (token === '\n') breaker.breakLine();
      else if (IS_SPACE.test(token)) breaker.addSpace(segment(token, piece.style));
      else {
        const isEast = IS_EAST.test(token);
        if (isEast) breaker.endWord();
        breaker.addWord(segment(token, piece.style));
        if (isEast) breaker.endWord();
      }
      yield* breaker.take();
    }
  }
  breaker.breakLine();
  yield* breaker.take();
}

function segment(text: string, style: TextStyle): TextSegment {
  return { text, style, width: widthOf(style.face, text, style.size) };
}

class LineBreaker {
  private line: Segment[] = [];
  private lineWidth = 0;
  private spaces: Segment[] = [];
  private spaceWidth = 0;
  private word: Segment[] = [];
  private wordWidth = 0;
  private lines: Line[] = [];

  constructor(
    private readonly width: number,
    private readonly isPreformatted: boolean,
  ) {}

  *take(): Generator<Line> {
    const lines = this.lines;
    if (lines.length === 0) return;
    this.lines = [];
    yield* lines;
  }

  addSpace(space: Segment): void {
    this.endWord();
    this.spaces.push(space);
    this.spaceWidth += space.width;
  }

  addWord(part: Segment): void {
    this.word.push(part);
    this.wordWidth += part.width;
    if (this.wordWidth > this.width) this.endWord();
  }

  /** Puts the word on the line, or on a new one if it does not fit. */
  endWord(): void {
    if (this.word.length === 0) return;
    if (
      this.lineWidth + this.spaceWidth + this.wordWidth > this.width &&
      (this.line.length > 0 || (this.isPreformatted && this.spaceWidth > 0))
    )
      this.wrap();
    this.putSpaces();
    for (const part of this.word) this.put(part);
    this.word = [];
    this.wordWidth = 0;
  }

  breakLine(): void {
    this.endWord();
    if (this.isPreformatted) this.putSpaces();
    this.finish();
  }

  private wrap(): void {
    if (this.line.length === 0 && this.isPreformatted) return;
    // Spaces at a line break belong to neither line.
    this.finish();
  }

  private finish(): void {
    this.lines.push({ segments: this.line, width: this.lineWidth });
    this.line = [];
    this.lineWidth = 0;
    this.spaces = [];
    this.spaceWidth = 0;
  }

  private putSpaces(): void {
    if (this.line.length > 0 || this.isPreformatted) for (const space of this.spaces) this.put(space);
    this.spaces = [];
    this.spaceWidth = 0;
  }

  /** Adds a part to the line; a part that is too wide for any line is divided. */
  private put(part: Segment): void {
    let rest = part;
    while ('text' in rest && this.lineWidth + rest.width > this.width + 0.01) {
      const room = this.width - this.lineWidth;
      const count = fitting(rest.text, rest.style, room, this.line.length === 0);
      if (count > 0) {
        this.line.push(segment(rest.text.slice(0, count), rest.style));
        this.lineWidth += this.line.at(-1)?.width ?? 0;
      }
      this.finish();
      if (count === rest.text.length) return;
      rest = segment(rest.text.slice(count), rest.style);
    }
    this.line.push(rest);
    this.lineWidth += rest.width;
  }
}

/**
 * The number of characters that fit into a width: preferably up to a character after which words may break, and at
 * least one on an empty line.
 */
function fitting(text: string, style: TextStyle, room: number, atStart: boolean): number {
  let width = 0;
  let count = 0;
  let best = 0;
  for (const character of text) {
    width += widthOf(style.face, character, style.size);
    if (width > room && !(atStart && count === 0)) break;
    count += character.length;
    if (CAN_END_WITH.test(character)) best = count;
  }
  return best > count / 2 ? best : count;
}

/** The lines of a text as strips of their heights, aligned in a width. */
export function* textStrips(
  pieces: Iterable<LinePiece>,
  width: number,
  options: {
    readonly align?: Alignment;
    readonly isPreformatted?: boolean;
    readonly size: number;
    readonly leading?: number;
  },
): Generator<Strip> {
  const { align = 'start', isPreformatted = false, size, leading = LEADING } = options;
  const waiting: Strip[] = [];
  let isFirst = true;
  for (const line of breakLines(pieces, { width, isPreformatted })) {
    waiting.push(
      lineStrip(line, size, leading, align === 'start' ? 0 : (width - line.width) / (align === 'center' ? 2 : 1)),
    );
    const [strip] = waiting;
    if (!strip || waiting.length < 3) continue;
    yield isFirst && !isPreformatted ? { ...strip, keep: true } : strip;
    isFirst = false;
    waiting.shift();
  }
  // The first two lines stay together, and so do the last two.
  const [last, end] = waiting;
  if (last) yield end && !isPreformatted ? { ...last, keep: true } : last;
  if (end) yield end;
}

function lineStrip({ segments }: Line, size: number, leading: number, indent: number): Strip {
  const runs = merged(segments);
  const textSize = runs.reduce((largest, run) => ('text' in run ? Math.max(largest, run.style.size) : largest), size);
  const pictureHeight = runs.reduce((largest, run) => ('text' in run ? largest : Math.max(largest, run.height)), 0);
  const lead = textSize * leading;
  const height = Math.max(lead, pictureHeight + lead - textSize + 1);
  const baseline = height - lead + (lead + textSize * 0.72) / 2;
  return {
    height,
    baseline,
    paint: async (canvas, x, y) => {
      let left = x + indent;
      for (const run of runs) {
        if ('text' in run) paintRun(canvas, run, left, y + baseline);
        else {
          await canvas.picture(run.picture, left, y + baseline - run.height + 1, run.width, run.height);
          if (run.link) canvas.link(left, y, run.width, height, run.link);
        }
        left += run.width;
      }
    },
  };
}

function paintRun(
  canvas: Parameters<Strip['paint']>[0],
  { text, style, width }: TextSegment,
  x: number,
  line: number,
): void {
  const baseline = line - (style.rise ?? 0);
  if (style.ground !== undefined)
    canvas.fill(x - 1, baseline - style.size * 0.98, width + 2, style.size * 1.3, style.ground);
  if (style.hasFrame) canvas.frame(x - 1, baseline - style.size * 0.98, width + 2, style.size * 1.3, PALE);
  if (text.trim() !== '') canvas.text({ text, face: style.face, size: style.size, color: style.color }, x, baseline);
  if (style.isStruck)
    canvas.line(x, baseline - style.size * 0.28, x + width, baseline - style.size * 0.28, style.color, 0.6);
  if (style.isUnderlined)
    canvas.line(
      x,
      baseline + style.size * 0.14,
      x + width,
      baseline + style.size * 0.14,
      style.color === LINK ? LINK : style.color,
      0.5,
    );
  if (style.link) canvas.link(x, baseline - style.size, width, style.size * 1.3, style.link);
}

/** Joins neighbouring runs of one style. */
function merged(segments: readonly Segment[]): Segment[] {
  const runs: Segment[] = [];
  for (const next of segments) {
    const last = runs.at(-1);
    if (last && 'text' in last && 'text' in next && last.style === next.style)
      runs[runs.length - 1] = { ...last, text: last.text + next.text, width: last.width + next.width };
    else runs.push(next);
  }
  return runs;
}
