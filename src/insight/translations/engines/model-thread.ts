import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { EngineError, requireRunning } from './engine-error.js';

/** Milliseconds for one text, including the loading of a model. */
const TEXT_LIMIT = 60_000;
/** Milliseconds without work after which the thread is ended: a model takes 150 MB. */
const IDLE_LIMIT = 60_000;

/** Runs one model. A text, so that it runs the same from `src` and from `dist`. */
const PROGRAM = `const { readFileSync } = require('node:fs');
const { parentPort, workerData: { library } } = require('node:worker_threads');
const { Translator } = require(library);
let known, translator;
parentPort.on('message', ({ files, text }) => {
  try {
    if (known !== files.join()) {
      if (translator) translator.free();
      known = translator = undefined;
      const [model, source, target, shortlist] = files.map((file) => readFileSync(file));
      translator = new Translator(model, source, target, shortlist);
      known = files.join();
    }
  } catch (error) {
    parentPort.postMessage({ fault: String(error && error.message || error) });
    return;
  }
  try {
    parentPort.postMessage({ text: translator.translate_long(text) });
  } catch {
    parentPort.postMessage({});
  }
});`;

interface Said {
  readonly text?: string;
  /** The reason why the model could not be read. */
  readonly fault?: string;
}

export interface ThreadLimits {
  readonly text?: number;
  readonly idle?: number;
}

/** Translates texts by models of Firefox in a separate thread, one after another. */
export class ModelThread {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: ThreadLimits = {},
    private readonly library: string = createRequire(import.meta.url).resolve('fxtranslate'),
  ) {}

  /**
   * Translates with the model of these files: the model, the vocabularies of both languages, and its shortlist if it
   * has one. Undefined for a text that the model does not translate in time. Throws `EngineError`.
   */
  async translate(files: readonly string[], text: string, signal: AbortSignal): Promise<string | undefined> {
    const turn = this.last.then(() => this.inTurn(files, text, signal));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the thread; the next text starts another one. */
  stop(): void {
    clearTimeout(this.idle);
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private async inTurn(files: readonly string[], text: string, signal: AbortSignal): Promise<string | undefined> {
    requireRunning(signal);
    clearTimeout(this.idle);
    const said = await this.ask(files, text, signal);
    requireRunning(signal);
    this.idle = setTimeout(() => this.stop(), this.limits.idle ?? IDLE_LIMIT).unref();
    if (said?.fault !== undefined)
      throw new EngineError('unavailable', `The translation model cannot be read: ${said.fault}`);
    return said?.text;
  }

  /** Undefined if the thread ends, or has to be ended, before it responds. */
  private ask(files: readonly string[], text: string, signal: AbortSignal): Promise<Said | undefined> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const end = (said?: Said): void => {
        clearTimeout(limit);
        signal.removeEventListener('abort', stop);
        worker.off('message', end).off('exit', gone);
        resolve(said);
      };
      const gone = (): void => end();
      const stop = (): void => this.stop();
      const limit = setTimeout(stop, this.limits.text ?? TEXT_LIMIT);
      signal.addEventListener('abort', stop, { once: true });
      worker.once('message', end).once('exit', gone);
      worker.postMessage({ files, text });
    });
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [], env: {}, workerData: { library: this.library } });
    // Its exit event is sufficient.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    return worker;
  }
}
