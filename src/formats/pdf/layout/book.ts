import { anchorsOf } from '../../document/anchors.js';
import type { Document } from '../../document/types.js';
import { widthOf } from '../fonts/glyphs.js';
import type { PdfLinkTarget, Picture } from './canvas.js';
import { layoutBlocks } from './blocks/all.js';
import { pictureStrips } from './blocks/media.js';
import { wordStrips } from './blocks/text.js';
import { settable } from './line-breaking.js';
import type { PdfOutlineEntry, PdfFacts, PdfFile } from './pdf-file.js';
import {
  PLAIN_STYLE,
  styled,
  type PdfFootnote,
  type LayoutContext,
  type PdfReferenceResolver,
} from './layout-context.js';
import { Sheets } from './sheets.js';
import { decorated, gap, type Strip, type Strips } from './strip.js';
import { CONTENT_HEIGHT, CONTENT_WIDTH, GREY, INK, PALE, SHEET, SMALL_SIZE } from './theme.js';

/** One page of a space. Groups have no sheets of their own, and links appear in the contents only. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  /** 0 at the top. */
  readonly level: number;
  readonly kind: 'page' | 'group' | 'link';
  readonly description?: string;
  readonly target?: PdfLinkTarget;
}

export interface ChapterBody {
  readonly document: Document;
  readonly resolver: PdfReferenceResolver;
  readonly cover?: Picture;
}

/** The content of a PDF. */
export interface Book extends PdfFacts {
  readonly subtitle?: string;
  /** In display order. */
  readonly chapters: readonly Chapter[];
  /** True if a title and contents precede the chapters. */
  readonly hasFront: boolean;
  body(chapter: Chapter): Promise<ChapterBody>;
}

const FRAME = { left: SHEET.left, top: SHEET.top, height: CONTENT_HEIGHT };
const ENTRY_HEIGHT = 15;
const CONTENTS_HEADING = 40;
const ENTRIES_ON_FIRST = Math.floor((CONTENT_HEIGHT - CONTENTS_HEADING) / ENTRY_HEIGHT);
const ENTRIES_ON_OTHERS = Math.floor(CONTENT_HEIGHT / ENTRY_HEIGHT);
const DEEPEST_INDENT = 8;
const COVER_HEIGHT = 150;

const EMPTY: PdfReferenceResolver = { reference: () => ({}), picture: () => undefined, reusable: () => undefined };
const BARE: LayoutContext = {
  resolver: EMPTY,
  places: new Map(),
  notes: [],
  reused: { count: 0 },
  style: PLAIN_STYLE,
  within: [],
  blocks: layoutBlocks,
};

/** Paints a book; the file still has to be ended. Each page begins on a sheet of its own. */
export async function paintBook(file: PdfFile, book: Book): Promise<void> {
  const writer = new BookWriter(file, book);
  if (book.hasFront) await writer.title();
  await writer.chapters();
  if (book.hasFront) await writer.contents();
}

class BookWriter {
  private readonly sheets: Sheets;
  private readonly front: number;
  /** The first sheet of each chapter; 0 for none. */
  private readonly begins: number[] = [];
  private readonly outline: (PdfOutlineEntry | undefined)[] = [];

  constructor(
    private readonly file: PdfFile,
    private readonly book: Book,
  ) {
    const beyond = Math.max(0, book.chapters.length - ENTRIES_ON_FIRST);
    this.front = book.hasFront ? 2 + Math.ceil(beyond / ENTRIES_ON_OTHERS) : 0;
    this.sheets = new Sheets({ canvas: file, turn: () => file.turn(), next: () => this.nextSheet() }, FRAME);
  }

  /** The first sheet. */
  async title(): Promise<void> {
    const { title, subtitle, madeAt } = this.book;
    await this.file.next();
    let y = SHEET.height * 0.3;
    const strips = [
      ...wordStrips(shortened(title, 300), CONTENT_WIDTH, BARE, { face: 'sans-bold', size: 30 }),
      ...(subtitle === undefined
        ? []
        : [gap(10), ...wordStrips(shortened(subtitle, 300), CONTENT_WIDTH, BARE, { size: 14, color: GREY })]),
    ];
    for (const strip of strips) {
      await strip.paint(this.file, SHEET.left, y);
      y += strip.height;
    }
    this.file.line(SHEET.left, y + 18, SHEET.left + 60, y + 18, INK, 2);
    const date = madeAt.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    this.file.text({ text: date, face: 'sans', size: 10, color: GREY }, SHEET.left, y + 44);
  }

  async chapters(): Promise<void> {
    const { chapters } = this.book;
    const lastPage = chapters.findLastIndex(({ kind }) => kind === 'page');
    let groups: Chapter[] = [];
    for (const [index, chapter] of chapters.entries()) {
      this.begins.push(chapter.kind === 'link' ? 0 : this.number(this.file.sheets + 1));
      if (chapter.kind === 'link') continue;
      if (chapter.kind === 'group') groups = [...groups, chapter];
      // A group without subsequent pages still shows its title.
      if (chapter.kind === 'group' && index < lastPage) continue;
      await this.sheets.begin();
      if (chapter.kind === 'page') await this.sheets.place(this.page(chapter, groups, await this.book.body(chapter)));
      else await this.sheets.place(this.opening(undefined, groups));
      groups = [];
    }
  }

