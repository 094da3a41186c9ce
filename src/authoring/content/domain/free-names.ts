/** Assigns unique names: the cost does not depend on how often one is requested. */
export class FreeNames {
  private readonly taken = new Set<string>();
  /** By the requested name, the next number to try. */
  private readonly next = new Map<string, number>();

  /** `sameAs` maps names to the form in which they must be unique. */
  constructor(
    taken: Iterable<string> = [],
    private readonly sameAs: (name: string) => string = (name) => name,
  ) {
    for (const name of taken) this.add(name);
  }

  has(name: string): boolean {
    return this.taken.has(this.sameAs(name));
  }

  add(name: string): void {
    this.taken.add(this.sameAs(name));
  }

  /** Takes the first free name that `named` returns for 0, 1, 2 …, of which the first is the requested one. */
  take(named: (number: number) => string): string {
    const wanted = this.sameAs(named(0));
    for (let number = this.next.get(wanted) ?? 0; ; number++) {
      const name = named(number);
      if (this.has(name)) continue;
      this.next.set(wanted, number + 1);
      this.add(name);
      return name;
    }
  }
}
