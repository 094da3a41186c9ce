import { createHash } from 'node:crypto';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { HighlightingWorker, type ColoredLines } from './highlighting-worker.js';
import type { Highlight, HighlightedPiece } from './render-context.js';

/** Longer code stays plain. */
const MAX_CODE = 100_000;
/** Maximum number of highlighted characters on one page; later code stays plain. */
const MAX_CODE_OF_PAGE = 400_000;
/** Milliseconds for the code of one page, including the turns of other pages; the rest stays plain for now. */
const TIME_OF_PAGE = 3_000;
/** Additional milliseconds for grammars that are read for the first time. */
const LOADING_OF_PAGE = 5_000;
/** Languages have short names. */
const LANGUAGE = /^[a-z0-9+#._-]{1,40}$/;

/** The class of each colour of Shiki's theme of CSS variables. */
const CLASSES: Readonly<Record<string, string>> = {
  'token-constant': 'sn',
  'token-string': 'ss',
  'token-comment': 'sc',
  'token-keyword': 'sk',
  'token-parameter': 'sp',
  'token-function': 'sf',
  'token-string-expression': 'sx',
  'token-punctuation': 'su',
  'token-link': 'sl',
  'token-inserted': 'si',
  'token-deleted': 'sd',
  'token-changed': 'sg',
};

/** Common language names that Shiki does not know. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  golang: 'go',
  plist: 'xml',
  svg: 'xml',
  curl: 'sh',
  terminal: 'shellsession',
  ps: 'powershell',
  protobuf: 'proto',
  conf: 'nginx',
  env: 'dotenv',
  'vb.net': 'vb',
  gradle: 'groovy',
};

type Lines = readonly (readonly HighlightedPiece[])[];

/** Code on a page, with its text and language name. */
export interface CodeToHighlight {
  readonly code: string;
  readonly language: string;
}

/** The colours of pieces of code, `ColoredLines` as JSON, by language and text. */
export type CodeColors = ReadonlyMap<string, string>;

/** The colours of the code of a page. */
export interface PreparedCode {
  readonly colors: CodeColors;
  /** True if some of it is plain only for lack of time: the next request may get colours. */
  readonly isProvisional: boolean;
}

/** Highlights code; results are cached within limits. */
export class Highlighter {
  private readonly cache = new Cache<{ readonly lines: string | undefined }>({
    share: 8,
    weigh: ({ lines = '' }) => textBytes(lines) + 32,
  });

  constructor(
    private readonly worker: Pick<HighlightingWorker, 'colored'> = new HighlightingWorker(),
    private readonly timeOfPage: number = TIME_OF_PAGE,
  ) {}

  /** Highlights the code of a page; the result is looked up by text and language. */
  async prepare(wanted: Iterable<CodeToHighlight>): Promise<PreparedCode> {
    const colors = new Map<string, string>();
    const start = performance.now();
    let [left, until, isProvisional] = [MAX_CODE_OF_PAGE, start + this.timeOfPage, false];
    for (const { code, language } of wanted) {
      const name = nameOf(language);
      if (name === undefined || code.length > Math.min(left, MAX_CODE)) continue;
      left -= code.length;
      const key = keyOf(code, name);
      let known = this.cache.get(key);
      if (!known && performance.now() < until) {
        const colored = await this.worker.colored(code, name, until);
        until = Math.min(until + (colored?.loading ?? 0), start + this.timeOfPage + LOADING_OF_PAGE);
        known = colored && { lines: colored.lines };
        if (known) this.cache.set(key, known);
      }
      if (known?.lines !== undefined) colors.set(key, known.lines);
      isProvisional ||= known === undefined;
    }
    return { colors, isProvisional };
  }
}

/** Creates the function that renders code in its prepared colours. */
export function highlightedBy(colors: CodeColors): Highlight {
  return (code, language) => {
    const name = code.length > MAX_CODE ? undefined : nameOf(language);
    const lines = name === undefined ? undefined : colors.get(keyOf(code, name));
    return lines === undefined ? undefined : classesOf(JSON.parse(lines) as ColoredLines);
  };
}

function nameOf(language: string): string | undefined {
  const asked = language.toLowerCase();
  if (!LANGUAGE.test(asked)) return undefined;
  return Object.hasOwn(OTHER_NAMES, asked) ? OTHER_NAMES[asked] : asked;
}

/** Converts colours to classes; adjacent pieces of one class are joined. */
function classesOf(colored: ColoredLines): Lines {
  return colored.map((line) => {
    const pieces: [string, string][] = [];
    for (const [text, color] of line) {
      const variable = /^var\(--shiki-([a-z-]+)\)$/.exec(color ?? '')?.[1];
      const className = (variable === undefined ? undefined : CLASSES[variable]) ?? '';
      const last = pieces[pieces.length - 1];
      // White space has no colour of its own.
      if (last && (last[1] === className || text.trim() === '')) last[0] += text;
      else pieces.push([text, className]);
    }
    return pieces;
  });
}

function keyOf(code: string, language: string): string {
  return createHash('sha256').update(`${language}\n${code}`).digest('base64');
}
