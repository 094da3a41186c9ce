import { leaf, text } from '../document/build.js';
import { MARK_ORDER } from '../document/node-kinds.js';
import { sameMarks } from '../document/same-marks.js';
import type { Inline, Leaf, Mark, Node } from '../document/types.js';
import { collapse, releaseSpaces } from './html.js';

/** Collects the content of a line: leaves with equal marks are joined, and texts separate inlines. */
export class InlineBuilder {
  private readonly parts: (Leaf | Inline)[] = [];
  /** True if the text of HTML ended with a space, so that the next one does not begin with one. */
  private spaced = true;

  /** Adds text of Markdown unchanged. */
  text(value: string, marks: readonly Mark[]): void {
    if (value === '') return;
    this.spaced = false;
    const last = this.parts[this.parts.length - 1];
    if (last?.object === 'leaf' && sameMarks(last.marks, marks)) last.text += value;
    else this.parts.push(leaf(value, sortMarks(marks)));
  }

  /** Adds text of HTML: white space collapses, also across elements. */
  html(value: string, marks: readonly Mark[]): void {
    let collapsed = collapse(value);
    if (this.spaced && collapsed.startsWith(' ')) collapsed = collapsed.slice(1);
    if (collapsed === '') return;
    this.text(collapsed, marks);
    this.spaced = collapsed.endsWith(' ');
  }

  lineBreak(marks: readonly Mark[]): void {
    this.text('\n', marks);
    this.spaced = true;
  }

  inline(node: Inline): void {
    this.parts.push(node);
    this.spaced = false;
  }

  /** Marks that the following text is not the beginning of a line, so that a space there is kept. */
  inMidLine(): void {
    this.spaced = false;
  }

  /** Removes a space that HTML left at the end. */
  trimEnd(): void {
    const last = this.parts[this.parts.length - 1];
    if (last?.object !== 'leaf' || !this.spaced || !last.text.endsWith(' ')) return;
    last.text = last.text.slice(0, -1);
    if (last.text === '') this.parts.pop();
  }

  isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** The nodes of the line; an empty line is one empty text. */
  nodes(): Node[] {
    const nodes: Node[] = [];
    for (const part of this.parts) {
      if (part.object === 'inline') {
        nodes.push(part);
        continue;
      }
      const released = { ...part, text: releaseSpaces(part.text) };
      const last = nodes[nodes.length - 1];
      if (last?.object === 'text') last.leaves.push(released);
      else nodes.push(text(released));
    }
    return nodes.length === 0 ? [text(leaf(''))] : nodes;
  }
}

function sortMarks(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
}

/** Adds a mark; one of the same type is replaced. */
export function withMark(marks: readonly Mark[], added: Mark): Mark[] {
  return sortMarks([...marks.filter((mark) => mark.type !== added.type), added]);
}
