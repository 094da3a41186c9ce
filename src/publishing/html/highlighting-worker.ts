import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Milliseconds for one piece of code, its grammar included. */
const TIME_LIMIT = 20_000;
/** A third of all grammars there are fits at once; where more are asked for, the thread begins anew. */
const MEMORY_LIMIT_MB = 256;
/** Longer lines stay plain: minified code takes expressions too long. */
const MAX_LINE = 1_000;

/** Colours code one piece after the other. A text, so that it runs the same from `src` and from `dist`. */
const PROGRAM = `const { parentPort, workerData: { core, engine, langs, maxLine } } = require('node:worker_threads');
const ready = Promise.all([import(core), import(engine), import(langs)]).then(async ([{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }, { bundledLanguages }]) => ({
  bundledLanguages,
  highlighter: await createHighlighterCore({ themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: '--shiki-' })], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) }),
}));
parentPort.on('message', async ({ code, language }) => {
  let lines;
  try {
    const { bundledLanguages, highlighter } = await ready;
    if (Object.hasOwn(bundledLanguages, language)) {
      await highlighter.loadLanguage(bundledLanguages[language]);
      const tokens = highlighter.codeToTokensBase(code, { lang: language, theme: 'variables', tokenizeMaxLineLength: maxLine, tokenizeTimeLimit: 0 });
      lines = tokens.map((line) => line.map(({ content, color }) => [content, color]));
    }
  } catch {}
  parentPort.postMessage(lines);
});`;

/** Words with the colour of Shiki's theme of CSS variables that they have, such as `var(--shiki-token-string)`. */
export type ColoredLines = readonly (readonly (readonly [text: string, color: string | undefined])[])[];

/**
 * Colours code in a thread of its own: grammars are large, their expressions may take long for what somebody writes, and
 * other requests wait for neither.
 */
export class HighlightingWorker {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** The code in colours; undefined where the language is not known, or it takes too long. */
  colored(code: string, language: string): Promise<ColoredLines | undefined> {
    const turn = this.last.then(() => this.ask(code, language));
    this.last = turn;
    return turn;
  }

  private ask(code: string, language: string): Promise<ColoredLines | undefined> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const end = (lines?: ColoredLines): void => {
        clearTimeout(limit);
        worker.off('message', end);
        worker.off('exit', gone);
        resolve(lines);
      };
      const gone = (): void => end();
      const limit = setTimeout(() => void worker.terminate(), TIME_LIMIT);
      worker.once('message', end);
      worker.once('exit', gone);
      worker.postMessage({ code, language });
    });
  }

  private start(): Worker {
    const { resolve } = createRequire(import.meta.url);
    const [core, engine, langs] = ['shiki/core', 'shiki/engine/javascript', 'shiki/langs'].map((name) => resolve(name));
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [], workerData: { core, engine, langs, maxLine: MAX_LINE }, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } });
    // Too little memory is an end like others: whoever asks next gets another thread.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    return worker;
  }
}