  /** The contents, which are painted last, because only then all numbers are known, and follow the title. */
  async contents(): Promise<void> {
    const { chapters } = this.book;
    const before = this.file.sheets;
    let room = 0;
    let y = 0;
    for (const [index, chapter] of chapters.entries()) {
      if (room === 0) {
        await this.file.next();
        y = SHEET.top;
        if (index === 0) {
          this.file.text({ text: 'Contents', face: 'sans-bold', size: 20, color: INK }, SHEET.left, y + 20);
          y += CONTENTS_HEADING;
        }
        room = index === 0 ? ENTRIES_ON_FIRST : ENTRIES_ON_OTHERS;
      }
      this.entry(chapter, this.begins[index] ?? 0, y);
      y += ENTRY_HEIGHT;
      room--;
      await this.file.turn();
    }
    if (chapters.length === 0) {
      await this.file.next();
      this.file.text(
        { text: 'There are no pages yet', face: 'sans-italic', size: 11, color: GREY },
        SHEET.left,
        SHEET.top + 20,
      );
    }
    this.file.moveLast(this.file.sheets - before, 1);
  }

  private entry({ title, level, kind, id, target }: Chapter, sheet: number, y: number): void {
    const left = SHEET.left + Math.min(level, DEEPEST_INDENT) * 14;
    const right = SHEET.left + CONTENT_WIDTH;
    const face = level === 0 ? 'sans-bold' : 'sans';
    const number = kind === 'link' ? '' : String(sheet);
    const text = fitted(oneLine(title), face, 10, right - left - 40);
    const end = left + widthOf(face, text, 10);
    this.file.text({ text, face, size: 10, color: kind === 'group' ? GREY : INK }, left, y + 10);
    if (number !== '') {
      const begin = right - widthOf('sans', number, 10);
      this.file.text({ text: number, face: 'sans', size: 10, color: GREY }, begin, y + 10);
      if (begin - end > 16) this.file.line(end + 6, y + 9.5, begin - 6, y + 9.5, PALE, 0.4);
    }
    const to = kind === 'link' ? target : { place: id };
    if (to) this.file.link(left, y, right - left, ENTRY_HEIGHT, to);
  }

  private *page(
    chapter: Chapter,
    groups: readonly Chapter[],
    { document, resolver, cover }: ChapterBody,
  ): Generator<Strip> {
    const anchors = anchorsOf(document);
    const notes: PdfFootnote[] = [];
    const context: LayoutContext = {
      ...BARE,
      resolver,
      notes,
      reused: { count: 0 },
      places: new Map([...anchors].map(([block, anchor]) => [block, `${chapter.id}#${anchor}`])),
      within: [document],
    };
    if (cover) {
      yield* pictureStrips(cover, { width: CONTENT_WIDTH, align: 'center', highest: COVER_HEIGHT }, context);
      yield gap(14);
    }
    yield* this.opening(chapter, groups);
    yield* layoutBlocks(document.nodes, CONTENT_WIDTH, context);
    yield* notesBelow(notes, context);
  }

  /** Title and description of a page, with the titles of groups that begin with it. */
  private *opening(chapter: Chapter | undefined, groups: readonly Chapter[]): Generator<Strip> {
    for (const group of groups) {
      yield this.landing(group);
      if (chapter)
        yield* wordStrips(oneLine(group.title), CONTENT_WIDTH, BARE, {
          face: 'sans-bold',
          size: SMALL_SIZE,
          color: GREY,
        });
      else yield* wordStrips(group.title, CONTENT_WIDTH, BARE, { face: 'sans-bold', size: 22 });
    }
    if (!chapter) return;
    yield this.landing(chapter);
    yield* wordStrips(chapter.title, CONTENT_WIDTH, BARE, { face: 'sans-bold', size: 22 });
    if (chapter.description !== undefined && chapter.description !== '') {
      yield gap(4);
      yield* wordStrips(chapter.description, CONTENT_WIDTH, BARE, { size: 11, color: GREY });
    }
    yield gap(14);
  }

  /** Creates the target of links to a chapter, with its entry in the outline. */
  private landing({ id, title, level }: Chapter): Strip {
    return {
      height: 0,
      keep: true,
      paint: (canvas, _, y) => {
        canvas.place(id, y - 10);
        if (!this.book.hasFront) return;
        const above = this.outline.slice(0, level).findLast((entry) => entry !== undefined);
        this.outline.length = level;
        this.outline[level] = this.file.outline(oneLine(title), above, Math.max(0, y - 10));
      },
    };
  }

  private async nextSheet(): Promise<void> {
    await this.file.next();
    this.file.number(this.number(this.file.sheets));
  }

  /** The number of a sheet that is painted now, once the contents precede it. */
  private number(sheet: number): number {
    return sheet + Math.max(0, this.front - 1);
  }
}

function* notesBelow(notes: readonly PdfFootnote[], context: LayoutContext): Strips {
  if (notes.length === 0) return;
  yield { height: 22, keep: true, paint: (canvas, x, y) => canvas.line(x, y + 14, x + 120, y + 14, PALE) };
  const small = styled(context, { size: SMALL_SIZE });
  // Notes may contain further notes, which are appended meanwhile.
  for (let index = 0; index < notes.length; index++) {
    const note = notes[index];
    if (!note) continue;
    const blocks = note.fragments.flatMap(({ nodes }) => nodes);
    yield* decorated(
      layoutBlocks(blocks, CONTENT_WIDTH - 20, small),
      20,
      (canvas, x, y, { baseline = SMALL_SIZE }, isFirst) => {
        if (isFirst)
          canvas.text({ text: `${note.number}`, face: 'sans', size: SMALL_SIZE, color: GREY }, x + 4, y + baseline);
      },
    );
    yield gap(3);
  }
}

function oneLine(text: string): string {
  return settable(text).replace(/\s+/g, ' ').trim();
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Cuts a text to a width. */
function fitted(text: string, face: 'sans' | 'sans-bold', size: number, width: number): string {
  if (widthOf(face, text, size) <= width) return text;
  let kept = '';
  let used = widthOf(face, '…', size);
  for (const character of text) {
    used += widthOf(face, character, size);
    if (used > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
