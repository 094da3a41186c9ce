import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Milliseconds for one piece of code, after its grammar is loaded. */
const TIME_LIMIT = 1_500;
/** Milliseconds for the thread to start, read a grammar and compile its expressions. */
const LOADING_LIMIT = 10_000;
/** Sufficient for a third of all grammars at once; if more are needed, the thread is restarted. */
const MEMORY_LIMIT_MB = 256;
/** Megabytes of new objects, of which there are few at once. */
const YOUNG_MB = 16;
/** Milliseconds without code after which the thread ends, and gives the memory of its grammars back. */
const IDLE = 60_000;
/** Expressions of a grammar are compiled on first use, which may take seconds: this code triggers most of them. */
const FIRST_CODE = 'const a = b("c", 1) + \'d\'; // e\nif (f) { return g[0]; } /* h */\n# i: j\n<k l="m">n</k>';
/** Longer lines stay plain: expressions take too long on minified code. */
const MAX_LINE = 1_000;

/** Highlights code one piece after another. A text, so that it runs the same from `src` and from `dist`. */
const PROGRAM = `const { parentPort, workerData: { core, engine, langs, maxLine, firstCode } } = require('node:worker_threads');
const ready = Promise.all([import(core), import(engine), import(langs)]).then(async ([{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }, { bundledLanguages }]) => ({
  bundledLanguages,
  highlighter: await createHighlighterCore({ themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: '--shiki-' })], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) }),
}));
const tried = new Set();
parentPort.on('message', async ({ code, language }) => {
  let lines;
  try {
    const { bundledLanguages, highlighter } = await ready;
    if (Object.hasOwn(bundledLanguages, language)) {
      const colored = (text) => highlighter.codeToTokensBase(text, { lang: language, theme: 'variables', tokenizeMaxLineLength: maxLine, tokenizeTimeLimit: 0 });
      if (!tried.has(language)) {
        await highlighter.loadLanguage(bundledLanguages[language]);
        colored(firstCode);
        tried.add(language);
      }
      parentPort.postMessage('loaded');
      lines = JSON.stringify(colored(code).map((line) => line.map(({ content, color }) => [content, color])));
    }
  } catch {}
  parentPort.postMessage(lines);
});`;

/** Words with their colour in Shiki's theme of CSS variables, such as `var(--shiki-token-string)`. */
export type ColoredLines = readonly (readonly (readonly [text: string, color: string | undefined])[])[];

/** The result for a piece of code; without lines if its language is unknown, or it takes too long. */
export interface Colored {
  /** `ColoredLines` as JSON, so that code that only passes them on does not copy them piece by piece. */
  readonly lines: string | undefined;
  /** Milliseconds until its grammar was loaded. */
  readonly loading: number;
}

/**
 * Highlights code in a thread of its own: grammars are large, their expressions may take long on some code, and other
 * requests must not wait for either. Pages take turns, piece by piece. It is not one of the pool's threads, because it
 * keeps grammars loaded: each of those threads would read all of them again (a second or more for one, 256 MB for a
 * third of them) and lose them when it is idle or ended, and their memory would count against the next text that the
 * thread reads. The time of a piece begins when its grammar is loaded, which only this thread knows.
 */
export class HighlightingWorker {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly limit: number = TIME_LIMIT) {}

  /** Returns the code in colours; undefined if its turn does not come before a time of `performance.now()`. */
  async colored(code: string, language: string, until: number): Promise<Colored | undefined> {
    const before = this.last;
    let leave = (): void => undefined;
    this.last = Promise.all([before, new Promise<void>((resolve) => (leave = resolve))]);
    try {
      const isItsTurn = await Promise.race([before.then(() => true), passed(until)]);
      return isItsTurn && performance.now() < until ? await this.ask(code, language) : undefined;
    } finally {
      leave();
    }
  }

  private ask(code: string, language: string): Promise<Colored> {
    const worker = (this.worker ??= this.start());
    clearTimeout(this.idle);
    const start = performance.now();
    return new Promise((resolve) => {
      let loading = 0;
      const stop = (): void => void worker.terminate();
      let limit = setTimeout(stop, LOADING_LIMIT);
      const end = (lines?: string): void => {
        clearTimeout(limit);
        worker.off('message', hear);
        worker.off('exit', gone);
        this.idle = setTimeout(() => void worker.terminate(), IDLE).unref();
        resolve({ lines, loading });
      };
      const hear = (message: string | undefined): void => {
        if (message !== 'loaded') return end(message);
        loading = performance.now() - start;
        clearTimeout(limit);
        limit = setTimeout(stop, this.limit);
      };
      const gone = (): void => end();
      worker.on('message', hear);
      worker.once('exit', gone);
      worker.postMessage({ code, language });
    });
  }

  private start(): Worker {
    const { resolve } = createRequire(import.meta.url);
    const [core, engine, langs] = ['shiki/core', 'shiki/engine/javascript', 'shiki/langs'].map((name) => resolve(name));
    const worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      workerData: { core, engine, langs, maxLine: MAX_LINE, firstCode: FIRST_CODE },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    // Exhausted memory ends the thread like other failures: the next caller gets another thread.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    return worker;
  }
}

/** Resolves to false once a time of `performance.now()` has passed. */
function passed(until: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), until - performance.now()).unref());
}
