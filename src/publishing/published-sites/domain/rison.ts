/** An invalid Rison text; `message` states the reason. */
export class RisonError extends Error {}

const MAX_DEPTH = 20;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/;
/** The end of a word: all characters with a special meaning. */
const WORD_END = /[\s'!:(),]/;
const WORDS: Readonly<Record<string, unknown>> = { t: true, f: false, n: null };

/**
 * Parses Rison (https://github.com/Nanonid/rison), the form of JSON for addresses: `(name:value,list:!(a,!t,1))`. Names
 * of objects are always own fields. Throws `RisonError`.
 */
export function readRison(text: string): unknown {
  const reader = new RisonReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class RisonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new RisonError('it is nested too deeply');
    const next = this.text[this.at];
    if (next === '(') return this.fields(depth);
    if (next === "'") return this.quoted();
    if (next === '!') return this.marked(depth);
    return this.word();
  }

  end(): void {
    if (this.at < this.text.length) throw new RisonError(`there is unexpected text at ${this.at}`);
  }

  private marked(depth: number): unknown {
    const mark = this.text[this.at + 1] ?? '';
    this.at += 2;
    if (Object.hasOwn(WORDS, mark)) return WORDS[mark];
    if (mark !== '(') throw new RisonError(`!${mark} is not valid`);
    const items: unknown[] = [];
    this.separated(() => items.push(this.value(depth + 1)));
    return items;
  }

  private fields(depth: number): Record<string, unknown> {
    this.at++;
    const fields = Object.create(null) as Record<string, unknown>;
    this.separated(() => {
      const name = this.text[this.at] === "'" ? this.quoted() : String(this.word());
      if (this.text[this.at] !== ':') throw new RisonError(`a : is missing at ${this.at}`);
      this.at++;
      fields[name] = this.value(depth + 1);
    });
    return fields;
  }

  /** Reads items between commas, up to the closing bracket. */
  private separated(read: () => void): void {
    if (this.text[this.at] === ')') this.at++;
    else {
      for (;;) {
        read();
        const next = this.text[this.at++];
        if (next === ')') return;
        if (next !== ',') throw new RisonError(`a , or ) is missing at ${this.at - 1}`);
      }
    }
  }

  private quoted(): string {
    let value = '';
    for (this.at++; this.text[this.at] !== "'"; this.at++) {
      if (this.text[this.at] === '!') this.at++;
      const next = this.text[this.at];
      if (next === undefined) throw new RisonError('a text does not end');
      value += next;
    }
    this.at++;
    return value;
  }

  private word(): string | number {
    const start = this.at;
    while (this.at < this.text.length && !WORD_END.test(this.text[this.at] ?? '')) this.at++;
    const word = this.text.slice(start, this.at);
    if (word === '') throw new RisonError(`a value is missing at ${start}`);
    return NUMBER.test(word) ? Number(word) : word;
  }
}
