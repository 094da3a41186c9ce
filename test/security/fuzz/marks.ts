const ID = /\b[A-Za-z][0-9A-Za-z]{19}\b/g;
const WHOLE_ID = new RegExp(`^${ID.source}$`);

/** By what an organization is recognised where it must not be seen. */
export class Marks {
  /** Ids of things and people that are its own. */
  private readonly own = new Set<string>();

  constructor(
    /** Stands in every text of it. */
    readonly canary: string,
  ) {}

  /** Notes that an id is this organization's alone. */
  claim(id: string): void {
    if (WHOLE_ID.test(id)) this.own.add(id);
  }

  /** What of this organization stands in an answer to the other's people that they have not sent themselves: the mark, and where in the answer. */
  foundIn(answer: string, sent: string): { readonly mark: string; readonly at: number } | undefined {
    const at = sent.includes(this.canary) ? -1 : answer.indexOf(this.canary);
    if (at !== -1) return { mark: this.canary, at };
    for (const { 0: id, index } of answer.matchAll(ID))
      if (this.own.has(id) && !sent.includes(id)) return { mark: id, at: index };
    return undefined;
  }
}
