import type { JsonValue } from '../../../../formats/document/types.js';
import {
  bookStackPage,
  BOOKSTACK_FILES,
  ordered,
  parsedJson,
  record,
  stringIn,
} from '../../../../formats/markdown/exports/bookstack-page.js';
import type { ExportedEntry } from '../../../../formats/markdown/exports/confluence-page.js';
import { indexLists } from '../../../../formats/markdown/exports/exported-page.js';
import { FreeNames } from '../../../content/domain/free-names.js';
import { numberedSlug, slugOf } from '../../../content/domain/slug.js';
import { joinPath } from '../repository-paths.js';
import type { SummaryEntry, SummaryGroup } from '../summary.js';
import type { ToolPages } from './pages.js';

/** The tree of the index of a Confluence space; the pages below its first page stand beside it. */
export function confluenceGroups(pages: ToolPages, source: string): SummaryGroup[] {
  const entry = ({ title, target, children }: ExportedEntry): SummaryEntry =>
    pages.entry(title, target, children.map(entry));
  const lists = indexLists(source);
  return lists.map(({ title, line, entries }, index) => {
    const home = entries.find(({ isHome }) => isHome);
    const others = entries.filter((each) => each !== home);
    const all = home ? [{ ...home, children: [] }, ...home.children, ...others] : others;
    return { ...(index > 0 && title !== '' && { title }), line, entries: all.map(entry) };
  });
}

/** The texts of the pages of an export of BookStack, by paths that chapters and names give. */
export interface BookStackExport {
  readonly pages: readonly (readonly [path: string, json: string])[];
  readonly groups: readonly SummaryGroup[];
  /** Addresses of pages and files. */
  readonly aliases: readonly (readonly [string, string])[];
  /** Names of files by their paths. */
  readonly names: readonly (readonly [string, string])[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads the data of a portable ZIP of BookStack: a book, a chapter or a page. */
export function readBookStack(source: string): BookStackExport {
  const { book, chapter, page } = record(parsedJson(source));
  const reader = new BookStackReader();
  if (book !== undefined) reader.book(record(book));
  else if (chapter !== undefined) reader.chapter(record(chapter));
  else if (page !== undefined) reader.page(record(page), '');
  const { pages, groups, aliases, names } = reader;
  const isNone = book === undefined && chapter === undefined && page === undefined;
  const problems = isNone ? [{ line: 1, message: 'it holds no book, chapter or page of BookStack' }] : [];
  return { pages, groups, aliases, names, problems };
}

type Given = Record<string, JsonValue>;

class BookStackReader {
  readonly pages: (readonly [string, string])[] = [];
  readonly groups: SummaryGroup[] = [];
  readonly aliases: (readonly [string, string])[] = [];
  readonly names: (readonly [string, string])[] = [];
  private readonly taken = new FreeNames();

  book(book: Given): void {
    if (hasText(book)) this.top(this.entry(book, '', 'book', []));
    const inside = ordered(
      [
        ...ordered(book.chapters, 'priority').map((chapter): JsonValue => ({ ...chapter, isChapter: true })),
        ...ordered(book.pages, 'priority'),
      ],
      'priority',
    );
    for (const each of inside) {
      if (each.isChapter === true) this.chapter(each);
      else this.page(each, '');
    }
  }

  /** A chapter is a group, or a page above its pages if it has a text of its own. */
  chapter(chapter: Given): void {
    const title = stringIn(chapter.name);
    const folder = slugOf(title);
    const below = ordered(chapter.pages, 'priority').map((each) => this.entry(each, folder, 'page', []));
    if (hasText(chapter)) {
      this.top(this.entry(chapter, '', 'chapter', below));
      return;
    }
    this.groups.push({ title, line: 1, entries: below });
  }

  page(page: Given, folder: string): void {
    this.top(this.entry(page, folder, 'page', []));
  }

  private top(entry: SummaryEntry): void {
    const last = this.groups.at(-1);
    if (last && last.title === undefined) last.entries.push(entry);
    else this.groups.push({ line: 1, entries: [entry] });
  }

  private entry(given: Given, folder: string, kind: string, children: SummaryEntry[]): SummaryEntry {
    const { chapters: _chapters, pages: _pages, isChapter: _is, ...own } = given;
    const title = stringIn(given.name);
    const wanted = joinPath(folder, slugOf(title));
    const ending = stringIn(given.markdown).trim() === '' ? '.html' : '.md';
    const path = this.taken.take((number) => numberedSlug(wanted, number)) + ending;
    const text = JSON.stringify(own);
    this.pages.push([path, text]);
    if (typeof given.id === 'number') this.aliases.push([`[[bsexport:${kind}:${given.id}]]`, path]);
    for (const image of ordered(given.images, 'order')) this.file('image', image);
    for (const attachment of ordered(given.attachments, 'order')) this.file('attachment', attachment);
    return { title: title === '' ? path : title, target: `/${encodeURI(path)}`, line: 1, children };
  }

  private file(kind: string, { id, file, name }: Given): void {
    const stored = stringIn(file);
    if (stored === '') return;
    const path = joinPath(BOOKSTACK_FILES, stored);
    if (typeof id === 'number') this.aliases.push([`[[bsexport:${kind}:${id}]]`, path]);
    this.aliases.push([`[[bsexport:${kind}:${stored}]]`, path]);
    const given = stringIn(name);
    if (given !== '') this.names.push([path, given]);
  }
}

/** Tells whether a book or a chapter has more than a name. */
function hasText(given: Given): boolean {
  const { html, cover } = bookStackPage(JSON.stringify({ ...given, pages: [], chapters: [] }));
  return html.replace(/<[^<>]*>/g, '').trim() !== '' || cover !== undefined;
}
