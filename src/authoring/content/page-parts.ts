import { Injectable } from '@nestjs/common';
import { Cache, ownBytes } from '../../kernel/common/cache.js';
import { yieldToOthers } from '../../kernel/common/context.js';
import { holdsNoPages } from './domain/content-item.js';
import type { PageNode } from './domain/page-tree.js';
import { pathBelow, presentNode, type ContentView } from './present-content.js';

/** A subtree of at most this many pages is one part; larger ones are made of parts. */
export const PART_PAGES = 256;
/** Pages that are made, and parts that are looked up, before others have their turn. */
export const SLICE_PAGES = 256;

const [OPENING, COMMA, CLOSING] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
const NO_PAGES = '"pages":[]';

/** Puts the JSON of page trees together from parts that are kept by subtree, so that a change makes the parts above it anew. */
@Injectable()
export class PageParts {
  private readonly parts = new Cache<Buffer>({ share: 24, weigh: ({ length }) => length + 100 });
  private readonly numbers = new WeakMap<PageNode, number>();
  private lastNumber = 0;

  /**
   * The JSON of an object with these pages in the place of its empty list `pages`; other requests have their turns while
   * parts are made.
   */
  async inside(
    body: { readonly pages: readonly never[] },
    roots: readonly PageNode[],
    view: ContentView,
  ): Promise<Buffer> {
    const [before, after] = aroundPages(Buffer.from(JSON.stringify(body)));
    const pieces = [before];
    const slices = this.slices(roots, view, pieces);
    while (!slices.next().done) await yieldToOthers();
    return Buffer.concat([...pieces, after]);
  }

  /** Adds the pieces of the list; gives the number of pages made and parts looked up after each slice of the work. */
  *slices(roots: readonly PageNode[], view: ContentView, pieces: Buffer[]): Generator<number, void> {
    let work = 0;
    for (const done of this.compose(roots, '', view, pieces)) {
      work += done;
      if (work < SLICE_PAGES) continue;
      yield work;
      work = 0;
    }
    if (work > 0) yield work;
  }

  private *compose(
    nodes: readonly PageNode[],
    above: string,
    view: ContentView,
    pieces: Buffer[],
  ): Generator<number, void> {
    pieces.push(OPENING);
    for (const [index, node] of nodes.entries()) {
      if (index > 0) pieces.push(COMMA);
      const isWhole = node.size <= PART_PAGES || holdsNoPages(node.page.type);
      const shown = isWhole ? node : { ...node, children: [] };
      const key = `${this.numberOf(node)} ${view.metadata} ${view.app} ${above}`;
      const known = this.parts.get(key);
      const part = known ?? ownBytes(Buffer.from(JSON.stringify(presentNode(shown, above, view))));
      if (!known) this.parts.set(key, part);
      if (isWhole) {
        pieces.push(part);
      } else {
        const [before, after] = aroundPages(part);
        pieces.push(before);
        yield* this.compose(node.children, pathBelow(node.page, above), view, pieces);
        pieces.push(after);
      }
      yield known || !isWhole ? 1 : node.size;
    }
    pieces.push(CLOSING);
  }

  private numberOf(node: PageNode): number {
    const number = this.numbers.get(node) ?? ++this.lastNumber;
    this.numbers.set(node, number);
    return number;
  }
}

/**
 * Splits the JSON of an object at its empty list of pages. The first such text is that list: the fields before it hold
 * no lists of pages, and quotes inside of their texts are escaped.
 */
function aroundPages(json: Buffer): readonly [Buffer, Buffer] {
  const at = json.indexOf(NO_PAGES);
  if (at < 0) throw new Error('the object has no empty list of pages');
  const list = at + NO_PAGES.length - 2;
  return [json.subarray(0, list), json.subarray(list + 2)];
}
