/** A multiset of facts about a page, each of a kind, and of its visible words. */
export class FactCounts {
  readonly counts = new Map<string, number>();
  readonly visible = new Map<string, number>();

  add(kind: string, content: string): void {
    const fact = `${kind}\t${content}`;
    this.counts.set(fact, (this.counts.get(fact) ?? 0) + 1);
  }

  word(word: string): void {
    this.visible.set(word, (this.visible.get(word) ?? 0) + 1);
  }

  /** Text without white space, which differs between HTML and documents. */
  textOf(text: string): string {
    return text.replace(/\s+/g, '');
  }
}

/** The words of a text: runs of letters and digits. */
export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The items that the first multiset contains more often than the second. */
export function surplus(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
): { what: string; count: number }[] {
  return [...a].flatMap(([what, count]) => {
    const more = count - (b.get(what) ?? 0);
    return more > 0 ? [{ what, count: more }] : [];
  });
}
