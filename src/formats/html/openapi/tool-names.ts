/** The length that clients accept. */
const MAX_NAME = 64;

/** Makes names of tools or arguments, each only once: letters, digits, `_` and `-`. */
export class ToolNames {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  unique(wanted: string): string {
    const plain = wanted
      .replace(/[^A-Za-z0-9-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, MAX_NAME);
    // Objects have properties of such names, such as `constructor`, from the beginning.
    const base = plain === '' || plain in {} ? `${plain}_`.slice(-MAX_NAME) : plain;
    for (let number = 1; ; number++) {
      const name = number === 1 ? base : `${base.slice(0, MAX_NAME - 5)}_${number}`;
      if (this.taken.has(name)) continue;
      this.taken.add(name);
      return name;
    }
  }
}
