import { beginningOf } from '../../document/characters.js';
import { anchorOf, AnchorAllocator } from '../../document/anchors.js';

const MAX_LENGTH = 200;

/**
 * The addresses of what a block shows of a specification, such as `query:limit`, `body:owner.name` or `response:200`:
 * the same in every version. Headings have no colon in theirs, so that none is equal to one of these.
 */
export class ElementIds {
  private readonly ids = new AnchorAllocator();

  /** `prefix` keeps the blocks of one page apart. */
  constructor(private readonly prefix: string) {}

  take(place: string): string {
    return this.ids.take(beginningOf(`${this.prefix}${place}`, MAX_LENGTH), 'field');
  }
}

/** The place of a field within another place: `response` has `response:200`, and that has `response:200.name`. */
export function placeBelow(place: string, name: string): string {
  const own = anchorOf(beginningOf(name, MAX_LENGTH)) || 'field';
  return place === '' ? own : `${place}${place.includes(':') ? '.' : ':'}${own}`;
}
