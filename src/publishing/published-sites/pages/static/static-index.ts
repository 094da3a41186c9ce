import { createHash } from 'node:crypto';
import { INDEX_OPTIONS, SearchIndex, WORD_EXPRESSION } from './domain/search-index.js';
import type { PageSection } from './domain/static-html.js';
import type { StaticFolder } from './static-folder.js';

/** A page as the search of a static site shows it. */
export interface SearchedPage {
  readonly siteSpace: string;
  readonly id: string;
  readonly href: string;
  readonly title: string;
  /** The section of the site and the ancestors of the page. */
  readonly place: string;
  readonly description: string;
  readonly sections: readonly PageSection[];
}

const FOLDER = '~search';
const HASH_LENGTH = 12;

/**
 * The index that the script of a static site searches (`assets/static-search.js`), divided by the first letters of its
 * words, and a file with the text of each page.
 */
export class StaticIndex {
  private readonly spaces: string[] = [];
  private readonly index = new SearchIndex();

  constructor(private readonly folder: StaticFolder) {}

  async add({ siteSpace, id: page, href, title, place, description, sections }: SearchedPage): Promise<void> {
    if (!this.spaces.includes(siteSpace)) this.spaces.push(siteSpace);
    const id = `${this.spaces.indexOf(siteSpace)}.${hash(`${siteSpace} ${page}`)}`;
    this.index.add(id, {
      title,
      headings: sections.map((section) => section.title).join('\n'),
      text: [description, ...sections.map((section) => section.text)].join('\n'),
    });
    const shown = sections.map((section) => [section.id, section.title, section.text]);
    await this.put(`pages/${id}.json`, { href, title, ...(place !== '' && { place }), sections: shown });
  }

  /** Writes the parts, and last what names them. */
  async write(): Promise<void> {
    const parts: Record<string, string> = {};
    let longest = 0;
    for (const { beginning, json } of this.index.parts()) {
      parts[beginning] = hash(json);
      longest = Math.max(longest, beginning.length);
      await this.put(`words/${parts[beginning]}.json`, json);
    }
    const { spaces, index } = this;
    const head = index.head();
    await this.put('index.json', { words: WORD_EXPRESSION, options: INDEX_OPTIONS, spaces, longest, parts, head });
  }

  private async put(name: string, content: object | string): Promise<void> {
    const path = `${FOLDER}/${name}`;
    if (!this.folder.has(path) && this.folder.claim(path))
      await this.folder.write(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
