import { posix } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { ContentStore, type Point } from './content-store.js';
import type { ContentRef } from '../../formats/document/types.js';
import type { Item, ItemKey } from './domain/content-item.js';
import { indexPages, pathOf, type PageIndex } from './domain/page-paths.js';
import { placeholdersIn, renderPlaceholders } from '../../formats/markdown/references.js';

/** Filters pages, given with their ancestors, to those that the reader can see. */
type SeenPages = (pages: readonly Item[]) => Promise<readonly Item[]>;

/** How links are written; without `signsFiles`, files are named by their ids. */
interface LinkOptions {
  readonly seen?: SeenPages;
  readonly signsFiles?: boolean;
}

const everything: SeenPages = (pages) => Promise.resolve(pages);

/** Adds targets to Markdown for references to pages and files, as of one point of the history. */
@Injectable()
export class MarkdownLinks {
  constructor(
    private readonly store: ContentStore,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /**
   * Links to pages are relative to the folder of the page at `from`; links to files are addresses that expire. Pages
   * that `seen` leaves out appear as their ids.
   */
  async render(point: Point, from: string, markdown: string, seen: SeenPages = everything): Promise<string> {
    return (await this.renderer(point, from, [markdown], { seen }))(markdown);
  }

  /** Like `render` for several texts, whose targets are looked up together. */
  async renderer(
    point: Point,
    from: string,
    texts: readonly string[],
    { seen = everything, signsFiles = true }: LinkOptions = {},
  ): Promise<(markdown: string) => string> {
    const render = await this.renderers([point], texts, { seen, signsFiles });
    return (markdown) => render(markdown, from);
  }

  /**
   * Like `renderer` for texts of several pages, whose targets are looked for at several points of one space: the first
   * one that has them.
   */
  async renderers(
    points: readonly Point[],
    texts: readonly string[],
    { seen = everything, signsFiles = true }: LinkOptions = {},
  ): Promise<(markdown: string, from: string) => string> {
    const spaceId = points[0]?.spaceId ?? '';
    const references = texts.flatMap(placeholdersIn);
    const pages = references.flatMap((ref) => pageOf(ref, spaceId) ?? []);
    const files = signsFiles
      ? references.flatMap((ref): ItemKey[] => (ref.kind === 'file' ? [`file:${ref.file}`] : []))
      : [];
    const index = new Map<string, Item>();
    const known = new Map<ItemKey, Item>();
    for (const point of points) {
      const [items, own] = await Promise.all([
        this.store.withAncestors(point, pages).then(seen),
        this.store.byKeys(point, files),
      ]);
      for (const [id, page] of indexPages(items)) if (!index.has(id)) index.set(id, page);
      for (const [key, file] of own) if (!known.has(key)) known.set(key, file);
    }
    return (markdown, from) => renderPlaceholders(markdown, (ref) => this.target(ref, spaceId, from, index, known));
  }

  private target(
    ref: ContentRef,
    spaceId: string,
    from: string,
    pages: PageIndex,
    files: ReadonlyMap<ItemKey, Item>,
  ): string {
    const anchor = ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : '';
    switch (ref.kind) {
      case 'url':
        return ref.url;
      case 'page':
      case 'anchor': {
        if (ref.page === undefined) return anchor;
        if (ref.space !== undefined && ref.space !== spaceId)
          return `${this.addresses.app(`/s/${ref.space}/p/${ref.page}`)}${anchor}`;
        const page = pages.get(ref.page);
        return page ? `${relative(from, pathOf(page, pages))}.md${anchor}` : `/pages/${ref.page}${anchor}`;
      }
      case 'file': {
        const file = files.get(`file:${ref.file}`);
        return file ? this.files.sign({ id: file.id, name: file.title, hash: file.hash ?? '' }) : `/files/${ref.file}`;
      }
      case 'reusable-content':
        return `/reusable-contents/${ref.reusableContent}`;
      case 'openapi':
        return ref.spec;
      case 'space':
        return this.addresses.app(`/s/${ref.space}`);
      case 'collection':
        return this.addresses.app(`/c/${ref.collection}`);
      case 'user':
        return this.addresses.app(`/u/${ref.user}`);
      case 'tag':
        return this.addresses.app(`/t/${ref.tag}`);
      case 'translation':
        return this.addresses.app(`/translations/${ref.translation}`);
    }
  }
}

function pageOf(ref: ContentRef, spaceId: string): string | undefined {
  if (ref.kind !== 'page' && ref.kind !== 'anchor') return undefined;
  return ref.space === undefined || ref.space === spaceId ? ref.page : undefined;
}

/** The path from the folder of one page to another page, both given by their paths. */
export function relative(from: string, to: string): string {
  const way = posix.relative(posix.dirname(`/${from}`), `/${to}`);
  return (way === '' ? `../${posix.basename(to)}` : way).split('/').map(encodeURIComponent).join('/');
}
