import fc from 'fast-check';

export type Side = 'git' | 'space';
export const SLOTS = 3;

/** One change of one side; `page` and `to` are taken modulo what is there. */
export interface Edit {
  readonly side: Side;
  readonly kind: 'word' | 'title' | 'add' | 'delete' | 'move' | 'rename' | 'image' | 'request';
  readonly page: number;
  readonly slot: number;
  readonly to: number;
}

/** The point of a synchronization at which something happens: the number of a request to the server of the repository. */
export interface Meeting {
  readonly side: 'meet';
  readonly at: number;
  /** The server dies, before or after the request was answered, or a side is changed meanwhile. */
  readonly event: 'nothing' | 'dies' | 'dies after' | Edit;
  /** Another server goes on. */
  readonly isOther: boolean;
}

export type Step = Edit | Meeting;

const edit: fc.Arbitrary<Edit> = fc.record({
  side: fc.constantFrom('git' as const, 'space' as const),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('word' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'title' as const,
        'add' as const,
        'delete' as const,
        'move' as const,
        'image' as const,
      ),
    },
    { weight: 2, arbitrary: fc.constantFrom('rename' as const, 'request' as const) },
  ),
  page: fc.nat(7),
  slot: fc.nat(SLOTS - 1),
  to: fc.nat(7),
});
const meeting: fc.Arbitrary<Meeting> = fc.record({
  side: fc.constant('meet' as const),
  at: fc.nat(6),
  event: fc.oneof(
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
    { weight: 3, arbitrary: fc.constantFrom('dies' as const, 'dies after' as const) },
    { weight: 1, arbitrary: edit },
  ),
  isOther: fc.boolean(),
});
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: edit }, { weight: 1, arbitrary: meeting }),
  { minLength: 4, maxLength: 12 },
);

/** The values that a thing may have: the one both sides have agreed on, or the last one of a side that has changed it since. */
class Said {
  private readonly last = new Map<Side, string>();
  constructor(private agreed: string) {}

  say(side: Side, value: string): void {
    this.last.set(side, value);
  }

  /** `isOpen` where one side has replaced the page as a whole. */
  allowed(isOpen: boolean): string[] {
    return this.last.size === 0 || isOpen ? [this.agreed, ...this.last.values()] : [...this.last.values()];
  }

  agree(value: string): void {
    this.agreed = value;
    this.last.clear();
  }
}

/** A page as a side shows it. */
export interface Shown {
  readonly title: string;
  readonly words: readonly string[];
  readonly images: readonly string[];
}

/** Facts about one page: its title, the words of its slots, its images, and who has touched it since both sides agreed. */
export class ModelPage {
  readonly title: Said;
  readonly slots: readonly Said[];
  readonly images = new Set<string>();
  private readonly touched = new Set<Side>();
  private readonly moved = new Set<Side>();
  private readonly deleted = new Set<Side>();
  /** A side has given it another file, which is another page where the other one has changed it. */
  private readonly replaced = new Set<Side>();

  constructor(readonly mark: string) {
    this.title = new Said('first');
    this.slots = Array.from({ length: SLOTS }, () => new Said('first'));
  }

  touch(side: Side): void {
    this.touched.add(side);
  }

  /** It may be below a page that the other side deletes. */
  move(side: Side): void {
    this.touched.add(side);
    this.moved.add(side);
  }

  delete(side: Side): void {
    this.touched.add(side);
    this.deleted.add(side);
  }

  replace(side: Side): void {
    this.touched.add(side);
    this.replaced.add(side);
  }

  /** The fault in how both sides show the page now that they agree, after people have decided or not; undefined for nothing. */
  fault(shown: readonly Shown[], hasDecided: boolean): string | undefined {
    const both = this.touched.size > 1;
    const isOpen = both && (this.deleted.size > 0 || this.replaced.size > 0);
    if (shown.length === 0 && hasDecided && this.moved.size > 0) return undefined;
    if (shown.length === 0) return this.deleted.size > 0 || isOpen ? undefined : 'is lost';
    if (this.deleted.size > 0 && !both) return 'was deleted, and is there';
    if (shown.length > 1) return isOpen ? undefined : 'is there twice';
    for (const { title, words, images } of shown) {
      if (!this.title.allowed(isOpen).includes(title))
        return `has the title ${title}, not ${this.title.allowed(isOpen).join(' or ')}`;
      for (const [slot, said] of this.slots.entries())
        if (!said.allowed(isOpen).includes(words[slot] ?? ''))
          return `says ${words[slot] ?? 'nothing'} in slot ${slot}, not ${said.allowed(isOpen).join(' or ')}`;
      const lost = [...this.images].find((image) => !images.includes(image));
      if (lost !== undefined && !isOpen) return `has lost the image ${lost}`;
    }
    return undefined;
  }

