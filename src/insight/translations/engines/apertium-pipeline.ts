import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { EngineError, requireRunning } from './engine-error.js';

/** Milliseconds for one answer. A sentence takes a few; some texts make a stage hang. */
const ANSWER_LIMIT = 20_000;
/** Milliseconds without work after which the processes are ended: together they take 200 MB and more. */
const IDLE_LIMIT = 60_000;
/** So many failures in a row mean that the processes are at fault, and not the texts. */
const MOST_FAILURES = 3;
/** Follows each text and returns after its answer: a stage may drop the end of a text, and join it with the next. */
const NUMBER = /\[\]\[(\d+)\n\]/g;

export interface PipelineLimits {
  readonly answer?: number;
  readonly idle?: number;
}

/** Running processes for one pair of languages; started by the first text and ended after an idle time. */
export class ApertiumPipeline {
  private child: ChildProcess | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;
  private sent = 0;

  constructor(
    private readonly command: string,
    private readonly limits: PipelineLimits = {},
  ) {}

  /**
   * Returns the answers to texts in Apertium's stream format, in order; undefined for a text that times out or ends the
   * processes. Callers take turns. Throws `EngineError` if no text is answered at all, and if the signal is aborted.
   */
  async answers(texts: readonly string[], signal: AbortSignal): Promise<(string | undefined)[]> {
    const turn = this.last.then(() => this.inTurn(texts, signal));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** True while processes are running. */
  get running(): boolean {
    return this.child !== undefined;
  }

  /** Ends the processes; the next text starts new ones. */
  stop(): void {
    clearTimeout(this.idle);
    const { child } = this;
    this.child = undefined;
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // They have already ended.
    }
  }

  private async inTurn(texts: readonly string[], signal: AbortSignal): Promise<(string | undefined)[]> {
    clearTimeout(this.idle);
    const answers: (string | undefined)[] = [];
    let failures = 0;
    while (answers.length < texts.length) {
      requireRunning(signal);
      const { received, fault } = await this.exchange(texts.slice(answers.length), signal);
      answers.push(...received);
      if (fault === undefined) break;
      this.stop();
      requireRunning(signal);
      if (answers.length === texts.length) break;
      failures = received.length > 0 ? 1 : failures + 1;
      if (failures >= MOST_FAILURES)
        throw new EngineError(
          'unavailable',
          'Apertium does not answer: the processes of its language pair end or hang',
          { cause: fault },
        );
      answers.push(undefined);
    }
    this.idle = setTimeout(() => this.stop(), this.limits.idle ?? IDLE_LIMIT).unref();
    return answers;
  }

  /** Sends all texts at once and collects the answers until they are complete, or a failure occurs. */
  private async exchange(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ received: string[]; fault?: Error }> {
    const child = (this.child ??= this.start());
    const first = this.sent;
    this.sent += texts.length;
    const received: string[] = [];
    let rest = '';
    return new Promise((resolve) => {
      const end = (fault?: Error): void => {
        clearTimeout(limit);
        child.stdout?.off('data', hear);
        child.off('exit', ended).off('error', end);
        signal.removeEventListener('abort', stopped);
        resolve({ received, ...(fault && { fault }) });
      };
      const late = (): void => end(new Error(`no answer within ${this.limits.answer ?? ANSWER_LIMIT} ms`));
      const ended = (code: number | null): void => end(new Error(`the processes ended with ${code}`));
      const stopped = (): void => end(new Error('stopped'));
      let limit = setTimeout(late, this.limits.answer ?? ANSWER_LIMIT);
      const hear = (chunk: string): void => {
        const answers = (rest + chunk).split('\0');
        rest = answers.pop() ?? '';
        for (const answer of answers) {
          const numbers = [...answer.matchAll(NUMBER)].map(([, number]) => Number(number));
          if (received.length >= texts.length || numbers.length !== 1 || numbers[0] !== first + received.length)
            return end(new Error('an answer to something else'));
          received.push(answer.replace(NUMBER, ''));
        }
        if (answers.length === 0) return;
        if (received.length === texts.length)
          return end(rest === '' ? undefined : new Error('more answers than texts'));
        clearTimeout(limit);
        limit = setTimeout(late, this.limits.answer ?? ANSWER_LIMIT);
      };
      child.stdout?.on('data', hear);
      child.once('exit', ended).once('error', end);
      signal.addEventListener('abort', stopped, { once: true });
      child.stdin?.write(texts.map((text, index) => `${text}[][${first + index}\n]\0`).join(''));
    });
  }

  /**
   * A process group, so that all stages are ended at once. Without the server they end by themselves, because their
   * input is closed.
   */
  private start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', this.command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      // Without the server's own environment: it contains keys.
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    });
    child.stdout?.setEncoding('utf8');
    // Writing to ended processes fails, which their exit event already reports.
    for (const stream of [child.stdin, child.stdout]) stream?.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.child === child) this.child = undefined;
    });
    child.unref();
    (child.stdin as (Writable & { unref?: () => void }) | null)?.unref?.();
    return child;
  }
}
