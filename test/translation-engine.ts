import type { Segment } from '../src/insight/translations/domain/segment.js';
import { TranslationEngines, type ChosenEngine } from '../src/insight/translations/engines/translation-engines.js';
import type { TranslationJob } from '../src/insight/translations/engines/translation-engine.js';
import type { TestApp } from './app.js';

/** What the engine for tests makes of a text: every word ends otherwise. */
export function inOtherWords(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => `${word}ix`);
}

/** An engine that every test can foretell; it remembers what it was sent. */
export class TestEngine implements ChosenEngine {
  name = 'test';
  readonly sent: Segment[] = [];
  readonly jobs: TranslationJob[] = [];
  /** Answers instead of the usual way. */
  answer: (segment: Segment, job: TranslationJob) => Segment | undefined = inOrder;
  /** Awaited before each answer. */
  before: () => Promise<void> = async () => undefined;

  async translate(segments: readonly Segment[], job: TranslationJob): Promise<{ segments: (Segment | undefined)[] }> {
    await this.before();
    job.signal.throwIfAborted();
    this.sent.push(...segments);
    this.jobs.push(job);
    return { segments: segments.map((segment) => this.answer(segment, job)) };
  }

  /** The texts of what was sent since the last time. */
  takeSent(): string[] {
    return this.sent.splice(0).map((segment) => segment.filter((piece) => typeof piece === 'string').join(''));
  }
}

export function inOrder(segment: Segment, { glossary }: TranslationJob): Segment {
  return segment.map((piece) =>
    typeof piece === 'string'
      ? glossary.reduce((text, term) => text.replaceAll(`${term.source}ix`, term.target), inOtherWords(piece))
      : piece,
  );
}

/** Gives a server this engine, from English into some languages and no others. */
export function useEngine(app: TestApp, languages: readonly string[]): TestEngine {
  const engine = new TestEngine();
  const engines = app.get(TranslationEngines);
  engines.choose = async (source, target) =>
    source === 'en' && languages.includes(target)
      ? engine
      : { reason: `This server has no translation engine from ${source} to ${target}.` };
  return engine;
}