  /** Both sides agree on what they show; false for a page that is gone, or has become several. */
  agree(shown: readonly Shown[]): boolean {
    const [only] = shown;
    for (const sides of [this.touched, this.moved, this.deleted, this.replaced]) sides.clear();
    if (only === undefined || shown.length > 1) return false;
    this.title.agree(only.title);
    this.slots.forEach((slot, at) => slot.agree(only.words[at] ?? ''));
    this.images.clear();
    for (const image of only.images) this.images.add(image);
    return true;
  }
}

const slotName = (slot: number): string => `Paragraph ${'abc'[slot] ?? ''} says `;

/** The Markdown of a page, without its title. */
export const bodyOf = (word: string): string =>
  Array.from({ length: SLOTS }, (_, slot) => `${slotName(slot)}${word}.`).join('\n\n');
export const withWord = (text: string, slot: number, word: string): string =>
  text.replace(new RegExp(`${slotName(slot)}\\w+\\.`), `${slotName(slot)}${word}.`);

/** Reads what a text says; images are known by their words. */
export function shownIn(title: string, text: string): Shown {
  return {
    title: / says (\w+)$/.exec(title)?.[1] ?? '',
    words: Array.from({ length: SLOTS }, (_, slot) => new RegExp(`${slotName(slot)}(\\w+)\\.`).exec(text)?.[1] ?? ''),
    images: [...text.matchAll(/!\[(\w+)\]/g)].map(([, name = '']) => name),
  };
}

export const titleOf = (mark: string, word: string): string => `Page ${mark} says ${word}`;
export const markOf = (title: string): string | undefined => /^Page (\w+) says/.exec(title)?.[1];

/** A line of a table of contents. */
interface Line {
  readonly depth: number;
  readonly title: string;
  readonly path: string;
}

const LINE = /^( *)\* \[(.*)\]\((.*)\)$/;

/** A table of contents whose lines are added, taken out and moved. */
export class Contents {
  readonly lines: Line[];
  private readonly head: string;

  constructor(text: string) {
    const lines = text.split('\n');
    this.lines = lines.flatMap((line) => {
      const [, indent = '', title = '', path = ''] = LINE.exec(line) ?? [];
      return path === '' ? [] : [{ depth: indent.length / 2, title, path }];
    });
    const first = lines.findIndex((line) => LINE.test(line));
    this.head = lines.slice(0, first < 0 ? undefined : first).join('\n');
  }

  isLeaf(path: string): boolean {
    const at = this.lines.findIndex((line) => line.path === path);
    return at > 0 && (this.lines[at + 1]?.depth ?? 0) <= (this.lines[at]?.depth ?? 0);
  }

  take(path: string): Line | undefined {
    const at = this.lines.findIndex((line) => line.path === path);
    return at < 0 ? undefined : this.lines.splice(at, 1)[0];
  }

  /** Puts a page below the last one, or below another as its first one; gives the title of the one above. */
  put(title: string, path: string, below: number): string | undefined {
    const at = below % (this.lines.length + 1);
    const parent = this.lines[at];
    if (parent === undefined || parent.depth > 2) this.lines.push({ depth: 0, title, path });
    else {
      this.lines.splice(at + 1, 0, { depth: parent.depth + 1, title, path });
      return parent.title;
    }
    return undefined;
  }

  rename(path: string, changed: Partial<Line>): void {
    const at = this.lines.findIndex((line) => line.path === path);
    const line = this.lines[at];
    if (line) this.lines[at] = { ...line, ...changed };
  }

  toString(): string {
    return `${this.head}\n${this.lines.map(({ depth, title, path }) => `${'  '.repeat(depth)}* [${title}](${path})`).join('\n')}\n`;
  }
}
