import type { JsonValue } from '../../../../formats/document/types.js';

/** Values in values have this depth at most. */
const MAX_DEPTH = 100;

/**
 * Reads the literals of JSON, JavaScript and TypeScript: objects, lists, texts, numbers and constants. Nothing is ever
 * run: an expression of another kind is left out.
 */
export class LiteralReader {
  private at = 0;
  /** The number of expressions that were left out. */
  skipped = 0;

  constructor(private readonly source: string) {}

  /** The value that begins at an offset; undefined for none. */
  readAt(offset: number): JsonValue | undefined {
    this.at = offset;
    return this.value(0);
  }

  private value(depth: number): JsonValue | undefined {
    this.blanks();
    const made = depth > MAX_DEPTH ? undefined : this.known(depth);
    if (depth === 0) return made;
    this.blanks();
    const isWhole = this.at >= this.source.length || /[,\]})\r\n;]/.test(this.source.charAt(this.at)) || this.typed();
    if (made !== undefined && isWhole) return made;
    this.skipExpression();
    this.skipped++;
    return undefined;
  }

  /** Passes over `as const` and `satisfies T`. */
  private typed(): boolean {
    const match = /(?:as|satisfies)\s+[\w.]{1,100}/y;
    match.lastIndex = this.at;
    if (!match.test(this.source)) return false;
    this.at = match.lastIndex;
    return true;
  }

  private known(depth: number): JsonValue | undefined {
    const character = this.source.charAt(this.at);
    if (character === '{') return this.object(depth);
    if (character === '[') return this.list(depth);
    if (character === '"' || character === "'" || character === '`') return this.text(character);
    const word = /-?\d+(?:\.\d+)?|true\b|false\b|null\b/y;
    word.lastIndex = this.at;
    const found = word.exec(this.source)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    return JSON.parse(found) as JsonValue;
  }

  private object(depth: number): JsonValue {
    const made: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
    this.at++;
    for (this.blanks(); this.at < this.source.length && !this.ends('}'); this.blanks()) {
      const character = this.source.charAt(this.at);
      const key = character === '"' || character === "'" ? this.text(character) : this.name();
      this.blanks();
      if (key === undefined || this.source.charAt(this.at) !== ':') {
        this.skipExpression();
        this.skipped++;
      } else {
        this.at++;
        const value = this.value(depth + 1);
        if (value !== undefined) made[key] = value;
      }
      this.comma('}');
    }
    this.at++;
    return made;
  }

  private list(depth: number): JsonValue[] {
    const made: JsonValue[] = [];
    this.at++;
    for (this.blanks(); this.at < this.source.length && !this.ends(']'); this.blanks()) {
      const value = this.value(depth + 1);
      if (value !== undefined) made.push(value);
      this.comma(']');
    }
    this.at++;
    return made;
  }

  private ends(mark: string): boolean {
    return this.source.charAt(this.at) === mark;
  }

  /** Passes over a comma, or over a mark that closes nothing here. */
  private comma(end: string): void {
    this.blanks();
    if (!this.ends(end)) this.at++;
  }

  private name(): string | undefined {
    const word = /[A-Za-z_$][\w$]{0,200}/y;
    word.lastIndex = this.at;
    const found = word.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Undefined for a template that holds expressions. */
  private text(quote: string): string | undefined {
    let made = '';
    let isPlain = true;
    for (this.at++; this.at < this.source.length; this.at++) {
      const character = this.source.charAt(this.at);
      if (character === quote) {
        this.at++;
        return isPlain ? made : undefined;
      }
      if (quote === '`' && character === '$' && this.source.charAt(this.at + 1) === '{') isPlain = false;
      if (character === '\\') {
        const next = this.source.charAt(++this.at);
        made += { n: '\n', t: '\t' }[next] ?? next;
      } else made += character;
    }
    return undefined;
  }

  /** Blanks and remarks. */
  private blanks(): void {
    while (this.at < this.source.length) {
      const blanks = /\s*/y;
      blanks.lastIndex = this.at;
      blanks.test(this.source);
      this.at = blanks.lastIndex;
      const mark = this.source.slice(this.at, this.at + 2);
      if (mark !== '//' && mark !== '/*') return;
      const end = mark === '//' ? this.source.indexOf('\n', this.at) : this.source.indexOf('*/', this.at + 2);
      this.at = end === -1 ? this.source.length : end + (mark === '//' ? 1 : 2);
    }
  }

  /** Passes over an expression, up to the comma or the mark that ends what is around it. */
  private skipExpression(): void {
    let depth = 0;
    while (this.at < this.source.length) {
      const character = this.source.charAt(this.at);
      if (depth === 0 && /[,\]})]/.test(character)) return;
      if (character === '"' || character === "'" || character === '`') {
        this.text(character);
        continue;
      }
      if (/[([{]/.test(character)) depth++;
      else if (/[)\]}]/.test(character)) depth--;
      if (character === '/' && /[/*]/.test(this.source.charAt(this.at + 1))) this.blanks();
      else this.at++;
    }
  }
}

/** Places at which a literal is looked for. */
const MAX_TRIES = 5;

/** The first literal object that a pattern leads to; its match ends before the brace or bracket. */
export function literalAfter(source: string, pattern: RegExp): { value: JsonValue; skipped: number } | undefined {
  let tries = 0;
  for (const match of source.matchAll(pattern)) {
    if (++tries > MAX_TRIES) return undefined;
    const reader = new LiteralReader(source);
    const value = reader.readAt(match.index + match[0].length);
    if (typeof value === 'object' && value !== null) return { value, skipped: reader.skipped };
  }
  return undefined;
}
