import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';
import type { Highlight, HighlightedPiece } from './scene.js';

/** Code that is longer stays plain. */
const MAX_CODE = 100_000;
/** Characters of code in colours on one page; what comes after them stays plain. */
const MAX_CODE_OF_PAGE = 400_000;
/** Longer lines stay plain: minified code takes expressions too long. */
const MAX_LINE = 1_000;
/** Lines that are read at once, between turns of other requests. */
const LINES_AT_ONCE = 8;
const CACHED_BYTES = 32 * 1024 ** 2;
const THEME = 'classes';

/** The class of each colour of Shiki's theme of CSS variables. */
const CLASSES: Readonly<Record<string, string>> = {
  'token-constant': 'sn', 'token-string': 'ss', 'token-comment': 'sc', 'token-keyword': 'sk', 'token-parameter': 'sp',
  'token-function': 'sf', 'token-string-expression': 'sx', 'token-punctuation': 'su', 'token-link': 'sl',
  'token-inserted': 'si', 'token-deleted': 'sd', 'token-changed': 'sg',
};

type Lines = readonly (readonly HighlightedPiece[])[];

/** Code on a page, by what it says and how it is named. */
export interface CodeToHighlight {
  readonly code: string;
  readonly language: string;
}

/** Colours code. Grammars are loaded one by one as pages need them; results are kept as far as they fit. */
export class Highlighter {
  private readonly cache = new LRUCache<string, Lines>({ maxSize: CACHED_BYTES, sizeCalculation: (lines) => lines.reduce((size, line) => line.reduce((sum, [text]) => sum + 2 * text.length + 64, size + 32), 64) });
  private core: Promise<HighlighterCore> | undefined;
  private readonly grammars = new Map<string, Promise<string | undefined>>();

  /** Colours the code of a page, giving others their turns in between; what comes back finds it by its words and language. */
  async prepare(wanted: Iterable<CodeToHighlight>, turn: () => Promise<void>): Promise<Highlight> {
    const found = new Map<string, Lines>();
    const names = new Map<string, string>();
    let left = MAX_CODE_OF_PAGE;
    for (const { code, language } of wanted) {
      if (code.length > Math.min(left, MAX_CODE)) continue;
      const name = await this.grammar(language);
      if (name === undefined) continue;
      names.set(language, name);
      const key = keyOf(code, name);
      if (found.has(key)) continue;
      left -= code.length;
      const lines = this.cache.get(key) ?? (await this.colored(code, name, turn));
      this.cache.set(key, lines);
      found.set(key, lines);
    }
    return (code, language) => {
      const name = names.get(language);
      return name === undefined ? undefined : found.get(keyOf(code, name));
    };
  }

  private async colored(code: string, name: string, turn: () => Promise<void>): Promise<Lines> {
    const core = await this.highlighter();
    const lines = code.split('\n');
    const colored: HighlightedPiece[][] = [];
    let state: GrammarState | undefined;
    for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
      const part = lines.slice(start, start + LINES_AT_ONCE).join('\n');
      const tokens = core.codeToTokensBase(part, { lang: name, theme: THEME, tokenizeMaxLineLength: MAX_LINE, tokenizeTimeLimit: 0, ...(state && { grammarState: state }) });
      state = core.getLastGrammarState(tokens);
      colored.push(...tokens.map(joined));
      await turn();
    }
    return colored;
  }

  /** The name of the grammar of a language, loaded; undefined for languages that are not known. */
  private grammar(language: string): Promise<string | undefined> {
    const asked = language.toLowerCase();
    const known = this.grammars.get(asked);
    if (known) return known;
    const loading = this.load(asked);
    // Only what is known is remembered: names that content invents would fill the memory.
    void loading.then((name) => name === undefined && this.grammars.delete(asked), () => this.grammars.delete(asked));
    this.grammars.set(asked, loading);
    return loading;
  }

  private async load(asked: string): Promise<string | undefined> {
    const { bundledLanguages } = await import('shiki/langs');
    const name = Object.hasOwn(OTHER_NAMES, asked) ? (OTHER_NAMES[asked] ?? asked) : asked;
    if (!Object.hasOwn(bundledLanguages, name)) return undefined;
    const core = await this.highlighter();
    const grammar = bundledLanguages[name as keyof typeof bundledLanguages];
    await core.loadLanguage(grammar);
    return core.resolveLangAlias(name);
  }

  private highlighter(): Promise<HighlighterCore> {
    this.core ??= makeCore();
    return this.core;
  }
}

/** Names that people write for languages, and that Shiki does not know. */
const OTHER_NAMES: Readonly<Record<string, string>> = { golang: 'go', 'c#': 'csharp', 'c++': 'cpp', dockerfile: 'docker', 'objective-c': 'objective-c', plist: 'xml', svg: 'xml', curl: 'sh', terminal: 'shellsession', ps: 'powershell', protobuf: 'proto', hcl: 'hcl', conf: 'nginx', env: 'dotenv', jsonl: 'jsonl', 'vb.net': 'vb', gradle: 'groovy' };

async function makeCore(): Promise<HighlighterCore> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  const theme = createCssVariablesTheme({ name: THEME, variablePrefix: '--shiki-' });
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
}

/** A line of tokens; those of one colour that follow each other become one. */
function joined(tokens: readonly ThemedToken[]): HighlightedPiece[] {
  const pieces: [string, string][] = [];
  for (const { content, color } of tokens) {
    const variable = /^var\(--shiki-([a-z-]+)\)$/.exec(color ?? '')?.[1];
    const className = (variable === undefined ? undefined : CLASSES[variable]) ?? '';
    const last = pieces[pieces.length - 1];
    // Space has no colour of its own.
    if (last && (last[1] === className || content.trim() === '')) last[0] += content;
    else pieces.push([content, className]);
  }
  return pieces;
}

function keyOf(code: string, grammar: string): string {
  return createHash('sha256').update(`${grammar}\n${code}`).digest('base64');
}
